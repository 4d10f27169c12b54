import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { commands } from "vscode";
import { runCli } from "../../src/cli";
import { JOBS, type JobState } from "../../src/jobs/protocol";
import { runJob } from "../../src/jobs/run";
import { ready, until } from "./support";

/** Test data: no key of any service, and a word that stands nowhere else. */
const FAKE = "test-data-b7f3-no-real-key";
const SECRET = "memdir.apiKey";
const ADDRESS = "https://api.anthropic.com";

/** Regular files below a directory that hold the fake key. */
function leaks(directory: string): string[] {
  return fs.readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(directory, entry.name);
    if (entry.isDirectory()) {
      return leaks(full);
    }
    return entry.isFile() && fs.readFileSync(full).includes(FAKE) ? [full] : [];
  });
}

/** State of recall as the server sees it: `on` with a key. */
async function recallState(): Promise<JobState["state"] | undefined> {
  const { services } = await ready();
  const [folder] = services.model.status.folders;
  const states = await runJob<JobState[]>(services, JOBS, { folder: folder?.uri });
  return states.find((one) => one.job === "recall")?.state;
}

suite("the key for the model service", () => {
  test("reaches the server and the program beside it, and no file", async () => {
    const { services } = await ready();
    assert.equal(await recallState(), "limited");
    const { secrets, logUri, globalStorageUri } = services.context;
    await secrets.store(SECRET, JSON.stringify({ key: FAKE, address: ADDRESS }));
    try {
      await until("the restart", async () => (await recallState()) === "on");
      const { state } = services.manager;
      assert.ok(state.kind === "running");
      const server = (state.client as unknown as { serverProcess: { pid: number } }).serverProcess;
      if (process.platform === "linux") {
        assert.ok(
          fs.readFileSync(`/proc/${server.pid}/environ`, "utf8").includes(`ANTHROPIC_API_KEY=${FAKE}`),
        );
        assert.equal(fs.readFileSync(`/proc/${server.pid}/cmdline`, "utf8").includes(FAKE), false);
      }
      assert.equal(process.env.ANTHROPIC_API_KEY, undefined, "other extensions share this environment");
      const [folder] = services.model.status.folders;
      const told = await runCli(services, ["notes", "compact"], {
        cwd: path.dirname(folder?.memoryDir ?? "/"),
      });
      assert.doesNotMatch(told.stderr, /No key for the model service/);
      await commands.executeCommand("memdir.refresh");
      const data = path.dirname(path.dirname(path.dirname(globalStorageUri.fsPath))); // the whole profile
      assert.ok(fs.existsSync(path.join(data, "User")) && logUri.fsPath.startsWith(data));
      assert.deepEqual(leaks(data), []);
      assert.deepEqual(leaks(process.env.HOME ?? "/nowhere"), []);
    } finally {
      await secrets.delete(SECRET);
    }
    await until("the restart without it", async () => (await recallState()) === "limited");
  });

  test("that was given for another address stays in the secret storage", async () => {
    const { services } = await ready();
    const { secrets } = services.context;
    await secrets.store(SECRET, JSON.stringify({ key: FAKE, address: "https://elsewhere.example" }));
    try {
      assert.equal((await services.apiKey.look()).source, "withheld");
      assert.deepEqual(await services.apiKey.environment(), {});
      await until("the restart", () => services.manager.running);
      assert.equal(await recallState(), "limited");
    } finally {
      await secrets.delete(SECRET);
    }
    await until("the restart without it", () => services.manager.running);
  });
});
