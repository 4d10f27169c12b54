/** A proposal for a file that changed meanwhile: the person brings both texts together, and the proposal goes on from there. */

import { commands, l10n, window } from "vscode";
import type { Services } from "../commands/context";
import { log } from "../log";
import { fileName } from "../views/shape";
import { bringTogether } from "./clash";
import { type ClashInfo, INBOX_MERGE, type InboxMergeAnswer } from "./protocol";
import { Clash, runJob } from "./run";

/**
 * Shows the clash of a proposal (an item of the inbox, or a review). With the result the proposal becomes a change of the
 * present text, and `then` takes it; `waiting` is false when the result is what the file says already. Should the file
 * change once more, the result is shown against its newest text.
 */
export async function settle(
  services: Services,
  proposal: { id: string; folder: string },
  clash: ClashInfo,
  then: (waiting: boolean) => Promise<void>,
): Promise<void> {
  const { id, folder } = proposal;
  const name = fileName(clash.uri);
  const shown = await bringTogether(clash, async (text) => {
    const argument = { id, folder, uri: clash.uri, text, theirs: clash.theirs };
    try {
      const { waiting } = await runJob<InboxMergeAnswer>(services, INBOX_MERGE, argument);
      afterwards(() => then(waiting));
    } catch (error) {
      const [newest] = error instanceof Clash ? error.clashes : [];
      if (newest === undefined) {
        throw error;
      }
      afterwards(() => settle(services, proposal, newest, then));
    }
  });
  if (!shown) {
    const text =
      clash.theirs === null
        ? l10n.t(
            "{0} is gone, so nothing was written. Refuse the proposal, or save its text as a new memory.",
            name,
          )
        : l10n.t(
            "It was proposed to delete {0}, which was changed meanwhile. Nothing was deleted: refuse the proposal, or delete the memory yourself.",
            name,
          );
    void window.showInformationMessage(text);
    return;
  }
  const takeResult = l10n.t("Take the Result");
  const text = l10n.t(
    "{0} was changed after this was proposed, so nothing was written. Bring both texts together, then take the result.",
    name,
  );
  void window.showInformationMessage(text, takeResult).then((chosen) => {
    if (chosen === takeResult) {
      void commands.executeCommand("memdir.takeResult");
    }
  });
}

/** Runs when the editor has been told that the result is saved. */
function afterwards(work: () => Promise<void>): void {
  setTimeout(() => {
    work().catch((error: unknown) => {
      log().error(`bringing together: ${String(error)}`);
      void window.showErrorMessage(error instanceof Error ? error.message : String(error));
    });
  }, 0);
}
