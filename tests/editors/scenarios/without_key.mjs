// Without a key: hints from a session saved in one's own words, the day's log, and a change taken back from the list.
//   node tests/editors/scenarios/without_key.mjs [dark|light|contrast]
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { scenario } from "../lib/scenario.mjs";
import { writeSession } from "../lib/session.mjs";
import { until } from "../lib/wait.mjs";
import { World } from "../lib/world.mjs";

const theme = process.argv[2] ?? "dark";
const memory = (name, description, body) =>
  `---\nname: ${name}\ndescription: ${description}\ntype: feedback\n---\n\n${body}\n`;
const KNOWN = memory(
  "Real database",
  "Import tests must hit a real database, never mocks",
  "Tests hit a real database.\n\n**Why:** a migration broke.\n\n**How to apply:** use the fixture.",
);
const SAID = "Please never use mocks in the import tests, we got burned by that";
const world = new World("nokey").initRepository().writeMemory({
  "MEMORY.md": "- [Real database](feedback_db.md) — real database, never mocks\n",
  "feedback_db.md": KNOWN,
});
writeSession(world, "s1", ["Add a test for the import", "I add one with a mock.", SAID, "Understood."]);
const logs = path.join(world.memory, "logs");
const logged = () =>
  fs.existsSync(logs)
    ? fs
        .readdirSync(logs, { recursive: true })
        .filter((name) => name.endsWith(".md"))
        .map((name) => fs.readFileSync(path.join(logs, name), "utf8"))
        .join("")
    : "";

await scenario(
  world,
  { name: `without-key-${theme}`, theme, vsix: process.env.MEMDIR_TEST_VSIX },
  async (wb) => {
    await wb.openSidebar();
    await wb.row("Real database").waitFor();

    // --- what the session holds is found by its words; the way to a model is offered
    await wb.command("Memory: Extract From the Last Session");
    const hint = wb.sidebar.getByRole("treeitem").filter({ hasText: "never use mocks" }).first();
    await hint.waitFor();
    const offer = wb.page.locator(".notification-list-item").getByRole("button", { name: "Set API Key" });
    await offer.first().waitFor();
    await wb.shot("hint");

    // --- taken: the person says it in their own words, and is asked whether it is known already
    await wb.rowButton(hint, "Take", (waited) =>
      wb.quickInput.locator(".monaco-list-row").first().waitFor(waited),
    );
    await wb.pick("Feedback");
    await wb.answer("A short title", "No mocks in import tests");
    await wb.answer(
      "One line that says what it holds",
      "Import tests must hit a real database, never mocks, which hid a broken migration",
    );
    await wb.answer("Why:", "A mock hid a broken migration.");
    await wb.answer("How to apply:", "In every test of the import.");
    const dialog = wb.dialog();
    await dialog.getByText("Is it known already?").waitFor();
    await wb.shot("known");
    await dialog.getByRole("button", { name: "Update “Real database”" }).click();
    await until(() => world.read("feedback_db.md").includes("A mock hid a broken migration."), {
      what: "the known memory to say it",
    });
    await hint.waitFor({ state: "hidden" });
    await wb.activeTab("feedback_db.md").waitFor();
    assert.deepEqual(
      fs.readdirSync(world.memory).filter((file) => file.startsWith("feedback_")),
      ["feedback_db.md"],
    );
    await wb.shot("updated");

    // --- the day's log
    await wb.command("Memory: Append to Today's Log");
    await wb.answer("One line; the time is added", "Mara owns the release");
    await until(() => /^- \d\d:\d\d Mara owns the release$/m.test(logged()), {
      what: "the entry in the log",
    });

    // --- a change taken back from the list, byte for byte
    await wb.command("Memory: Undo Last Change");
    const rows = wb.quickInput.locator(".quick-input-list .monaco-list-row");
    await rows.first().waitFor();
    await wb.shot("undo");
    await rows.filter({ hasText: "feedback_db.md" }).first().click();
    await until(() => world.read("feedback_db.md") === KNOWN, { what: "the memory as it was" });
    assert.match(logged(), /Mara owns the release/);

    // --- notes of a session need a model, and the view says how to get one
    await wb.command("Memory: Session Notes");
    await wb.sidebar.getByText("Session notes are not kept now").waitFor();
    await wb.sidebar.getByRole("button", { name: "Set API Key" }).waitFor();
    await wb.shot("no-notes");
  },
);
