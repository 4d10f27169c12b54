/** Rows of the view "Waiting for You". Pure. */

import type { InboxItem, Review, ReviewFile, ReviewHunk, ReviewInfo } from "./protocol";

export type Proposal =
  | { kind: "item"; item: InboxItem }
  | { kind: "review"; id: string; folder: string; title: string; files: number; time: string }
  | { kind: "file"; review: Review; file: ReviewFile }
  | { kind: "hunk"; review: Review; file: ReviewFile; hunk: ReviewHunk };

/** Rows of the first level: the inbox in its order, then reviews that are not in it. */
export function topRows(inbox: readonly InboxItem[], reviews: readonly ReviewInfo[]): Proposal[] {
  const rows: Proposal[] = inbox.map((item) =>
    item.review === null
      ? { kind: "item", item }
      : {
          kind: "review",
          id: item.review,
          folder: item.folder,
          title: item.title,
          files: item.files,
          time: item.created,
        },
  );
  const known = new Set(inbox.map((item) => item.review));
  for (const { id, folder, title, files, time } of reviews.filter((review) => !known.has(review.id))) {
    rows.push({ kind: "review", id, folder, title, files, time });
  }
  return rows;
}

/** `+12 −3` of a piece. */
export function changeSize(hunks: readonly ReviewHunk[]): string {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const added = lines.filter((line) => line.startsWith("+")).length;
  const removed = lines.filter((line) => line.startsWith("-")).length;
  return `+${added} −${removed}`;
}
