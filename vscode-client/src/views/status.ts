/** The language status of memory files ("{ }" in the status bar) and the number on the activity bar's icon. */

import { type Disposable, type LanguageStatusItem, LanguageStatusSeverity, l10n, languages } from "vscode";
import type { FolderStatus, StatusResult } from "../protocol";
import type { ServerState } from "../server/manager";
import { DEFAULT_PATTERNS } from "../server/selector";
import { budgetShare, budgetText, problemText } from "../util/text";

/** From this share on the index is said to be nearly full; the server's rule has the same default. */
const NEAR_LIMIT = 0.8;

export class StatusItem implements Disposable {
  private readonly item: LanguageStatusItem;

  constructor() {
    this.item = languages.createLanguageStatusItem("memdir.status", selector([]));
    this.item.name = l10n.t("Memory");
  }

  update(state: ServerState, status: StatusResult): void {
    this.item.selector = selector(status.folders.map((f) => f.memoryDir).filter((d) => d !== ""));
    this.item.busy = state.kind === "starting";
    const shown = describe(state, status);
    this.item.text = shown.text;
    this.item.detail = shown.detail;
    this.item.severity = shown.severity;
    this.item.command = shown.command;
    this.item.accessibilityInformation = { label: `${shown.text}. ${shown.detail}` };
  }

  dispose(): void {
    this.item.dispose();
  }
}

interface Shown {
  text: string;
  detail: string;
  severity: LanguageStatusSeverity;
  command: { command: string; title: string };
}

const showOutput = (): Shown["command"] => ({ command: "memdir.showOutput", title: l10n.t("Show output") });
const restart = (): Shown["command"] => ({
  command: "memdir.restartServer",
  title: l10n.t("Restart server"),
});

export function describe(state: ServerState, status: StatusResult): Shown {
  switch (state.kind) {
    case "running":
      return describeFolders(status.folders);
    case "starting":
      return {
        text: l10n.t("Memory: starting"),
        detail: "",
        severity: LanguageStatusSeverity.Information,
        command: showOutput(),
      };
    case "waiting":
      return {
        text: l10n.t("Memory: restarting after a crash"),
        detail: "",
        severity: LanguageStatusSeverity.Warning,
        command: showOutput(),
      };
    case "missing":
      return {
        text: l10n.t("Memory: no server"),
        detail: l10n.t("No Python environment with Memdir was found."),
        severity: LanguageStatusSeverity.Error,
        command: { command: "memdir.whyNoServer", title: l10n.t("Explain") },
      };
    case "failed":
      return {
        text: l10n.t("Memory: stopped"),
        detail: state.message,
        severity: LanguageStatusSeverity.Error,
        command: restart(),
      };
    default:
      return {
        text: l10n.t("Memory: off"),
        detail: "",
        severity: LanguageStatusSeverity.Information,
        command: restart(),
      };
  }
}

const SEVERITIES: Record<FolderStatus["health"], LanguageStatusSeverity> = {
  ok: LanguageStatusSeverity.Information,
  none: LanguageStatusSeverity.Information,
  off: LanguageStatusSeverity.Information,
  warning: LanguageStatusSeverity.Warning,
  error: LanguageStatusSeverity.Error,
};

function describeFolders(folders: readonly FolderStatus[]): Shown {
  const rank = ["none", "off", "ok", "warning", "error"];
  const worst = [...folders].sort((a, b) => rank.indexOf(b.health) - rank.indexOf(a.health))[0];
  const command = { command: "memdir.openIndex", title: l10n.t("Open index") };
  if (worst === undefined) {
    return {
      text: l10n.t("Memory: no folder open"),
      detail: "",
      severity: LanguageStatusSeverity.Information,
      command: showOutput(),
    };
  }
  const budget = worst.index === null ? "" : budgetText(worst.index);
  const problems = problemText(worst.problems);
  const full = worst.index !== null && budgetShare(worst.index) >= NEAR_LIMIT;
  const severity = full && worst.health === "ok" ? LanguageStatusSeverity.Warning : SEVERITIES[worst.health];
  return {
    text: budget === "" ? l10n.t("Memory") : l10n.t("Memory: {0}", budget),
    detail: [problems, worst.message].filter(Boolean).join(" · "),
    severity,
    command,
  };
}

function selector(directories: readonly string[]): { language: string; pattern: string }[] {
  const patterns = DEFAULT_PATTERNS.filter((p) => p.language === "markdown").map((p) => p.pattern);
  return [...patterns, ...directories.map((d) => `${d.replaceAll("\\", "/")}/**`)].map((pattern) => ({
    language: "markdown",
    pattern,
  }));
}
