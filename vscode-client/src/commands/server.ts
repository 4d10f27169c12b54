/** Commands about the server itself. */

import { commands, type Disposable, l10n, window } from "vscode";
import { log } from "../log";
import type { Attempt, LaunchSource } from "../server/launch";
import type { Services } from "./context";
import { register } from "./register";

export function serverCommands(services: Services): Disposable[] {
  return [
    register("memdir.restartServer", () => services.manager.restartByHand()),
    register("memdir.showOutput", () => log().show()),
    register("memdir.whyNoServer", () => explainMissing(services)),
    register("memdir.refresh", () => services.model.refresh()),
  ];
}

const sourceName = (source: LaunchSource): string => {
  switch (source) {
    case "setting-path":
      return l10n.t("Setting memdir.server.path");
    case "setting-interpreter":
      return l10n.t("Setting memdir.server.interpreter");
    case "workspace-python":
      return l10n.t("Python of the workspace");
    case "virtual-env":
      return l10n.t("Active virtual environment");
    case "path":
      return l10n.t("Program on the PATH");
    case "managed":
      return l10n.t("Own environment");
  }
};

/** One sentence per place that was tried. */
export function attemptText(attempt: Attempt): string {
  return l10n.t("{0} ({1}): {2}", sourceName(attempt.source), attempt.place, attempt.why);
}

async function explainMissing(services: Services): Promise<void> {
  const { state } = services.manager;
  const tried = state.kind === "missing" ? state.tried : [];
  const again = l10n.t("Try again");
  const settings = l10n.t("Open settings");
  const output = l10n.t("Show output");
  const chosen = await window.showWarningMessage(
    l10n.t("Memory needs a Python environment with the memdir package, and none was found."),
    { modal: true, detail: tried.map(attemptText).join("\n") },
    again,
    settings,
    output,
  );
  if (chosen === again) {
    await services.manager.restartByHand();
  } else if (chosen === settings) {
    await commands.executeCommand("workbench.action.openSettings", "memdir.server");
  } else if (chosen === output) {
    log().show();
  }
}
