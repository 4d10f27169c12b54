/** A file that changed while a proposal waited: the editor's own merge view, with all three texts. */

import { commands, type Disposable, l10n, TabInputTextDiff, Uri, window, workspace } from "vscode";
import { register } from "../commands/register";
import { virtualDocument } from "../documents";
import { log } from "../log";
import { fileName } from "../views/shape";
import { MERGE_SCHEME, type Merge, MergeFiles } from "./mergeFiles";
import type { ClashInfo } from "./protocol";

/** VS Code's own merge editor has no public command; other editors of its family lack this one. */
const MERGE_EDITOR = "_open.mergeEditor";

export function clashCommands(): Disposable[] {
  return [
    MergeFiles.register(),
    register("memdir.compareClash", async (...clashes: ClashInfo[]) => {
      for (const clash of clashes) {
        await compare(clash);
      }
    }),
    register("memdir.takeResult", takeResult),
  ];
}

/** Saves the result that is shown; does nothing beside other editors. */
async function takeResult(): Promise<void> {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof TabInputTextDiff) {
    if (input.modified.scheme === MERGE_SCHEME) {
      await commands.executeCommand("workbench.action.files.save");
    }
    return;
  }
  await commands.executeCommand("mergeEditor.acceptMerge"); // looks itself whether it is one
}

let serial = 0;

/**
 * Shows base, present and proposed text of a clash, and a result to edit. Saving the result (in the merge editor:
 * "Complete Merge") calls `take` with it; the file itself is not touched here. True when all of it could be shown.
 */
export async function bringTogether(
  clash: ClashInfo,
  take: (text: string) => Promise<void>,
): Promise<boolean> {
  const { base, theirs, mine } = clash;
  if (theirs === null || mine === null) {
    await sideBySide(clash);
    return false;
  }
  serial += 1;
  const name = nameOf(clash);
  const begin = (text: string): Uri => MergeFiles.begin(name, serial, { text, take } satisfies Merge);
  const wanted = workspace.getConfiguration("memdir").get<"merge" | "diff">("clash.view", "merge");
  if (
    base !== null &&
    wanted === "merge" &&
    (await mergeEditor({ ...clash, base, theirs, mine }, begin(theirs)))
  ) {
    return true;
  }
  await commands.executeCommand(
    "vscode.diff",
    virtualDocument(name, theirs, `present ${serial}`),
    begin(mine),
    l10n.t("{0}: as it is now, and the result to save", name),
  );
  return true;
}

/** A clash that is only looked at: the result, if any, goes into the file itself. */
async function compare(clash: ClashInfo): Promise<void> {
  const { base, theirs, mine } = clash;
  serial += 1;
  if (base === null || theirs === null || mine === null) {
    await sideBySide(clash);
    return;
  }
  const output = Uri.parse(clash.uri);
  try {
    await workspace.openTextDocument(output); // the result is written into it
  } catch {
    await sideBySide(clash);
    return;
  }
  if (!(await mergeEditor({ ...clash, base, theirs, mine }, output))) {
    await sideBySide(clash);
  }
}

type Known = ClashInfo & { base: string; theirs: string; mine: string };

/** False where there is no merge editor. */
async function mergeEditor(clash: Known, output: Uri): Promise<boolean> {
  const name = nameOf(clash);
  const side = (what: string, text: string): Uri => virtualDocument(name, text, `${what} ${serial}`);
  try {
    await commands.executeCommand(MERGE_EDITOR, {
      base: side("before", clash.base),
      input1: { uri: side("present", clash.theirs), title: l10n.t("The file as it is now") },
      input2: { uri: side("proposed", clash.mine), title: l10n.t("What was proposed") },
      output,
    });
    return true;
  } catch (error) {
    log().warn(`merge editor: ${String(error)}`);
    return false;
  }
}

async function sideBySide(clash: ClashInfo): Promise<void> {
  const name = nameOf(clash);
  const present = virtualDocument(name, clash.theirs ?? "", "present");
  const mine = virtualDocument(name, clash.mine ?? "", "proposed");
  await commands.executeCommand("vscode.diff", present, mine, l10n.t("{0}: now, and as proposed", name));
}

const nameOf = (clash: ClashInfo): string => fileName(clash.uri) || "memory.md";
