import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { commandLine, parseAnswer, reason } from "../../src/cli";
import { loadedDocument } from "../../src/context/loaded";
import { bars, type ContextReport, type Layer, percent, shortPath } from "../../src/context/model";
import { escapeHtml, renderContext } from "../../src/context/render";
import { changeSize, topRows } from "../../src/jobs/proposalRows";
import type { InboxItem } from "../../src/jobs/protocol";
import { bodyOf, type Draft, descriptionAdvice, saveArgument, weight } from "../../src/jobs/save";
import { movable } from "../../src/jobs/sides";
import type { TreeNode } from "../../src/protocol";
import { firstLostLine } from "../../src/views/lost";

const layer = (more: Partial<Layer>): Layer => ({
  kind: "project",
  label: "project instructions",
  path: "/r/CLAUDE.md",
  state: "loaded",
  state_label: "loaded",
  why: null,
  characters: 100,
  size: 100,
  tokens: 25,
  globs: [],
  chain: [],
  ...more,
});

const REPORT: ContextReport = {
  cwd: "/r",
  layers: [
    layer({}),
    layer({ kind: "import", path: "/r/docs/<b>.md", characters: 100, chain: ["/r/CLAUDE.md"] }),
    layer({ kind: "rule", path: "/r/.claude/rules/x.md", state: "conditional", globs: ["src/**"] }),
    layer({
      kind: "memory-index",
      path: "/h/.claude/projects/-r/memory/MEMORY.md",
      state: "cut",
      characters: 800,
      size: 1000,
      why: "longer than the line limit",
    }),
  ],
  total: { characters: 1000, tokens: 250 },
  repeats: [{ text: "Run <make> test", paths: ["/r/CLAUDE.md", "/r/docs/<b>.md"] }],
};

describe("context preview", () => {
  test("shares are of what is loaded; a conditional layer has none", () => {
    assert.deepEqual(
      bars(REPORT, "/h").map((bar) => bar.share),
      [0.1, 0.1, 0, 0.8],
    );
    assert.deepEqual([0, 0.004, 0.256].map(percent), ["0 %", "<1 %", "26 %"]);
  });

  test("paths are relative, with ~, or shortened to their end", () => {
    assert.equal(shortPath("/r/docs/a.md", "/r", "/h"), "docs/a.md");
    assert.equal(shortPath("/h/.claude/CLAUDE.md", "/r", "/h"), "~/.claude/CLAUDE.md");
    assert.equal(
      shortPath(`/h/.claude/projects/${"x".repeat(60)}/memory/MEMORY.md`, "/r", "/h"),
      "…/memory/MEMORY.md",
    );
    assert.equal(shortPath("/rest/a.md", "/r", undefined), "/rest/a.md");
  });

  test("names from files never become markup", () => {
    const html = renderContext(REPORT, "/h", "en");
    assert.equal(html.includes("<b>.md"), false);
    assert.equal(html.includes("<make>"), false);
    assert.ok(html.includes(escapeHtml("docs/<b>.md")));
    assert.equal(escapeHtml(`"'&<>`), "&#34;&#39;&#38;&#60;&#62;");
  });

  test("the picture has a name, what is cut is counted, only one row is a tab stop", () => {
    const html = renderContext(REPORT, "/h", "en");
    assert.match(html, /role="img" aria-label="[^"]*MEMORY\.md: 80 %/);
    assert.match(html, /200 characters are lost/);
    assert.equal(html.match(/tabindex="0"/g)?.length, 1);
  });

  test("limits of the index are meters; one that is passed says so", () => {
    const index = {
      lines: 204,
      maxLines: 200,
      utf16: 8000,
      bytes: 8000,
      maxSize: 25_000,
      truncated: "lines" as const,
    };
    const html = renderContext(REPORT, "/h", "en", index);
    assert.equal(html.match(/role="meter"/g)?.length, 2);
    assert.match(html, /class="meter over"[^>]*aria-valuetext="204\/200"/);
  });
});

describe("loaded index", () => {
  const index = { text: "- a\n- b", truncated: null, lines: 2, utf16: 7, bytes: 7, limits: {}, lost: [] };

  test("an index that fits is shown as it is", () => {
    assert.deepEqual(loadedDocument(index), { text: "- a\n- b", cutLine: undefined });
  });

  test("a cut stands where the agent stops reading, what is lost below it", () => {
    const lost = [{ line: 2, title: "C", target: "c.md" }];
    const { text, cutLine } = loadedDocument({ ...index, truncated: "lines", lost });
    assert.equal(cutLine, 2);
    assert.match(text.split("\n")[2] ?? "", /the line limit/);
    assert.equal(text.split("\n")[3], "- [C](c.md)");
  });

  test("the first lost line is that of the stricter limit", () => {
    const at = (line: number, code: unknown) => ({ code, range: { start: { line } } }) as never;
    assert.equal(firstLostLine([at(3, "index-broken-link")]), undefined);
    assert.equal(
      firstLostLine([at(200, "index-over-line-limit"), at(150, { value: "index-over-size-limit" })]),
      150,
    );
  });
});

describe("writing a memory", () => {
  const draft: Draft = {
    type: "feedback",
    name: "Squash",
    description: "Branches are squashed before merge",
    text: " Squash. ",
    parts: new Map([
      ["**Why:**", "Release notes."],
      ["**How to apply:**", " "],
    ]),
    scope: undefined,
  };

  test("empty paragraphs are left out", () => {
    assert.equal(bodyOf(draft), "Squash.\n\n**Why:** Release notes.");
  });

  test("scope and decisions go along only when there are some", () => {
    assert.deepEqual(Object.keys(saveArgument(draft)), ["type", "name", "description", "body"]);
    assert.deepEqual(saveArgument({ ...draft, scope: "team" }, { force: true }), {
      ...saveArgument(draft),
      scope: "team",
      force: true,
    });
  });

  test("advice on descriptions, in any script", () => {
    assert.match(descriptionAdvice("squash", "Squash") ?? "", /repeats the name/);
    assert.match(descriptionAdvice("testing stuff", "x") ?? "", /short/);
    assert.match(descriptionAdvice("长".repeat(200), "x") ?? "", /200/);
    assert.equal(descriptionAdvice("集成测试必须使用真实数据库", "x"), undefined);
    assert.equal(descriptionAdvice(draft.description, draft.name), undefined);
    assert.deepEqual(["a real database", "真实数据库", ""].map(weight), [2, 2, 0]);
  });
});

describe("proposals and rows", () => {
  const item = (id: string, review: string | null): InboxItem =>
    ({ id, review, folder: "f", title: id, files: 2, created: "t" }) as InboxItem;

  test("a consolidation in the inbox is one review, not two rows", () => {
    const rows = topRows([item("a", null), item("b", "r1")]);
    assert.deepEqual(
      rows.map((row) => (row.kind === "review" ? row.id : row.kind)),
      ["item", "r1"],
    );
  });

  test("the size of a change counts lines with a sign", () => {
    assert.equal(changeSize([{ id: "1", header: "@@", lines: [" a", "-b", "+c", "+d"] }]), "+2 −1");
  });

  test("only memories of the other side are moved", () => {
    const node = (scope: string, kind = "memory"): TreeNode =>
      ({ id: scope, kind, label: "", uri: "u", scope }) as TreeNode;
    assert.equal(
      movable([node("private"), node("team"), node("private", "index"), node("agent")], "team").length,
      1,
    );
  });
});

describe("the program beside the server", () => {
  const launch = { source: "managed" as const, version: "0.1.0" };

  test("runs as a module or as the executable, as the server does", () => {
    const asModule = { ...launch, command: "py", args: ["-P", "-m", "memdir.cli.main", "serve"] };
    assert.deepEqual(commandLine(asModule, ["where"]).args, ["-P", "-m", "memdir.cli.main", "where"]);
    assert.deepEqual(commandLine({ ...launch, command: "memdir", args: ["serve"] }, ["where"]).args, [
      "where",
    ]);
  });

  test("code 1 is an answer, code 2 the sentence on standard error", () => {
    assert.deepEqual(parseAnswer({ code: 1, stdout: "[1]", stderr: "" }), [1]);
    assert.throws(
      () => parseAnswer({ code: 2, stdout: "", stderr: "memdir: no memory\n" }),
      /^Error: no memory$/,
    );
    assert.match(reason({ code: 2, stdout: "", stderr: "" }), /exit code 2/);
  });
});
