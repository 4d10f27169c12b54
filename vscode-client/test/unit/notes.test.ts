/** Session notes by section. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { notesSections } from "../../src/jobs/notesText";

describe("sections of session notes", () => {
  test("are those that hold something, each with its line and its first words", () => {
    const text = [
      "# Title",
      "_What this session is about._",
      "",
      "# State",
      "_What comes next._",
      "",
      "The parser is done.",
      "The cache comes next.",
      "# Log",
      "_What was done._",
    ].join("\n");
    assert.deepEqual(notesSections(text), [
      {
        heading: "State",
        line: 3,
        first: "The parser is done.",
        body: "The parser is done.\nThe cache comes next.",
      },
    ]);
  });

  test("don't begin inside a block of code", () => {
    const text =
      "# Workflow\r\n_Commands._\r\n```sh\r\n# not a heading\r\nmake\r\n```\r\n# Log\r\n_Steps._\r\n_ran_ it\r\n";
    const found = notesSections(text);
    assert.deepEqual(
      found.map(({ heading, line, first }) => [heading, line, first]),
      [
        ["Workflow", 0, "```sh"],
        ["Log", 6, "_ran_ it"],
      ],
    );
    assert.match(found[0]?.body ?? "", /# not a heading/);
  });

  test("of a text without headings are none", () => {
    for (const text of ["", "words\n", "# Title\n", "```\n# Title\nx"]) {
      assert.deepEqual(notesSections(text), [], text);
    }
  });
});
