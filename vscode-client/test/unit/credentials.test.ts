/** Which key a process gets: the environment first, the kept one for its own address only. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { credentials, keptFrom, serviceAddress, unsafe } from "../../src/util/credentials";

/** Test data: no key of any service. */
const FAKE = "test-data-not-a-key";
const kept = { key: FAKE, address: "https://api.anthropic.com" };

describe("the key for the model service", () => {
  test("of the environment goes first, and nothing is added to it", () => {
    for (const variable of ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"]) {
      const found = credentials({ [variable]: "other" }, kept);
      assert.deepEqual(found, { source: "environment", variable, environment: {} });
    }
  });

  test("that is kept fills an empty place", () => {
    for (const env of [{}, { ANTHROPIC_API_KEY: "" }, { ANTHROPIC_BASE_URL: "https://api.anthropic.com/" }]) {
      assert.deepEqual(credentials(env, kept).environment, { ANTHROPIC_API_KEY: FAKE });
    }
    assert.equal(credentials({}, undefined).source, "none");
  });

  test("is not handed out for another address than the one it was given for", () => {
    for (const address of [
      "https://evil.example",
      "http://127.0.0.1:1",
      "nonsense",
      "https://api.anthropic.com.evil.example",
    ]) {
      const found = credentials({ ANTHROPIC_BASE_URL: address }, kept);
      assert.deepEqual(found, { source: "withheld", kept, environment: {} });
    }
    const plain = { key: FAKE, address: "http://models.example" };
    assert.equal(credentials({ ANTHROPIC_BASE_URL: plain.address }, plain).source, "withheld");
  });

  test("travels over https, or stays on this machine", () => {
    for (const address of [
      "https://x.example",
      "http://127.0.0.1:8080",
      "http://localhost:1",
      "http://[::1]:1",
    ]) {
      assert.equal(unsafe(address), false, address);
    }
    for (const address of ["http://x.example", "http://127.0.0.1.x.example", "ftp://127.0.0.1", "", "x"]) {
      assert.equal(unsafe(address), true, address);
    }
    assert.equal(serviceAddress({ ANTHROPIC_BASE_URL: " https://x.example// " }), "https://x.example");
  });

  test("is read back, and nonsense is no key", () => {
    assert.deepEqual(keptFrom(JSON.stringify(kept)), kept);
    for (const stored of [
      undefined,
      "",
      "{",
      "null",
      "1",
      '{"key":1}',
      '{"key":"","address":""}',
      '{"key":"x"}',
    ]) {
      assert.equal(keptFrom(stored), undefined);
    }
  });
});
