/** Jobs read and write the disk: memory that is only in an editor so far is saved first, when the person agrees. */

import { l10n, window, workspace } from "vscode";
import type { FolderStatus } from "../protocol";

/** False when there are unsaved memory files and the person does not want to save them. */
export async function saveFirst(folder: FolderStatus): Promise<boolean> {
  const root = folder.memoryDir.replaceAll("\\", "/").replace(/\/+$/, "");
  const dirty = workspace.textDocuments.filter(
    (document) =>
      document.isDirty && document.uri.scheme === "file" && document.uri.path.startsWith(`${root}/`),
  );
  if (dirty.length === 0) {
    return true;
  }
  const save = l10n.t("Save and go on");
  const names = dirty.map((document) => document.uri.path.split("/").at(-1)).join("\n");
  const chosen = await window.showWarningMessage(
    l10n.t("Some memory files are not saved yet."),
    { modal: true, detail: names },
    save,
  );
  if (chosen !== save) {
    return false;
  }
  const outcomes = await Promise.all(dirty.map((document) => document.save()));
  return outcomes.every(Boolean);
}
