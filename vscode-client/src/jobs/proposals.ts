/** What waits for a person: proposals from the inbox and reviews, down to single pieces of a change. */

import {
  type Disposable,
  EventEmitter,
  l10n,
  MarkdownString,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
} from "vscode";
import type { Services } from "../commands/context";
import { log } from "../log";
import { changeSize, type Proposal, topRows } from "./proposalRows";
import {
  INBOX,
  type InboxItem,
  REVIEW,
  REVIEWS,
  type Review,
  type ReviewFile,
  type ReviewInfo,
} from "./protocol";
import { runJob } from "./run";

const ICONS = { edit: "edit", create: "add", delete: "trash", rename: "arrow-right" } as const;

export class ProposalTree implements TreeDataProvider<Proposal>, Disposable {
  private readonly changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private rows: Proposal[] = [];

  constructor(private readonly services: Services) {}

  get count(): number {
    return this.rows.length;
  }

  /** Asks the server what waits. */
  async refresh(): Promise<void> {
    if (this.services.manager.running === undefined) {
      this.rows = [];
    } else {
      try {
        const [inbox, reviews] = await Promise.all([
          runJob<InboxItem[]>(this.services, INBOX, {}),
          runJob<ReviewInfo[]>(this.services, REVIEWS, {}),
        ]);
        this.rows = topRows(inbox, reviews);
      } catch (error) {
        log().warn(`proposals: ${String(error)}`);
        return;
      }
    }
    this.changed.fire(undefined);
  }

  async getChildren(node?: Proposal): Promise<Proposal[]> {
    switch (node?.kind) {
      case undefined:
        return this.rows;
      case "review": {
        const review = await runJob<Review>(this.services, REVIEW, { id: node.id, folder: node.folder });
        return review.files.map((file) => ({ kind: "file", review, file }));
      }
      case "file":
        return node.file.hunks.length > 1
          ? node.file.hunks.map((hunk) => ({ kind: "hunk", review: node.review, file: node.file, hunk }))
          : [];
      default:
        return [];
    }
  }

  /** The row with this review, to be shown. */
  find(review: string): Proposal | undefined {
    return this.rows.find((row) => row.kind === "review" && row.id === review);
  }

  getParent(): undefined {
    return undefined; // only rows of the first level are revealed
  }

  getTreeItem(node: Proposal): TreeItem {
    const item = treeItem(node);
    item.accessibilityInformation = { label: [item.label, item.description].filter(Boolean).join(", ") };
    item.command ??= { command: "memdir.openProposal", title: "", arguments: [node] };
    return item;
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function treeItem(node: Proposal): TreeItem {
  switch (node.kind) {
    case "item": {
      const item = new TreeItem(node.item.title);
      item.description = node.item.description;
      item.iconPath = new ThemeIcon(node.item.kind === "signal" ? "lightbulb" : "inbox");
      item.tooltip = evidence(node.item);
      item.contextValue = `proposal item ${node.item.kind}`;
      return item;
    }
    case "review": {
      const item = new TreeItem(node.title, TreeItemCollapsibleState.Collapsed);
      item.description = node.files === 1 ? l10n.t("1 file") : l10n.t("{0} files", node.files);
      item.iconPath = new ThemeIcon("git-pull-request");
      item.contextValue = "proposal review";
      return item;
    }
    case "file": {
      const { file } = node;
      const several = file.hunks.length > 1;
      const item = new TreeItem(
        file.label,
        several ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None,
      );
      const lost = file.lost.length > 0 ? l10n.t("loses {0}", file.lost.length) : "";
      item.description = [changeSize(file.hunks), lost].filter(Boolean).join(" · ");
      item.iconPath = new ThemeIcon(file.consent === null ? ICONS[file.kind] : "warning");
      item.tooltip = explanation(file);
      item.contextValue = "proposal file";
      return item;
    }
    case "hunk": {
      const item = new TreeItem(node.hunk.lines.find((line) => /^[+-]/.test(line)) ?? node.hunk.header);
      item.description = changeSize([node.hunk]);
      item.iconPath = new ThemeIcon("diff");
      item.contextValue = "proposal hunk";
      return item;
    }
  }
}

/** What a proposal rests on, in the words that were said. */
function evidence(item: InboxItem): MarkdownString {
  const text = new MarkdownString();
  text.appendText(item.title);
  for (const { quote, who } of item.evidence) {
    text.appendMarkdown("\n\n> ");
    text.appendText(`${who}: ${quote}`);
  }
  for (const note of item.notes) {
    text.appendMarkdown("\n\n");
    text.appendText(note);
  }
  return text;
}

function explanation(file: ReviewFile): MarkdownString {
  const text = new MarkdownString();
  text.appendText(file.label);
  const list = (title: string, lines: readonly string[]): void => {
    if (lines.length > 0) {
      text.appendMarkdown("\n\n");
      text.appendText(title);
      for (const line of lines) {
        text.appendMarkdown("\n- ");
        text.appendText(line);
      }
    }
  };
  list(l10n.t("Why:"), file.reasons);
  list(l10n.t("What the result no longer says:"), file.lost);
  list(l10n.t("Needs your consent:"), file.consent === null ? [] : [file.consent]);
  return text;
}
