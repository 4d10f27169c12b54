/** The state of team memory in words. Pure. */

import { l10n } from "vscode";
import type { TeamStatus } from "./protocol";

export interface TeamText {
  text: string;
  spoken: string;
  /** Something waits for a person, or nothing works. */
  attention: boolean;
}

export function teamText(states: readonly TeamStatus[]): TeamText {
  const sum = (count: (state: TeamStatus) => number): number =>
    states.reduce((total, state) => total + count(state), 0);
  const waiting = sum((state) => state.conflicts.length + state.held.length + state.blocked.length);
  const pending = sum((state) => state.pending.length);
  const failing = states.some((state) => state.broken || state.failure !== null);
  const icon = failing ? "$(warning)" : waiting > 0 ? "$(bell-dot)" : "$(organization)";
  const numbers = [waiting > 0 ? String(waiting) : "", pending > 0 ? `↑${pending}` : ""].filter(
    (part) => part !== "",
  );
  const words = [
    l10n.t("Team memory"),
    failing ? l10n.t("not working") : "",
    waiting > 0 ? l10n.t("{0} waiting for you", waiting) : "",
    pending > 0 ? l10n.t("{0} to be sent", pending) : "",
  ];
  return {
    text: [icon, l10n.t("Team"), ...numbers].join(" "),
    spoken: words.filter((part) => part !== "").join(", "),
    attention: failing || waiting > 0,
  };
}

/** What stands behind the item, a line each. */
export function teamTooltip(state: TeamStatus): string[] {
  const when = (time: string | null): string =>
    time === null ? l10n.t("never") : new Date(time).toLocaleString();
  const number = (files: readonly unknown[], text: (count: number) => string): string[] =>
    files.length === 0 ? [] : [text(files.length)];
  return [
    l10n.t("Team memory: {0}", state.repository || state.root),
    ...[state.why, state.failure].filter((line): line is string => line !== null),
    ...(state.transport === "off"
      ? []
      : [l10n.t("Last pull: {0}. Last push: {1}.", when(state.lastPull), when(state.lastPush))]),
    ...number(state.pending, (count) => l10n.t("To be sent: {0}", count)),
    ...number(state.conflicts, (count) => l10n.t("Changed on both sides: {0}", count)),
    ...number(state.held, (count) => l10n.t("Held back, because something is doubtful: {0}", count)),
    ...number(state.blocked, (count) => l10n.t("Stays on this machine: {0}", count)),
    ...state.notes,
  ];
}
