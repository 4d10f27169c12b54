// The jobs without a model: recall by words, a consolidation taken file by file, and its undo.
import assert from "node:assert/strict";
import { scenario } from "../lib/scenario.mjs";
import { until } from "../lib/wait.mjs";
import { World } from "../lib/world.mjs";

const world = new World("jobs").makeSample();

await scenario(world, { name: "jobs", vsix: process.env.MEMDIR_TEST_VSIX }, async (wb) => {
  await wb.openSidebar();
  await wb.row("Merge freeze").waitFor();

  // --- recall
  await wb.command("Memory: Recall for a Query");
  await wb.answer("What is the task", "may integration tests use mocks of the database?");
  const result = wb.webview().getByRole("button", { name: "Real database in tests", exact: true });
  await result.waitFor();
  await wb.webview().getByText("ANTHROPIC_API_KEY").waitFor();
  await wb.shot("recall");
  await result.click();
  await wb.activeTab("feedback_real_db.md").waitFor();

  // --- consolidation: due or not, it can be asked for
  await wb.command("Memory: Consolidate");
  const now = wb.toast("").getByRole("button", { name: "Consolidate now" });
  const waiting = wb.sidebar.getByText("Waiting for You");
  await until(async () => (await now.count()) > 0 || (await waiting.count()) > 0, {
    what: "a proposal, or the reason why none is due",
  });
  if ((await now.count()) > 0) {
    await wb.shot("not-due");
    await now.first().click();
  }
  await waiting.waitFor();
  const review = wb.sidebar
    .getByRole("treeitem")
    .filter({ hasText: /files?$/ })
    .first();
  await review.waitFor();
  const freeze = wb.sidebar.getByRole("treeitem").filter({ hasText: "project_freeze.md" }).first();
  await freeze.waitFor();
  await wb.shot("proposal");
  await freeze.click();
  await wb.page.locator(".editor-instance .diff-editor, .monaco-diff-editor").first().waitFor();
  await wb.page.getByText("2026-03-05").first().waitFor();
  await wb.shot("difference");
  const before = world.read("project_freeze.md");
  assert.match(before, /until Thursday/);

  // --- one file of it, and back again
  const toast = wb.toast("The proposal was taken.");
  await wb.rowButton(freeze, "Take", (options) => toast.waitFor(options));
  await until(() => /2026-03-05/.test(world.read("project_freeze.md")), { what: "the file taken" });
  await wb.shot("taken");
  await toast.getByRole("button", { name: "Undo" }).click();
  await until(() => world.read("project_freeze.md") === before, { what: "the file as it was" });
});
