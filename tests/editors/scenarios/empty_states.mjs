// What the sidebar says when there is nothing to show: no memory yet, memory off, no folder, no server.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { workbenchUrl } from "../lib/codeserver.mjs";
import { scenario } from "../lib/scenario.mjs";
import { World } from "../lib/world.mjs";

const vsix = process.env.MEMDIR_TEST_VSIX;
const world = new World("empty").initRepository();

/** The view's text once it holds `expected`. */
async function says(wb, expected) {
  const welcome = wb.sidebar.locator(".welcome-view-content, .welcome-view").first();
  await wb.page.locator(".activitybar").getByRole("tab", { name: "Memory" }).click();
  await wb.sidebar.getByText(expected).first().waitFor();
  return welcome.innerText();
}

await scenario(world, { name: "empty", vsix }, async (wb) => {
  const go = async (folder) => {
    await wb.page.goto(workbenchUrl(wb.server, folder));
    await wb.page.locator(".monaco-workbench .part.statusbar").waitFor();
  };
  const none = await says(wb, "remembers nothing about this repository yet");
  assert.match(none, /New Memory/);
  await wb.shot("none");

  const off = path.join(world.base, "off");
  fs.mkdirSync(path.join(off, ".claude"), { recursive: true });
  fs.writeFileSync(path.join(off, ".claude/settings.local.json"), '{"autoMemoryEnabled": false}\n');
  await go(off);
  await says(wb, "Memory is switched off");
  await wb.shot("off");

  await go(undefined);
  await says(wb, "Open a folder to see");
  await wb.shot("no-folder");
});

// --- a server that the settings name and that is not there
const other = new World("noserver").initRepository();
const missing = { "memdir.server.interpreter": "/nowhere/python" };
await scenario(other, { name: "no-server", vsix, machine: missing }, async (wb) => {
  await says(wb, "none was found");
  await wb.toast("none was found").waitFor();
  await wb.shot("sidebar");
  await wb.command("Memory: Why Is There No Server?");
  await wb.dialog().getByText("/nowhere/python").waitFor();
  await wb.shot("why");
});
