import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CrashBackoff } from "../../src/server/backoff";

const OPTIONS = { firstDelay: 100, maxDelay: 350, maxCrashes: 4, window: 10_000 };

describe("pauses after crashes", () => {
  test("the pause doubles up to its limit, then it gives up", () => {
    const backoff = new CrashBackoff(OPTIONS);
    assert.deepEqual(
      [0, 1, 2, 3].map((at) => backoff.crashed(at)),
      [100, 200, 350, undefined],
    );
  });

  test("crashes that lie back far enough are forgotten", () => {
    const backoff = new CrashBackoff(OPTIONS);
    backoff.crashed(0);
    backoff.crashed(1);
    assert.equal(backoff.crashed(20_000), 100);
    assert.equal(backoff.count, 1);
  });

  test("a restart by hand cleans the slate", () => {
    const backoff = new CrashBackoff(OPTIONS);
    for (const at of [0, 1, 2]) {
      backoff.crashed(at);
    }
    backoff.reset();
    assert.equal(backoff.crashed(3), 100);
  });
});
