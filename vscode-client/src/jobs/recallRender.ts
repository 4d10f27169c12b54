/**
 * The result of a recall as HTML. Pure: an answer in, a string out; every text from a memory is escaped. What was chosen
 * comes as a numbered list, each with why, how old it is and what to check first; below it what came near, with why not.
 */

import { l10n } from "vscode";
import { escapeHtml } from "../context/render";
import type { RecallAnswer, RecallChoice, RecallMiss } from "./protocol";

export interface RecallState {
  query: string;
  /** Compare words only, ask no model. */
  noModel: boolean;
  busy: boolean;
  answer?: RecallAnswer | undefined;
  /** Why there is no answer. */
  failure?: string | undefined;
  /** What the person said of each result, by file. */
  judged: ReadonlyMap<string, boolean>;
}

/** Everything below the form; the form stays as it is while the person types. */
export function renderRecall(state: RecallState): string {
  if (state.busy) {
    return `<p class="busy" role="status">${text(l10n.t("Choosing memories…"))}</p>`;
  }
  if (state.failure !== undefined) {
    return `<p class="notice" role="alert">${text(state.failure)}</p>`;
  }
  const { answer } = state;
  if (answer === undefined) {
    return `<p class="empty">${text(l10n.t("The memories that would help with a task or a question are chosen as for the agent."))}</p>`;
  }
  return [summary(answer), chosen(answer, state.judged), missed(answer.missed)].join("\n");
}

const text = escapeHtml;

function summary(answer: RecallAnswer): string {
  const method =
    answer.method === "model" ? l10n.t("Chosen by the model") : l10n.t("Chosen by comparing words");
  const facts = [
    method,
    l10n.t("{0} considered", answer.candidates),
    l10n.t("{0} ms", Math.round(answer.latencyMs)),
    ...answer.notes,
  ];
  const fallback =
    answer.fallback === null ? "" : `<p class="notice" role="note">${text(answer.fallback)}</p>`;
  return `<p class="summary">${facts.map(text).join(" · ")}</p>${fallback}`;
}

function chosen(answer: RecallAnswer, judged: ReadonlyMap<string, boolean>): string {
  if (answer.selected.length === 0) {
    return `<p class="empty">${text(l10n.t("No memory helps with this."))}</p>`;
  }
  const rows = answer.selected.map((one) => choice(one, judged.get(one.file), answer.id !== ""));
  return `<section aria-label="${text(l10n.t("Chosen memories"))}"><ol class="chosen">${rows.join("\n")}</ol></section>`;
}

function choice(one: RecallChoice, judged: boolean | undefined, recorded: boolean): string {
  const facts = [one.type, one.age].filter((fact) => fact !== "").map(text);
  const share = Math.round(one.score * 100);
  const meter = l10n.t("Answers {0} % of the words of the query", share);
  const bar =
    share === 0
      ? "" // a model sees what words don't
      : `<div class="meter" role="meter" aria-label="${text(meter)}" aria-valuemin="0" aria-valuemax="100" aria-valuenow="${share}" title="${text(meter)}"><svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="fill" width="${share}" height="4"/></svg></div>`;
  return `<li class="card" data-file="${text(one.file)}">
<div class="head"><h2><button type="button" class="file" data-open="${text(one.uri)}" title="${text(one.file)}">${text(one.name)}</button></h2><span class="facts">${facts.join(" · ")}</span></div>
<p class="why">${text(one.reason)}</p>
${bar}
${one.caveat === null ? "" : `<p class="caveat">${text(one.caveat)}</p>`}
${recorded ? judge(one, judged) : ""}</li>`;
}

function judge(one: RecallChoice, judged: boolean | undefined): string {
  const button = (right: boolean, label: string, name: string): string =>
    `<button type="button" class="button judge" data-judge="${text(one.file)}" data-right="${right}" aria-pressed="${judged === right}" aria-label="${text(name)}">${text(label)}</button>`;
  return `<p class="judgement">${button(true, l10n.t("Right"), l10n.t("“{0}” is a right result", one.name))} ${button(false, l10n.t("Wrong"), l10n.t("“{0}” is a wrong result", one.name))}</p>`;
}

function missed(rows: readonly RecallMiss[]): string {
  if (rows.length === 0) {
    return "";
  }
  const items = rows.map(
    (one) =>
      `<li><button type="button" class="file" data-open="${text(one.uri)}" title="${text(one.file)}">${text(one.name)}</button> <span class="why">${text(one.reason)}</span></li>`,
  );
  return `<section><h2>${text(l10n.t("Near, but not chosen"))}</h2><ul class="missed">${items.join("\n")}</ul></section>`;
}

/** The form and the place for the result: the body of the page, made once. */
export function recallPage(state: RecallState): string {
  return `<main><h1>${text(l10n.t("Recall"))}</h1>
<form id="ask" role="search">
<label for="query">${text(l10n.t("What is the task or the question?"))}</label>
<div class="row"><textarea id="query" rows="2" spellcheck="false" placeholder="${text(l10n.t("may integration tests use mocks of the database?"))}">${text(state.query)}</textarea>
<button type="submit" class="button primary">${text(l10n.t("Recall"))}</button></div>
<label class="check"><input type="checkbox" id="words"${state.noModel ? " checked" : ""}> ${text(l10n.t("Compare words only, without the model"))}</label>
</form>
<div id="result" aria-live="polite">${renderRecall(state)}</div></main>`;
}
