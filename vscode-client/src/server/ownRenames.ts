/**
 * Renames that are part of an edit from the server. VS Code tells the server of every rename before it is made, so that
 * links can follow; in the server's own edits they follow already, and would be changed twice.
 */

import type { WorkspaceEdit } from "vscode-languageclient/node";

export class OwnRenames {
  private readonly known = new Set<string>();

  /** Notes the renames in whatever the server answered: an edit, a code action with one, or a list of such. */
  note(answer: unknown): void {
    for (const one of Array.isArray(answer) ? answer : [answer]) {
      const edit = editIn(one);
      for (const change of edit?.documentChanges ?? []) {
        if ("kind" in change && change.kind === "rename") {
          this.known.add(key(change.oldUri, change.newUri));
        }
      }
    }
  }

  /** True when the server made this rename itself; it is forgotten then. */
  take(oldUri: string, newUri: string): boolean {
    return this.known.delete(key(oldUri, newUri));
  }
}

function editIn(value: unknown): WorkspaceEdit | undefined {
  if (value === null || typeof value !== "object") {
    return undefined;
  }
  if ("documentChanges" in value) {
    return value as WorkspaceEdit;
  }
  return "edit" in value ? editIn(value.edit) : undefined;
}

/** Both sides percent-encode in their own way. */
function key(oldUri: string, newUri: string): string {
  return [oldUri, newUri].map(decoded).join("\n");
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri; // a stray % that nobody encoded
  }
}
