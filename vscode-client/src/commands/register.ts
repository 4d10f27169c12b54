/** Registers commands so that each failure is told once, in words, and logged with its cause. */

import { commands, type Disposable, l10n, window } from "vscode";
import { log } from "../log";
import { Explained } from "./context";

export type Handler = (...args: never[]) => unknown;

export function register(id: string, handler: Handler): Disposable {
  return commands.registerCommand(id, async (...args: unknown[]) => {
    try {
      return await (handler as (...a: unknown[]) => unknown)(...args);
    } catch (error) {
      await tell(id, error);
      return undefined;
    }
  });
}

async function tell(id: string, error: unknown): Promise<void> {
  if (error instanceof Explained) {
    const titles = error.actions.map((action) => action.title);
    const chosen = await window.showInformationMessage(error.message, ...titles);
    const action = error.actions.find((a) => a.title === chosen);
    if (action !== undefined) {
      await commands.executeCommand(action.command, ...(action.args ?? []));
    }
    return;
  }
  log().error(`${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const reason = error instanceof Error ? error.message : String(error);
  const show = l10n.t("Show output");
  if ((await window.showErrorMessage(l10n.t("That did not work: {0}", reason), show)) === show) {
    log().show(true);
  }
}
