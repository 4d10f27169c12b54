// A window that is not trusted yet: the repository's settings choose no program and no place; trust granted, they do.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { PYTHON } from "../lib/places.mjs";
import { scenario } from "../lib/scenario.mjs";
import { until } from "../lib/wait.mjs";
import { World } from "../lib/world.mjs";

const memory = (name, description) =>
  `---\nname: ${name}\ndescription: ${description}\ntype: project\n---\n\n${description}. It began yesterday.\n`;
const world = new World("trust").initRepository().writeMemory({
  "MEMORY.md": "- [Mine](project_mine.md) — kept at home\n",
  "project_mine.md": memory("Mine", "What lies where the person keeps memory"),
});

// what the repository would like: memory in a place of its choice, and a program of its own
const elsewhere = path.join(world.base, "elsewhere");
const ran = path.join(world.base, "ran");
const program = path.join(world.repo, "tools", "python");
const write = (file, text, mode) => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text, { mode });
};
write(path.join(elsewhere, "project_theirs.md"), memory("Theirs", "What lies where the repository wants it"));
write(
  path.join(world.repo, ".claude/settings.json"),
  JSON.stringify({ autoMemoryDirectory: elsewhere }, null, 1),
);
write(program, `#!/bin/sh\necho started >> '${ran}'\nexec '${PYTHON}' "$@"\n`, 0o755);
write(
  path.join(world.repo, ".vscode/settings.json"),
  JSON.stringify({
    "memdir.server.interpreter": program,
    "memdir.team.transport": "service",
    "memdir.team.url": "http://127.0.0.1:9",
  }),
);

const settings = {
  "security.workspace.trust.enabled": true,
  "security.workspace.trust.startupPrompt": "never",
  "security.workspace.trust.banner": "never",
  "workbench.editor.useModal": "off", // the page about trust would lie over the window
  // the person's own opt-in: it needs trust all the same
  "memdir.allowProjectDirectory": true,
};
const options = { name: "untrusted", settings, trust: true, vsix: process.env.MEMDIR_TEST_VSIX };
await scenario(world, options, async (wb) => {
  // --- restricted: everything that does not depend on the repository's word
  await wb.openSidebar();
  await wb.row("Mine").waitFor();
  await wb.sidebar.getByText("Restricted mode: this repository's settings choose no program").waitFor();
  await wb.openFile("Mine", "project_mine.md");
  await wb.squiggles().first().waitFor();
  await wb.openProblems();
  await until(
    async () => (await wb.problemRows()).some((row) => row.includes("the workspace is not trusted")),
    {
      what: "the refusal among the problems",
    },
  );
  await wb.shot("restricted");
  assert.equal(await wb.row("Theirs").count(), 0);
  assert.equal(fs.existsSync(ran), false);
  const team = wb.page.locator('.statusbar-item[id$="memdir.team"]');
  assert.equal(await team.count(), 0);
  // the program beside the server looks in the same place
  await wb.command("Memory: Where Is My Memory?");
  await wb.dialog().getByText(world.memory).first().waitFor();
  await wb.dialog().getByText("the workspace is not trusted").waitFor();
  await wb.page.keyboard.press("Escape");
  await wb.dialog().waitFor({ state: "hidden" });

  // --- trusted: what the repository says counts, where the person lets it
  await wb.command("Workspaces: Manage Workspace Trust");
  await wb.page
    .locator(".workspace-trust-editor")
    .getByRole("button", { name: "Trust", exact: true })
    .click();
  await wb.page.locator(".workspace-trust-header.workspace-trust-trusted").waitFor();
  await wb.row("Theirs").waitFor();
  await wb.row("Mine").waitFor({ state: "detached" });
  await wb.sidebar.getByText("Restricted mode").waitFor({ state: "detached" });
  assert.match(fs.readFileSync(ran, "utf8"), /started/);
  await team.first().waitFor();
  await wb.openFile("Theirs", "project_theirs.md");
  await wb.squiggles().first().waitFor();
  await wb.command("Memory: Where Is My Memory?");
  await wb.dialog().getByText(elsewhere).first().waitFor();
  await wb.shot("trusted");
  await wb.page.keyboard.press("Escape");
  await until(async () => !(await wb.problemRows()).some((row) => row.includes("not trusted")), {
    what: "the refusal to go",
  });
});
