// Team memory with a real service and a teammate: signing in, pulling, a conflict compared and settled, sent back.
//   node tests/editors/scenarios/team.mjs [dark|light|contrast]
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { scenario } from "../lib/scenario.mjs";
import { startTeam } from "../lib/team.mjs";
import { until } from "../lib/wait.mjs";
import { World } from "../lib/world.mjs";

const theme = process.argv[2] ?? "dark";
const fact = (text) =>
  `---\nname: Release train\ndescription: When releases leave and who may stop one\ntype: project\n---\n\n${text}\n\n**Why:** the store review takes a week.\n\n**How to apply:** plan backwards from it.\n`;
const KEY = "project_release_train.md";
const world = new World("team")
  .initRepository()
  .writeMemory({ "user_role.md": fact("x").replace("project", "user") });
const team = await startTeam(world);
await team.write(KEY, fact("Releases leave every second Tuesday."));
const file = path.join(world.memory, "team", KEY);
const here = () => (fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "");

const settings = {
  "memdir.team.transport": "service",
  "memdir.team.url": team.url,
  "memdir.team.repository": team.repository,
  "memdir.team.intervalSeconds": 3600,
};
await scenario(
  world,
  { name: `team-${theme}`, theme, settings, vsix: process.env.MEMDIR_TEST_VSIX },
  async (wb) => {
    await wb.openSidebar();
    await wb.row("Release train").waitFor();

    // --- the first pull asks for the token
    await wb.command("Memory: Team Pull");
    await wb.answer("Token for team memory", team.token);
    await until(() => here().includes("every second Tuesday"), { what: "the team's file" });
    const item = wb.page.locator(
      '.statusbar-item[id="memdir.memdir.memdir.team"], .statusbar-item[id$="memdir.team"]',
    );
    await item.first().waitFor();
    await wb.shot("pulled");

    // --- both sides change it
    await team.write(KEY, fact("Releases leave every Tuesday, says Mara."));
    const mine = fact("Releases leave every second Wednesday, say I.");
    fs.writeFileSync(file, mine);
    await wb.command("Memory: Team Pull");
    const row = wb.sidebar
      .getByRole("treeitem")
      .filter({ hasText: "changed by you and by the team" })
      .first();
    await row.waitFor({ timeout: 60_000 });
    assert.match(here(), /says Mara/);
    await row.click();
    await wb.page.locator(".monaco-diff-editor").first().waitFor();
    await wb.page.getByText("every second Wednesday, say I").first().waitFor();
    await wb.page.getByText("every Tuesday, says Mara").first().waitFor();
    await wb.toast("was changed by mara too").first().waitFor();
    await wb.shot("conflict");

    // --- settled: mine comes back and is sent
    await wb
      .toast("was changed by mara too")
      .first()
      .getByRole("button", { name: "Keep mine and send it" })
      .click();
    await until(() => here() === mine, { what: "my text to come back" });
    await row.waitFor({ state: "hidden" });
    await until(async () => (await team.read(KEY)) === mine, {
      what: "my text at the teammate's",
      every: 300,
    });
    await wb.shot("settled");
  },
);
team.stop();
