/** The view "Recall": a query, the memories that were chosen and why, what came near, and a word of the person on each. */

import {
  CancellationTokenSource,
  type Disposable,
  l10n,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
} from "vscode";
import { Explained, type Services } from "../commands/context";
import { log } from "../log";
import type { FolderStatus } from "../protocol";
import { openFile } from "../util/open";
import { createPanel, pageOf } from "../util/webPanel";
import { JUDGE_RECALL, RECALL, type RecallAnswer } from "./protocol";
import { type RecallState, recallPage, renderRecall } from "./recallRender";
import { runJob } from "./run";

type Message =
  | { ask: string; noModel: boolean }
  | { open: string }
  | { judge: string; right: boolean }
  | { ready: true };

export class RecallPanel implements Disposable {
  private panel: WebviewPanel | undefined;
  private folder: FolderStatus | undefined;
  private state: RecallState = { query: "", noModel: false, busy: false, judged: new Map() };
  private running: CancellationTokenSource | undefined;

  constructor(private readonly services: Services) {}

  get query(): string {
    return this.state.query;
  }

  /** Shows the view and asks. */
  async ask(folder: FolderStatus, query: string, noModel = this.state.noModel): Promise<void> {
    this.folder = folder;
    this.running?.cancel();
    const running = new CancellationTokenSource();
    this.running = running;
    this.state = { query, noModel, busy: true, judged: new Map() };
    this.reveal();
    try {
      const argument = { folder: folder.uri, query, noModel };
      const answer = await runJob<RecallAnswer>(this.services, RECALL, argument, running.token);
      this.finish(running, { answer });
    } catch (error) {
      if (running.token.isCancellationRequested) {
        return; // a newer question took its place
      }
      if (!(error instanceof Explained)) {
        log().error(`recall: ${String(error)}`);
      }
      this.finish(running, { failure: error instanceof Error ? error.message : String(error) });
    }
  }

  private finish(running: CancellationTokenSource, outcome: Partial<RecallState>): void {
    if (this.running === running) {
      this.running = undefined;
      this.state = { ...this.state, busy: false, ...outcome };
      this.update();
    }
  }

  private reveal(): void {
    if (this.panel === undefined) {
      this.panel = this.create();
      return;
    }
    this.panel.reveal(undefined, true);
    void this.panel.webview.postMessage({ query: this.state.query, noModel: this.state.noModel });
    this.update();
  }

  private update(): void {
    void this.panel?.webview.postMessage({ html: renderRecall(this.state) });
  }

  private create(): WebviewPanel {
    const root = this.services.context.extensionUri;
    const panel = createPanel(root, "recall", l10n.t("Recall"));
    panel.webview.onDidReceiveMessage((message: Message) => this.received(message));
    panel.webview.html = pageOf(panel, root, "recall", recallPage(this.state));
    panel.onDidDispose(() => {
      this.running?.cancel();
      this.panel = undefined;
    });
    return panel;
  }

  private async received(message: Message): Promise<void> {
    if ("ready" in message) {
      this.update(); // a hidden view starts anew when it is shown again
    } else if ("open" in message) {
      await openFile(Uri.parse(message.open), ViewColumn.Beside);
    } else if ("ask" in message) {
      if (this.folder !== undefined && message.ask.trim() !== "") {
        await this.ask(this.folder, message.ask.trim(), message.noModel);
      }
    } else {
      await this.judge(message.judge, message.right);
    }
  }

  private async judge(file: string, right: boolean): Promise<void> {
    const { answer } = this.state;
    if (answer === undefined || this.folder === undefined) {
      return;
    }
    const argument = { folder: this.folder.uri, recall: answer.id, file, right };
    try {
      if (await runJob<boolean>(this.services, JUDGE_RECALL, argument)) {
        this.state = { ...this.state, judged: new Map([...this.state.judged, [file, right]]) };
        this.update();
        return;
      }
      void window.showInformationMessage(
        l10n.t("No records of recalls are kept, so there is nothing to note it in."),
      );
    } catch (error) {
      void window.showErrorMessage(error instanceof Error ? error.message : String(error));
    }
  }

  dispose(): void {
    this.running?.cancel();
    this.panel?.dispose();
  }
}
