/** `protocol.ts` and the server's `ext.py` (`ext_*.py` for jobs) say the same: names of messages, fields, and which may be missing. */

import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { describe, test } from "node:test";

const ROOT = path.resolve(__dirname, "../../../..");
const PAIRS: [string[], string][] = [
  [["ext.py"], "vscode-client/src/protocol.ts"],
  [["ext_jobs.py", "ext_review.py", "ext_team.py"], "vscode-client/src/jobs/protocol.ts"],
];
const read = (file: string): string => fs.readFileSync(path.join(ROOT, file), "utf8");

/** Classes that the two sides name differently: the editor's API has a Node of its own. */
const RENAMED: Record<string, string> = { Node: "TreeNode" };

type Fields = Record<string, "required" | "optional">;

function pythonClasses(source: string): Record<string, Fields> {
  const found: Record<string, Fields> = {};
  for (const [, name = "", body = ""] of source.matchAll(
    /^class (\w+)\(TypedDict\):\n((?: {4}.*\n|\n)+)/gm,
  )) {
    const fields: Fields = {};
    const code = body.replace(/"""[\s\S]*?"""/g, "");
    for (const [, field = "", type = ""] of code.matchAll(/^ {4}(\w+): (.+)$/gm)) {
      fields[field] = type.startsWith("NotRequired[") ? "optional" : "required";
    }
    found[name] = fields;
  }
  return found;
}

function typescriptInterfaces(source: string): Record<string, Fields> {
  const found: Record<string, Fields> = {};
  for (const [, name = "", body = ""] of source.matchAll(/^export interface (\w+) \{\n([\s\S]*?)^\}/gm)) {
    const fields: Fields = {};
    const code = body.replace(/\/\*\*[\s\S]*?\*\//g, "");
    for (const [, field = "", mark = ""] of code.matchAll(/^ {2}(\w+)(\??):/gm)) {
      fields[field] = mark === "?" ? "optional" : "required";
    }
    found[name] = fields;
  }
  return found;
}

for (const [serverFiles, clientFile] of PAIRS) {
  const server = serverFiles.map((file) => read(`server/memdir/lsp/${file}`)).join("\n");
  const client = read(clientFile);

  describe(`${serverFiles.join(", ")} and ${clientFile}`, () => {
    test("methods and server commands have the same names", () => {
      const python = [...server.matchAll(/^(\w+): Final = "(memdir\/\w+)"/gm)].map(([, , method]) => method);
      const typescript = [...client.matchAll(/^export const \w+ = "(memdir\/\w+)"/gm)].map(
        ([, method]) => method,
      );
      assert.deepEqual(typescript.sort(), python.sort());
      const commands = [...server.matchAll(/= COMMAND_PREFIX \+ "(\w+)"/g)].map(([, name]) => name);
      const mirrored = [...client.matchAll(/= `\$\{SERVER_COMMAND_PREFIX\}(\w+)`/g)].map(([, name]) => name);
      assert.deepEqual(mirrored.sort(), commands.sort());
    });

    test("every value has the same fields, required or not", () => {
      const python = pythonClasses(server);
      const typescript = typescriptInterfaces(client);
      assert.ok(Object.keys(python).length >= 6);
      for (const [name, fields] of Object.entries(python)) {
        assert.deepEqual(typescript[RENAMED[name] ?? name], fields, name);
      }
      const mirrored = new Set(Object.keys(python).map((name) => RENAMED[name] ?? name));
      assert.deepEqual(
        Object.keys(typescript).filter((name) => !mirrored.has(name)),
        [],
      );
    });
  });
}
