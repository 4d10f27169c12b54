// Extraction by a model, and the inbox: evidence at its line, a proposal edited and taken, another refused.
//   node tests/editors/scenarios/inbox.mjs [dark|light|contrast]
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { startModel } from "../lib/model.mjs";
import { QUIET, scenario, withModel } from "../lib/scenario.mjs";
import { until } from "../lib/wait.mjs";
import { World } from "../lib/world.mjs";

const theme = process.argv[2] ?? "dark";
const world = new World("inbox").makeSample("--small-index");
const MOCKS = "Please never mock the tide client, it lied about the spring tide";
const TUESDAY = "By the way, releases leave every second Tuesday because the store review takes a week";

/** The session of the repository, as the agent's client writes it; its name makes it the latest. */
function writeSession() {
  const time = new Date().toISOString();
  const said = (type, content, number) =>
    JSON.stringify({
      type,
      message: { role: type, content },
      timestamp: time,
      uuid: `u${number}`,
      sessionId: "inbox",
      cwd: world.repo,
    });
  const lines = [
    said("user", "Add a test for the tide import", 1),
    said("assistant", [{ type: "text", text: "I add one with a mock of the client." }], 2),
    said("user", MOCKS, 3),
    said("assistant", [{ type: "text", text: "Understood." }], 4),
    said("user", TUESDAY, 5),
    said("assistant", [{ type: "text", text: "Noted." }], 6),
  ];
  fs.writeFileSync(path.join(world.memory, "..", "inbox.jsonl"), `${lines.join("\n")}\n`);
}

const memory = (name, type, description, body) =>
  `---\nname: ${name}\ndescription: ${description}\ntype: ${type}\n---\n\n${body}\n`;
const propose = (file, content, message, quote) => [
  "write",
  { path: file, content, reason: "said so", evidence: [{ message, quote }] },
];

writeSession();
const model = await startModel(world, [
  {
    steps: [
      {
        tools: [
          propose(
            "feedback_tide_client.md",
            memory(
              "Tide client without mocks",
              "feedback",
              "The tide client is never mocked, a mock hid the spring tide",
              "The tide client is never mocked.\n\n**Why:** a mock lied about the spring tide.\n\n**How to apply:** in every test of the import.",
            ),
            "m3",
            "never mock the tide client",
          ),
          propose(
            "project_store_review.md",
            memory(
              "Store review",
              "project",
              "Releases leave every second Tuesday, the store review takes a week",
              "Releases leave every second Tuesday.\n\n**Why:** the store review takes a week.\n\n**How to apply:** plan backwards.",
            ),
            "m5",
            "releases leave every second Tuesday",
          ),
        ],
      },
      { text: "Done." },
    ],
  },
]);

const options = withModel(model, "inbox", theme, QUIET);
await scenario(world, options, async (wb) => {
  await wb.openSidebar();
  await wb.row("Merge freeze").waitFor();
  await wb.command("Memory: Extract From the Last Session");
  const tree = (text) => wb.sidebar.getByRole("treeitem").filter({ hasText: text }).first();
  const tide = tree("New: Tide client without mocks");
  const review = tree("New: Store review");
  await tide.waitFor({ timeout: 60_000 });
  await review.waitFor();

  // --- the words it rests on, and the conversation at their line
  await tide.locator(".monaco-tl-twistie").click();
  const words = tree("“never mock the tide client”");
  await words.waitFor();
  await wb.shot("inbox");
  await words.click();
  await wb.activeTab("inbox.jsonl").waitFor();
  await wb.page.locator(".statusbar").getByText("Ln 3, Col 1").waitFor();
  await wb.shot("conversation");

  // --- edited, then taken
  await tide.click();
  await wb.activeTab("feedback_tide_client.md").waitFor();
  await wb.editor.locator(".view-line", { hasText: "in every test of the import" }).waitFor();
  await wb.page.keyboard.press("Control+End");
  await wb.page.keyboard.type("See the runbook.");
  await wb.save();
  const written = path.join(world.memory, "feedback_tide_client_without_mocks.md");
  await wb.rowButton(tide, "Take", ({ timeout }) =>
    until(() => fs.existsSync(written), { what: "the memory on disk", timeout }),
  );
  assert.match(fs.readFileSync(written, "utf8"), /See the runbook\./);
  await until(() => world.read("MEMORY.md").includes("feedback_tide_client_without_mocks.md"), {
    what: "its line in the index",
  });
  await wb.row("Tide client without mocks").waitFor();
  await wb.activeTab("feedback_tide_client_without_mocks.md").waitFor();
  await tide.waitFor({ state: "hidden" });
  await wb.shot("taken");

  // --- refused: nothing is written, and the view goes when nothing waits
  await wb.rowButton(review, "Refuse", ({ timeout }) => review.waitFor({ state: "hidden", timeout }));
  assert.equal(fs.existsSync(path.join(world.memory, "project_store_review.md")), false);
  await wb.sidebar.getByText("Waiting for You").waitFor({ state: "hidden" });
  await wb.shot("empty");
});
model.stop();
