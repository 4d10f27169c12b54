/** Texts that several views show. Pure: the only thing taken from the editor is its translator. */

import { l10n } from "vscode";
import type { IndexBudget, ProblemCounts } from "../protocol";

/** "18.2" for 18,234: thousands with one digit behind the point, none when it is zero ("25"). */
export function kilo(size: number): string {
  const rounded = Math.round(size / 100) / 10;
  return Number.isInteger(rounded) ? String(rounded) : rounded.toFixed(1);
}

/** "143/200 lines, 18.2/25 KB". The size is what the limit counts (UTF-16 units), not bytes on disk. */
export function budgetText(index: IndexBudget): string {
  return l10n.t(
    "{0}/{1} lines, {2}/{3} KB",
    index.lines,
    index.maxLines,
    kilo(index.utf16),
    kilo(index.maxSize),
  );
}

/** How full the index is, 0 to 1 and above: the greater of its two limits. */
export function budgetShare(index: IndexBudget): number {
  const lines = index.maxLines > 0 ? index.lines / index.maxLines : 0;
  const size = index.maxSize > 0 ? index.utf16 / index.maxSize : 0;
  return Math.max(lines, size);
}

/** "2 errors, 1 warning"; empty when there is neither. Information and hints are counted only with `all`. */
export function problemText(problems: ProblemCounts | undefined, all = false): string {
  if (!problems) {
    return "";
  }
  const parts: string[] = [];
  if (problems.error > 0) {
    parts.push(problems.error === 1 ? l10n.t("1 error") : l10n.t("{0} errors", problems.error));
  }
  if (problems.warning > 0) {
    parts.push(problems.warning === 1 ? l10n.t("1 warning") : l10n.t("{0} warnings", problems.warning));
  }
  const notes = problems.information + problems.hint;
  if (all && notes > 0) {
    parts.push(notes === 1 ? l10n.t("1 note") : l10n.t("{0} notes", notes));
  }
  return parts.join(l10n.t(", "));
}

/** Errors and warnings: what a badge counts. */
export function badgeCount(problems: ProblemCounts | undefined): number {
  return problems ? problems.error + problems.warning : 0;
}

export function sumProblems(all: readonly ProblemCounts[]): ProblemCounts {
  const sum: ProblemCounts = { error: 0, warning: 0, information: 0, hint: 0 };
  for (const one of all) {
    sum.error += one.error;
    sum.warning += one.warning;
    sum.information += one.information;
    sum.hint += one.hint;
  }
  return sum;
}

/** Plain age in words, as the agent's own client says it: "today", "yesterday", "47 days ago". */
export function ageText(days: number): string {
  if (days <= 0) {
    return l10n.t("today");
  }
  return days === 1 ? l10n.t("yesterday") : l10n.t("{0} days ago", days);
}

/** The same where there is little room: "47 d", "5 mo", "3 y"; the words stand in the tooltip. */
export function shortAge(days: number): string {
  if (days <= 1) {
    return ageText(days);
  }
  if (days < 60) {
    return l10n.t("{0} d", days);
  }
  const months = Math.round((days * 12) / 365);
  return months < 24 ? l10n.t("{0} mo", months) : l10n.t("{0} y", Math.floor(months / 12));
}
