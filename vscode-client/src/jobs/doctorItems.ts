/** How the rows of the view "Doctor" look and sound. */

import { l10n, MarkdownString, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from "vscode";
import { fileName } from "../views/shape";
import { amount, caseName, type DoctorRow, doctorRowId, placeName } from "./doctorRows";
import { spoken, treeItem } from "./proposalItems";
import type { DoctorCase } from "./protocol";

type FactRow = Exclude<DoctorRow, { kind: "file" }>;

export function doctorItem(row: DoctorRow): TreeItem {
  if (row.kind === "file") {
    const item = treeItem(row);
    item.label = fileName(row.file.uri);
    if (row.file.kind === "rename") {
      // What has been merged into another file is left where it was, under a name that says so
      const stays = folderOf(row.file.uri) === folderOf(row.file.oldUri ?? "");
      item.description = stays ? l10n.t("stays behind, renamed") : l10n.t("moves");
    }
    item.accessibilityInformation = { label: spoken(item) };
    return item;
  }
  const item = factItem(row);
  item.id = doctorRowId(row);
  item.accessibilityInformation = { label: spoken(item) };
  return item;
}

function factItem(row: FactRow): TreeItem {
  const { one } = row;
  switch (row.kind) {
    case "case": {
      const item = new TreeItem(one.headline, TreeItemCollapsibleState.Collapsed);
      item.description = caseName(one);
      item.iconPath = new ThemeIcon(
        one.review === null ? "info" : "wrench",
        one.review === null ? undefined : new ThemeColor("list.warningForeground"),
      );
      item.tooltip = about(one);
      item.contextValue = one.review === null ? "case" : "case repair";
      if (one.review !== null) {
        item.command = { command: "memdir.previewRepair", title: l10n.t("Preview"), arguments: [row] };
      }
      return item;
    }
    case "from":
      return place(
        row,
        one.directory,
        one.target === null
          ? amount(one.memories, one.size)
          : l10n.t("From: {0}", amount(one.memories, one.size)),
      );
    case "to": {
      const held =
        one.targetMemories === null ? l10n.t("not there yet") : amount(one.targetMemories, one.targetSize);
      return place(row, one.target ?? "", l10n.t("To: {0}", held));
    }
    case "owner": {
      const item = new TreeItem(placeName(one.owner ?? ""));
      item.description = one.owner ?? "";
      item.iconPath = new ThemeIcon("repo");
      item.tooltip = l10n.t("The repository they belong to: {0}", one.owner ?? "");
      item.contextValue = "place owner";
      return item;
    }
    case "why": {
      const item = new TreeItem(l10n.t("Why: {0}", one.why));
      if (one.review !== null && !one.certain) {
        item.description = l10n.t("not certain");
      }
      item.iconPath = new ThemeIcon("question");
      item.tooltip = about(one);
      item.contextValue = "why";
      return item;
    }
  }
}

function place(row: FactRow, directory: string, label: string): TreeItem {
  const item = new TreeItem(label);
  item.description = placeName(directory);
  item.iconPath = new ThemeIcon(row.kind === "from" ? "folder" : "folder-active");
  item.tooltip = directory;
  item.contextValue = `place ${row.kind}`;
  item.command = { command: "memdir.openPlace", title: l10n.t("Open"), arguments: [row] };
  return item;
}

const folderOf = (uri: string): string => uri.slice(0, uri.lastIndexOf("/"));

function about(one: DoctorCase): MarkdownString {
  const text = new MarkdownString().appendText(one.message);
  if (one.review !== null && !one.certain) {
    text.appendMarkdown("\n\n").appendText(l10n.t("This is not certain; look before you take it."));
  }
  return text;
}
