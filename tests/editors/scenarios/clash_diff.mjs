// A file of a consolidation that was changed meanwhile, without a merge editor: the present text beside the result.
//   node tests/editors/scenarios/clash_diff.mjs [dark|light|contrast]
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { startModel } from "../lib/model.mjs";
import { scenario, withModel } from "../lib/scenario.mjs";
import { until } from "../lib/wait.mjs";
import { World } from "../lib/world.mjs";

const theme = process.argv[2] ?? "dark";
const NAME = "feedback_db.md";
const memory = (rule, more = "") =>
  `---\nname: Real database\ndescription: Integration tests hit a real PostgreSQL\ntype: feedback\n---\n\n${rule}\n\n**Why:** a migration broke.\n\n**How to apply:** use the fixture.\n${more}`;
const BASE = memory("Tests hit PostgreSQL.");
const PROPOSED = memory("Integration tests hit PostgreSQL, never a mock.");
const PRESENT = memory("Tests hit PostgreSQL.", "The port is 5433.\n");

const world = new World("clashdiff")
  .initRepository()
  .writeMemory({ [NAME]: BASE, "MEMORY.md": `- [Real database](${NAME}) — real PostgreSQL\n` });
const model = await startModel(world, [
  {
    steps: [
      { text: "Look.", tools: [["read", { path: NAME }]] },
      { text: "Read." },
      { text: "Nothing new in the sessions." },
      { tools: [["write", { path: NAME, content: PROPOSED, reason: "said more clearly" }]] },
      { text: "Done." },
      { text: "One memory says it more clearly." },
    ],
  },
]);
const settings = {
  "memdir.extract.auto": "off",
  "memdir.consolidate.auto": "off",
  "memdir.notes.enabled": false,
  "memdir.clash.view": "diff",
};
const options = withModel(model, "clash-diff", theme, settings);
await scenario(world, options, async (wb) => {
  await wb.openSidebar();
  await wb.row("Real database").waitFor();
  await wb.command("Memory: Consolidate");
  await wb.toast("").getByRole("button", { name: "Consolidate now" }).first().click();
  const tree = (text) => wb.sidebar.getByRole("treeitem").filter({ hasText: text }).first();
  const review = tree("Consolidate memories");
  await review.waitFor({ timeout: 90_000 });
  await tree(NAME).waitFor();
  await tree("One memory says it more clearly.").waitFor(); // how it came to be, too

  // --- the agent changes the file: it is not offered for taking any more, but for bringing together
  fs.writeFileSync(path.join(world.memory, NAME), PRESENT);
  await wb.command("Memory: Refresh Proposals");
  const clash = tree("changed meanwhile: three texts");
  await clash.waitFor();
  const right = wb.page.locator(".monaco-diff-editor .editor.modified");
  await clash.click();
  await right.getByText("never a mock").first().waitFor();
  await wb.page.locator(".monaco-diff-editor .editor.original").getByText("port is 5433").first().waitFor();
  await wb.toast("was changed after this was proposed").first().waitFor();
  assert.equal(world.read(NAME), PRESENT);
  await wb.shot("beside");

  // --- the person adds what the agent wrote, and takes the result
  await right.getByText("use the fixture").first().click();
  await wb.page.keyboard.press("Control+End");
  await wb.page.keyboard.type("The port is 5433.\n");
  await right.getByText("port is 5433").first().waitFor();
  await wb.shot("result");
  await wb.page.locator(".editor-actions").getByRole("button", { name: "Take the Result" }).click();
  const both = memory("Integration tests hit PostgreSQL, never a mock.", "The port is 5433.\n");
  await until(() => world.read(NAME) === both, { what: "the result on disk" });
  await review.waitFor({ state: "hidden" });
  await wb.activeTab(NAME).waitFor();
  await wb.page.locator(".monaco-diff-editor").waitFor({ state: "detached" });
  await wb.shot("settled");

  await wb.toast("The proposal was taken.").first().getByRole("button", { name: "Undo" }).click();
  await until(() => world.read(NAME) === PRESENT, { what: "the file as the agent left it" });
});
model.stop();
