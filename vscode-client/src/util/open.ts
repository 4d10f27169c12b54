/** Opening files without keeping them alive. */

import { commands, type Uri, type ViewColumn } from "vscode";

/**
 * Shows a file as a click would. `window.showTextDocument` keeps a reference for minutes after the tab is closed, and so
 * the server would take a deleted memory for an open one.
 */
export async function openFile(uri: Uri, column?: ViewColumn): Promise<void> {
  await commands.executeCommand("vscode.open", uri, {
    preview: true,
    ...(column === undefined ? {} : { viewColumn: column }),
  });
}
