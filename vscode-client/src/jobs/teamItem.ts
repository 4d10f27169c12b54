/** Team memory in the status bar: shared or not, what waits to be sent, what waits for a person. */

import { type Disposable, l10n, MarkdownString, StatusBarAlignment, ThemeColor, window } from "vscode";
import type { Services } from "../commands/context";
import { log } from "../log";
import type { JobCounts } from "./counts";
import { TEAM_STATUS, type TeamStatus } from "./protocol";
import { runJob } from "./run";
import { teamText, teamTooltip } from "./teamText";

export class TeamItem implements Disposable {
  private readonly item = window.createStatusBarItem("memdir.team", StatusBarAlignment.Right, 50);
  private readonly disposables: Disposable[];

  constructor(
    private readonly services: Services,
    counts: JobCounts,
  ) {
    this.item.name = l10n.t("Team memory");
    this.item.command = "memdir.teamStatus";
    this.disposables = [
      this.item,
      counts.onDidChange(({ sharing }) => (sharing > 0 ? void this.update() : this.item.hide())),
    ];
  }

  private async update(): Promise<void> {
    const folders = this.services.model.status.folders;
    try {
      const found = await Promise.all(
        folders.map((folder) => runJob<TeamStatus>(this.services, TEAM_STATUS, { folder: folder.uri })),
      );
      this.show(found.filter((status) => status.transport !== "off" || status.broken));
    } catch (error) {
      log().warn(`team memory: ${String(error)}`);
    }
  }

  private show(states: readonly TeamStatus[]): void {
    if (states.length === 0) {
      this.item.hide();
      return;
    }
    const shown = teamText(states);
    this.item.text = shown.text;
    this.item.backgroundColor = shown.attention
      ? new ThemeColor("statusBarItem.warningBackground")
      : undefined;
    const tooltip = new MarkdownString("", true);
    for (const line of states.flatMap((state) => teamTooltip(state))) {
      tooltip.appendText(line).appendMarkdown("\n\n");
    }
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: shown.spoken, role: "button" };
    this.item.show();
  }

  dispose(): void {
    for (const one of this.disposables) {
      one.dispose();
    }
  }
}
