/** Taking back what Memdir changed on disk: the offer after a change, and the list of all changes. */

import { commands, type Disposable, EventEmitter, l10n, ThemeIcon, Uri, window } from "vscode";
import { runCli } from "../cli";
import { Explained, pickFolder, type Services } from "../commands/context";
import { register } from "../commands/register";
import { showText } from "../documents";
import type { FolderStatus } from "../protocol";
import { fileName } from "../views/shape";
import { CHANGES, type Done, type PastChange, UNDO } from "./protocol";
import { runJob } from "./run";

const undone = new EventEmitter<void>();
/** A change on disk was taken back. */
export const onDidUndo = undone.event;

export const cwdOf = (folder: FolderStatus): string => Uri.parse(folder.uri).fsPath;

/** Says what was done and offers to take it back. What the editor wrote itself, its own Undo takes back. */
export async function offerUndo(
  services: Services,
  folder: FolderStatus,
  text: string,
  done: Done | null | undefined,
  more: { title: string; run(): unknown }[] = [],
): Promise<void> {
  const undo = l10n.t("Undo");
  const id = done?.id;
  const titles = [...more.map((one) => one.title), ...(id ? [undo] : [])];
  const chosen = await window.showInformationMessage(text, ...titles);
  if (chosen === undo && id) {
    await undoChange(services, folder, id);
    return;
  }
  await more.find((one) => one.title === chosen)?.run();
}

export async function undoChange(services: Services, folder: FolderStatus, id: string): Promise<void> {
  await runJob<Done>(services, UNDO, { folder: folder.uri, id });
  undone.fire();
  window.setStatusBarMessage(l10n.t("$(discard) Memory: change {0} was undone", id), 5000);
}

/** The changes of a folder, the newest first. */
export function listChanges(services: Services, folder: FolderStatus): Promise<PastChange[]> {
  return runJob<PastChange[]>(services, CHANGES, { folder: folder.uri });
}

export function undoCommands(services: Services): Disposable[] {
  return [register("memdir.undo", () => chooseUndo(services))];
}

async function chooseUndo(services: Services): Promise<void> {
  const folder = await pickFolder(services);
  if (folder === undefined) {
    return;
  }
  const changes = (await listChanges(services, folder)).filter((change) => change.inForce);
  if (changes.length === 0) {
    throw new Explained(l10n.t("There is nothing to undo: Memdir has changed nothing here yet."));
  }
  const preview = { iconPath: new ThemeIcon("diff"), tooltip: l10n.t("Show what would change") };
  const pick = window.createQuickPick<{
    label: string;
    description: string;
    detail: string;
    change: PastChange;
    buttons: [typeof preview];
  }>();
  pick.title = l10n.t("Undo a change to memory");
  pick.placeholder = l10n.t("The newest change is first");
  pick.items = changes.map((change) => ({
    label: change.title,
    description: new Date(change.time).toLocaleString(),
    detail: change.files.map((file) => fileName(file.uri)).join(", "),
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
