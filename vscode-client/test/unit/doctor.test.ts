/** Rows of the doctor's view. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { amount, caseName, doctorRowId, factsOf, inOrder, placeName } from "../../src/jobs/doctorRows";
import type { DoctorCase, Review } from "../../src/jobs/protocol";

const moved: DoctorCase = {
  kind: "moved",
  headline: "Repository moved",
  why: "it has the same first commit",
  directory: "/h/.claude/projects/-w-old/memory",
  owner: "/w/new",
  target: "/h/.claude/projects/-w-new/memory",
  certain: true,
  message: "The memories…",
  review: "1",
  memories: 2,
  size: 1234,
  targetMemories: null,
  targetSize: 0,
};
const review = {
  id: "1",
  files: [{ uri: "file:///n/a.md" }, { uri: "file:///n/b.md" }],
} as unknown as Review;

describe("the doctor's view", () => {
  test("a case lists the reason, both directories, the repository and the files that move", () => {
    const rows = factsOf(moved, review);
    assert.deepEqual(
      rows.map((row) => row.kind),
      ["why", "from", "to", "owner", "file", "file"],
    );
    assert.equal(new Set(rows.map(doctorRowId)).size, rows.length);
  });

  test("a case that nothing mends has neither target nor files", () => {
    const orphaned = { ...moved, kind: "orphaned", target: null, owner: null, review: null };
    assert.deepEqual(
      factsOf(orphaned, undefined).map((row) => row.kind),
      ["why", "from"],
    );
    assert.equal(caseName(orphaned), "-w-old");
  });

  test("places are named by their project or agent, on every system", () => {
    assert.equal(placeName(moved.directory), "-w-old");
    assert.equal(placeName("C:\\Users\\a\\.claude\\projects\\C--w\\memory"), "C--w");
    assert.equal(placeName("/r/app/.claude/agent-memory/reviewer"), "reviewer");
    assert.equal(caseName(moved), "new");
    const scattered = { ...moved, kind: "scattered", directory: "/r/app/.claude/agent-memory/reviewer" };
    assert.equal(caseName(scattered), "reviewer");
    assert.ok(!factsOf(scattered, review).some((row) => row.kind === "owner"));
  });

  test("what can be mended comes first, empty directories last", () => {
    const phantom = { ...moved, kind: "phantom", review: null };
    const orphaned = { ...moved, kind: "orphaned", review: null };
    assert.deepEqual(
      inOrder([phantom, orphaned, moved]).map((one) => one.kind),
      ["moved", "orphaned", "phantom"],
    );
  });

  test("sizes", () => {
    assert.equal(amount(0, 0), "0 files");
    assert.equal(amount(1, 12), "1 file, 0.1 KB");
    assert.equal(amount(3, 1234), "3 files, 1.2 KB");
  });
});
