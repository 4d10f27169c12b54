/** Characters that nobody sees and an agent reads. Pure. */

export interface Invisible {
  line: number;
  /** UTF-16 units. */
  start: number;
  end: number;
  /** As it is named: `U+200B`. */
  name: string;
}

// Format and private characters, and what fonts draw nothing for; line breaks and tabs are no secret
const HIDDEN = /[\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]/gu;

// What VS Code itself draws as `[U+202E]` while `editor.renderControlCharacters` is on
const DRAWN = /^[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]$/;

/** Where they are, in their order. `drawn`: without those that the editor draws. */
export function invisibles(text: string, drawn = false): Invisible[] {
  return text.split(/\r?\n/).flatMap((content, line) =>
    [...content.matchAll(HIDDEN)]
      .filter(([found]) => !(drawn && DRAWN.test(found)))
      .map((match) => {
        const [found] = match;
        const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
        return { line, start: match.index, end: match.index + found.length, name: `U+${code}` };
      }),
  );
}
