// Runs the mocha tests of vscode-client/test/host inside the extension host of a real VS Code.
//   [MEMDIR_TEST_VSCODE=oldest] node tests/editors/run_host_tests.mjs [--grep WORDS]
// Exit code: mocha's own (0 all passed), 1 when it never answered.
import path from "node:path";
import { launchBrowser, startCodeServer, workbenchUrl } from "./lib/codeserver.mjs";
import { hostWorld } from "./lib/fixture.mjs";
import { OLDEST, ROOT } from "./lib/places.mjs";

const TIMEOUT = 120_000;
/** What the workbench itself says on its console while it starts. */
const NOISE =
  /connection token|Creating a socket|grace time|additional builtin extensions|Service Worker|^\[\w+|^%c|scoped configuration/;
const grep = process.argv.includes("--grep") ? process.argv[process.argv.indexOf("--grep") + 1] : undefined;

const world = hostWorld();
let server;
let context;
let code = 1;
try {
  server = await startCodeServer(world, {
    bare: true,
    args: OLDEST ? [] : ["--vscode-option", "enable-smoke-test-driver"], // that one has it always on
    env: { MEMDIR_TEST_MEMORY: world.memory, ...(grep === undefined ? {} : { MEMDIR_TEST_GREP: grep }) },
  });
  context = await launchBrowser(world);
  const page = context.pages()[0] ?? (await context.newPage());
  const finished = new Promise((resolve) => {
    page.exposeFunction("codeAutomationLog", (type, args) => {
      if (!NOISE.test(String(args[0]))) {
        console[type === "warn" || type === "error" ? type : "log"](...args);
      }
    });
    page.exposeFunction("codeAutomationExit", (exit) => resolve(exit));
  });
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve("no answer"), TIMEOUT);
  });
  await page.goto(
    workbenchUrl(server, world.repo, { tests: path.join(ROOT, "vscode-client/dist/test/host/index.js") }),
  );
  const result = await Promise.race([finished, late]);
  clearTimeout(timer);
  code = result === 0 ? 0 : 1;
  if (code !== 0) {
    console.error(`extension host tests: ${result}`);
    console.error(server.logs().slice(-20_000));
  }
} finally {
  await context?.close();
  await server?.stop();
  world.remove();
}
process.exit(code);
