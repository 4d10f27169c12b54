// Writing memory: the guided flow, a question that can be overruled, the selection, delete and undo.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { scenario } from "../lib/scenario.mjs";
import { until } from "../lib/wait.mjs";
import { World } from "../lib/world.mjs";

const world = new World("write").makeSample("--small-index");
fs.writeFileSync(
  path.join(world.repo, "LAYOUT.txt"),
  "src/harbour/\n├── __init__.py\n├── api.py\n├── berths.py\n└── tides.py\ntests/\n└── test_berths.py\n",
);
const file = (name) => path.join(world.memory, name);
const exists = (name) => until(() => fs.existsSync(file(name)), { what: `${name} on disk` });
const gone = (name) => until(() => !fs.existsSync(file(name)), { what: `${name} gone` });

await scenario(world, { name: "writing", vsix: process.env.MEMDIR_TEST_VSIX }, async (wb) => {
  await wb.openSidebar();
  await wb.row("Merge freeze").waitFor();

  // --- the guided flow: type, scope, name, description with advice, the rule, why, how
  await wb.command("Memory: New Memory");
  await wb.quickInput.locator(".monaco-list-row").filter({ hasText: "Feedback" }).waitFor();
  await wb.shot("new-type");
  await wb.pick("Feedback");
  await wb.pick("Private");
  await wb.answer("A short title", "Squash before merge");
  const input = wb.quickInput.locator(".quick-input-box input");
  await wb.quickInput.getByText("One line that says what it holds").waitFor();
  await input.fill("Squash before merge");
  await wb.quickInput.getByText("This repeats the name").waitFor();
  await wb.shot("new-advice");
  await wb.answer(
    "This repeats the name",
    "Branches are squashed before merge because the release notes are made from commits",
  );
  await wb.answer("The rule first", "Squash a branch into one commit before it is merged.");
  await wb.answer("Why:", "Release notes are made from the commits of main.");
  await wb.answer("How to apply:", "Ask before squashing somebody else's branch.");
  await exists("feedback_squash_before_merge.md");
  await wb.activeTab("feedback_squash_before_merge.md").waitFor();
  const text = world.read("feedback_squash_before_merge.md");
  assert.match(text, /^---\nname: Squash before merge\n/);
  assert.match(text, /\*\*Why:\*\* Release notes/);
  assert.match(text, /\*\*How to apply:\*\* Ask before/);
  assert.match(world.read("MEMORY.md"), /\[Squash before merge\]\(feedback_squash_before_merge\.md\)/);
  await wb.toast("Saved “Squash before merge”").waitFor();
  await wb.row("Squash before merge").waitFor();
  await wb.shot("new-saved");
  await wb.command("Notifications: Clear All Notifications");

  // --- the selection of any file
  await wb.command("View: Show Explorer");
  await wb.page.getByRole("treeitem", { name: "README.md" }).dblclick();
  await wb.activeTab("README.md").waitFor();
  await wb.goTo(3);
  await wb.page.keyboard.press("Shift+End");
  await wb.command("Memory: Save Selection as a Memory");
  await wb.pick("Reference");
  await wb.pick("Private");
  await wb.answer("A short title", "What Harbour is");
  await wb.answer(
    "One line that says what it holds",
    "Harbour plans berths for small ports, not for container terminals",
  );
  await exists("reference_what_harbour_is.md");
  assert.match(world.read("reference_what_harbour_is.md"), /Berth planning for small ports\./);
  await wb.toast("Saved “What Harbour is”").waitFor();
  await wb.command("Notifications: Clear All Notifications");

  // --- delete, and undo
  await wb.openSidebar();
  await wb.row("Squash before merge").waitFor();
  await wb.menu("Squash before merge", "Delete");
  const toast = wb.toast("Deleted “Squash before merge”");
  await toast.waitFor();
  await gone("feedback_squash_before_merge.md");
  await wb.row("Squash before merge").waitFor({ state: "detached" });
  assert.doesNotMatch(world.read("MEMORY.md"), /feedback_squash/);
  await wb.shot("deleted");
  await toast.getByRole("button", { name: "Undo" }).click();
  await exists("feedback_squash_before_merge.md");
  assert.match(world.read("MEMORY.md"), /\(feedback_squash_before_merge\.md\)/);

  // --- a listing of files is no memory: the question, and what was surprising about it instead
  await wb.command("View: Show Explorer");
  await wb.page.getByRole("treeitem", { name: "LAYOUT.txt" }).dblclick();
  await wb.activeTab("LAYOUT.txt").waitFor();
  await wb.goTo(1);
  await wb.page.keyboard.press("Control+A");
  await wb.command("Memory: Save Selection as a Memory");
  await wb.pick("Reference");
  await wb.pick("Private");
  await wb.answer("A short title", "Layout");
  await wb.answer(
    "One line that says what it holds",
    "Where the berth rules, tide tables and routes are in the repository",
  );
  const dialog = wb.dialog();
  await dialog.getByText("directory listing").waitFor();
  await wb.shot("question");
  await dialog.getByRole("button", { name: "Keep what was surprising" }).click();
  await wb.answer(
    "What was surprising",
    "The tide tables are data under licence, not code that may be reformatted.",
  );
  await exists("reference_layout.md");
  assert.match(world.read("reference_layout.md"), /data under licence/);
  assert.doesNotMatch(world.read("reference_layout.md"), /├──/);
});
