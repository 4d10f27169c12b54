// Moving a memory from private to team: dragged in the sidebar; both indexes and every link follow.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { until } from "../lib/wait.mjs";
import { scenario } from "../lib/workbench.mjs";
import { World } from "../lib/world.mjs";

const world = new World("move").makeSample("--small-index");
const file = (name) => path.join(world.memory, name);

await scenario(world, { name: "moving", height: 1100, vsix: process.env.MEMDIR_TEST_VSIX }, async (wb) => {
  await wb.openSidebar();
  await wb.row("Release train").waitFor();
  await wb.row("Queue decision").dragTo(wb.row("Release train"));
  await until(() => fs.existsSync(file("team/project_decision_queue.md")), {
    what: "the memory in the team directory",
  });
  await until(() => !/project_decision_queue/.test(world.read("MEMORY.md")), {
    what: "the private entry to go",
  });
  await until(() => /project_decision_queue\.md/.test(world.read("team/MEMORY.md")), {
    what: "the team's entry",
  });
  assert.equal(fs.existsSync(file("project_decision_queue.md")), false);
  assert.equal(world.read("team/MEMORY.md").match(/project_decision_queue\.md/g).length, 1);
  await wb.shot("moved");
});
