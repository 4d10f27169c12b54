// First start on a machine without Memdir and without network: the packaged extension makes its own environment.
//   MEMDIR_TEST_OFFLINE_VSIX=dist/memdir-<version>-<target>.vsix node tests/editors/scenarios/first_start.mjs
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { scenario } from "../lib/scenario.mjs";
import { World } from "../lib/world.mjs";

const vsix = process.env.MEMDIR_TEST_OFFLINE_VSIX;
assert.ok(vsix, "MEMDIR_TEST_OFFLINE_VSIX names the package");
const world = new World("first").makeSample();
// Nothing listens there: whatever pip can't find in the package, it can't find at all
const env = { PIP_INDEX_URL: "http://127.0.0.1:9/simple", PIP_RETRIES: "0", PIP_CONFIG_FILE: "/dev/null" };

await scenario(world, { name: "first-start", vsix, machine: {}, env }, async (wb) => {
  await wb.toast("Memory: first start").waitFor();
  await wb.shot("progress");
  await wb.page.locator(".activitybar").getByRole("tab", { name: "Memory" }).click();
  await wb.row("Merge freeze").waitFor({ timeout: 120_000 });
  const storage = path.join(wb.server.data, "User/globalStorage/memdir.memdir/environments");
  assert.equal(fs.readdirSync(storage).length, 1);
  await wb.shot("running");
});
