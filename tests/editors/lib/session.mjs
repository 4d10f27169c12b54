// A session of the world's repository, as the agent's client writes it.
import fs from "node:fs";
import path from "node:path";

/** Lines said in turn by the person and by the agent; `usage` counts for each answer of the agent. Gives the file. */
export function writeSession(world, id, said, { usage } = {}) {
  const folder = path.join(world.memory, "..");
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${id}.jsonl`);
  const before = fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n").length : 0;
  const lines = said.map((text, number) => {
    const person = (before + number) % 2 === 0;
    return JSON.stringify({
      type: person ? "user" : "assistant",
      message: person
        ? { role: "user", content: text }
        : { role: "assistant", content: [{ type: "text", text }], ...(usage === undefined ? {} : { usage }) },
      timestamp: new Date().toISOString(),
      uuid: `u${before + number + 1}`,
      sessionId: id,
      cwd: world.repo,
    });
  });
  fs.appendFileSync(file, `${lines.join("\n")}\n`);
  return file;
}
