/** A file that changed while a proposal waited: the editor's own merge view, with all three texts. */

import { commands, type Disposable, l10n, Uri, workspace } from "vscode";
import { register } from "../commands/register";
import { virtualDocument } from "../documents";
import { log } from "../log";
import { fileName } from "../views/shape";
import type { ClashInfo } from "./protocol";

export function clashCommands(): Disposable[] {
  return [
    register("memdir.compareClash", async (...clashes: ClashInfo[]) => {
      for (const clash of clashes) {
        await compare(clash);
      }
    }),
  ];
}

/** The merge editor where all three texts are known and the file is there, else the two texts side by side. */
async function compare(clash: ClashInfo): Promise<void> {
  const output = Uri.parse(clash.uri);
  const name = fileName(clash.uri) || "memory.md";
  const mine = virtualDocument(name, clash.mine ?? "", "proposed");
  if (clash.base !== null && clash.mine !== null && clash.theirs !== null) {
    const theirs = virtualDocument(name, clash.theirs, "present");
    const base = virtualDocument(name, clash.base, "before");
    try {
      await workspace.openTextDocument(output); // the result is written into it
      await commands.executeCommand("_open.mergeEditor", {
        base,
        input1: { uri: theirs, title: l10n.t("The file as it is now") },
        input2: { uri: mine, title: l10n.t("What was proposed") },
        output,
      });
      return;
    } catch (error) {
      log().warn(`merge editor: ${String(error)}`);
    }
  }
  const present = virtualDocument(name, clash.theirs ?? "", "present");
  await commands.executeCommand("vscode.diff", present, mine, l10n.t("{0}: now, and as proposed", name));
}
