/** Rows of the view "Doctor": memory directories that nobody looks for, and what is known of each. Pure. */

import { l10n } from "vscode";
import { kilo } from "../util/text";
import type { Proposal } from "./proposalRows";
import { rowId } from "./proposalRows";
import type { DoctorCase, Review } from "./protocol";

export type DoctorRow =
  | { kind: "case"; one: DoctorCase }
  | { kind: "from"; one: DoctorCase }
  | { kind: "to"; one: DoctorCase }
  | { kind: "owner"; one: DoctorCase }
  | { kind: "why"; one: DoctorCase }
  | Extract<Proposal, { kind: "file" }>;

/** What stands below a case: the reason, both directories, the repository, then the files of its proposal. */
export function factsOf(one: DoctorCase, review: Review | undefined): DoctorRow[] {
  const rows: DoctorRow[] = [
    { kind: "why", one },
    { kind: "from", one },
  ];
  if (one.target !== null) {
    rows.push({ kind: "to", one });
  }
  if (one.owner !== null && one.kind !== "scattered") {
    rows.push({ kind: "owner", one });
  }
  return [
    ...rows,
    ...(review?.files ?? []).map((file): DoctorRow => ({ kind: "file", review: review as Review, file })),
  ];
}

/** What can be mended first, what is empty last; else as the server gave them. */
export function inOrder(cases: readonly DoctorCase[]): DoctorCase[] {
  const weight = (one: DoctorCase): number => (one.review !== null ? 0 : one.kind === "phantom" ? 2 : 1);
  return [...cases].sort((a, b) => weight(a) - weight(b));
}

/** What a row is known by while its view is drawn anew. */
export function doctorRowId(row: DoctorRow): string {
  return row.kind === "file" ? rowId(row) : `${row.kind} ${row.one.directory}`;
}

/** Name of a memory directory: that of its project, or of its agent. */
export function placeName(directory: string): string {
  const parts = directory.split(/[\\/]/).filter(Boolean);
  return (parts.at(-1) === "memory" ? parts.at(-2) : parts.at(-1)) ?? directory;
}

/** "3 files, 1.2 KB". */
export function amount(files: number, bytes: number): string {
  const count = files === 1 ? l10n.t("1 file") : l10n.t("{0} files", files);
  return files === 0 ? count : l10n.t("{0}, {1} KB", count, kilo(Math.max(bytes, 100)));
}

/** What stands beside the label of a case: the repository it is about, else the directory. */
export function caseName(one: DoctorCase): string {
  return placeName(one.kind === "scattered" ? one.directory : (one.owner ?? one.directory));
}
