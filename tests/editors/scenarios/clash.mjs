// A proposal whose file was changed meanwhile: three texts in the merge editor, nothing overwritten, the person's result saved
// and the proposal settled; then a file of a consolidation, without a merge editor.
//   node tests/editors/scenarios/clash.mjs [dark|light|contrast]
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { startModel } from "../lib/model.mjs";
import { scenario } from "../lib/scenario.mjs";
import { writeSession } from "../lib/session.mjs";
import { until } from "../lib/wait.mjs";
import { World } from "../lib/world.mjs";

const theme = process.argv[2] ?? "dark";
const NAME = "project_cut.md";
const memory = (date, more = "") =>
  `---\nname: Branch cut\ndescription: When the release branch is cut and who may still merge\ntype: project\n---\n\nThe branch is cut on ${date}.\n\n**Why:** the store review takes a week.\n\n**How to apply:** merge before it.\n${more}`;
const BASE = memory("2026-03-20");
const PRESENT = memory("2026-03-20", "Hotfixes may pass, says Mara.\n");
const MOVED = "The branch is cut a week later, on 2026-03-27";

const world = new World("clash")
  .initRepository()
  .writeMemory({ [NAME]: BASE, "MEMORY.md": `- [Branch cut](${NAME}) — when, and who may merge\n` });
const file = path.join(world.memory, NAME);
writeSession(world, "clash", ["When is the branch cut?", "On 2026-03-20.", MOVED, "Noted."]);
const evidence = [{ message: "m3", quote: "cut a week later, on 2026-03-27" }];
const edit = { path: NAME, old: "2026-03-20", new: "2026-03-27", reason: "the date moved", evidence };
const settings = {
  "memdir.extract.auto": "off",
  "memdir.consolidate.auto": "off",
  "memdir.notes.enabled": false,
};
const steps = [{ tools: [["edit", edit]] }, { text: "Done." }];
const model = await startModel(world, [{ steps: [...steps, ...steps] }]);

await scenario(
  world,
  {
    name: `clash-${theme}`,
    theme,
    settings,
    height: 1000,
    env: model.env,
    vsix: process.env.MEMDIR_TEST_VSIX,
  },
  async (wb) => {
    await wb.openSidebar();
    await wb.row("Branch cut").waitFor();
    const proposal = wb.sidebar.getByRole("treeitem").filter({ hasText: "Change: Branch cut" }).first();
    await wb.command("Memory: Extract From the Last Session");
    await proposal.waitFor({ timeout: 60_000 });

    // --- the agent changes the file while the proposal waits
    fs.writeFileSync(file, PRESENT);
    const merge = wb.page.locator(".merge-editor");
    await wb.rowButton(proposal, "Take", (options) => merge.waitFor(options));
    await wb.toast("was changed after this was proposed").first().waitFor();
    assert.equal(world.read(NAME), PRESENT, "nothing is written before the person decides");
    const side = (title) =>
      merge.locator(".code-view").filter({ has: wb.page.locator(".title", { hasText: title }) });
    await side("The file as it is now").getByText("says Mara").first().waitFor();
    await side("What was proposed").getByText("2026-03-27").first().waitFor();
    await wb.editorMenu("Show Base Top");
    await side("Base").getByText("cut on 2026-03-20").first().waitFor();
    await wb.shot("three-texts");

    // --- the person takes what was proposed into the result, which has the agent's line already
    await side("What was proposed").getByText("Accept What was proposed").click();
    const result = side("Result");
    await result.getByText("2026-03-27").first().waitFor();
    await result.getByText("says Mara").first().waitFor();
    await wb.shot("result");
    await wb.page.locator(".editor-actions").getByRole("button", { name: "Take the Result" }).click();
    const MERGED = PRESENT.replace("2026-03-20", "2026-03-27");
    await until(() => world.read(NAME) === MERGED, { what: "the result on disk" });
    await wb.activeTab(NAME).waitFor();
    await proposal.waitFor({ state: "hidden" });
    await merge.waitFor({ state: "hidden" });
    await wb.shot("settled");

    // --- it is one change of the journal
    await wb.toast("Taken: Change: Branch cut").first().getByRole("button", { name: "Undo" }).click();
    await until(() => world.read(NAME) === PRESENT, { what: "the file as the agent left it" });
  },
);
model.stop();
