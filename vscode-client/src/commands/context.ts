/** What every command needs, handed in by `extension.ts`. */

import { type ExtensionContext, l10n, Uri, window, workspace } from "vscode";
import type { ApiKey } from "../apiKey";
import type { MemoryModel } from "../model";
import type { FolderStatus, TreeNode } from "../protocol";
import type { ServerManager } from "../server/manager";

export interface Services {
  context: ExtensionContext;
  apiKey: ApiKey;
  manager: ServerManager;
  model: MemoryModel;
}

/** A command that can't be carried out for a reason worth telling; shown as a message, not as a failure. */
export class Explained extends Error {
  constructor(
    message: string,
    readonly actions: readonly { title: string; command: string; args?: unknown[] }[] = [],
  ) {
    super(message);
  }
}

/** Reason why nothing can be asked of the server right now. */
export function serverUnavailable(): Explained {
  return new Explained(l10n.t("The memory server is not running."), [
    { title: l10n.t("Restart server"), command: "memdir.restartServer" },
    { title: l10n.t("Show output"), command: "memdir.showOutput" },
  ]);
}

/**
 * The folder a command is about: the row it was called on, else the folder of the active file (or whose memory the
 * active file is), else the only one, else the person chooses. Undefined when the person cancelled.
 */
export async function pickFolder(services: Services, node?: TreeNode): Promise<FolderStatus | undefined> {
  if ((await services.manager.started()) === undefined) {
    throw serverUnavailable();
  }
  if (services.model.status.folders.length === 0) {
    await services.model.refresh(); // right after a start nobody has asked yet
  }
  const folders = services.model.status.folders;
  if (folders.length === 0) {
    throw new Explained(l10n.t("Open a folder first: memory belongs to a repository."), [
      { title: l10n.t("Open Folder"), command: "workbench.action.files.openFolder" },
    ]);
  }
  const near = nearest(
    folders,
    node?.uri === undefined ? window.activeTextEditor?.document.uri : Uri.parse(node.uri),
  );
  if (near !== undefined || folders.length === 1) {
    return near ?? folders[0];
  }
  const picked = await window.showQuickPick(
    folders.map((folder) => ({ label: folderName(folder), description: folder.memoryDir, folder })),
    { title: l10n.t("Memory of which folder?"), matchOnDescription: true },
  );
  return picked?.folder;
}

export function folderName(folder: FolderStatus): string {
  const known = workspace.workspaceFolders?.find(
    (f) => f.uri.toString() === Uri.parse(folder.uri).toString(),
  );
  return known?.name ?? folder.owner.split(/[\\/]/).at(-1) ?? folder.owner;
}

function nearest(folders: readonly FolderStatus[], uri: Uri | undefined): FolderStatus | undefined {
  if (uri === undefined || uri.scheme !== "file") {
    return undefined;
  }
  const inside = (directory: string): boolean => {
    const root = Uri.file(directory).path.replace(/\/+$/, "");
    return directory !== "" && (uri.path === root || uri.path.startsWith(`${root}/`));
  };
  const matches = folders.filter(
    (f) => inside(f.memoryDir) || inside(f.owner) || inside(Uri.parse(f.uri).fsPath),
  );
  return matches.sort((a, b) => b.owner.length - a.owner.length)[0];
}
