import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { explicitSettings, manifestKeys } from "../../src/configuration";
import type { FolderStatus, IndexBudget, TreeNode } from "../../src/protocol";
import { OwnRenames } from "../../src/server/ownRenames";
import { coveredByDefault, documentSelector, escapeGlob, extraDirectories } from "../../src/server/selector";
import {
  ageText,
  budgetShare,
  budgetText,
  kilo,
  problemText,
  shortAge,
  sumProblems,
} from "../../src/util/text";
import { memoryState } from "../../src/views/memoryState";
import { present } from "../../src/views/present";
import { countMemories, fileName, shape } from "../../src/views/shape";

const INDEX: IndexBudget = {
  lines: 143,
  maxLines: 200,
  utf16: 18_234,
  bytes: 18_500,
  maxSize: 25_000,
  truncated: null,
};
const NONE = { error: 0, warning: 0, information: 0, hint: 0 };

describe("texts", () => {
  test("the budget names lines and thousands of characters", () => {
    assert.equal(budgetText(INDEX), "143/200 lines, 18.2/25 KB");
  });

  test("thousands have one digit behind the point, none when it is zero", () => {
    assert.deepEqual([0, 40, 949, 1000, 18_251, 25_000].map(kilo), ["0", "0", "0.9", "1", "18.3", "25"]);
  });

  test("the share is that of the tighter limit", () => {
    assert.equal(budgetShare({ ...INDEX, lines: 20, utf16: 24_000 }), 0.96);
    assert.equal(budgetShare({ ...INDEX, lines: 240, utf16: 0 }), 1.2);
  });

  test("problems are counted by severity; notes only when all are wanted", () => {
    assert.equal(problemText({ error: 1, warning: 2, information: 3, hint: 0 }), "1 error, 2 warnings");
    assert.equal(problemText({ ...NONE, information: 1, hint: 1 }, true), "2 notes");
    assert.equal(problemText({ ...NONE, hint: 1 }), "");
    assert.deepEqual(
      sumProblems([
        { ...NONE, error: 1 },
        { ...NONE, error: 2, hint: 1 },
      ]),
      {
        ...NONE,
        error: 3,
        hint: 1,
      },
    );
  });

  test("ages are plain words", () => {
    assert.deepEqual([0, 1, 47].map(ageText), ["today", "yesterday", "47 days ago"]);
    assert.deepEqual([0, 1, 2, 59, 60, 100, 365, 700, 730, 4000].map(shortAge), [
      "today",
      "yesterday",
      "2 d",
      "59 d",
      "2 mo",
      "3 mo",
      "12 mo",
      "23 mo",
      "2 y",
      "11 y",
    ]);
  });
});

const memory = (label: string, more: Partial<TreeNode> = {}): TreeNode => ({
  id: label,
  kind: "memory",
  label,
  uri: `file:///m/${label}.md`,
  memoryType: "feedback",
  ...more,
});

describe("rows", () => {
  test("a memory says type, age and problems to a screen reader", () => {
    const looks = present(memory("Real database", { age: 47, problems: { ...NONE, warning: 2 } }), 2);
    assert.equal(looks.spoken, "Real database, feedback memory, 47 days ago, 2 warnings");
    assert.deepEqual([looks.description, looks.about], ["47 d", "47 days ago"]);
    assert.equal(looks.collapsible, "none");
    assert.equal(looks.isFile, true);
  });

  test("scopes and types open by themselves, deeper rows don't", () => {
    const group: TreeNode = { id: "g", kind: "type", label: "feedback", children: [memory("a")] };
    assert.equal(present(group, 1).collapsible, "expanded");
    assert.equal(present(group, 2).collapsible, "collapsed");
    assert.equal(present({ ...group, kind: "project" }, 0).collapsible, "collapsed");
  });

  test("a folder of several opens before its rows are known", () => {
    const folder: TreeNode = { id: "f", kind: "group", label: "harbour", contextValue: "folder" };
    assert.equal(present(folder, -1).collapsible, "expanded");
    assert.equal(present({ ...folder, contextValue: "agents" }, 0).collapsible, "none");
  });

  test("a group with errors is coloured, a file is left to VS Code", () => {
    const problems = { ...NONE, error: 1 };
    assert.equal(
      present({ id: "g", kind: "scope", label: "Private", problems }, 0).colour,
      "list.errorForeground",
    );
    assert.equal(present(memory("a", { problems }), 2).colour, undefined);
  });
});

describe("the empty view", () => {
  const folder = (enabled: boolean, exists: boolean): FolderStatus => ({ enabled, exists }) as FolderStatus;
  const opened = (...schemes: string[]) => schemes.map((scheme) => ({ uri: { scheme } }));

  test("says what this window has", () => {
    const state = (...folders: FolderStatus[]) => memoryState({ folders }, opened("file", "file"));
    assert.equal(state(folder(true, true), folder(false, false)), "present");
    assert.equal(state(folder(true, false), folder(false, true)), "none");
    assert.equal(state(folder(false, true)), "off");
    assert.equal(state(), "noFolder"); // the server has not told yet
  });

  test("tells a virtual workspace from no folder at all", () => {
    assert.equal(memoryState({ folders: [] }, opened("memfs", "vscode-vfs")), "virtual");
    assert.equal(memoryState({ folders: [] }, opened("memfs", "file")), "noFolder");
    assert.equal(memoryState({ folders: [] }, []), "noFolder");
  });
});

describe("filter and order", () => {
  const tree: TreeNode[] = [
    {
      id: "private",
      kind: "scope",
      label: "Private",
      children: [
        { id: "index", kind: "index", label: "MEMORY.md", uri: "file:///m/MEMORY.md" },
        {
          id: "feedback",
          kind: "type",
          label: "feedback",
          children: [
            memory("Beta", { age: 3, problems: { ...NONE, warning: 1 } }),
            memory("alpha 10", { age: 40 }),
            memory("alpha 9", { problems: { ...NONE, error: 1 } }),
          ],
        },
      ],
    },
  ];
  const labels = (nodes: TreeNode[]): string[] =>
    nodes.flatMap((n) => [n.label, ...labels(n.children ?? [])]);

  test("the rows above a hit stay, everything else goes", () => {
    const found = shape(tree, { filter: "ALPHA 9", sort: "server" });
    assert.deepEqual(labels(found), ["Private", "feedback", "alpha 9"]);
    assert.equal(countMemories(found), 1);
  });

  test("a group that matches keeps what it holds", () => {
    assert.deepEqual(labels(shape(tree, { filter: "feedback", sort: "server" })), [
      "Private",
      "feedback",
      "Beta",
      "alpha 10",
      "alpha 9",
    ]);
  });

  test("no hit, no rows", () => {
    assert.deepEqual(shape(tree, { filter: "zebra", sort: "server" }), []);
  });

  test("only memories are reordered, and the server's tree stays as it was", () => {
    const before = JSON.stringify(tree);
    const order = (sort: "name" | "age" | "problems"): string[] =>
      labels(shape(tree, { filter: "", sort })).slice(3);
    assert.deepEqual(order("name"), ["alpha 9", "alpha 10", "Beta"]);
    assert.deepEqual(order("age"), ["Beta", "alpha 10", "alpha 9"]);
    assert.deepEqual(order("problems"), ["alpha 9", "Beta", "alpha 10"]);
    assert.equal(JSON.stringify(tree), before);
  });

  test("file names are decoded, even odd ones", () => {
    assert.equal(fileName("file:///m/%E8%AE%B0.md"), "记.md");
    assert.equal(fileName("file:///m/100%.md"), "100%.md");
  });
});

describe("documents that the server gets", () => {
  const folder = (memoryDir: string): FolderStatus => ({ memoryDir }) as FolderStatus;

  test("default places need nothing more; moved ones are added once", () => {
    assert.equal(coveredByDefault("/home/a/.claude/projects/-home-a-repo/memory"), true);
    assert.equal(coveredByDefault("C:\\Users\\a\\.claude\\projects\\c--repo\\memory"), true);
    assert.equal(coveredByDefault("/srv/notes"), false);
    assert.deepEqual(
      extraDirectories(["/srv/notes", "/h/.claude/projects/-r/memory", "/srv/notes"].map(folder)),
      ["/srv/notes"],
    );
  });

  test("a moved directory with glob characters stands for itself", () => {
    assert.equal(escapeGlob("/srv/[team] {a}*"), "/srv/[[]team[]] [{]a[}][*]");
    const last = documentSelector(["/srv/notes/"]).at(-1) as { pattern: string; scheme: string };
    assert.deepEqual([last.scheme, last.pattern], ["file", "/srv/notes/**"]);
  });
});

describe("renames inside edits of the server", () => {
  const rename = { kind: "rename", oldUri: "file:///m/a%20b.md", newUri: "file:///m/team/a b.md" };

  test("are recognised once, however the paths are encoded, and no others", () => {
    const own = new OwnRenames();
    own.note([{ title: "Move", edit: { documentChanges: [{ edits: [] }, rename] } }, { title: "no edit" }]);
    assert.equal(own.take("file:///m/a b.md", "file:///m/other.md"), false);
    assert.equal(own.take("file:///m/a b.md", "file:///m/team/a%20b.md"), true);
    assert.equal(own.take("file:///m/a b.md", "file:///m/team/a%20b.md"), false);
  });

  test("answers without edits are nothing", () => {
    const own = new OwnRenames();
    for (const answer of [null, undefined, [], "text", { changes: {} }]) {
      own.note(answer);
    }
    assert.equal(own.take("a", "b"), false);
  });
});

describe("settings for the server", () => {
  test("only what somebody set is sent, nested, the nearest level winning", () => {
    const values: Record<string, object> = {
      staleDays: { defaultValue: null, globalValue: 60, workspaceFolderValue: 14 },
      "recall.limit": { defaultValue: null, workspaceValue: 3 },
      exclude: { defaultValue: null },
    };
    assert.deepEqual(
      explicitSettings(Object.keys(values), (key) => values[key]),
      { staleDays: 14, recall: { limit: 3 } },
    );
  });

  test("keys of the manifest leave out what only the extension reads", () => {
    const properties = {
      "memdir.staleDays": {},
      "memdir.server.path": {},
      "memdir.tree.autoReveal": {},
      "other.x": {},
    };
    assert.deepEqual(manifestKeys({ contributes: { configuration: [{ properties }, { properties: {} }] } }), [
      "staleDays",
    ]);
  });
});
