// Session notes: none and why, kept by a model while a session runs, shown by section, opened, followed, gone on from.
//   node tests/editors/scenarios/notes.mjs [dark|light|contrast]
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { startModel } from "../lib/model.mjs";
import { scenario, withModel } from "../lib/scenario.mjs";
import { writeSession } from "../lib/session.mjs";
import { until } from "../lib/wait.mjs";
import { World } from "../lib/world.mjs";

const theme = process.argv[2] ?? "dark";
const world = new World("notes").makeSample("--small-index");
const TITLE = "_What this session is about, in at most ten words._";
const STATE = "_What is being worked on right now, what is finished, what comes next._";
const fill = (line, text) => [
  "edit",
  { path: "summary.md", old: `${line}\n`, new: `${line}\n${text}\n`, reason: "" },
];
const model = await startModel(world, [
  {
    steps: [
      {
        tools: [
          fill(TITLE, "Import of the tide tables"),
          fill(STATE, "The parser is done, the cache comes next."),
        ],
      },
      { text: "Done." },
    ],
  },
]);
const file = path.join(world.memory, "../tides/session-notes/summary.md");

const settings = {
  "memdir.extract.auto": "off",
  "memdir.consolidate.auto": "off",
  "memdir.notes.firstTokens": 10_000,
};
const options = withModel(model, "notes", theme, settings);
await scenario(world, options, async (wb) => {
  await wb.openSidebar();
  await wb.row("Merge freeze").waitFor();

  // --- none yet, and when there will be some
  await wb.command("Memory: Session Notes");
  await wb.sidebar.getByText(/There are none yet/).waitFor();
  await wb.shot("none");

  // --- a session grows beyond that: after its turn the model writes, and the view follows by itself
  writeSession(world, "tides", ["Import the tide tables", "I read import.py first."], {
    usage: {
      input_tokens: 12_000,
      output_tokens: 400,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    },
  });
  const tree = (text) => wb.sidebar.getByRole("treeitem").filter({ hasText: text }).first();
  const session = tree("Import of the tide tables");
  await session.waitFor({ timeout: 60_000 });
  await session.getByText("running").waitFor();
  assert.match(fs.readFileSync(file, "utf8"), /the cache comes next/);
  await session.locator(".monaco-tl-twistie").click();
  const state = tree("The parser is done");
  await state.waitFor();
  await state.click();
  await wb.activeTab("summary.md").waitFor();
  await wb.editor.locator(".view-line", { hasText: "the cache comes next" }).waitFor();
  await wb.shot("sections");

  // --- written on by another process: rows and editor follow
  const text = fs.readFileSync(file, "utf8");
  fs.writeFileSync(
    file,
    text.replace("The parser is done, the cache comes next.", "The cache is done, too."),
  );
  await tree("The cache is done, too.").waitFor();
  await wb.editor.locator(".view-line", { hasText: "The cache is done, too." }).waitFor();
  await wb.shot("followed");

  // --- a new session goes on from the notes, without a model
  await wb.command("Notifications: Clear All Notifications");
  const continued = wb.toast("Give this text to a new session.");
  await wb.rowButton(session, "Compact From Notes and Continue", (waited) =>
    continued.first().waitFor(waited),
  );
  await wb.activeTab("Continue the session.md").waitFor();
  await wb.editor.locator(".view-line", { hasText: "The cache is done, too." }).waitFor();
  await wb.shot("continue");
  await continued.first().getByRole("button", { name: "Copy" }).click();
  const copied = () => wb.page.evaluate(() => navigator.clipboard.readText());
  await until(async () => (await copied()).includes("The cache is done, too."), {
    what: "the text in the clipboard",
  });
});
model.stop();
