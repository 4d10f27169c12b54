/** The view "Waiting for You": looking at proposals, taking them whole or in part, refusing them. */

import { commands, type Disposable, EventEmitter, l10n, type TreeView, Uri, window } from "vscode";
import type { Services } from "../commands/context";
import { register } from "../commands/register";
import type { FolderStatus } from "../protocol";
import { openFile } from "../util/open";
import { fileName } from "../views/shape";
import type { JobCounts } from "./counts";
import { InboxFiles } from "./inboxFiles";
import { decide, newMemory } from "./newMemory";
import { closeItem, openChanges, openDiff, openEvidence, openItem, saveOpen } from "./openProposal";
import { type Proposal, type TeamRow, together } from "./proposalRows";
import { ProposalTree } from "./proposals";
import {
  ACCEPT,
  type AcceptAnswer,
  type ClashInfo,
  type Done,
  INBOX_ACCEPT,
  INBOX_REFUSE,
  type InboxAcceptAnswer,
  type InboxItem,
  REFUSE,
  type Review,
  type ReviewFile,
} from "./protocol";
import { Clash, runJob } from "./run";
import { type Draft, saveArgument } from "./save";
import { settle } from "./settleClash";
import { judgeHeld, keep, openMatter } from "./teamMatters";
import { offerUndo } from "./undo";
import { saveFirst } from "./unsaved";

/** What is taken: all of a proposal, a file with those that go together, or one piece. */
type Wanted = { kind: "review"; id: string; folder: string } | Extract<Proposal, { kind: "file" | "hunk" }>;

export class Waiting implements Disposable {
  private readonly decided = new EventEmitter<void>();
  /** A proposal was taken or refused, whole or in part, also from another view. */
  readonly onDidDecide = this.decided.event;
  private readonly tree: ProposalTree;
  private readonly view: TreeView<Proposal>;
  private readonly disposables: Disposable[];

  constructor(
    private readonly services: Services,
    private readonly counts: JobCounts,
  ) {
    this.tree = new ProposalTree(services);
    this.view = window.createTreeView("memdir.proposals", { treeDataProvider: this.tree });
    this.disposables = [
      this.decided,
      this.tree,
      this.view,
      InboxFiles.register(services),
      register("memdir.openProposal", (node: Proposal) => this.open(node)),
      register("memdir.showChanges", (node: Proposal) => this.open(node)),
      register("memdir.editProposal", (node: Proposal) => this.open(node)),
      register("memdir.acceptProposal", (node?: Proposal) => this.onRow(node, (row) => this.accept(row))),
      register("memdir.refuseProposal", (node?: Proposal) => this.onRow(node, (row) => this.refuse(row))),
      register("memdir.keepMine", (node: TeamRow) => this.settle(node, "mine")),
      register("memdir.keepTheirs", (node: TeamRow) => this.settle(node, "theirs")),
      register("memdir.refreshProposals", () => this.refresh()),
      counts.onDidChange(() => void this.refresh()),
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

  async refresh(): Promise<void> {
    await this.tree.refresh(this.counts.current.team > 0);
    const { count } = this.tree;
    this.view.badge =
      count === 0 ? undefined : { value: count, tooltip: l10n.t("Memory: {0} waiting for you", count) };
    await commands.executeCommand("setContext", "memdir.waiting", count > 0);
  }

  /** The row of a menu, else (by key) the selected one. */
  private async onRow(node: Proposal | undefined, act: (row: Proposal) => Promise<void>): Promise<void> {
    const row = node ?? this.view.selection[0];
    if (row !== undefined) {
      await act(row);
      await this.refresh();
      this.decided.fire();
    }
  }

  /** Takes a whole proposal that another view shows. */
  async take(review: { id: string; folder: string }): Promise<void> {
    await this.acceptReview({ kind: "review", ...review });
    this.decided.fire();
  }

  private async open(node: Proposal): Promise<void> {
    switch (node.kind) {
      case "item":
        return openItem(node.item);
      case "evidence":
        return openEvidence(node.evidence);
      case "review":
        return openChanges(await this.tree.review(node.id, node.folder));
      case "team":
        return openMatter(this.services, node);
      case "clash":
        return this.settleReview(node.review, node.clash);
      case "note":
        return;
      default:
        return openDiff(node.review, node.file);
    }
  }

  private async accept(node: Proposal): Promise<void> {
    switch (node.kind) {
      case "item":
        return this.acceptItem(node.item);
      case "evidence":
        return this.acceptItem(node.item);
      case "team":
        return node.matter === "held" ? judgeHeld(this.services, node, true) : undefined;
      case "clash":
        return this.settleReview(node.review, node.clash);
      case "note":
        return;
      default:
        return this.acceptReview(node);
    }
  }

  private async refuse(node: Proposal): Promise<void> {
    switch (node.kind) {
      case "item":
      case "evidence":
        await runJob(this.services, INBOX_REFUSE, { folder: node.item.folder, id: node.item.id });
        await closeItem(node.item);
        return;
      case "team":
        return node.matter === "held" ? judgeHeld(this.services, node, false) : undefined;
      case "review":
        await runJob(this.services, REFUSE, { id: node.id, folder: node.folder });
        return;
      case "clash":
        await runJob(this.services, REFUSE, {
          id: node.review.id,
          folder: node.review.folder,
          files: [node.clash.uri],
        });
        return;
      case "note":
        return;
      default: {
        const part =
          node.kind === "hunk"
            ? { hunks: [node.hunk.id] }
            : { files: together(node.review, node.file).map((one) => one.uri) };
        await runJob(this.services, REFUSE, { id: node.review.id, folder: node.review.folder, ...part });
      }
    }
  }

  private async settle(node: TeamRow, which: "mine" | "theirs"): Promise<void> {
    await keep(this.services, node.folder, node.file, which);
    await this.refresh();
  }

  /** Takes an item; `show`: open the memory afterwards. A file that changed meanwhile is brought together first. */
  private async acceptItem(item: InboxItem, show = false): Promise<void> {
    try {
      await this.acceptFitting(item, show);
    } catch (error) {
      const clash = error instanceof Clash && error.clashes.find((one) => one.uri === item.uri);
      if (!clash) {
        throw error;
      }
      await settle(this.services, item, clash, async (waiting) => {
        if (waiting) {
          await this.acceptItem(item, true);
        } else {
          this.nothingLeft(item.uri);
        }
        await this.refresh();
      });
    }
  }

  /** A file of a review that changed meanwhile: when both texts are one, that file is taken. */
  private settleReview(review: Review, clash: ClashInfo): Promise<void> {
    return settle(this.services, review, clash, async (waiting) => {
      const now = waiting ? await this.tree.review(review.id, review.folder) : undefined;
      const file = now?.files.find((one) => one.uri === clash.uri);
      if (now === undefined || file === undefined) {
        this.nothingLeft(clash.uri);
      } else {
        await this.acceptReview({ kind: "file", review: now, file });
      }
      await openFile(Uri.parse(clash.uri));
      await this.refresh();
    });
  }

  private nothingLeft(uri: string): void {
    window.setStatusBarMessage(
      l10n.t("$(check) {0} stays as it is; the proposal is settled", fileName(uri)),
      5000,
    );
  }

  private async acceptFitting(item: InboxItem, show: boolean): Promise<void> {
    await saveOpen(item);
    if (item.kind === "signal") {
      // Somebody said something worth keeping; the person writes it down in their own words
      await newMemory(
        this.services,
        { type: item.memoryType, text: item.evidence[0]?.quote ?? item.title },
        undefined,
        async (draft) => {
          await this.takeAsking(item, draft, true);
          return true;
        },
      );
      return;
    }
    await this.takeAsking(item, undefined, show);
  }

  /** Takes an item, with what the person wrote where it is a hint; questions of the server are put to them first. */
  private async takeAsking(item: InboxItem, draft: Draft | undefined, show: boolean): Promise<void> {
    let more: object = {};
    for (;;) {
      const written = draft === undefined ? {} : saveArgument(draft);
      const answer = await this.takeItem(item, { ...written, ...more }, show);
      if (!(answer instanceof Question)) {
        return;
      }
      const decision = await decide(answer.asked, draft);
      if (decision === undefined) {
        return;
      }
      more = decision;
    }
  }

  /** Takes an item of the inbox, or gives the question that the server asks first. */
  private async takeItem(item: InboxItem, more: object, show: boolean): Promise<Done | null | Question> {
    const argument = { folder: item.folder, id: item.id, ...more };
    const answer = await runJob<InboxAcceptAnswer>(this.services, INBOX_ACCEPT, argument);
    const [asked] = answer.questions;
    if (asked !== undefined) {
      return new Question(asked);
    }
    if ((await closeItem(item)) || show) {
      await openFile(Uri.parse(answer.uri)); // what was looked at as a proposal goes on as a memory
    }
    this.say(item.folder, [l10n.t("Taken: {0}", item.title), ...answer.advice].join(" "), answer.done);
    return answer.done;
  }

  private async acceptReview(node: Wanted): Promise<void> {
    const review = node.kind === "review" ? await this.tree.review(node.id, node.folder) : node.review;
    const folder = this.folder(review.folder);
    const files = node.kind === "review" ? review.files : together(review, node.file);
    const consent = files.filter((one) => one.consent !== null);
    if (folder !== undefined && !(await saveFirst(folder))) {
      return;
    }
    if (consent.length > 0 && !(await agrees(consent))) {
      return;
    }
    const part =
      node.kind === "review"
        ? {}
        : node.kind === "hunk"
          ? { hunks: [node.hunk.id] }
          : { files: files.map((one) => one.uri) };
    const answer = await runJob<AcceptAnswer>(this.services, ACCEPT, {
      id: review.id,
      folder: review.folder,
      consent: consent.map((one) => one.uri),
      ...part,
    });
    const left =
      answer.left === 0
        ? ""
        : ` ${answer.left === 1 ? l10n.t("1 file still waits.") : l10n.t("{0} files still wait.", answer.left)}`;
    this.say(review.folder, l10n.t("The proposal was taken.") + left, answer.done);
  }

  private folder(uri: string): FolderStatus | undefined {
    return this.services.model.status.folders.find((one) => one.uri === uri);
  }

  private say(folderUri: string, text: string, done: Done | null): void {
    const folder = this.folder(folderUri) ?? ({ uri: folderUri } as FolderStatus);
    void offerUndo(this.services, folder, text, done);
  }

  dispose(): void {
    for (const one of this.disposables) {
      one.dispose();
    }
  }
}

/** What the server wants to know before it writes. */
class Question {
  constructor(readonly asked: Parameters<typeof decide>[0]) {}
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
