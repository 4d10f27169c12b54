// The main job in a real VS Code: tree, memory, squiggle, quick fix, problem count, and an index past its limit.
//   node tests/editors/scenarios/main_job.mjs [dark|light|contrast]
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { OLDEST } from "../lib/places.mjs";
import { scenario } from "../lib/scenario.mjs";
import { until } from "../lib/wait.mjs";
import { World } from "../lib/world.mjs";

const theme = process.argv[2] ?? "dark";
const vsix = process.env.MEMDIR_TEST_VSIX;
const world = new World("main").makeSample("--small-index");
const name = `main-${theme}${OLDEST ? "-oldest" : ""}`;

await scenario(world, { name, theme, vsix }, async (wb) => {
  const freeze = path.join(world.memory, "project_freeze.md");
  const index = path.join(world.memory, "MEMORY.md");

  // --- the tree
  await wb.openSidebar();
  await wb.row("Merge freeze").waitFor();
  for (const expected of ["MEMORY.md", "Real database in tests", "代码评审", "Team"]) {
    await wb.row(expected).waitFor();
  }
  const before = await until(() => wb.badge(), { what: "the number of problems on the icon" });
  await wb.shot("tree");

  // --- a memory and its squiggle
  await wb.openFile("Merge freeze", "project_freeze.md");
  await wb.squiggles().first().waitFor();
  await wb.openProblems();
  await wb.shot("memory");
  await wb.filterProblems("relative-date");
  await until(async () => (await wb.problemRows()).some((row) => row.includes("project_freeze.md")), {
    what: "the memory among the problems",
  });
  await wb.filterProblems("");

  // --- a quick fix
  await wb.goToText(freeze, "yesterday");
  const menu = await wb.codeActions();
  await wb.shot("quick-fix");
  assert.match(await menu.innerText(), /2026-03-03/);
  await wb.page.keyboard.press("Escape");
  await wb.applyAction("2026-03-03");
  await wb.editor.locator(".view-line", { hasText: "2026-03-03" }).waitFor();
  await wb.save();
  await until(() => /2026-03-03/.test(fs.readFileSync(freeze, "utf8")), { what: "the fix on disk" });
  await until(async () => (await wb.badge()) < before, { what: "fewer problems on the icon" });
  await wb.shot("fixed");

  // --- an index past its limit
  await wb.openFile("MEMORY.md");
  const filler = Array.from({ length: 190 }, (_, i) => `- note ${i}`).join("\n");
  await wb.goTo(3);
  await wb.page.evaluate((text) => navigator.clipboard.writeText(text), `${filler}\n`);
  await wb.page.keyboard.press("Control+V");
  await wb.filterProblems("over-line-limit");
  await until(async () => (await wb.problemRows()).some((row) => /200/.test(row) && /line/i.test(row)), {
    what: "the index over its limit among the problems",
  });
  await wb.goTo(fs.readFileSync(index, "utf8").split("\n").length + 180);
  await until(
    async () => (await wb.squiggles("warning").count()) + (await wb.squiggles("error").count()) > 0,
    {
      what: "the lost entries marked",
    },
  );
  await wb.shot("index-lost");
});
