/** No text that a person reads is left in one language only. */

import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { describe, test } from "node:test";
import { budgetText } from "../../src/util/text";
import { useBundle } from "./vscode";

const ROOT = path.resolve(__dirname, "../../../..");
const BUNDLE = path.join(ROOT, "l10n/bundle.l10n.zh-cn.json");
const read = (file: string): Record<string, string> =>
  JSON.parse(fs.readFileSync(path.join(ROOT, file), "utf8"));
const CHINESE = /[\u3400-\u9fff]/;

function sources(directory: string): string[] {
  return fs.readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(directory, entry.name);
    return entry.isDirectory() ? sources(full) : /\.tsx?$/.test(entry.name) ? [full] : [];
  });
}

/** Every `l10n.t("...")` of a source, and the calls whose text is not a literal. */
function messages(source: string): { texts: string[]; dynamic: string[] } {
  const texts: string[] = [];
  const dynamic: string[] = [];
  for (const call of source.matchAll(/\bl10n\.t\(\s*/g)) {
    const rest = source.slice(call.index + call[0].length);
    const literal = /^"((?:\\.|[^"\\])*)"/.exec(rest);
    if (literal) {
      texts.push(JSON.parse(`"${literal[1]}"`));
    } else {
      dynamic.push(rest.slice(0, 40));
    }
  }
  return { texts, dynamic };
}

const placeholders = (text: string): string[] => [...new Set(text.match(/\{\d+\}/g) ?? [])].sort();

describe("translations of the client", () => {
  const all = sources(path.join(ROOT, "vscode-client/src")).map((file) => ({
    file: path.relative(ROOT, file),
    text: fs.readFileSync(file, "utf8"),
  }));
  const used = new Set(all.flatMap(({ text }) => messages(text).texts));
  const bundle = read("l10n/bundle.l10n.zh-cn.json");

  test("every text is a literal, so that it can be collected", () => {
    assert.deepEqual(
      all.flatMap(({ file, text }) => messages(text).dynamic.map((d) => `${file}: ${d}`)),
      [],
    );
  });

  test("every text has a Chinese translation, and no translation is left over", () => {
    assert.deepEqual({ missing: [...used].filter((t) => !(t in bundle)) }, { missing: [] });
    assert.deepEqual({ unused: Object.keys(bundle).filter((t) => !used.has(t)) }, { unused: [] });
  });

  test("translations are Chinese and keep the placeholders", () => {
    for (const [english, chinese] of Object.entries(bundle)) {
      assert.deepEqual(placeholders(chinese), placeholders(english), english);
      if (/[a-z]{3}/i.test(english.replace(/\{\d+\}|memdir\S*|KB/g, ""))) {
        assert.match(chinese, CHINESE, english);
      }
    }
  });

  test("no message, title or prompt is written without the translator", () => {
    const raw =
      /\b(?:show(?:Information|Warning|Error)Message\(\s*|(?:title|prompt|placeHolder|detail|description|tooltip)\s*[:=]\s*)["'`][A-Z]\w+ /g;
    assert.deepEqual(
      all.flatMap(({ file, text }) => [...text.matchAll(raw)].map((m) => `${file}: ${m[0]}`)),
      [],
    );
  });

  test("the bundle is what the editor's translator would use", () => {
    useBundle(BUNDLE);
    const budget = { lines: 1, maxLines: 200, utf16: 1000, bytes: 1000, maxSize: 25_000, truncated: null };
    assert.match(budgetText(budget), /1\/200 行/);
    useBundle(undefined);
  });
});

describe("translations of the manifest", () => {
  const english = read("package.nls.json");
  const chinese = read("package.nls.zh-cn.json");
  const manifest = fs.readFileSync(path.join(ROOT, "package.json"), "utf8");
  const used = new Set([...manifest.matchAll(/"%([\w.]+)%"/g)].map((m) => m[1] ?? ""));

  test("every key of the manifest exists in both languages, and none is left over", () => {
    assert.deepEqual(Object.keys(english).sort(), [...used].sort());
    assert.deepEqual(Object.keys(chinese).sort(), [...used].sort());
  });

  test("Chinese texts are Chinese and link to the same commands", () => {
    const links = (text: string): string[] => (text.match(/command:[\w.?%]+/g) ?? []).sort();
    for (const [key, text] of Object.entries(chinese)) {
      assert.match(text, CHINESE, key);
      assert.deepEqual(links(text), links(english[key] ?? ""), key);
    }
  });

  test("what a person reads in the manifest is never a plain text", () => {
    const found: string[] = [];
    const visit = (value: unknown, where: string): void => {
      if (Array.isArray(value)) {
        for (const [index, item] of value.entries()) {
          visit(item, `${where}[${index}]`);
        }
      } else if (value !== null && typeof value === "object") {
        for (const [key, inner] of Object.entries(value)) {
          const readable =
            /^(title|name|contents|(markdown)?[dD]escription|category|label|enumDescriptions|altText)$/.test(
              key,
            );
          if (readable && typeof inner === "string" && !/^%.*%$/.test(inner)) {
            found.push(`${where}.${key}: ${inner}`);
          }
          visit(inner, `${where}.${key}`);
        }
      }
    };
    visit(JSON.parse(manifest).contributes, "contributes");
    assert.deepEqual(found, []);
  });
});
