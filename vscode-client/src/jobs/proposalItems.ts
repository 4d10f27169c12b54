/** How the rows of "Waiting for You" look: icon, words beside them, explanation. */

import { l10n, MarkdownString, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from "vscode";
import { fileName } from "../views/shape";
import { changeSize, firstChange, type Proposal, rowId, type TeamRow, together } from "./proposalRows";
import type { InboxItem, Review, ReviewFile } from "./protocol";

const FILE_ICONS = { edit: "edit", create: "add", delete: "trash", rename: "arrow-right" } as const;
const ITEM_ICONS = { memory: "inbox", signal: "lightbulb", consolidation: "git-pull-request" } as const;
const TEAM_ICONS = { conflict: "warning", held: "shield", blocked: "lock" } as const;
const { Collapsed, None } = TreeItemCollapsibleState;

export function treeItem(node: Proposal): TreeItem {
  const item = plainItem(node);
  item.id = rowId(node);
  item.accessibilityInformation = { label: spoken(item) };
  if (node.kind === "note") {
    return item; // there is nothing behind it
  }
  item.command = { command: "memdir.openProposal", title: l10n.t("Open"), arguments: [node] };
  return item;
}

/** What a screen reader says: the label with what stands beside it. */
export function spoken(item: TreeItem): string {
  return [item.label, item.description].filter((part) => typeof part === "string" && part !== "").join(", ");
}

function plainItem(node: Proposal): TreeItem {
  switch (node.kind) {
    case "item": {
      const { item: proposed } = node;
      const item = new TreeItem(proposed.title, proposed.evidence.length > 0 ? Collapsed : None);
      item.description = proposed.kind === "signal" ? quote(proposed) : proposed.description;
      item.iconPath = new ThemeIcon(ITEM_ICONS[proposed.kind]);
      item.tooltip = aboutItem(proposed);
      item.contextValue = `proposal item ${proposed.kind}`;
      return item;
    }
    case "evidence": {
      const { evidence } = node;
      const item = new TreeItem(`“${evidence.quote}”`);
      item.description =
        evidence.who === "person" ? l10n.t("said by the person") : l10n.t("said by the agent");
      item.iconPath = new ThemeIcon("comment");
      item.tooltip = evidence.uri === "" ? evidence.quote : l10n.t("Opens the conversation at this place");
      item.contextValue = "evidence";
      return item;
    }
    case "review": {
      const item = new TreeItem(node.title, Collapsed);
      item.description = node.files === 1 ? l10n.t("1 file") : l10n.t("{0} files", node.files);
      item.iconPath = new ThemeIcon("git-pull-request");
      item.tooltip = l10n.t(
        "Proposed {0}. Opens all changes side by side.",
        new Date(node.time).toLocaleString(),
      );
      item.contextValue = "proposal review";
      return item;
    }
    case "file":
      return fileItem(node.review, node.file);
    case "hunk": {
      const item = new TreeItem(firstChange(node.hunk));
      item.description = changeSize([node.hunk]);
      item.iconPath = new ThemeIcon("diff");
      item.tooltip = new MarkdownString().appendCodeblock(node.hunk.lines.join("\n"), "diff");
      item.contextValue = "proposal hunk";
      return item;
    }
    case "clash": {
      const item = new TreeItem(fileName(node.clash.uri));
      item.description =
        node.clash.theirs === null
          ? l10n.t("deleted meanwhile")
          : node.clash.mine === null
            ? l10n.t("to be deleted, changed meanwhile")
            : l10n.t("changed meanwhile: three texts");
      item.iconPath = new ThemeIcon("git-merge", new ThemeColor("list.warningForeground"));
      item.tooltip = l10n.t(
        "{0} was changed after this was proposed. Open it to bring both texts together; nothing is overwritten.",
        fileName(node.clash.uri),
      );
      item.contextValue = "proposal clash";
      return item;
    }
    case "note": {
      const item = new TreeItem(node.text);
      item.iconPath = new ThemeIcon("info");
      item.tooltip = node.text;
      item.contextValue = "note";
      return item;
    }
    case "team":
      return teamItem(node);
  }
}

function fileItem(review: Review, file: ReviewFile): TreeItem {
  const item = new TreeItem(file.label, file.hunks.length > 1 ? Collapsed : None);
  const group = together(review, file).length;
  item.description = [
    changeSize(file.hunks),
    file.lost.length > 0 ? l10n.t("loses {0}", file.lost.length) : "",
    group > 1 ? l10n.t("{0} files together", group) : "",
    file.consent === null ? "" : l10n.t("needs consent"),
  ]
    .filter((part) => part !== "")
    .join(" · ");
  item.iconPath =
    file.consent === null
      ? new ThemeIcon(FILE_ICONS[file.kind])
      : new ThemeIcon(FILE_ICONS[file.kind], new ThemeColor("list.warningForeground"));
  item.tooltip = aboutFile(file);
  item.contextValue = "proposal file";
  return item;
}

function teamItem({ matter, file }: TeamRow): TreeItem {
  const item = new TreeItem(file.key);
  const words = {
    conflict: l10n.t("changed by you and by the team"),
    held: l10n.t("from the team, held back"),
    blocked: l10n.t("stays on this machine"),
  };
  item.description = words[matter];
  item.iconPath = new ThemeIcon(TEAM_ICONS[matter], new ThemeColor("list.warningForeground"));
  const about = new MarkdownString().appendText(`${file.key}: ${words[matter]}`);
  for (const why of file.why) {
    about.appendMarkdown("\n\n").appendText(why);
  }
  item.tooltip = about;
  item.contextValue = matter === "held" ? "proposal held" : `team ${matter}`;
  return item;
}

const quote = (item: InboxItem): string => item.evidence[0]?.quote ?? "";

/** What a proposal says and rests on. */
function aboutItem(item: InboxItem): MarkdownString {
  const text = new MarkdownString().appendText(item.title);
  for (const { quote: words, who } of item.evidence) {
    text.appendMarkdown("\n\n> ").appendText(`${who}: ${words}`);
  }
  for (const note of item.notes) {
    text.appendMarkdown("\n\n").appendText(note);
  }
  return text;
}

function aboutFile(file: ReviewFile): MarkdownString {
  const text = new MarkdownString().appendText(file.label);
  const list = (title: string, lines: readonly string[]): void => {
    if (lines.length > 0) {
      text.appendMarkdown("\n\n").appendText(title);
      for (const line of lines) {
        text.appendMarkdown("\n- ").appendText(line);
      }
    }
  };
  list(l10n.t("Why:"), file.reasons);
  list(l10n.t("What the result no longer says:"), file.lost);
  list(l10n.t("Needs your consent:"), file.consent === null ? [] : [file.consent]);
  return text;
}
