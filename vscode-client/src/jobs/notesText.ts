/** The sections of session notes that hold something. Pure. */

export interface NotesSection {
  heading: string;
  /** The first line that was written below it. */
  first: string;
  /** All of it. */
  body: string;
  /** Line of the heading, from 0. */
  line: number;
}

/** Headings outside of code blocks, each with what stands below its italic line; empty sections are left out. */
export function notesSections(text: string): NotesSection[] {
  const found: { heading: string; line: number; lines: string[] }[] = [];
  let fence = "";
  for (const [line, content] of text.split(/\r?\n/).entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(content)?.[1] ?? "";
    if (fence === "" && content.startsWith("# ")) {
      found.push({ heading: content.slice(2).trim(), line, lines: [] });
      continue;
    }
    if (mark !== "") {
      fence = fence === "" ? mark : mark.startsWith(fence) ? "" : fence;
    }
    found.at(-1)?.lines.push(content);
  }
  return found
    .map(({ heading, line, lines }) => {
      const body = lines.filter((one, at) => at > 0 || !/^_.*_$/.test(one.trim())).join("\n");
      const first = body.split("\n").find((one) => one.trim() !== "") ?? "";
      return { heading, line, body: body.trim(), first: first.trim() };
    })
    .filter((section) => section.body !== "");
}
