// A credential in team memory: it stays on this machine, is marked, redacted where it stands, and then the file is sent.
//   node tests/editors/scenarios/blocked.mjs [dark|light|contrast]
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { scenario } from "../lib/scenario.mjs";
import { startTeam } from "../lib/team.mjs";
import { until } from "../lib/wait.mjs";
import { World } from "../lib/world.mjs";

const theme = process.argv[2] ?? "dark";
const memory = (name, text) =>
  `---\nname: ${name}\ndescription: What the team agreed on about ${name.toLowerCase()}\ntype: project\n---\n\n${text}\n\n**Why:** said in the planning.\n\n**How to apply:** keep to it.\n`;
const world = new World("blocked").initRepository();
const team = await startTeam(world);
const DEPLOY = "project_deploys.md";
const TRAIN = "project_release_train.md";
world.writeMemory({
  [`team/${DEPLOY}`]: memory("Deploys", `The registry takes ${team.secret} from the pipeline.`),
  [`team/${TRAIN}`]: memory("Release train", "Releases leave every second Tuesday."),
});
const file = path.join(world.memory, "team", DEPLOY);

const settings = {
  "memdir.team.transport": "service",
  "memdir.team.url": team.url,
  "memdir.team.repository": team.repository,
  "memdir.team.intervalSeconds": 3600,
};
const options = { name: `blocked-${theme}`, theme, settings, vsix: process.env.MEMDIR_TEST_VSIX };
await scenario(world, options, async (wb) => {
  await wb.openSidebar();
  await wb.row("Deploys").waitFor();

  // --- the rest goes to the team, the file with the credential does not
  await wb.command("Memory: Team Push");
  await wb.answer("Token for team memory", "one-that-has-expired");
  const refused = wb.toast("does not accept the token").first();
  await refused.getByRole("button", { name: "Sign In" }).click();
  await wb.answer("Token for team memory", team.token);
  await wb.command("Memory: Team Push");
  const row = wb.sidebar.getByRole("treeitem").filter({ hasText: "stays on this machine" }).first();
  await row.waitFor();
  await until(async () => (await team.read(TRAIN)) !== null, {
    what: "the other file at the teammate's",
    every: 300,
  });
  assert.equal(await team.read(DEPLOY), null);

  // --- it is marked where it stands, and redacted there
  await row.click();
  await wb.activeTab(DEPLOY).waitFor();
  await wb.squiggles("error").first().waitFor();
  await wb.shot("marked");
  await wb.goToText(file, team.secret);
  await wb.applyAction("Redact: ");
  await wb.save();
  await until(() => !fs.readFileSync(file, "utf8").includes(team.secret), { what: "the credential to go" });

  // --- then it is sent by itself
  const sent = await until(() => team.read(DEPLOY), { what: "the file at the teammate's", every: 300 });
  assert.equal(sent, fs.readFileSync(file, "utf8"));
  await row.waitFor({ state: "hidden" });
  assert.equal(wb.server.logs().includes(team.secret), false, "no log holds the credential");
  await wb.shot("sent");

  // --- signed out: the next exchange asks for a token again
  await wb.command("Memory: Team Sign Out");
  await wb.toast("Signed out of").first().waitFor();
  await wb.command("Memory: Team Pull");
  await wb.quickInput.getByText("Token for team memory").waitFor();
  await wb.page.keyboard.press("Escape");
});
team.stop();
