/** The view "Waiting for You": looking at proposals, taking them whole or in part, refusing them. */

import { commands, type Disposable, l10n, type TreeView, Uri, window, workspace } from "vscode";
import type { Services } from "../commands/context";
import { register } from "../commands/register";
import { virtualDocument } from "../documents";
import type { FolderStatus } from "../protocol";
import { INBOX_SCHEME, InboxFiles, inboxUri } from "./inboxFiles";
import { decide, newMemory } from "./newMemory";
import type { Proposal } from "./proposalRows";
import { ProposalTree } from "./proposals";
import {
  ACCEPT,
  type AcceptAnswer,
  type Done,
  INBOX_ACCEPT,
  INBOX_REFUSE,
  type InboxAcceptAnswer,
  type InboxItem,
  JOBS_CHANGED,
  type JobsChanged,
  REFUSE,
  type ReviewFile,
} from "./protocol";
import { runJob } from "./run";
import { saveArgument } from "./save";
import { offerUndo } from "./undo";

export class Waiting implements Disposable {
  private readonly tree: ProposalTree;
  private readonly view: TreeView<Proposal>;
  private readonly disposables: Disposable[];
  private listener: Disposable | undefined;

  constructor(private readonly services: Services) {
    this.tree = new ProposalTree(services);
    this.view = window.createTreeView("memdir.proposals", { treeDataProvider: this.tree });
    this.disposables = [
      this.tree,
      this.view,
      InboxFiles.register(services),
      register("memdir.openProposal", (node: Proposal) => this.open(node)),
      register("memdir.acceptProposal", (node: Proposal) => this.accept(node)),
      register("memdir.refuseProposal", (node: Proposal) => this.refuse(node)),
      register("memdir.refreshProposals", () => this.refresh()),
      services.manager.onDidChangeState((state) => this.attach(state.kind === "running")),
    ];
  }

  /** Shows a review in the view; used by the jobs that made it. */
  async reveal(review: string | null): Promise<void> {
    await this.refresh();
    await commands.executeCommand("memdir.proposals.focus");
    const node = review === null ? undefined : this.tree.find(review);
    if (node !== undefined) {
      await this.view.reveal(node, { select: true, focus: true, expand: true });
    }
  }

  private attach(running: boolean): void {
    this.listener?.dispose();
    this.listener = running
      ? this.services.manager.running?.onNotification(
          JOBS_CHANGED,
          (_counts: JobsChanged) => void this.refresh(),
        )
      : undefined;
    void this.refresh();
  }

  async refresh(): Promise<void> {
    await this.tree.refresh();
    await commands.executeCommand("setContext", "memdir.waiting", this.tree.count > 0);
  }

  private async open(node: Proposal): Promise<void> {
    switch (node.kind) {
      case "item":
        return openItem(node.item);
      case "file":
      case "hunk":
        return openDiff(node.review.id, node.file);
      default:
        return;
    }
  }

  private async accept(node: Proposal): Promise<void> {
    if (node.kind === "item") {
      await this.acceptItem(node.item);
    } else {
      await this.acceptReview(node);
    }
    await this.refresh();
  }

  private async acceptItem(item: InboxItem): Promise<void> {
    await saveOpen(item);
    let more: object = {};
    if (item.kind === "signal") {
      // Somebody said something worth keeping; the person writes it down in their own words
      await newMemory(
        this.services,
        { type: item.memoryType, text: item.evidence[0]?.quote ?? item.title },
        undefined,
        async (draft) => (await this.take(item, saveArgument(draft))) !== undefined,
      );
      return;
    }
    while ((await this.take(item, more)) === undefined) {
      const decision = this.asked === undefined ? undefined : await decide(this.asked);
      if (decision === undefined) {
        return;
      }
      more = decision;
    }
  }

  private asked: Parameters<typeof decide>[0] | undefined;

  /** Takes an item of the inbox; undefined when the server asked a question first (kept in `asked`). */
  private async take(item: InboxItem, more: object): Promise<Done | null | undefined> {
    const answer = await runJob<InboxAcceptAnswer>(this.services, INBOX_ACCEPT, {
      folder: item.folder,
      id: item.id,
      ...more,
    });
    this.asked = answer.questions[0];
    if (this.asked !== undefined) {
      return undefined;
    }
    this.say(item.folder, [l10n.t("Taken: {0}", item.title), ...answer.advice].join(" "), answer.done);
    return answer.done;
  }

  private async acceptReview(node: Exclude<Proposal, { kind: "item" }>): Promise<void> {
    const id = node.kind === "review" ? node.id : node.review.id;
    const folder = node.kind === "review" ? node.folder : node.review.folder;
    let choice: object = {};
    if (node.kind !== "review") {
      const { file, review } = node;
      const together = file.group === 0 ? [file] : review.files.filter((one) => one.group === file.group);
      const consent = together.filter((one) => one.consent !== null);
      if (consent.length > 0 && !(await agrees(consent))) {
        return;
      }
      choice = {
        ...(node.kind === "hunk" ? { hunks: [node.hunk.id] } : { files: together.map((one) => one.uri) }),
        consent: consent.map((one) => one.uri),
      };
    }
    const answer = await runJob<AcceptAnswer>(this.services, ACCEPT, { id, folder, ...choice });
    const left = answer.left === 0 ? "" : ` ${l10n.t("{0} files still wait.", answer.left)}`;
    this.say(folder, l10n.t("The proposal was taken.") + left, answer.done);
  }

  private async refuse(node: Proposal): Promise<void> {
    if (node.kind === "item") {
      await runJob(this.services, INBOX_REFUSE, { folder: node.item.folder, id: node.item.id });
    } else {
      const id = node.kind === "review" ? node.id : node.review.id;
      const folder = node.kind === "review" ? node.folder : node.review.folder;
      const files = node.kind === "review" ? {} : { files: [node.file.uri] };
      await runJob(this.services, REFUSE, { id, folder, ...files });
    }
    await this.refresh();
  }

  private say(folderUri: string, text: string, done: Done | null): void {
    const folder = this.services.model.status.folders.find((one) => one.uri === folderUri);
    void offerUndo(this.services, folder ?? ({ uri: folderUri } as FolderStatus), text, done);
  }

  dispose(): void {
    this.listener?.dispose();
    for (const one of this.disposables) {
      one.dispose();
    }
  }
}

async function openItem(item: InboxItem): Promise<void> {
  if (item.text === null) {
    const [first] = item.evidence;
    if (first !== undefined) {
      await commands.executeCommand("vscode.open", Uri.parse(first.uri));
    }
    return;
  }
  if (item.before === null) {
    await commands.executeCommand("vscode.open", inboxUri(item));
    return;
  }
  const before = virtualDocument(`inbox-${item.id}-before.md`, item.before);
  await commands.executeCommand("vscode.diff", before, inboxUri(item), item.title);
}

/** Changes to the proposal that are still only in the editor belong to it. */
async function saveOpen(item: InboxItem): Promise<void> {
  const uri = inboxUri(item).toString();
  const open = workspace.textDocuments.find(
    (one) => one.uri.scheme === INBOX_SCHEME && one.uri.toString() === uri,
  );
  if (open?.isDirty) {
    await open.save();
  }
}

async function openDiff(review: string, file: ReviewFile): Promise<void> {
  const name = file.label.split("/").at(-1) ?? "memory.md";
  const before = virtualDocument(`${review}-before-${name}`, file.before ?? "");
  const after = virtualDocument(`${review}-after-${name}`, file.after ?? "");
  await commands.executeCommand("vscode.diff", before, after, l10n.t("Proposal: {0}", file.label));
}

/** Files whose change needs an explicit yes: what may be lost is named. */
async function agrees(files: readonly ReviewFile[]): Promise<boolean> {
  const take = l10n.t("Take it all the same");
  const detail = files.flatMap((file) => [
    `${file.label}: ${file.consent}`,
    ...file.lost.map((line) => `  ${line}`),
  ]);
  const chosen = await window.showWarningMessage(
    l10n.t("This change needs your consent."),
    { modal: true, detail: detail.join("\n") },
    take,
  );
  return chosen === take;
}
