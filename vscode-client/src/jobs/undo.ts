/** Taking back what Memdir changed on disk: the offer after a change, and the list of all changes. */

import { commands, type Disposable, l10n, ThemeIcon, Uri, window } from "vscode";
import { reason, runCli, runJson } from "../cli";
import { Explained, pickFolder, type Services } from "../commands/context";
import { register } from "../commands/register";
import { showText } from "../documents";
import type { FolderStatus } from "../protocol";
import { saveFirst } from "./unsaved";

export interface Change {
  id: string;
  time: string;
  title: string;
  origin: string;
  files: { path: string; change: string }[];
  in_force: boolean;
  undoes: string | null;
  undone_by: string | null;
}

export const cwdOf = (folder: FolderStatus): string => Uri.parse(folder.uri).fsPath;

/** Says what was done and offers to take it back. */
export async function offerUndo(
  services: Services,
  folder: FolderStatus,
  done: string,
  id: string | null | undefined,
  more: { title: string; run(): unknown }[] = [],
): Promise<void> {
  const undo = l10n.t("Undo");
  const titles = [...more.map((one) => one.title), ...(id ? [undo] : [])];
  const chosen = await window.showInformationMessage(done, ...titles);
  if (chosen === undo && id) {
    await undoChange(services, folder, id);
    return;
  }
  await more.find((one) => one.title === chosen)?.run();
}

export async function undoChange(services: Services, folder: FolderStatus, id: string): Promise<void> {
  if (!(await saveFirst(folder))) {
    return;
  }
  const result = await runCli(services, ["undo", id], { cwd: cwdOf(folder) });
  if (result.code !== 0) {
    throw new Explained(reason(result));
  }
  window.setStatusBarMessage(l10n.t("$(discard) Memory: change {0} was undone", id), 5000);
}

/** The changes of a folder, the newest first. */
export function listChanges(services: Services, folder: FolderStatus): Promise<Change[]> {
  return runJson<Change[]>(services, ["undo", "--list", "--json"], { cwd: cwdOf(folder) });
}

export function undoCommands(services: Services): Disposable[] {
  return [register("memdir.undo", () => chooseUndo(services))];
}

async function chooseUndo(services: Services): Promise<void> {
  const folder = await pickFolder(services);
  if (folder === undefined) {
    return;
  }
  const changes = (await listChanges(services, folder)).filter((change) => change.in_force);
  if (changes.length === 0) {
    throw new Explained(l10n.t("There is nothing to undo: Memdir has changed nothing here yet."));
  }
  const preview = { iconPath: new ThemeIcon("diff"), tooltip: l10n.t("Show what would change") };
  const pick = window.createQuickPick<{
    label: string;
    description: string;
    detail: string;
    change: Change;
    buttons: [typeof preview];
  }>();
  pick.title = l10n.t("Undo a change to memory");
  pick.placeholder = l10n.t("The newest change is first");
  pick.items = changes.map((change) => ({
    label: change.title,
    description: new Date(change.time).toLocaleString(),
    detail: change.files.map((file) => file.path.split(/[\\/]/).at(-1)).join(", "),
    change,
    buttons: [preview],
  }));
  pick.onDidTriggerItemButton(async ({ item }) => {
    const result = await runCli(services, ["undo", "--dry-run", item.change.id], { cwd: cwdOf(folder) });
    await showText(`${item.change.title}.diff`, result.stdout);
  });
  pick.onDidAccept(async () => {
    const chosen = pick.selectedItems[0] ?? pick.activeItems[0];
    pick.hide();
    if (chosen !== undefined) {
      await commands.executeCommand("memdir.undoChange", folder, chosen.change.id);
    }
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
}
