// Moving a memory from private to team: dragged in the sidebar; both indexes and every link follow. Then other projects.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { scenario } from "../lib/scenario.mjs";
import { until } from "../lib/wait.mjs";
import { World } from "../lib/world.mjs";

const world = new World("move").makeSample("--small-index");
const file = (name) => path.join(world.memory, name);

// a repository that is gone, and what it left
const gone = path.join(world.config, "projects/-gone-elsewhere/memory");
fs.mkdirSync(gone, { recursive: true });
fs.writeFileSync(
  path.join(gone, "user_role.md"),
  "---\nname: Role\ndescription: Writes firmware\ntype: user\n---\nWrites firmware.\n",
);

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

  // --- other projects, one of them left behind
  await wb.sidebar.getByRole("button", { name: /Other Projects/ }).click();
  const other = wb.sidebar.getByRole("treeitem").filter({ hasText: "left behind" }).first();
  await other.waitFor();
  await other.click();
  await wb.sidebar.getByRole("treeitem").filter({ hasText: "user_role.md" }).last().waitFor();
  await wb.shot("other-projects");
});
