// The doctor: memory of a renamed repository and a split by underscore and dash; looked at, repaired, taken back.
//   node tests/editors/scenarios/doctor.mjs [dark|light|contrast]
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { PYTHON } from "../lib/places.mjs";
import { scenario } from "../lib/scenario.mjs";
import { until } from "../lib/wait.mjs";
import { slug, World } from "../lib/world.mjs";

const theme = process.argv[2] ?? "dark";
const memory = (name, type, description) =>
  `---\nname: ${name}\ndescription: ${description}\ntype: ${type}\n---\n\n${description}, said in March.\n`;
const world = new World("doctor");
const projects = path.join(world.config, "projects");
const write = (name, files) => {
  const directory = path.join(projects, name, "memory");
  fs.mkdirSync(directory, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    fs.writeFileSync(path.join(directory, file), text);
  }
  return directory;
};

// a repository that Memdir has seen, renamed since
world.repo = path.join(world.base, "tides");
fs.mkdirSync(world.repo);
world.initRepository();
const left = write(slug(world.repo), {
  "MEMORY.md": "- [Review](feedback_review.md) — how reviews go\n",
  "feedback_review.md": memory("Review", "feedback", "Reviews name the line and the reason"),
});
execFileSync(PYTHON, ["-m", "memdir.cli.main", "doctor"], {
  cwd: world.repo,
  env: world.env(),
  stdio: "pipe",
});
const renamed = path.join(world.base, "tide_tables");
fs.renameSync(world.repo, renamed);
world.repo = renamed;
// an older client kept the underscore of its new name, today's makes it a dash
const split = write(world.repo.replace(/[^A-Za-z0-9_]/g, "-"), {
  "user_role.md": memory("Role", "user", "Hydrographer, new to Python"),
});
const home = write(slug(world.repo), {
  "MEMORY.md": "- [Licence](reference_licence.md) — of the tide tables\n",
  "reference_licence.md": memory("Licence", "reference", "The tables may not be printed"),
});
const has = (directory, name) => fs.existsSync(path.join(directory, name));

const options = { name: `doctor-${theme}`, theme, height: 1000, vsix: process.env.MEMDIR_TEST_VSIX };
await scenario(world, options, async (wb) => {
  await wb.openSidebar();
  await wb.row("Licence").waitFor();
  await wb.command("Memory: Find Memory Left Behind");
  const header = wb.sidebar.getByRole("button", { name: /This Repository/ });
  const moved = wb.row("Repository moved");
  const underscore = wb.row("Split by underscore");
  await moved.waitFor();
  await underscore.waitFor();
  assert.match(await moved.getAttribute("aria-label"), /^Repository moved, tide_tables/);

  // --- what is known of a case, and its repair side by side; nothing is written by looking
  await moved.click();
  await wb.page.locator(".multiDiffEntry, .monaco-component.multiDiffEditor").first().waitFor();
  await wb.page.getByText("Reviews name the line and the reason").first().waitFor();
  await wb.row("Why: it has the same first commit").waitFor();
  await wb.row("From: 2 files").waitFor();
  await wb.row("To: 2 files").waitFor();
  await wb.row(world.repo).waitFor();
  await header.click(); // room for the rest
  await wb.row("feedback_review.md").waitFor();
  assert.equal(has(left, "feedback_review.md"), true);
  await wb.shot("preview");

  // --- repaired
  await wb.rowButton(moved, /^Repair/, ({ timeout }) =>
    until(() => has(home, "feedback_review.md"), { what: "the memory at home", timeout }),
  );
  assert.match(world.read("MEMORY.md"), /feedback_review\.md/);
  assert.match(world.read("MEMORY.md"), /reference_licence\.md/);
  await moved.waitFor({ state: "detached" });
  const toast = wb.toast("The proposal was taken.").first();
  await toast.waitFor();
  await header.click();
  await wb.row("Review").waitFor(); // in the tree of this repository
  await wb.shot("repaired");

  // --- and taken back
  await toast.getByRole("button", { name: "Undo" }).click();
  await until(() => has(left, "feedback_review.md"), { what: "the memory where it was" });
  assert.equal(has(home, "feedback_review.md"), false);
  await moved.waitFor();

  // --- both repaired: nothing was deleted, and empty directories are for a person to remove; then all is well
  for (const [row, name] of [
    [underscore, "user_role.md"],
    [moved, "feedback_review.md"],
  ]) {
    await wb.rowButton(row, /^Repair/, ({ timeout }) =>
      until(() => has(home, name), { what: `${name} at home`, timeout }),
    );
    await row.waitFor({ state: "detached" });
  }
  assert.equal(has(split, "user_role.md"), false);
  await wb.row("Empty directory").waitFor();
  fs.rmSync(path.dirname(left), { recursive: true });
  fs.rmSync(path.dirname(split), { recursive: true });
  await wb.command("Memory: Find Memory Left Behind");
  await wb.sidebar.getByText("every memory directory is where the agent looks for it").waitFor();
  await wb.shot("all-well");
});
