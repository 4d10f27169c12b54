/** Recall: which memories would help with a question, why, and whether that was right. */

import { type Disposable, l10n, window } from "vscode";
import { pickFolder, type Services } from "../commands/context";
import { register } from "../commands/register";
import { PREPARE_RECALL } from "./protocol";
import { RecallPanel } from "./recallPanel";
import { runJob } from "./run";

export function recallCommands(services: Services): Disposable[] {
  const panel = new RecallPanel(services);
  return [panel, register("memdir.recall", (query?: unknown) => recall(services, panel, query))];
}

async function recall(services: Services, panel: RecallPanel, given: unknown): Promise<void> {
  const folder = await pickFolder(services);
  if (folder === undefined) {
    return;
  }
  // Reading memories and loading the model's library takes a second that the person needs for typing anyway
  void runJob(services, PREPARE_RECALL, { folder: folder.uri }).catch(() => undefined);
  const selection = window.activeTextEditor?.document.getText(window.activeTextEditor.selection) ?? "";
  const query =
    typeof given === "string"
      ? given
      : await window.showInputBox({
          title: l10n.t("Recall"),
          prompt: l10n.t(
            "What is the task or the question? The memories that help are chosen as the agent's client would.",
          ),
          value: selection.trim().replace(/\s+/g, " ") || panel.query,
          ignoreFocusOut: true,
        });
  if (query !== undefined && query.trim() !== "") {
    await panel.ask(folder, query.trim());
  }
}
