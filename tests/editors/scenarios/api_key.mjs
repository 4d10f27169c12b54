// The key for the model service from the editor's secret storage: set, used by the server, in no file, removed.
//   node tests/editors/scenarios/api_key.mjs [dark|light|contrast]
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { startModel } from "../lib/model.mjs";
import { scenario } from "../lib/scenario.mjs";
import { World } from "../lib/world.mjs";

const theme = process.argv[2] ?? "dark";
const world = new World("key").makeSample("--small-index");
const QUERY = "may integration tests use mocks of the database?";
const chosen = [{ file: "feedback_real_db.md", reason: "It says how integration tests reach the database" }];
const model = await startModel(world, [
  { when: [QUERY], steps: [{ json: { selected: chosen } }], repeat: true },
]);
/** Test data: the only key that the stand-in for the service lets in. */
const { ANTHROPIC_API_KEY: KEY, ...env } = model.env;

/** Files of the world that hold the key, wherever an editor, the extension or the server could have put it. */
function leaks(directory) {
  return fs.readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(directory, entry.name);
    if (entry.isDirectory()) {
      return entry.name === "chromium" ? [] : leaks(full); // the secret storage of an editor in a browser is there
    }
    return entry.isFile() && fs.readFileSync(full).includes(KEY) ? [full] : [];
  });
}

const settings = {
  "memdir.extract.auto": "off",
  "memdir.consolidate.auto": "off",
  "memdir.notes.enabled": false,
  "memdir.recall.deadlineMs": 30_000,
  "memdir.trace.server": "verbose",
};
const options = { name: `api-key-${theme}`, theme, settings, env, vsix: process.env.MEMDIR_TEST_VSIX };
await scenario(world, options, async (wb) => {
  await wb.openSidebar();
  await wb.row("Merge freeze").waitFor();

  // --- without a key: what runs says so, and what helps
  await wb.command("Memory: What Runs Here?");
  await wb.quickInput.getByText("Set API Key").last().waitFor();
  await wb.quickInput.getByText("There is no key").waitFor();
  await wb.shot("none");
  await wb.quickInput.locator(".monaco-list-row").filter({ hasText: "There is no key" }).click();

  // --- the key is typed unseen, for the address that is shown
  const asked = wb.quickInput.getByText(`It is used for ${env.ANTHROPIC_BASE_URL}`);
  await asked.waitFor();
  const input = wb.quickInput.locator(".quick-input-box input");
  assert.equal(await input.getAttribute("type"), "password");
  await input.fill(KEY);
  await wb.shot("typed");
  await input.press("Enter");
  await wb.toast("The key is kept.").first().waitFor();

  // --- the server has started again with it
  await wb.row("Merge freeze").waitFor();
  await wb.command("Memory: Recall for a Query");
  await wb.answer("What is the task", QUERY);
  await wb.webview().getByText("Chosen by the model").waitFor({ timeout: 60_000 });
  await wb.shot("used");
  assert.deepEqual(leaks(world.base), []);

  // --- removed: words are compared again
  await wb.command("Memory: Remove API Key");
  await wb.toast("The key is removed.").first().waitFor();
  await wb.row("Merge freeze").waitFor();
  await wb.command("Memory: What Runs Here?");
  await wb.quickInput.getByText("There is no key").waitFor();
  await wb.page.keyboard.press("Escape");
  await wb.command("Memory: Remove API Key");
  await wb.toast("There is no key in the editor's secret storage.").first().waitFor();
});
model.stop();
