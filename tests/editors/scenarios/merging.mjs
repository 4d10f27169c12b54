// Two memories that say the same, selected in the sidebar and merged: shown before anything changes, taken, undone.
//   node tests/editors/scenarios/merging.mjs [dark|light|contrast]
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { scenario } from "../lib/scenario.mjs";
import { until } from "../lib/wait.mjs";
import { World } from "../lib/world.mjs";

const theme = process.argv[2] ?? "dark";
const RULES = Array.from(
  { length: 8 },
  (_, n) => `Rule ${n}: berth ${n} of the harbour is kept free for pilots.`,
);
const memory = (name, more = "") =>
  `---\nname: ${name}\ndescription: Which berths of the harbour are kept free for pilots, and why\ntype: project\n---\n\n${RULES.join("\n")}\n${more}\n**Why:** pilots come without notice.\n\n**How to apply:** never plan these berths.\n`;
const FIRST = memory("Pilot berths", "Mara keeps the list.\n");
const SECOND = memory("Berths for pilots");
const INDEX =
  "- [Pilot berths](project_pilot_berths.md) — kept free\n- [Berths for pilots](project_berths_for_pilots.md) — kept free\n";
const world = new World("merging").initRepository().writeMemory({
  "MEMORY.md": INDEX,
  "project_pilot_berths.md": FIRST,
  "project_berths_for_pilots.md": SECOND,
});
const exists = (name) => fs.existsSync(path.join(world.memory, name));
const both = () => [exists("project_pilot_berths.md"), exists("project_berths_for_pilots.md")];

await scenario(world, { name: `merging-${theme}`, theme, vsix: process.env.MEMDIR_TEST_VSIX }, async (wb) => {
  await wb.openSidebar();
  await wb.row("Pilot berths").waitFor();
  await wb.row("Pilot berths").click();
  await wb.row("Berths for pilots").click({ modifiers: ["Control"] });
  await wb.menu("Berths for pilots", "Merge Selected Memories");

  // --- looked at first
  const preview = wb.page.locator(".bulk-edit-panel");
  await preview.waitFor();
  await preview.getByText("MEMORY.md").first().waitFor();
  assert.deepEqual(both(), [true, true]);
  await wb.shot("preview");

  // --- taken: what deletes and reaches beyond a file has to be ticked
  for (const name of ["MEMORY.md", "project_berths_for_pilots.md", "project_pilot_berths.md"]) {
    await preview
      .locator(".monaco-list-row")
      .filter({ hasText: name })
      .last()
      .locator(".edit-checkbox")
      .click();
  }
  await preview.getByRole("button", { name: "Apply" }).click();
  await until(() => both().filter(Boolean).length === 1, { what: "one of them to go" });
  const [left] = ["project_pilot_berths.md", "project_berths_for_pilots.md"].filter(exists);
  await until(
    () =>
      world
        .read("MEMORY.md")
        .match(/project_\w+\.md/g)
        .join() === left,
    { what: "the index" },
  );
  assert.match(world.read(left), /Mara keeps the list\./);
  await wb.shot("merged");
});
