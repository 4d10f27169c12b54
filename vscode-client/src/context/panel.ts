/** The view "Context": what the agent will see when it starts in a directory. */

import { commands, type Disposable, env, l10n, Uri, ViewColumn, type WebviewPanel, window } from "vscode";
import { runCli, runJson } from "../cli";
import { pickFolder, type Services } from "../commands/context";
import { register } from "../commands/register";
import { showText } from "../documents";
import type { IndexBudget } from "../protocol";
import { openFile } from "../util/open";
import { createPanel, pageOf } from "../util/webPanel";
import type { ContextReport } from "./model";
import { renderContext } from "./render";

type Message = { action: "directory" | "text" | "index" | "refresh" } | { open: string };

export class ContextPreview implements Disposable {
  private panel: WebviewPanel | undefined;
  private cwd = "";
  private readonly disposables: Disposable[];

  constructor(private readonly services: Services) {
    this.disposables = [
      register("memdir.previewContext", (uri?: Uri) => this.show(uri)),
      // What the agent sees changes with memory; the picture follows while it can be seen
      services.model.onDidChangeTree(() => this.panel?.visible && void this.refresh()),
    ];
  }

  private async show(uri?: Uri): Promise<void> {
    if (uri?.scheme === "file") {
      this.cwd = uri.fsPath;
    } else {
      const folder = await pickFolder(this.services);
      if (folder === undefined) {
        return;
      }
      this.cwd = Uri.parse(folder.uri).fsPath;
    }
    await this.reveal();
  }

  private async reveal(): Promise<void> {
    if (this.panel === undefined) {
      this.panel = this.create();
    } else {
      this.panel.reveal();
    }
    await this.refresh();
  }

  private create(): WebviewPanel {
    const root = this.services.context.extensionUri;
    const panel = createPanel(root, "context", l10n.t("Agent Context"));
    panel.webview.html = pageOf(panel, root, "context", '<main id="root" aria-live="polite"></main>');
    panel.webview.onDidReceiveMessage((message: Message) => this.received(message));
    panel.onDidDispose(() => {
      this.panel = undefined;
    });
    return panel;
  }

  private async refresh(): Promise<void> {
    const { panel } = this;
    const report = await runJson<ContextReport>(this.services, ["context", "--json", "--cwd", this.cwd], {
      cwd: this.cwd,
    });
    await panel?.webview.postMessage({
      html: renderContext(
        report,
        process.env.HOME ?? process.env.USERPROFILE,
        env.language,
        this.budget(report),
      ),
    });
  }

  /** Limits of the index that this report holds. */
  private budget(report: ContextReport): IndexBudget | null {
    const index = report.layers.find((layer) => layer.kind === "memory-index");
    const folder = this.services.model.status.folders.find((one) => index?.path.startsWith(one.memoryDir));
    return folder?.index ?? null;
  }

  private async received(message: Message): Promise<void> {
    if ("open" in message) {
      await openFile(Uri.file(message.open), ViewColumn.Beside);
      return;
    }
    switch (message.action) {
      case "refresh":
        return this.refresh();
      case "directory":
        return this.chooseDirectory();
      case "index":
        await commands.executeCommand("memdir.showLoadedIndex", this.cwd);
        return;
      case "text": {
        const result = await runCli(this.services, ["context", "--text", "--cwd", this.cwd], {
          cwd: this.cwd,
        });
        await showText(l10n.t("Agent Context"), result.stdout, ViewColumn.Beside);
        return;
      }
    }
  }

  private async chooseDirectory(): Promise<void> {
    const chosen = await window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      defaultUri: Uri.file(this.cwd),
      openLabel: l10n.t("Start the agent here"),
    });
    const [directory] = chosen ?? [];
    if (directory !== undefined) {
      this.cwd = directory.fsPath;
      await this.refresh();
    }
  }

  dispose(): void {
    this.panel?.dispose();
    for (const one of this.disposables) {
      one.dispose();
    }
  }
}
