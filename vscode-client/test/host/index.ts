/** Runs every suite inside the extension host; VS Code calls `run` and ends with its outcome. */

import Mocha from "mocha";

export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: "tdd", timeout: 30_000, color: false, reporter: "spec" });
  const grep = process.env.MEMDIR_TEST_GREP;
  if (grep) {
    mocha.grep(grep);
  }
  mocha.suite.emit("pre-require", globalThis, "", mocha);
  await import("./suites");
  await new Promise<void>((resolve, reject) => {
    mocha.run((failures) => (failures > 0 ? reject(new Error(`${failures} tests failed`)) : resolve()));
  });
}
