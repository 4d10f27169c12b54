/** Recall: which memories would help with a question, why, and whether that was right. */

import {
  type Disposable,
  l10n,
  ProgressLocation,
  type QuickInputButton,
  type QuickPickItem,
  QuickPickItemKind,
  ThemeIcon,
  Uri,
  window,
} from "vscode";
import { Explained, pickFolder, type Services } from "../commands/context";
import { register } from "../commands/register";
import type { FolderStatus } from "../protocol";
import { openFile } from "../util/open";
import {
  JUDGE_RECALL,
  PREPARE_RECALL,
  RECALL,
  type RecallAnswer,
  type RecallChoice,
  type RecallMiss,
} from "./protocol";
import { runJob, runWithProgress } from "./run";

type Row = QuickPickItem & { uri?: string };

export function recallCommands(services: Services): Disposable[] {
  return [register("memdir.recall", () => recall(services))];
}

async function recall(services: Services): Promise<void> {
  const folder = await pickFolder(services);
  if (folder === undefined) {
    return;
  }
  // Reading memories and loading the model's library takes a second that the person needs for typing anyway
  void runJob(services, PREPARE_RECALL, { folder: folder.uri }).catch(() => undefined);
  const query = await window.showInputBox({
    title: l10n.t("Recall"),
    prompt: l10n.t(
      "What is the task or the question? The memories that help are chosen as the agent's client would.",
    ),
    ignoreFocusOut: true,
  });
  if (query === undefined || query.trim() === "") {
    return;
  }
  const answer = await runWithProgress<RecallAnswer>(
    services,
    ProgressLocation.Notification,
    l10n.t("Choosing memories"),
    RECALL,
    { folder: folder.uri, query },
  );
  if (answer !== undefined) {
    show(services, folder, query, answer);
  }
}

/** Rows of the result: what was chosen, then what came near. Pure but for the buttons' icons. */
export function resultRows(answer: RecallAnswer, judge: readonly QuickInputButton[]): Row[] {
  const chosen = answer.selected.map(
    (one: RecallChoice): Row => ({
      label: `$(note) ${one.name}`,
      description: [one.type, one.age].filter(Boolean).join(" · "),
      detail: [one.reason, one.caveat?.replace(/\s+/g, " ")].filter(Boolean).join(" — "),
      uri: one.uri,
      buttons: judge,
      alwaysShow: true,
    }),
  );
  const missed = answer.missed.map(
    (one: RecallMiss): Row => ({
      label: one.name,
      description: one.reason,
      uri: one.uri,
      alwaysShow: true,
    }),
  );
  const heading = (label: string): Row => ({ label, kind: QuickPickItemKind.Separator });
  const method =
    answer.method === "model" ? l10n.t("chosen by the model") : l10n.t("chosen by comparing words");
  return [
    heading(method),
    ...(chosen.length > 0
      ? chosen
      : [{ label: l10n.t("No memory helps with this"), detail: answer.notes.join(" "), alwaysShow: true }]),
    ...(missed.length > 0 ? [heading(l10n.t("near, but not chosen")), ...missed] : []),
  ];
}

function show(services: Services, folder: FolderStatus, query: string, answer: RecallAnswer): void {
  const right = { iconPath: new ThemeIcon("thumbsup"), tooltip: l10n.t("This helps") };
  const wrong = { iconPath: new ThemeIcon("thumbsdown"), tooltip: l10n.t("This does not help") };
  const pick = window.createQuickPick<Row>();
  pick.title = l10n.t("Recall: {0}", query);
  pick.placeholder = [answer.fallback ?? "", ...answer.notes].filter(Boolean).join(" ");
  pick.items = resultRows(answer, answer.id === "" ? [] : [right, wrong]);
  pick.onDidTriggerItemButton(async ({ item, button }) => {
    const kept = await runJob<boolean>(services, JUDGE_RECALL, {
      folder: folder.uri,
      recall: answer.id,
      uri: item.uri,
      right: button === right,
    });
    if (!kept) {
      throw new Explained(l10n.t("No records of recalls are kept, so there is nothing to note it in."));
    }
    window.setStatusBarMessage(l10n.t("$(check) Noted"), 3000);
  });
  pick.onDidAccept(async () => {
    const chosen = pick.selectedItems[0] ?? pick.activeItems[0];
    pick.hide();
    if (chosen?.uri !== undefined) {
      await openFile(Uri.parse(chosen.uri));
    }
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
}
