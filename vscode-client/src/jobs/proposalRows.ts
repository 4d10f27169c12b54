/** Rows of the view "Waiting for You". Pure. */

import type {
  ClashInfo,
  InboxEvidence,
  InboxItem,
  Review,
  ReviewFile,
  ReviewHunk,
  TeamFile,
  TeamStatus,
} from "./protocol";

export type TeamMatter = "conflict" | "held" | "blocked";

export type Proposal =
  | { kind: "item"; item: InboxItem }
  | { kind: "evidence"; item: InboxItem; evidence: InboxEvidence }
  | { kind: "review"; id: string; folder: string; title: string; files: number; time: string }
  | { kind: "file"; review: Review; file: ReviewFile }
  | { kind: "hunk"; review: Review; file: ReviewFile; hunk: ReviewHunk }
  | { kind: "clash"; review: Review; clash: ClashInfo }
  | { kind: "note"; review: Review; text: string }
  | { kind: "team"; folder: string; matter: TeamMatter; file: TeamFile };

export type ReviewRow = Extract<Proposal, { kind: "review" | "file" | "hunk" }>;
export type TeamRow = Extract<Proposal, { kind: "team" }>;

/** Rows of the first level: the inbox in its order, then what team memory asks. What the doctor proposes has a view. */
export function topRows(inbox: readonly InboxItem[], teams: readonly TeamStatus[] = []): Proposal[] {
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
  return [...rows, ...teams.flatMap(teamRows)];
}

function teamRows(team: TeamStatus): Proposal[] {
  const rows = (matter: TeamMatter, files: readonly TeamFile[]): Proposal[] =>
    files.map((file) => ({ kind: "team", folder: team.folder, matter, file }));
  return [...rows("conflict", team.conflicts), ...rows("held", team.held), ...rows("blocked", team.blocked)];
}

/** What a row is known by while its view is drawn anew. */
export function rowId(row: Proposal): string {
  switch (row.kind) {
    case "item":
      return `item ${row.item.folder} ${row.item.id}`;
    case "evidence":
      return `evidence ${row.item.folder} ${row.item.id} ${row.item.evidence.indexOf(row.evidence)}`;
    case "review":
      return `review ${row.id}`;
    case "file":
      return `file ${row.review.id} ${row.file.uri}`;
    case "hunk":
      return `hunk ${row.review.id} ${row.file.uri} ${row.hunk.id}`;
    case "clash":
      return `clash ${row.review.id} ${row.clash.uri}`;
    case "note":
      return `note ${row.review.id} ${row.review.notes.indexOf(row.text)}`;
    case "team":
      return `team ${row.folder} ${row.matter} ${row.file.key}`;
  }
}

/** Rows below a review: its files, those that a person has to look at in three ways, and how it came to be. */
export function reviewRows(review: Review): Proposal[] {
  return [
    ...review.clashes.map((clash): Proposal => ({ kind: "clash", review, clash })),
    ...review.files.map((file): Proposal => ({ kind: "file", review, file })),
    ...[...new Set(review.notes)].map((text): Proposal => ({ kind: "note", review, text })),
  ];
}

/** `+12 −3` of a piece. */
export function changeSize(hunks: readonly ReviewHunk[]): string {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const added = lines.filter((line) => line.startsWith("+")).length;
  const removed = lines.filter((line) => line.startsWith("-")).length;
  return `+${added} −${removed}`;
}

/** The first line that a piece changes, without its sign: what it is recognised by. */
export function firstChange(hunk: ReviewHunk): string {
  const line = hunk.lines.find((one) => one.startsWith("+")) ?? hunk.lines.find((one) => one.startsWith("-"));
  return line === undefined || line.slice(1).trim() === "" ? hunk.header : line.slice(1).trim();
}

/** Files that are taken together with this one. */
export function together(review: Review, file: ReviewFile): readonly ReviewFile[] {
  return file.group === 0 ? [file] : review.files.filter((one) => one.group === file.group);
}
