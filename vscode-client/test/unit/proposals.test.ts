/** Rows of what waits for a person, and the state of team memory in words. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { changeSize, firstChange, reviewRows, rowId, together, topRows } from "../../src/jobs/proposalRows";
import type {
  InboxItem,
  Review,
  ReviewFile,
  ReviewHunk,
  TeamFile,
  TeamStatus,
} from "../../src/jobs/protocol";
import { teamText, teamTooltip } from "../../src/jobs/teamText";

const hunk = (...lines: string[]): ReviewHunk => ({ id: "h", header: "@@ -1 +1 @@", lines });

const file = (label: string, group = 0): ReviewFile => ({
  uri: `file:///m/${label}`,
  oldUri: null,
  label,
  kind: "edit",
  before: "a",
  after: "b",
  reasons: [],
  consent: null,
  lost: [],
  group,
  hunks: [],
});

const key = (name: string): TeamFile => ({ key: name, uri: `file:///t/${name}`, why: [] });

const team = (more: Partial<TeamStatus>): TeamStatus => ({
  folder: "file:///r",
  transport: "service",
  why: null,
  broken: false,
  running: true,
  url: "https://team.example",
  repository: "acme/app",
  root: "/m/team",
  lastPull: null,
  lastPush: null,
  failure: null,
  pending: [],
  conflicts: [],
  held: [],
  blocked: [],
  refused: [],
  removed: [],
  notes: [],
  ...more,
});

describe("what waits for a person", () => {
  test("what team memory asks comes after the proposals", () => {
    const item = { id: "1", folder: "f", review: null } as InboxItem;
    const status = team({ conflicts: [key("a.md")], held: [key("b.md")], blocked: [key("c.md")] });
    const rows = topRows([item], [status]);
    assert.deepEqual(
      rows.map((row) => (row.kind === "team" ? `${row.matter} ${row.file.key}` : row.kind)),
      ["item", "conflict a.md", "held b.md", "blocked c.md"],
    );
    assert.equal(new Set(rows.map(rowId)).size, rows.length);
  });

  test("below a review stand clashes, then files, then how it came to be", () => {
    const clash = { uri: "file:///m/c.md", base: "a", mine: "b", theirs: "c" };
    const review = { id: "r", files: [file("a.md")], clashes: [clash], notes: ["Why.", "Why."] };
    const rows = reviewRows(review as unknown as Review);
    assert.deepEqual(
      rows.map((row) => row.kind),
      ["clash", "file", "note"],
    );
    assert.equal(new Set(rows.map(rowId)).size, rows.length);
  });

  test("a piece is recognised by what it adds, else by what it takes, else by its place", () => {
    assert.equal(firstChange(hunk(" same", "-old", "+new words")), "new words");
    assert.equal(firstChange(hunk(" same", "-old words")), "old words");
    assert.equal(firstChange(hunk("+", " same")), "@@ -1 +1 @@");
    assert.equal(changeSize([hunk(" same", "-old", "+new", "+more")]), "+2 −1");
  });

  test("files of a group go together", () => {
    const files = [file("a.md", 1), file("b.md", 1), file("c.md")];
    const review = { files } as unknown as Review;
    assert.deepEqual(
      files.map((one) => together(review, one).map((each) => each.label)),
      [["a.md", "b.md"], ["a.md", "b.md"], ["c.md"]],
    );
  });
});

describe("team memory in the status bar", () => {
  test("says whether it works, what waits and what is to be sent", () => {
    assert.deepEqual(teamText([team({})]), {
      text: "$(organization) Team",
      spoken: "Team memory",
      attention: false,
    });
    const busy = teamText([
      team({ pending: [key("a.md")] }),
      team({ conflicts: [key("b.md"), key("c.md")] }),
    ]);
    assert.equal(busy.text, "$(bell-dot) Team 2 ↑1");
    assert.equal(busy.spoken, "Team memory, 2 waiting for you, 1 to be sent");
    assert.equal(busy.attention, true);
    assert.equal(teamText([team({ failure: "offline" })]).text, "$(warning) Team");
  });

  test("the tooltip names address, times and every number that is not zero", () => {
    assert.deepEqual(teamTooltip(team({ conflicts: [key("a.md")], failure: "offline" })), [
      "Team memory: acme/app",
      "offline",
      "Last pull: never. Last push: never.",
      "Changed on both sides: 1",
    ]);
    assert.deepEqual(
      teamTooltip(team({ transport: "off", broken: true, why: "No token.", repository: "" })),
      ["Team memory: /m/team", "No token."],
    );
  });
});
