// A consolidation by a model: its phases, all changes in one editor, a piece taken, a deletion with consent, undo.
//   node tests/editors/scenarios/consolidation.mjs [dark|light|contrast]
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { startModel } from "../lib/model.mjs";
import { QUIET, scenario, withModel } from "../lib/scenario.mjs";
import { until } from "../lib/wait.mjs";
import { World } from "../lib/world.mjs";

const theme = process.argv[2] ?? "dark";
const memory = (name, description, body) =>
  `---\nname: ${name}\ndescription: ${description}\ntype: feedback\n---\n\n${body}\n`;
const rules = Array.from({ length: 24 }, (_, n) => `Rule ${n} of the harbour stands by itself here.`);
const DATABASE = memory(
  "Real database",
  "Integration tests hit a real PostgreSQL",
  [
    "Tests hit PostgreSQL.",
    "**Why:** a migration broke.",
    "**How to apply:** use the fixture.",
    ...rules,
  ].join("\n\n"),
);
const MOCKS = memory(
  "No mocks",
  "Mocks of the tide client are not wanted",
  "Never mock the tide client.\n\n**Why:** it lied.\n\n**How to apply:** ask first.",
);
const MERGED = DATABASE.replace(
  "Tests hit PostgreSQL.",
  "Tests hit PostgreSQL. Never mock the tide client.",
).replace("Rule 20 of", "Rule twenty of");
const INDEX =
  "- [Real database](feedback_db.md) — real PostgreSQL\n- [No mocks](feedback_mocks.md) — no mocks of the tide client\n";

const world = new World("dream").initRepository().writeMemory({
  "MEMORY.md": INDEX,
  "feedback_db.md": DATABASE,
  "feedback_mocks.md": MOCKS,
});
const file = (name) => path.join(world.memory, name);
const call = (name, given) => [name, { reason: "both are about tests", ...given }];
const model = await startModel(world, [
  {
    steps: [
      {
        text: "Look.",
        tools: [
          ["read", { path: "feedback_db.md" }],
          ["read", { path: "feedback_mocks.md" }],
        ],
      },
      { text: "Both are about tests." },
      { text: "Nothing new in the sessions." },
      {
        tools: [
          call("write", { path: "feedback_db.md", content: MERGED }),
          call("delete", { path: "feedback_mocks.md" }),
        ],
      },
      { text: "Merged." },
      { text: "Two memories on tests became one." },
    ],
  },
]);

const options = withModel(model, "consolidation", theme, QUIET);
await scenario(world, options, async (wb) => {
  await wb.openSidebar();
  await wb.row("Real database").waitFor();
  await wb.command("Memory: Consolidate");
  const now = wb.toast("").getByRole("button", { name: "Consolidate now" });
  await now.first().click();
  const tree = (text) => wb.sidebar.getByRole("treeitem").filter({ hasText: text }).first();
  const review = tree("Consolidate memories");
  await review.waitFor({ timeout: 90_000 });
  const database = tree("feedback_db.md");
  const mocks = tree("feedback_mocks.md");
  await database.waitFor();
  await mocks.getByText("needs consent").waitFor();
  assert.deepEqual([world.read("feedback_db.md"), world.read("feedback_mocks.md")], [DATABASE, MOCKS]);

  // --- every change in one editor
  await review.click();
  await wb.page.locator(".multiDiffEntry, .monaco-component.multiDiffEditor").first().waitFor();
  await wb.page.getByText("Rule twenty of the harbour").first().waitFor();
  await wb.shot("all-changes");

  // --- one piece of a file
  await database.locator(".monaco-tl-twistie").click();
  const piece = tree("Rule twenty of the harbour");
  await piece.waitFor();
  await wb.shot("pieces");
  await wb.rowButton(piece, "Take", ({ timeout }) =>
    until(() => world.read("feedback_db.md").includes("Rule twenty of"), {
      what: "the piece on disk",
      timeout,
    }),
  );
  assert.equal(world.read("feedback_db.md"), DATABASE.replace("Rule 20 of", "Rule twenty of"));
  await piece.waitFor({ state: "hidden" });

  // --- the rest: the deletion asks for consent and names what would be lost
  await wb.rowButton(review, "Take", (options) =>
    wb.dialog().getByText("This change needs your consent.").waitFor(options),
  );
  await wb.dialog().getByText("the file is deleted").first().waitFor();
  await wb.shot("consent");
  await wb.dialog().getByRole("button", { name: "Take it all the same" }).click();
  await until(() => !fs.existsSync(file("feedback_mocks.md")), { what: "the deletion" });
  assert.equal(world.read("feedback_db.md"), MERGED);
  assert.equal(world.read("MEMORY.md").includes("feedback_mocks.md"), false);
  await review.waitFor({ state: "hidden" });
  await wb.shot("taken");

  // --- and back
  const toast = wb.toast("The proposal was taken.");
  await toast.first().getByRole("button", { name: "Undo" }).click();
  await until(() => fs.existsSync(file("feedback_mocks.md")), { what: "the file to come back" });
  assert.equal(world.read("feedback_mocks.md"), MOCKS);
  assert.equal(world.read("MEMORY.md"), INDEX);
});
model.stop();
