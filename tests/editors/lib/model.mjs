// The scripted stand-in for the model service, as a process of its own: `python -m tests.loopback`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { PYTHON, ROOT } from "./places.mjs";

/** Starts it with these rules (tests/loopback/script.py, from_json); `env` makes the product talk to it. */
export async function startModel(world, script) {
  const file = path.join(world.base, "model.json");
  fs.writeFileSync(file, JSON.stringify(script));
  const child = spawn(PYTHON, ["-m", "tests.loopback", "--script", file], {
    cwd: ROOT,
    env: world.env({ PYTHONPATH: path.join(ROOT, "server") }),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  return {
    env: {
      ANTHROPIC_API_KEY: "test-key",
      ANTHROPIC_BASE_URL: String(line).trim(),
      NO_PROXY: "127.0.0.1,localhost",
    },
    stop() {
      child.stdin.end();
      child.kill();
    },
  };
}
