/** What nobody sees in a text is found and named. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { invisibles } from "../../src/util/invisible";

describe("invisible characters", () => {
  test("are found with their place and their name", () => {
    assert.deepEqual(invisibles("plain\r\na\u200b\u202eb\n\u{E0041}x"), [
      { line: 1, start: 1, end: 2, name: "U+200B" },
      { line: 1, start: 2, end: 3, name: "U+202E" },
      { line: 2, start: 0, end: 2, name: "U+E0041" },
    ]);
  });

  test("are left to the editor where it draws them", () => {
    assert.deepEqual(
      invisibles("a\u200b\u202eb", true).map(({ name }) => name),
      ["U+200B"],
    );
  });

  test("are not what people write with", () => {
    assert.deepEqual(invisibles("tab\t, blank , dash \u2014, 代码评审, naïve, 🙂"), []);
  });
});
