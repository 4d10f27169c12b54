// What the agent will see: the view in dark, light and high contrast, by keyboard, and the loaded index with its cut.
import assert from "node:assert/strict";
import { scenario } from "../lib/scenario.mjs";
import { World } from "../lib/world.mjs";

const world = new World("ctx").makeSample();
await scenario(world, { name: "context", theme: "dark", vsix: process.env.MEMDIR_TEST_VSIX }, async (wb) => {
  await wb.openSidebar();
  await wb.row("MEMORY.md").waitFor();
  await wb.command("Memory: Preview Agent Context");
  const view = wb.webview();
  await view.locator("table tbody tr").first().waitFor();
  const text = await view.locator("main").innerText();
  for (const expected of ["CLAUDE.md", "docs/tides.md", "MEMORY.md", "tokens"]) {
    assert.ok(text.includes(expected), `${expected} in: ${text}`);
  }
  await view.locator("tr.state-cut").waitFor();
  // the picture has a name, and its parts add up to the strip
  const strip = view.getByRole("img");
  assert.match(await strip.getAttribute("aria-label"), /MEMORY\.md: \d+ %/);
  const widths = await view
    .locator(".part .fill")
    .evaluateAll((all) => all.map((r) => Number(r.getAttribute("width"))));
  assert.ok(widths.reduce((sum, w) => sum + w, 0) > 980);
  await wb.shot("dark");
  await wb.setTheme("light");
  await wb.shot("light");
  await wb.setTheme("contrast");
  await wb.shot("contrast");
  await wb.setTheme("dark");

  // by keyboard: Tab reaches the table once, arrows move in it, Enter opens the file
  const files = view.locator("tbody .file");
  await files.first().focus();
  await wb.page.keyboard.press("ArrowDown");
  assert.equal(await files.nth(1).evaluate((element) => element === document.activeElement), true);
  assert.equal(await files.nth(0).getAttribute("tabindex"), "-1");
  await wb.page.keyboard.press("Enter");
  await wb.activeTab("tides.md").waitFor();

  // the loaded index, cut where the agent stops reading
  await wb.command("Memory: Show the Index as Loaded");
  await wb.activeTab("Loaded index").waitFor();
  await wb.page.locator(".view-line", { hasText: "From here on the agent sees nothing" }).waitFor();
  await wb.shot("loaded-index");
});
