/** Commands on rows of the sidebar: rename, delete with undo; and today's log. */

import { commands, type Disposable, l10n, TabInputText, Uri, WorkspaceEdit, window, workspace } from "vscode";
import { Explained, pickFolder, type Services } from "../commands/context";
import { register } from "../commands/register";
import type { FolderStatus, TreeNode } from "../protocol";
import { openFile } from "../util/open";
import { fileName } from "../views/shape";
import { type Done, FORGET, type ForgetAnswer, LOG, type LogAnswer } from "./protocol";
import { runJob } from "./run";
import { undoChange } from "./undo";

export function fileCommands(services: Services, selection: () => readonly TreeNode[]): Disposable[] {
  const chosen = (node: TreeNode | undefined, nodes: readonly TreeNode[] | undefined): readonly TreeNode[] =>
    nodes ?? (node === undefined ? selection() : [node]);
  return [
    register("memdir.renameMemory", (node?: TreeNode) => rename(chosen(node, undefined)[0])),
    register("memdir.deleteMemory", (node?: TreeNode, nodes?: TreeNode[]) =>
      remove(services, chosen(node, nodes)),
    ),
    register("memdir.appendLog", () => appendLog(services)),
    register("memdir.undoChange", (folder: FolderStatus, id: string) => undoChange(services, folder, id)),
  ];
}

/** The server follows the file: index entries and links are changed in the same step. */
async function rename(node: TreeNode | undefined): Promise<void> {
  if (node?.uri === undefined || node.kind !== "memory") {
    throw new Explained(l10n.t("Select a memory in the sidebar first."));
  }
  const old = Uri.parse(node.uri);
  const name = fileName(node.uri);
  const given = await window.showInputBox({
    title: l10n.t("Rename “{0}”", node.label),
    prompt: l10n.t("New file name; links to it follow"),
    value: name,
    valueSelection: [0, name.replace(/\.md$/, "").length],
    validateInput: (value) => refuseName(value),
  });
  if (given === undefined || given === name) {
    return;
  }
  const edit = new WorkspaceEdit();
  const wanted = given.endsWith(".md") ? given : `${given}.md`;
  edit.renameFile(old, Uri.joinPath(old, "..", wanted));
  if (!(await workspace.applyEdit(edit))) {
    throw new Explained(l10n.t("{0} was not renamed: is there a file with that name already?", name));
  }
  await workspace.saveAll(false); // the changed links, which would otherwise wait in unsaved editors
}

export function refuseName(value: string): string | undefined {
  const name = value.trim().replace(/\.md$/, "");
  if (name === "") {
    return l10n.t("The file needs a name.");
  }
  if (/[\\/:*?"<>|]/.test(name) || name.startsWith(".")) {
    return l10n.t("A file name can't hold \\ / : * ? \" < > | and does not begin with a dot.");
  }
  return name.toUpperCase() === "MEMORY" ? l10n.t("MEMORY.md is the index.") : undefined;
}

async function remove(services: Services, nodes: readonly TreeNode[]): Promise<void> {
  const memories = nodes.filter((node) => node.kind === "memory" && node.uri !== undefined);
  const [first] = memories;
  if (first === undefined) {
    throw new Explained(l10n.t("Select a memory in the sidebar first."));
  }
  const folder = await pickFolder(services, first);
  if (folder === undefined) {
    return;
  }
  const done: Done[] = [];
  for (const node of memories) {
    const answer = await runJob<ForgetAnswer>(services, FORGET, { folder: folder.uri, uri: node.uri });
    if (answer.done !== null) {
      done.push(answer.done);
      await closeTabs(answer.done.deleted);
    }
  }
  const text =
    memories.length === 1
      ? l10n.t("Deleted “{0}” and what pointed to it.", first.label)
      : l10n.t("Deleted {0} memories and what pointed to them.", memories.length);
  const undo = l10n.t("Undo");
  if ((await window.showInformationMessage(text, undo)) === undo) {
    for (const { id } of done.reverse()) {
      await (id === null ? commands.executeCommand("undo") : undoChange(services, folder, id));
    }
  }
}

/** An open editor would keep a deleted memory alive: what is open counts more than the disk. */
async function closeTabs(uris: readonly string[]): Promise<void> {
  const gone = new Set(uris.map((uri) => Uri.parse(uri).toString()));
  const tabs = window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => tab.input instanceof TabInputText && gone.has(tab.input.uri.toString()));
  if (tabs.length > 0) {
    await window.tabGroups.close(tabs);
  }
}

async function appendLog(services: Services): Promise<void> {
  const folder = await pickFolder(services);
  if (folder === undefined) {
    return;
  }
  const text = await window.showInputBox({
    title: l10n.t("Append to today's log"),
    prompt: l10n.t("One line; the time is added"),
    ignoreFocusOut: true,
  });
  if (text === undefined || text.trim() === "") {
    return;
  }
  const answer = await runJob<LogAnswer>(services, LOG, { folder: folder.uri, text: text.trim() });
  const open = l10n.t("Open log");
  const chosen = await window.showInformationMessage(l10n.t("Added to today's log."), open);
  if (chosen === open) {
    await openFile(Uri.parse(answer.uri));
  }
}
