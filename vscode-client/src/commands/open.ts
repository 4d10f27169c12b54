/** Commands that show files and places. */

import {
  commands,
  type Disposable,
  env,
  type Location,
  l10n,
  Position,
  Range,
  Uri,
  window,
  workspace,
} from "vscode";
import { reason, runCli } from "../cli";
import { SHOW_REFERENCES, type TreeNode } from "../protocol";
import { openFile } from "../util/open";
import { Explained, pickFolder, type Services } from "./context";
import { register } from "./register";

export function openCommands(services: Services): Disposable[] {
  return [
    register("memdir.openNode", (node: TreeNode) => openNode(node)),
    register("memdir.openToSide", (node: TreeNode) => openNode(node, true)),
    register("memdir.openIndex", (node?: TreeNode) => openIndex(services, node)),
    register("memdir.organizeIndex", (node?: TreeNode) => organizeIndex(services, node)),
    register("memdir.openDirectory", (node?: TreeNode) => openDirectory(services, node)),
    register("memdir.whereIsMemory", (node?: TreeNode) => whereIsMemory(services, node)),
    register(SHOW_REFERENCES, async (uri: string, position: { line: number; character: number }) => {
      const at = new Position(position.line, position.character);
      const target = Uri.parse(uri);
      const found = await commands.executeCommand<Location[]>("vscode.executeReferenceProvider", target, at);
      await commands.executeCommand("editor.action.showReferences", target, at, found);
    }),
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
  await openFile(index);
}

/** Sorts the index and drops dead and double lines; the edit is the server's and can be undone in the editor. */
async function organizeIndex(services: Services, node?: TreeNode): Promise<void> {
  await (node?.kind === "index" && node.uri !== undefined ? openNode(node) : openIndex(services, node));
  await commands.executeCommand("editor.action.sourceAction", {
    kind: "source.organizeIndex",
    apply: "first",
  });
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

/** Where the memory is and which setting decided, in the sentences of `memdir where`. */
async function whereIsMemory(services: Services, node?: TreeNode): Promise<void> {
  const folder = await pickFolder(services, node);
  if (folder === undefined) {
    return;
  }
  const told = await runCli(services, ["where"], { cwd: Uri.parse(folder.uri).fsPath });
  if (told.code === 2) {
    throw new Explained(reason(told));
  }
  const copy = l10n.t("Copy path");
  const open = l10n.t("Open directory");
  const chosen = await window.showInformationMessage(
    folder.memoryDir,
    { modal: true, detail: told.stdout.trim() },
    copy,
    ...(folder.exists ? [open] : []),
  );
  if (chosen === copy) {
    await env.clipboard.writeText(folder.memoryDir);
  } else if (chosen === open) {
    await commands.executeCommand("memdir.openDirectory", node);
  }
}
