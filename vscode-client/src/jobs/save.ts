/** A memory while it is being written: its parts, what the server gets, and advice on its description. Pure. */

import { l10n } from "vscode";

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

/** Argument of the server's `save`. `update` is the URI of the memory to change instead of adding one. */
export function saveArgument(draft: Draft, more: { force?: boolean; update?: string } = {}): object {
  return {
    type: draft.type,
    name: draft.name,
    description: draft.description,
    body: bodyOf(draft),
    ...(draft.scope === undefined ? {} : { scope: draft.scope }),
    ...more,
  };
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
