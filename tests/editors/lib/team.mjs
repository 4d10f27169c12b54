// A team service on the loopback interface and a teammate on a machine of her own: tests/editors/lib/team.py.
import { spawn } from "node:child_process";
import path from "node:path";
import readline from "node:readline";
import { PYTHON, ROOT } from "./places.mjs";

export async function startTeam(world) {
  const child = spawn(PYTHON, ["-m", "tests.editors.lib.team"], {
    cwd: ROOT,
    env: world.env({ PYTHONPATH: path.join(ROOT, "server") }),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => JSON.parse((await lines.next()).value);
  const ask = (...command) => {
    child.stdin.write(`${JSON.stringify(command)}\n`);
    return answer();
  };
  return {
    ...(await answer()),
    /** The teammate changes a file and sends it. */
    write: (key, text) => ask("write", key, text),
    /** What the teammate has now; null for nothing. */
    read: (key) => ask("read", key),
    stop() {
      child.stdin.end();
      child.kill();
    },
  };
}
