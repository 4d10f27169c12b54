// Recall by a model: the result says why, opens memories, keeps what the person said of it; words decide when asked to.
//   node tests/editors/scenarios/recall.mjs [dark|light|contrast]
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { startModel } from "../lib/model.mjs";
import { scenario, withModel } from "../lib/scenario.mjs";
import { until } from "../lib/wait.mjs";
import { World } from "../lib/world.mjs";

const theme = process.argv[2] ?? "dark";
const world = new World("recall").makeSample();
const QUERY = "may integration tests use mocks of the database?";
const chosen = [
  { file: "feedback_real_db.md", reason: "It says how integration tests reach the database, and why" },
  { file: "project_freeze.md", reason: "A change of the tests falls into the merge freeze" },
];
const model = await startModel(world, [
  { when: [QUERY], steps: [{ json: { selected: chosen } }], repeat: true },
  { when: ["<request>"], steps: [{ json: { selected: [] } }], repeat: true },
]);

/** Every line of the records of recalls. */
function records() {
  const folder = path.join(world.home, ".local/state/memdir/recall");
  return fs.existsSync(folder)
    ? fs
        .readdirSync(folder)
        .flatMap((name) => fs.readFileSync(path.join(folder, name), "utf8").trim().split("\n"))
        .map((line) => JSON.parse(line))
    : [];
}

const settings = { "memdir.recall.deadlineMs": 30_000 };
const options = withModel(model, "recall", theme, settings);
await scenario(world, options, async (wb) => {
  await wb.openSidebar();
  await wb.row("Merge freeze").waitFor();
  await wb.command("Memory: Recall for a Query");
  await wb.answer("What is the task", QUERY);
  const view = wb.webview();
  const card = view.locator(".card").filter({ hasText: "Real database in tests" });
  await card.waitFor({ timeout: 60_000 });
  await view.getByText("It says how integration tests reach the database, and why").waitFor();
  await view.getByText("Chosen by the model").waitFor();
  await view.getByText("Near, but not chosen").waitFor();
  assert.equal(await view.locator(".card").count(), 2);
  await wb.shot("model");

  // --- what the person says of a result is kept
  await card.getByRole("button", { name: "“Real database in tests” is a right result" }).click();
  await view.locator('.judge[data-right="true"][aria-pressed="true"]').waitFor();
  const [mark] = await until(
    () => {
      const marks = records().filter((record) => record.kind === "mark");
      return marks.length > 0 && marks;
    },
    { what: "the judgement on disk" },
  );
  assert.deepEqual([mark.file, mark.right], ["feedback_real_db.md", true]);

  // --- a memory opens beside the result
  await card.getByRole("button", { name: "Real database in tests", exact: true }).click();
  await wb.activeTab("feedback_real_db.md").waitFor();
  await wb.shot("opened");

  // --- asked again in the view, by keyboard: nothing helps, and by words
  await view.getByLabel("What is the task or the question?").fill("how do I bake sourdough bread?");
  await view.getByLabel("What is the task or the question?").press("Enter");
  await view.getByText("No memory helps with this.").waitFor();
  await wb.shot("nothing");
  await view.getByLabel("What is the task or the question?").fill("when does the merge freeze end?");
  await view.getByLabel("Compare words only, without the model").check();
  await view.getByRole("button", { name: "Recall", exact: true }).click();
  await view.locator(".card").filter({ hasText: "Merge freeze" }).waitFor();
  await view.getByText("Chosen by comparing words").waitFor();
  await wb.shot("words");
});
model.stop();
