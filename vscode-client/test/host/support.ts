/** What the suites share: the extension's own view of things, and waiting without sleeping. */

import * as path from "node:path";
import { commands, type Diagnostic, extensions, languages, Uri, window } from "vscode";
import type { Api } from "../../src/extension";
import type { TreeNode } from "../../src/protocol";

export const MEMORY = process.env.MEMDIR_TEST_MEMORY ?? "";

export function memoryUri(name: string): Uri {
  return Uri.file(path.join(MEMORY, name));
}

/** Polls until `probe` gives something; the message names what never came. */
export async function until<T>(
  what: string,
  probe: () => T | undefined | false | null | Promise<T | undefined | false | null>,
  timeout = 20_000,
): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== false && value !== null) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error(`waited ${timeout} ms for ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** The extension with a running server and its first tree. */
export async function ready(): Promise<Api> {
  const extension = extensions.getExtension<Api>("memdir.memdir");
  if (extension === undefined) {
    throw new Error("the extension is not installed");
  }
  const api = await extension.activate();
  await until("the server to run", () => api.services.manager.running);
  await until("the first tree", () => api.services.model.loaded);
  await until("the first status", () => api.services.model.status.folders.length > 0);
  return api;
}

export function diagnosticsOf(name: string, rule?: string): Diagnostic[] {
  return languages.getDiagnostics(memoryUri(name)).filter((d) => rule === undefined || codeOf(d) === rule);
}

export function codeOf(diagnostic: Diagnostic): string {
  const { code } = diagnostic;
  return String(typeof code === "object" ? code.value : code);
}

/** Every row of the tree, depth first. */
export function rows(nodes: readonly TreeNode[]): TreeNode[] {
  return nodes.flatMap((node) => [node, ...rows(node.children ?? [])]);
}

export async function open(name: string) {
  // As a click does it: an editor that a test opens through the API would stay alive for minutes
  await commands.executeCommand("vscode.open", memoryUri(name));
  return until("the editor", () =>
    window.visibleTextEditors.find((editor) => editor.document.uri.path === memoryUri(name).path),
  );
}
