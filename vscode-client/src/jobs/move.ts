/** Moving memories between private and team: by drag, or by a command on the rows. The server makes the edit and checks it. */

import {
  type DataTransfer,
  DataTransferItem,
  type Disposable,
  l10n,
  type TreeDragAndDropController,
  window,
  workspace,
} from "vscode";
import { type CodeAction, CodeActionRequest, CodeActionResolveRequest } from "vscode-languageclient/node";
import { Explained, type Services, serverUnavailable } from "../commands/context";
import { register } from "../commands/register";
import type { TreeNode } from "../protocol";
import { movable, type Side } from "./sides";

const MOVE = "refactor.move";
export const DRAG_TYPE = "application/vnd.code.tree.memdir.memory";

export function moveCommands(services: Services): Disposable[] {
  const command = (id: string, to: Side): Disposable =>
    register(id, (node?: TreeNode, nodes?: TreeNode[]) =>
      moveMemories(services, nodes ?? (node === undefined ? [] : [node]), to),
    );
  return [command("memdir.moveToTeam", "team"), command("memdir.moveToPrivate", "private")];
}

/** Moves memories; the first one that can't be moved stops it with the reason. */
export async function moveMemories(services: Services, nodes: readonly TreeNode[], to: Side): Promise<void> {
  const moving = movable(nodes, to);
  if (moving.length === 0) {
    throw new Explained(
      to === "team"
        ? l10n.t("Select private memories to move to the team.")
        : l10n.t("Select team memories to make private."),
    );
  }
  for (const node of moving) {
    await moveOne(services, node, to);
  }
  const text =
    to === "team"
      ? l10n.t("Moved {0} to the team.", moving.length)
      : l10n.t("Made {0} private.", moving.length);
  window.setStatusBarMessage(text, 5000);
}

async function moveOne(services: Services, node: TreeNode, to: Side): Promise<void> {
  const client = services.manager.running;
  if (client === undefined) {
    throw serverUnavailable();
  }
  const start = { line: 0, character: 0 };
  const offered = await client.sendRequest(CodeActionRequest.type, {
    textDocument: { uri: node.uri ?? "" },
    range: { start, end: start },
    context: { diagnostics: [], only: [MOVE] },
  });
  const action = (offered ?? []).find((one): one is CodeAction => "kind" in one && one.kind === MOVE);
  if (action === undefined) {
    throw new Explained(
      to === "team"
        ? l10n.t("“{0}” can't go to the team: there is no team directory, or a rule forbids it.", node.label)
        : l10n.t("“{0}” can't be made private.", node.label),
    );
  }
  const { edit } = action.edit ? action : await client.sendRequest(CodeActionResolveRequest.type, action);
  // Whoever drags has decided: the preview that a code action asks for would come with nothing ticked
  for (const annotation of Object.values(edit?.changeAnnotations ?? {})) {
    annotation.needsConfirmation = false;
  }
  if (
    edit === undefined ||
    !(await workspace.applyEdit(await client.protocol2CodeConverter.asWorkspaceEdit(edit)))
  ) {
    throw new Explained(l10n.t("“{0}” was not moved.", node.label));
  }
  await workspace.saveAll(false);
}

/** Rows of one side can be dropped on any row of the other. */
export class MoveByDrag implements TreeDragAndDropController<TreeNode> {
  readonly dragMimeTypes = [DRAG_TYPE];
  readonly dropMimeTypes = [DRAG_TYPE];

  constructor(private readonly move: (nodes: readonly TreeNode[], to: Side) => void) {}

  handleDrag(source: readonly TreeNode[], transfer: DataTransfer): void {
    transfer.set(DRAG_TYPE, new DataTransferItem(source));
  }

  handleDrop(target: TreeNode | undefined, transfer: DataTransfer): void {
    const nodes = transfer.get(DRAG_TYPE)?.value as readonly TreeNode[] | undefined;
    const to = target?.scope;
    if (nodes !== undefined && (to === "team" || to === "private")) {
      this.move(nodes, to);
    }
  }
}
