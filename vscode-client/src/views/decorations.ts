/**
 * Badges: the number of problems on the tree's group rows. Memory files get their type and age as a tooltip wherever
 * VS Code lists them (tabs, open editors, explorer); their problems are shown by VS Code itself from the diagnostics.
 */

import {
  type Disposable,
  EventEmitter,
  FileDecoration,
  type FileDecorationProvider,
  l10n,
  ThemeColor,
  Uri,
} from "vscode";
import type { TreeNode } from "../protocol";
import { ageText, badgeCount, problemText } from "../util/text";
import { typeLabel } from "./present";
import { NODE_SCHEME, rowUri } from "./tree";

/** A badge holds two characters. */
export function badge(count: number): string {
  return count > 99 ? "9+" : String(count);
}

export class MemoryDecorations implements FileDecorationProvider, Disposable {
  private readonly changed = new EventEmitter<Uri[]>();
  readonly onDidChangeFileDecorations = this.changed.event;
  private nodes = new Map<string, TreeNode>();

  /** Takes the whole tree, unfiltered, and announces only the rows that look different now. */
  update(roots: readonly TreeNode[]): void {
    const before = this.nodes;
    this.nodes = new Map();
    const different: Uri[] = [];
    const visit = (nodes: readonly TreeNode[]): void => {
      for (const node of nodes) {
        const uri = rowUri(node);
        const key = uri.toString();
        this.nodes.set(key, node);
        const old = before.get(key);
        if (old === undefined || fingerprint(old) !== fingerprint(node)) {
          different.push(uri);
        }
        visit(node.children ?? []);
      }
    };
    visit(roots);
    different.push(...[...before.keys()].filter((key) => !this.nodes.has(key)).map((key) => Uri.parse(key)));
    if (different.length > 0) {
      this.changed.fire(different);
    }
  }

  provideFileDecoration(uri: Uri): FileDecoration | undefined {
    const node = this.nodes.get(uri.toString());
    if (node === undefined) {
      return undefined;
    }
    return uri.scheme === NODE_SCHEME ? groupDecoration(node) : fileDecoration(node);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function fingerprint(node: TreeNode): string {
  return JSON.stringify([node.problems, node.memoryType, node.age]);
}

function fileDecoration(node: TreeNode): FileDecoration | undefined {
  if (node.kind !== "memory") {
    return undefined;
  }
  const type =
    node.memoryType === undefined ? l10n.t("memory") : l10n.t("{0} memory", typeLabel(node.memoryType));
  return new FileDecoration(undefined, node.age === undefined ? type : `${type}, ${ageText(node.age)}`);
}

function groupDecoration(node: TreeNode): FileDecoration | undefined {
  const count = badgeCount(node.problems);
  if (count === 0) {
    return undefined;
  }
  const colour = (node.problems?.error ?? 0) > 0 ? "list.errorForeground" : "list.warningForeground";
  return new FileDecoration(badge(count), problemText(node.problems), new ThemeColor(colour));
}
