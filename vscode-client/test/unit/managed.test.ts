/** The extension's own environment, really built: with a wheel made here and the pip that Python carries. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { after, before, describe, test } from "node:test";
import { create, existing, type ManagedOptions, readBundle } from "../../src/server/managed";
import { basePythons, probeInterpreter, usablePython } from "../../src/server/python";

/** Writes a wheel of an empty package and copies pip's own wheel beside it. */
const MAKE_WHEELS = `
import ensurepip, pathlib, shutil, sys, zipfile
to = pathlib.Path(sys.argv[1]); to.mkdir(parents=True)
for pip in (pathlib.Path(ensurepip.__file__).parent / "_bundled").glob("pip-*.whl"):
    shutil.copy(pip, to)
info = "memdir-0.1.0.dist-info"
files = {
    "memdir/__init__.py": "__version__ = '0.1.0'\\n",
    info + "/METADATA": "Metadata-Version: 2.1\\nName: memdir\\nVersion: 0.1.0\\n" + sys.argv[2],
    info + "/WHEEL": "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
}
with zipfile.ZipFile(to / "memdir-0.1.0-py3-none-any.whl", "w") as wheel:
    for name, text in files.items():
        wheel.writestr(name, text)
    wheel.writestr(info + "/RECORD", "".join(f"{n},,\\n" for n in [*files, info + "/RECORD"]))
`;

describe("own environment", () => {
  let base = "";
  let python = "";
  const steps: string[] = [];
  const options = (name: string, wheels = "wheels"): ManagedOptions => ({
    storage: path.join(base, name),
    wheels: path.join(base, wheels),
    basePython: python,
    report: (step) => steps.push(step),
    log: () => undefined,
  });
  const bundleOf = (wheels = "wheels") => {
    const bundle = readBundle(path.join(base, wheels));
    assert.ok(bundle);
    return bundle;
  };

  before(async () => {
    base = fs.mkdtempSync(path.join(os.tmpdir(), "md managed-")); // the space is deliberate
    for (const candidate of basePythons(undefined)) {
      if ((await usablePython(candidate)) !== undefined) {
        python = candidate;
        break;
      }
    }
    assert.notEqual(python, "", "the tests need Python 3.11 or newer");
    execFileSync(python, ["-c", MAKE_WHEELS, path.join(base, "wheels"), ""]);
    execFileSync(python, [
      "-c",
      MAKE_WHEELS,
      path.join(base, "hungry"),
      "Requires-Dist: memdir-no-such-package\n",
    ]);
    for (const name of ["one", "two", "bad"]) {
      fs.mkdirSync(path.join(base, name));
    }
  });
  after(() => fs.rmSync(base, { recursive: true, force: true }));

  test("is built without network, and two windows at once end with one", async () => {
    const bundle = bundleOf();
    assert.equal(existing(options("one").storage, bundle), undefined);
    const [first, second] = await Promise.all([
      create(options("one"), bundle),
      create(options("one"), bundle),
    ]);
    assert.deepEqual(first, second);
    assert.ok("python" in first);
    assert.deepEqual(await probeInterpreter(first.python), { version: "0.1.0" });
    assert.deepEqual(existing(options("one").storage, bundle), first);
    assert.deepEqual(fs.readdirSync(path.join(base, "one", "environments")), [bundle.key]);
    assert.match(steps[0] ?? "", /^Creating an environment with Python 3\./);
    assert.equal(steps.includes("Installing Memdir 0.1.0 without network"), true);
  });

  test("a failed installation leaves nothing and says why", async () => {
    const env = { ...process.env };
    process.env.PIP_INDEX_URL = "http://127.0.0.1:9/simple"; // nothing listens there
    process.env.PIP_RETRIES = "0";
    process.env.PIP_CONFIG_FILE = os.devNull;
    try {
      const result = await create(options("bad", "hungry"), bundleOf("hungry"));
      assert.ok("error" in result);
      assert.match(result.error, /memdir-no-such-package/);
    } finally {
      process.env = env;
    }
    assert.deepEqual(fs.readdirSync(path.join(base, "bad", "environments")), []);
  });

  test("without a usable interpreter the reason names the version that is needed", async () => {
    const before = process.env.PATH;
    process.env.PATH = "";
    try {
      const result = await create({ ...options("two"), basePython: path.join(base, "none") }, bundleOf());
      assert.deepEqual(result, { error: "no Python 3.11 or newer was found on this machine" });
    } finally {
      process.env.PATH = before;
    }
  });

  test("another set of wheels is another environment", () => {
    assert.notEqual(bundleOf().key, bundleOf("hungry").key);
    assert.equal(readBundle(path.join(base, "nowhere")), undefined);
  });
});
