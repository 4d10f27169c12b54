/** Check all and fix all of a folder's memory. */

import { commands, type Disposable, l10n, ProgressLocation, window } from "vscode";
import { reason, runCli } from "../cli";
import { Explained, pickFolder, type Services, serverUnavailable } from "../commands/context";
import { register } from "../commands/register";
import { RECHECK } from "../protocol";
import { problemText, sumProblems } from "../util/text";
import { cwdOf, listChanges, offerUndo } from "./undo";
import { saveFirst } from "./unsaved";

export function checkCommands(services: Services): Disposable[] {
  return [
    register("memdir.checkAll", () => checkAll(services)),
    register("memdir.fixAll", () => fixAll(services)),
  ];
}

async function checkAll(services: Services): Promise<void> {
  const client = services.manager.running;
  if (client === undefined) {
    throw serverUnavailable();
  }
  await client.sendRequest("workspace/executeCommand", { command: RECHECK, arguments: [] });
  await services.model.refresh();
  const folders = services.model.status.folders;
  const memories = folders.reduce((sum, folder) => sum + folder.memories, 0);
  const problems = problemText(sumProblems(folders.map((folder) => folder.problems)), true);
  const show = l10n.t("Show problems");
  const text =
    problems === ""
      ? l10n.t("Checked {0} memories: no problems.", memories)
      : l10n.t("Checked {0} memories: {1}.", memories, problems);
  if ((await window.showInformationMessage(text, ...(problems === "" ? [] : [show]))) === show) {
    await commands.executeCommand("workbench.actions.view.problems");
  }
}

/** Applies every safe fix at once; the change is kept in the journal and can be undone. */
async function fixAll(services: Services): Promise<void> {
  const folder = await pickFolder(services);
  if (folder === undefined || !(await saveFirst(folder))) {
    return;
  }
  const before = new Set((await listChanges(services, folder)).map((change) => change.id));
  const result = await window.withProgress(
    { location: ProgressLocation.Window, title: l10n.t("Fixing memory") },
    () => runCli(services, ["check", "--fix", "--format", "json", "--exit-zero"], { cwd: cwdOf(folder) }),
  );
  if (result.code !== 0) {
    throw new Explained(reason(result));
  }
  const [change] = (await listChanges(services, folder)).filter((one) => one.inForce && !before.has(one.id));
  if (change === undefined) {
    throw new Explained(
      l10n.t("There is nothing that can be fixed safely; the other problems need your eye."),
      [{ title: l10n.t("Show problems"), command: "workbench.actions.view.problems" }],
    );
  }
  const files = change.files.length;
  const text = files === 1 ? l10n.t("Fixed 1 file.") : l10n.t("Fixed {0} files.", files);
  await offerUndo(services, folder, text, { id: change.id, created: [], changed: [], deleted: [] });
}
