// Memory as a language: completion, hover, rename with everything that points to it, order in the index, code lenses.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { scenario } from "../lib/scenario.mjs";
import { until } from "../lib/wait.mjs";
import { World } from "../lib/world.mjs";

const world = new World("lang").makeSample("--small-index");
const file = (name) => path.join(world.memory, name);

await scenario(world, { name: "language", vsix: process.env.MEMDIR_TEST_VSIX }, async (wb) => {
  await wb.openSidebar();

  // --- completion of a type and of a wikilink
  await wb.openFile("Queue decision", "project_decision_queue.md");
  await wb.squiggles().first().waitFor();
  await wb.goToText(file("project_decision_queue.md"), "type: decision");
  await wb.page.keyboard.press("End");
  await wb.page.keyboard.press("Control+Backspace");
  const suggestions = wb.page.locator(".suggest-widget");
  await until(
    async () => {
      await wb.page.keyboard.press("Control+Space");
      return suggestions
        .locator(".monaco-list-row", { hasText: "reference" })
        .first()
        .waitFor({ timeout: 3000 })
        .then(
          () => true,
          () => false,
        );
    },
    { what: "the types among the suggestions" },
  );
  await wb.shot("completion-type");
  const rows = await suggestions.locator(".monaco-list-row").allInnerTexts();
  for (const type of ["user", "feedback", "project", "reference"]) {
    assert.ok(
      rows.some((row) => row.startsWith(type)),
      `${type} in ${rows.join(" | ")}`,
    );
  }
  await wb.page.keyboard.type("pro");
  await wb.page.keyboard.press("Enter");
  await wb.editor.locator(".view-line", { hasText: "type: project" }).waitFor();
  await wb.page.keyboard.press("Control+End");
  await wb.page.keyboard.type("See [[");
  await suggestions.locator(".monaco-list-row", { hasText: "project_freeze" }).waitFor();
  await wb.shot("completion-link");
  await wb.page.keyboard.type("tide_t");
  await wb.page.keyboard.press("Enter");
  await wb.editor.locator(".view-line", { hasText: "See [[project_tide_tables]]" }).waitFor();
  await wb.save();
  await until(
    () => /type: project[\s\S]*\[\[project_tide_tables\]\]/.test(world.read("project_decision_queue.md")),
    {
      what: "the completed memory on disk",
    },
  );

  // --- hover over an index entry
  await wb.openFile("MEMORY.md");
  await wb.goToText(file("MEMORY.md"), "Merge freeze](");
  await wb.command("Show or Focus Hover");
  const hover = wb.page.locator(".monaco-hover:not(.hidden)", {
    hasText: "Merge freeze for the mobile release cut",
  });
  await hover.waitFor();
  await wb.shot("hover");
  await wb.page.keyboard.press("Escape");

  // --- rename in the sidebar: the index and the wikilinks follow
  await wb.menu("Tide tables", "Rename");
  await wb.answer("New file name", "project_tide_licence.md");
  // VS Code asks whether what the server changes along with a rename is wanted
  await wb.dialog().getByRole("button", { name: "OK" }).click();
  await until(() => fs.existsSync(file("project_tide_licence.md")), { what: "the renamed file" });
  await until(() => /\(project_tide_licence\.md\)/.test(world.read("MEMORY.md")), {
    what: "the entry that follows",
  });
  assert.equal(fs.existsSync(file("project_tide_tables.md")), false);
  await until(() => /\[\[project_tide_licence\]\]/.test(world.read("project_decision_queue.md")), {
    what: "the wikilink that follows",
  });
  await wb.shot("renamed");

  // --- the index in order: dead and double lines go, free text stays
  const before = world.read("MEMORY.md");
  assert.match(before, /reference_trackers\.md/); // leads nowhere
  await wb.command("Memory: Organize Index");
  await wb.editor.locator(".view-line", { hasText: "Archive 2025" }).waitFor();
  await until(() => !/reference_trackers\.md/.test(world.read("MEMORY.md")), {
    what: "the dead entry to go",
  });
  assert.equal(world.read("MEMORY.md").match(/feedback_logging\.md/g).length, 1);
  await wb.shot("organised");
});
