/** The sidebar's trees: this window's memory, and that of other projects. */

import {
  type Disposable,
  EventEmitter,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
} from "vscode";
import { CLIENT_COMMANDS_IN_MARKDOWN, type TreeNode } from "../protocol";
import { isFileNode, isFolderNode, type Presentation, present } from "./present";
import { type Shape, shape } from "./shape";

/** Rows without a file get this scheme, so that the decoration provider can badge them. */
export const NODE_SCHEME = "memdir-node";

const COLLAPSIBLE: Record<Presentation["collapsible"], TreeItemCollapsibleState> = {
  none: TreeItemCollapsibleState.None,
  collapsed: TreeItemCollapsibleState.Collapsed,
  expanded: TreeItemCollapsibleState.Expanded,
};

export class MemoryTree implements TreeDataProvider<TreeNode>, Disposable {
  private readonly changed = new EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private shaped: TreeNode[] = [];
  private seen = "[]";
  private parents = new Map<string, TreeNode>();
  private byUri = new Map<string, TreeNode>();
  private depths = new Map<string, number>();

  constructor(
    private readonly source: () => readonly TreeNode[],
    private readonly options: () => Shape,
  ) {}

  /** Reads the source again. */
  refresh(): void {
    const shaped = shape(this.source(), this.options());
    const seen = JSON.stringify(shaped);
    if (seen === this.seen) {
      return; // nothing that a row shows has changed: no flicker
    }
    this.seen = seen;
    this.shaped = shaped;
    this.parents = new Map();
    this.byUri = new Map();
    this.depths = new Map();
    const visit = (nodes: readonly TreeNode[], parent: TreeNode | undefined, depth: number): void => {
      for (const node of nodes) {
        this.depths.set(node.id, depth);
        if (parent !== undefined) {
          this.parents.set(node.id, parent);
        }
        if (node.uri !== undefined && !this.byUri.has(key(node.uri))) {
          this.byUri.set(key(node.uri), node);
        }
        visit(node.children ?? [], node, depth + 1);
      }
    };
    // Rows of folders come on top of the levels that a single one has
    visit(this.shaped, undefined, this.shaped.some(isFolderNode) ? -1 : 0);
    this.changed.fire();
  }

  get roots(): readonly TreeNode[] {
    return this.shaped;
  }

  getChildren(node?: TreeNode): TreeNode[] {
    return node === undefined ? this.shaped : (node.children ?? []);
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return this.parents.get(node.id);
  }

  /** The row of a file, if it is shown. */
  find(uri: Uri): TreeNode | undefined {
    return this.byUri.get(uri.toString());
  }

  getTreeItem(node: TreeNode): TreeItem {
    const looks = present(node, this.depths.get(node.id) ?? 0);
    const item = new TreeItem(looks.label, COLLAPSIBLE[looks.collapsible]);
    item.id = node.id;
    item.description = looks.description;
    item.iconPath = new ThemeIcon(
      looks.icon,
      looks.colour === undefined ? undefined : new ThemeColor(looks.colour),
    );
    item.contextValue = looks.contextValue;
    item.accessibilityInformation = { label: looks.spoken };
    if (node.tooltip !== undefined || looks.about !== "") {
      const tooltip = new MarkdownString(node.tooltip ?? "", true);
      if (looks.about !== "") {
        tooltip.appendMarkdown(node.tooltip === undefined ? "" : "\n\n").appendText(looks.about);
      }
      tooltip.isTrusted = { enabledCommands: CLIENT_COMMANDS_IN_MARKDOWN };
      item.tooltip = tooltip;
    }
    item.resourceUri = rowUri(node);
    if (looks.isFile) {
      item.command = { command: "memdir.openNode", title: "", arguments: [node] };
    }
    return item;
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** The URI that a row's decoration belongs to: its file, else one made from its id. */
export function rowUri(node: TreeNode): Uri {
  if (isFileNode(node) && node.uri !== undefined) {
    return Uri.parse(node.uri);
  }
  // An id may be a path of its own, and a URI without authority must not start with two slashes
  return Uri.from({ scheme: NODE_SCHEME, path: `/${encodeURIComponent(node.id)}` });
}

function key(uri: string): string {
  return Uri.parse(uri).toString();
}
