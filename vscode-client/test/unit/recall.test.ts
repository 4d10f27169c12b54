/** The result of a recall as a page: every case, nothing of a memory becomes markup. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { RecallAnswer } from "../../src/jobs/protocol";
import { type RecallState, recallPage, renderRecall } from "../../src/jobs/recallRender";

const ANSWER: RecallAnswer = {
  id: "r1",
  method: "model",
  candidates: 24,
  latencyMs: 812.4,
  fallback: null,
  selected: [
    {
      uri: "file:///m/feedback_db.md",
      file: "feedback_db.md",
      name: "Real <database>",
      type: "feedback",
      age: "47 days ago",
      score: 0.5,
      reason: "the model: says how",
      caveat: "Written 47 days ago.",
    },
    {
      uri: "file:///m/user.md",
      file: "user.md",
      name: "Role",
      type: "",
      age: "today",
      score: 0,
      reason: "the model: who",
      caveat: null,
    },
  ],
  missed: [{ uri: "file:///m/x.md", file: "x.md", name: "X & Y", score: 0.1, reason: "too little" }],
  notes: ["12 tokens"],
};

const state = (more: Partial<RecallState>): RecallState => ({
  query: "",
  noModel: false,
  busy: false,
  judged: new Map(),
  ...more,
});

describe("the result of a recall", () => {
  test("says who chose, of how many, why each was chosen and why others were not", () => {
    const html = renderRecall(state({ answer: ANSWER }));
    assert.match(html, /Chosen by the model · 24 considered · 812 ms · 12 tokens/);
    assert.match(html, /the model: says how/);
    assert.match(html, /feedback · 47 days ago/);
    assert.match(html, /<p class="caveat">Written 47 days ago\.<\/p>/);
    assert.equal(html.match(/class="caveat"/g)?.length, 1);
    assert.match(html, /Near, but not chosen[\s\S]*X &#38; Y[\s\S]*too little/);
  });

  test("texts of memories are escaped", () => {
    const html = renderRecall(state({ answer: ANSWER }));
    assert.equal(html.includes("<database>"), false);
    assert.ok(html.includes("Real &#60;database&#62;"));
    assert.equal(recallPage(state({ query: "</textarea><b>" })).includes("<b>"), false);
  });

  test("a share of words has a name and a value; without one there is no bar", () => {
    const html = renderRecall(state({ answer: ANSWER }));
    assert.equal(html.match(/role="meter"/g)?.length, 1);
    assert.match(html, /aria-valuenow="50"/);
  });

  test("a judgement is a pressed button, and none is asked for without records", () => {
    const judged = new Map([["feedback_db.md", false]]);
    const html = renderRecall(state({ answer: ANSWER, judged }));
    assert.match(html, /data-judge="feedback_db.md" data-right="false" aria-pressed="true"/);
    assert.match(html, /data-judge="feedback_db.md" data-right="true" aria-pressed="false"/);
    assert.match(html, /data-judge="user.md" data-right="false" aria-pressed="false"/);
    assert.equal(renderRecall(state({ answer: { ...ANSWER, id: "" } })).includes("data-judge"), false);
  });

  test("nothing chosen, a fallback, a failure and waiting are said", () => {
    const answer: RecallAnswer = {
      ...ANSWER,
      method: "lexical",
      fallback: "No key.",
      selected: [],
      missed: [],
    };
    const html = renderRecall(state({ answer }));
    assert.match(html, /Chosen by comparing words/);
    assert.match(html, /<p class="notice" role="note">No key\.<\/p>/);
    assert.match(html, /No memory helps with this\./);
    assert.equal(html.includes("Near, but not chosen"), false);
    assert.match(renderRecall(state({ failure: "It <failed>." })), /role="alert">It &#60;failed&#62;\./);
    assert.match(renderRecall(state({ busy: true })), /role="status"/);
    assert.match(renderRecall(state({})), /class="empty"/);
  });
});
