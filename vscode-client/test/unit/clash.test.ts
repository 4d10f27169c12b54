/** A clash is shown in the merge editor, and beside the result to save where there is no merge editor. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import * as vscode from "vscode";
import { bringTogether } from "../../src/jobs/clash";
import { MergeFiles } from "../../src/jobs/mergeFiles";

interface Parts {
  scheme: string;
  path: string;
  query: string;
}

let calls: { command: string; args: unknown[] }[] = [];
let missing = new Set<string>();
let view = "merge";

const CLASH = { uri: "file:///m/project_cut.md", base: "base", mine: "mine", theirs: "theirs" };

beforeEach(() => {
  calls = [];
  missing = new Set();
  view = "merge";
  Object.assign(vscode.Uri, {
    from: (parts: Parts) => ({ ...parts, toString: () => `${parts.scheme}:${parts.path}?${parts.query}` }),
  });
  Object.assign(vscode.commands, {
    executeCommand: (command: string, ...args: unknown[]) => {
      if (missing.has(command)) {
        return Promise.reject(new Error(`command '${command}' not found`));
      }
      calls.push({ command, args });
      return Promise.resolve();
    },
  });
  Object.assign(vscode.workspace, { getConfiguration: () => ({ get: () => view }) });
  Object.assign(vscode.window, { createOutputChannel: () => ({ warn: () => undefined }) });
});

afterEach(() => {
  Object.assign(vscode.workspace, { getConfiguration: undefined });
});

/** The result that the last call shows, as the editor reads it. */
function resultOf(uri: unknown): string {
  return new TextDecoder().decode(new MergeFiles().readFile(uri as vscode.Uri));
}

/** Both sides of the difference that was shown. */
function sides(): [Parts, Parts] {
  const [call] = calls;
  assert.equal(call?.command, "vscode.diff");
  return (call?.args ?? []) as [Parts, Parts];
}

describe("a clash", () => {
  test("is shown with all three texts in the merge editor", async () => {
    assert.equal(await bringTogether(CLASH, async () => undefined), true);
    const [call] = calls;
    assert.equal(call?.command, "_open.mergeEditor");
    const shown = call?.args[0] as {
      base: Parts;
      input1: { uri: Parts };
      input2: { uri: Parts };
      output: Parts;
    };
    assert.deepEqual(
      [shown.base, shown.input1.uri, shown.input2.uri].map(({ query }) => query.replace(/ \d+$/, "")),
      ["before", "present", "proposed"],
    );
    assert.equal(shown.output.scheme, "memdir-merge");
    assert.equal(resultOf(shown.output), "theirs");
  });

  test("is shown beside the result where there is no merge editor, and saving hands it over", async () => {
    missing.add("_open.mergeEditor");
    const taken: string[] = [];
    assert.equal(
      await bringTogether(CLASH, async (text) => {
        taken.push(text);
      }),
      true,
    );
    const [left, right] = sides();
    assert.match(left.query, /^present/);
    assert.equal(right.scheme, "memdir-merge");
    assert.equal(resultOf(right), "mine");
    Object.assign(vscode.window, { tabGroups: { all: [] } });
    await new MergeFiles().writeFile(right as unknown as vscode.Uri, new TextEncoder().encode("both"));
    assert.deepEqual(taken, ["both"]);
    assert.equal(resultOf(right), "both");
  });

  test("is shown so, too, when the person wants it or the base is not known", async () => {
    view = "diff";
    await bringTogether(CLASH, async () => undefined);
    view = "merge";
    await bringTogether({ ...CLASH, base: null }, async () => undefined);
    assert.deepEqual(
      calls.map(({ command }) => command),
      ["vscode.diff", "vscode.diff"],
    );
  });

  test("with a file that is gone has no result to save", async () => {
    assert.equal(await bringTogether({ ...CLASH, theirs: null }, async () => undefined), false);
    const [, right] = sides();
    assert.equal(right.scheme, "memdir");
  });

  test("whose result can't be handed over is not saved", async () => {
    missing.add("_open.mergeEditor");
    await bringTogether(CLASH, () => Promise.reject(new Error("A memory needs a header.")));
    const [, right] = sides();
    await assert.rejects(
      new MergeFiles().writeFile(right as unknown as vscode.Uri, new Uint8Array()),
      /needs a header/,
    );
    assert.equal(resultOf(right), "mine");
  });
});
