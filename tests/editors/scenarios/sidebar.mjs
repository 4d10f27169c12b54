// The sidebar's own tools: short ages with their words, the filter, the order, and a duplicate merged after a preview.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { scenario } from "../lib/scenario.mjs";
import { until } from "../lib/wait.mjs";
import { World } from "../lib/world.mjs";

const memory = (name, description, body) =>
  `---\nname: ${name}\ndescription: ${description}\ntype: feedback\n---\n\n${body}\n\n**Why:** said in a review.\n\n**How to apply:** at once.\n`;
const COUNT =
  "Count berths from the lighthouse, never from the fish market: the market moved twice, and old plans number them from there.";
const AGES = {
  "feedback_quays.md": 30,
  "feedback_berths.md": 100,
  "feedback_anchors.md": 800,
  "feedback_cranes.md": 5,
};
const world = new World("side").initRepository().writeMemory({
  "MEMORY.md": Object.keys(AGES)
    .map((file) => `- [${file}](${file}) — of the harbour\n`)
    .join(""),
  "feedback_berths.md": memory("Berths", "Berths are counted from the lighthouse", COUNT),
  "feedback_quays.md": memory("Quays", "Berths are counted from the lighthouse, always", COUNT),
  "feedback_anchors.md": memory("Anchors", "Anchors are named after their ships", "Name them after ships."),
  "feedback_cranes.md": memory(
    "Cranes",
    "Cranes stand still above wind force seven",
    "Stop them in a storm.",
  ),
});
for (const [file, days] of Object.entries(AGES)) {
  const time = new Date(Date.now() - days * 86_400_000);
  fs.utimesSync(path.join(world.memory, file), time, time);
}
const NAMES = ["Anchors", "Berths", "Cranes", "Quays"];

await scenario(world, { name: "sidebar", vsix: process.env.MEMDIR_TEST_VSIX }, async (wb) => {
  await wb.openSidebar();
  await wb.row("Cranes").waitFor();
  const order = async () =>
    (await wb.rows()).map((row) => NAMES.find((name) => row.includes(name))).filter((name) => name);
  const ordered = (...names) =>
    until(async () => (await order()).join() === names.join(), { what: `the order ${names.join(", ")}` });

  // --- ages: short in the row, in words to a screen reader
  for (const [name, short, words] of [
    ["Cranes", "5 d", "5 days ago"],
    ["Berths", "3 mo", "100 days ago"],
    ["Anchors", "2 y", "800 days ago"],
  ]) {
    await wb.row(name).getByText(short, { exact: true }).waitFor();
    assert.match(await wb.row(name).getAttribute("aria-label"), new RegExp(`${words}`));
  }

  // --- order
  await ordered("Anchors", "Berths", "Cranes", "Quays");
  await wb.command("Memory: Sort Memories");
  await wb.pick("By age, newest first");
  await ordered("Cranes", "Quays", "Berths", "Anchors");
  await wb.shot("by-age");

  // --- filter: by the name of the file, which the rows don't show; its end
  await wb.command("Memory: Filter Memories");
  await wb.answer("all must occur", "feedback_berths");
  await ordered("Berths");
  await wb.sidebar.getByText("1 memory matches “feedback_berths”").waitFor();
  await wb.shot("filtered");
  await wb.command("Memory: Filter Memories");
  await wb.answer("all must occur", "zebra");
  await wb.sidebar.getByText("No memory matches the filter.").waitFor();
  await wb.sidebar.getByRole("button", { name: "Clear Filter" }).first().click();
  await ordered("Cranes", "Quays", "Berths", "Anchors");

  // --- two that say the same are merged: nothing happens before the preview is accepted
  await wb.openFile("Berths", "feedback_berths.md");
  await wb.goTo(7);
  await wb.applyAction("Merge feedback_quays.md into this memory");
  const apply = wb.page.getByRole("button", { name: "Apply" }).first();
  await apply.waitFor();
  assert.equal(fs.existsSync(path.join(world.memory, "feedback_quays.md")), true);
  await wb.shot("merge");
  // what needs a look is not ticked beforehand
  const files = wb.page.locator('.monaco-list-row[aria-level="1"] .edit-checkbox');
  await until(async () => (await files.count()) === 3, { what: "the three files of the change" });
  for (const box of await files.all()) {
    await box.click();
  }
  await apply.click();
  await until(() => !fs.existsSync(path.join(world.memory, "feedback_quays.md")), {
    what: "the other to go",
  });
  await wb.page.locator(".view-line", { hasText: "## Quays" }).waitFor(); // both texts, for a person to make one of
});
