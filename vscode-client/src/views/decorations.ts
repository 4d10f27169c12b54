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
import { ageText, problemText } from "../util/text";
import { isFileNode, typeLabel } from "./present";
import { NODE_SCHEME } from "./tree";

/** A badge holds two characters. */
export function badge(count: number): string {
  return count > 99 ? "9+" : String(count);
}

export class MemoryDecorations implements FileDecorationProvider, Disposable {
  private readonly changed = new EventEmitter<Uri[] | undefined>();
  readonly onDidChangeFileDecorations = this.changed.event;
  private files = new Map<string, TreeNode>();

  /** Takes the whole tree, unfiltered. */
  update(roots: readonly TreeNode[]): void {
    this.files = new Map();
    const visit = (nodes: readonly TreeNode[]): void => {
      for (const node of nodes) {
        if (isFileNode(node) && node.uri !== undefined) {
          this.files.set(Uri.parse(node.uri).toString(), node);
        }
        visit(node.children ?? []);
      }
    };
    visit(roots);
    this.changed.fire(undefined);
  }

  provideFileDecoration(uri: Uri): FileDecoration | undefined {
    return uri.scheme === NODE_SCHEME ? groupDecoration(uri) : this.fileDecoration(uri);
  }

  private fileDecoration(uri: Uri): FileDecoration | undefined {
    const node = this.files.get(uri.toString());
    if (node?.kind !== "memory") {
      return undefined;
    }
    const type =
      node.memoryType === undefined ? l10n.t("memory") : l10n.t("{0} memory", typeLabel(node.memoryType));
    return new FileDecoration(undefined, node.age === undefined ? type : `${type}, ${ageText(node.age)}`);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function groupDecoration(uri: Uri): FileDecoration | undefined {
  const [error = 0, warning = 0] = uri.query.split(",").map(Number);
  const count = error + warning;
  if (!(count > 0)) {
    return undefined;
  }
  const tooltip = problemText({ error, warning, information: 0, hint: 0 });
  const colour = error > 0 ? "list.errorForeground" : "list.warningForeground";
  return new FileDecoration(badge(count), tooltip, new ThemeColor(colour));
}
