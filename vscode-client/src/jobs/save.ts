/** What `memdir save --json` takes and gives, and how its answer becomes the next question. Pure. */

import { l10n } from "vscode";

export interface Candidate {
  path: string;
  name: string;
  score: number;
}

export interface Question {
  /** `duplicate`, `derivable`, ... */
  kind: string;
  message: string;
  candidates: Candidate[];
}

export interface SaveAnswer {
  path: string;
  scope: "private" | "team";
  saved: boolean;
  /** Number of the change, for undoing it. */
  id: string | null;
  questions: Question[];
  advice: string[];
}

export interface Draft {
  type: string;
  name: string;
  description: string;
  /** The fact or rule itself. */
  text: string;
  /** Labelled paragraphs in the order of the type: label -> text; empty ones are left out. */
  parts: Map<string, string>;
  scope: "private" | "team" | undefined;
}

/** The body as a memory has it: the fact first, then its labelled paragraphs. */
export function bodyOf(draft: Draft): string {
  const paragraphs = [draft.text.trim()];
  for (const [label, text] of draft.parts) {
    if (text.trim() !== "") {
      paragraphs.push(`${label} ${text.trim()}`);
    }
  }
  return paragraphs.filter((paragraph) => paragraph !== "").join("\n\n");
}

/** Arguments of `memdir`; the body goes through its standard input, whatever it looks like. */
export function saveArguments(draft: Draft, more: { force?: boolean; update?: string } = {}): string[] {
  return [
    "save",
    "--json",
    `--type=${draft.type}`,
    `--name=${draft.name}`,
    `--description=${draft.description}`,
    "--body=-",
    ...(draft.scope === undefined ? [] : [`--${draft.scope}`]),
    ...(more.update === undefined ? [] : [`--update=${more.update}`]),
    ...(more.force ? ["--force"] : []),
  ];
}

/** Words and, for scripts without spaces, pairs of characters: a rough measure of how much a line says. */
export function weight(text: string): number {
  const han = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0;
  const words =
    text.replace(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g, " ").match(/[\p{L}\p{N}]{2,}/gu)?.length ?? 0;
  return words + Math.floor(han / 2);
}

/** The longest a description may be before it is too long for its line in the index (characters). */
const LONG_DESCRIPTION = 150;

/** What could be better about a description while it is typed; undefined when nothing comes to mind. */
export function descriptionAdvice(description: string, name: string): string | undefined {
  const text = description.trim();
  if (text === "") {
    return l10n.t("Say what it holds, in words that a later question would use.");
  }
  if (text.toLocaleLowerCase() === name.trim().toLocaleLowerCase()) {
    return l10n.t("This repeats the name. What would somebody ask who needs this memory?");
  }
  if (weight(text) < 4) {
    return l10n.t("That is short. Name the matter: what, where, why.");
  }
  if ([...text].length > LONG_DESCRIPTION) {
    return l10n.t(
      "That is long: {0} characters. About {1} fit the index.",
      [...text].length,
      LONG_DESCRIPTION,
    );
  }
  return undefined;
}
