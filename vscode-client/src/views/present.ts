/** How one node of the server's tree looks and sounds. Pure, so that every kind has a unit test. */

import { l10n } from "vscode";
import type { TreeNode } from "../protocol";
import { ageText, badgeCount, problemText, shortAge } from "../util/text";

export interface Presentation {
  label: string;
  description: string;
  icon: string;
  /** Theme colour of the icon. */
  colour: string | undefined;
  collapsible: "none" | "collapsed" | "expanded";
  contextValue: string;
  /** Said in the tooltip as well, where the description is short; empty when it is not. */
  about: string;
  /** What a screen reader says. */
  spoken: string;
  /** Whether the row stands for a file, whose problems VS Code then shows itself. */
  isFile: boolean;
}

const TYPE_ICONS: Record<string, string> = {
  user: "person",
  feedback: "comment-discussion",
  project: "milestone",
  reference: "link-external",
};

const KIND_ICONS: Record<TreeNode["kind"], string> = {
  scope: "lock",
  type: "symbol-folder",
  memory: "note",
  index: "list-unordered",
  log: "calendar",
  notes: "notebook",
  agent: "hubot",
  project: "repo",
  group: "symbol-folder",
  file: "file",
};

/** By a word of the group's contextValue. Never `folder`: VS Code replaces that one by the file icon theme's. */
const GROUP_ICONS: Record<string, string> = { logs: "calendar", agents: "hubot", folder: "root-folder" };

const SCOPE_ICONS: Record<string, string> = { private: "lock", team: "organization", agent: "hubot" };

function icon(node: TreeNode): string {
  if (node.kind === "type" || node.kind === "memory") {
    return TYPE_ICONS[node.memoryType ?? ""] ?? KIND_ICONS[node.kind];
  }
  if (node.kind === "scope") {
    return SCOPE_ICONS[node.scope ?? ""] ?? KIND_ICONS.scope;
  }
  if (node.kind === "group") {
    const words = (node.contextValue ?? "").split(" ");
    return GROUP_ICONS[words.find((word) => word in GROUP_ICONS) ?? ""] ?? KIND_ICONS.group;
  }
  return KIND_ICONS[node.kind] ?? "circle-outline";
}

/** Rows that stand for one file on disk. */
export function isFileNode(node: TreeNode): boolean {
  return node.uri !== undefined && ["memory", "index", "log", "notes", "file"].includes(node.kind);
}

function spokenLabel(node: TreeNode, description: string): string {
  const parts = [node.label];
  if (node.kind === "memory" && node.memoryType !== undefined) {
    parts.push(l10n.t("{0} memory", typeLabel(node.memoryType)));
  }
  if (node.kind === "memory" && node.age !== undefined) {
    parts.push(ageText(node.age));
  } else if (description !== "") {
    parts.push(description);
  }
  const problems = problemText(node.problems, true);
  if (problems !== "") {
    parts.push(problems);
  }
  return parts.join(l10n.t(", "));
}

/** Name of a memory type in the editor's language; unknown types are shown as they are written. */
export function typeLabel(type: string): string {
  switch (type) {
    case "user":
      return l10n.t("user");
    case "feedback":
      return l10n.t("feedback");
    case "project":
      return l10n.t("project");
    case "reference":
      return l10n.t("reference");
    default:
      return type;
  }
}

/** A workspace folder in a window with several. */
export const isFolderNode = (node: TreeNode): boolean =>
  node.kind === "group" && node.contextValue === "folder";

/** `expandedDepth`: how many levels open by themselves. */
export function present(node: TreeNode, depth: number, expandedDepth = 2): Presentation {
  const age = node.kind === "memory" && node.age !== undefined ? shortAge(node.age) : "";
  const description = node.description ?? age;
  // Before its memory is read a folder has no rows yet; one shown as a leaf would stay shut when they come
  const hasChildren = (node.children?.length ?? 0) > 0 || isFolderNode(node);
  const opens = depth < expandedDepth && ["scope", "type", "group"].includes(node.kind);
  return {
    label: node.label,
    description,
    icon: icon(node),
    colour: badgeCount(node.problems) > 0 && !isFileNode(node) ? severityColour(node) : undefined,
    collapsible: hasChildren ? (opens ? "expanded" : "collapsed") : "none",
    contextValue: node.contextValue ?? node.kind,
    about: node.kind === "memory" && node.age !== undefined ? ageText(node.age) : "",
    spoken: spokenLabel(node, description),
    isFile: isFileNode(node),
  };
}

function severityColour(node: TreeNode): string {
  return (node.problems?.error ?? 0) > 0 ? "list.errorForeground" : "list.warningForeground";
}
