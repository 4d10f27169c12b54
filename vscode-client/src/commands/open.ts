/** Commands that show files and places. */

import { commands, type Disposable, env, l10n, Range, Uri, window, workspace } from "vscode";
import type { TreeNode } from "../protocol";
import { Explained, pickFolder, type Services } from "./context";
import { register } from "./register";

export function openCommands(services: Services): Disposable[] {
  return [
    register("memdir.openNode", (node: TreeNode) => openNode(node)),
    register("memdir.openToSide", (node: TreeNode) => openNode(node, true)),
    register("memdir.openIndex", (node?: TreeNode) => openIndex(services, node)),
    register("memdir.openDirectory", (node?: TreeNode) => openDirectory(services, node)),
    register("memdir.whereIsMemory", (node?: TreeNode) => whereIsMemory(services, node)),
    register("memdir.copyPath", async (node: TreeNode) => {
      if (node.uri !== undefined) {
        await env.clipboard.writeText(Uri.parse(node.uri).fsPath);
      }
    }),
  ];
}

async function openNode(node: TreeNode, beside = false): Promise<void> {
  if (node.uri === undefined) {
    return;
  }
  const range = node.range;
  await commands.executeCommand("vscode.open", Uri.parse(node.uri), {
    preview: !beside,
    ...(beside ? { viewColumn: -2 } : {}),
    ...(range === undefined
      ? {}
      : {
          selection: new Range(
            range.start.line,
            range.start.character,
            range.start.line,
            range.start.character,
          ),
        }),
  });
}

async function openIndex(services: Services, node?: TreeNode): Promise<void> {
  const folder = await pickFolder(services, node);
  if (folder === undefined) {
    return;
  }
  const index = Uri.joinPath(Uri.file(folder.memoryDir), "MEMORY.md");
  try {
    await workspace.fs.stat(index);
  } catch {
    throw new Explained(l10n.t("There is no index yet: {0} does not exist.", index.fsPath), [
      { title: l10n.t("New memory"), command: "memdir.newMemory" },
      { title: l10n.t("Where is my memory?"), command: "memdir.whereIsMemory" },
    ]);
  }
  await window.showTextDocument(index);
}

/** Shows the memory directory in the system's file manager, or opens it in a window where there is none. */
async function openDirectory(services: Services, node?: TreeNode): Promise<void> {
  const folder = await pickFolder(services, node);
  if (folder === undefined) {
    return;
  }
  const directory = Uri.file(folder.memoryDir);
  if (!folder.exists) {
    throw new Explained(l10n.t("The memory directory does not exist yet: {0}", folder.memoryDir), [
      { title: l10n.t("New memory"), command: "memdir.newMemory" },
    ]);
  }
  const local = env.remoteName === undefined && env.appHost === "desktop";
  await (local
    ? commands.executeCommand("revealFileInOS", directory)
    : commands.executeCommand("vscode.openFolder", directory, { forceNewWindow: true }));
}

async function whereIsMemory(services: Services, node?: TreeNode): Promise<void> {
  const folder = await pickFolder(services, node);
  if (folder === undefined) {
    return;
  }
  const copy = l10n.t("Copy path");
  const open = l10n.t("Open directory");
  const detail = [
    l10n.t("Belongs to: {0}", folder.owner),
    l10n.t("Chosen by: {0}", folder.source),
    folder.enabled
      ? l10n.t("Memory is on ({0})", folder.enabledBy)
      : l10n.t("Memory is off ({0})", folder.enabledBy),
    folder.exists ? l10n.t("{0} memories", folder.memories) : l10n.t("The directory does not exist yet."),
    folder.message,
  ];
  const chosen = await window.showInformationMessage(
    folder.memoryDir,
    { modal: true, detail: detail.filter(Boolean).join("\n") },
    copy,
    ...(folder.exists ? [open] : []),
  );
  if (chosen === copy) {
    await env.clipboard.writeText(folder.memoryDir);
  } else if (chosen === open) {
    await commands.executeCommand("memdir.openDirectory", node);
  }
}
