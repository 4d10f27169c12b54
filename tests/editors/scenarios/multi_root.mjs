// Two repositories in one window: both in the sidebar, both checked; a new memory goes where it is meant to; a folder
// that leaves the window takes its memory along, and brings it back.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { scenario } from "../lib/scenario.mjs";
import { until } from "../lib/wait.mjs";
import { slug, World } from "../lib/world.mjs";

const memory = (name, description) =>
  `---\nname: ${name}\ndescription: ${description}\ntype: project\n---\n\n${description}. It began yesterday.\n`;
const world = new World("roots");

/** A repository with one memory; gives its memory directory. */
function repository(name, title, file) {
  const repo = path.join(world.base, name);
  fs.mkdirSync(repo);
  execFileSync("git", ["init", "-q"], { cwd: repo, env: world.env() });
  fs.writeFileSync(path.join(repo, `${name}.md`), `# ${name}\n`);
  const directory = path.join(world.config, "projects", slug(repo), "memory");
  fs.mkdirSync(directory, { recursive: true });
  fs.writeFileSync(path.join(directory, "MEMORY.md"), `- [${title}](${file}) — ${title}\n`);
  fs.writeFileSync(path.join(directory, file), memory(title, `Why ${name} is built as it is`));
  return directory;
}
const harbour = repository("harbour", "Berth rules", "project_berths.md");
const beacon = repository("beacon", "Lamp rules", "project_lamps.md");
const file = path.join(world.base, "both.code-workspace");
const folders = (...names) =>
  fs.writeFileSync(file, JSON.stringify({ folders: names.map((name) => ({ path: name })) }, null, 1));
folders("harbour", "beacon");

const written = (directory) =>
  fs.readdirSync(directory).filter((name) => name.startsWith("feedback_") && name.endsWith(".md"));

/** Goes through the flow for new memories; `folder` is picked when it is asked for. */
async function newMemory(wb, title, folder) {
  await wb.command("Memory: New Memory");
  if (folder !== undefined) {
    await wb.pick(folder);
  }
  await wb.pick("Feedback");
  await wb.answer("A short title", title);
  await wb.answer("One line that says what it holds", `${title}, as the harbour master asked in March`);
  await wb.answer("The rule first", `${title} on every quay.`);
  await wb.answer("Why:", "Two ships waited for an hour.");
  await wb.answer("How to apply:", "Look at the plan of the day first.");
}

const options = { name: "multi-root", folder: file, height: 1000, vsix: process.env.MEMDIR_TEST_VSIX };
await scenario(world, options, async (wb) => {
  // --- both are there, each under its name, and both are checked
  await wb.openSidebar();
  for (const expected of ["harbour", "beacon", "Berth rules", "Lamp rules"]) {
    await wb.row(expected).waitFor();
  }
  await wb.openProblems();
  const problem = (name) => async () => (await wb.problemRows()).some((row) => row.includes(name));
  await until(problem("project_berths.md"), { what: "the first folder's problem" });
  await until(problem("project_lamps.md"), { what: "the second folder's problem" });
  await wb.shot("both");

  // --- a new memory: the folder that is asked for, then that of the active editor
  await newMemory(wb, "Sound the horn", "beacon");
  await until(() => written(beacon).includes("feedback_sound_the_horn.md"), { what: "the memory on disk" });
  assert.deepEqual(written(harbour), []);
  await wb.activeTab("feedback_sound_the_horn.md").waitFor();
  await wb.openFile("Berth rules", "project_berths.md");
  await newMemory(wb, "Tie up twice");
  await until(() => written(harbour).includes("feedback_tie_up_twice.md"), { what: "the memory on disk" });
  assert.deepEqual(written(beacon), ["feedback_sound_the_horn.md"]);

  // --- a folder leaves, and comes back
  await wb.row("Sound the horn").waitFor();
  folders("harbour");
  await wb.row("Lamp rules").waitFor({ state: "detached" });
  await wb.row("Berth rules").waitFor();
  await until(async () => !(await problem("project_lamps.md")()), { what: "the problems to go" });
  await wb.shot("one");
  folders("harbour", "beacon");
  await wb.row("Lamp rules").waitFor();
  await wb.row("Sound the horn").waitFor();
  await until(problem("project_lamps.md"), { what: "the problems to come back" });
});
