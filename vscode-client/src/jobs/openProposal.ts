/** Looking at a proposal: a new memory as a file to edit, changes side by side, the conversation at its line. */

import { commands, l10n, Range, TabInputText, TabInputTextDiff, Uri, window, workspace } from "vscode";
import { virtualDocument } from "../documents";
import { fileName } from "../views/shape";
import { INBOX_SCHEME, inboxUri } from "./inboxFiles";
import type { InboxEvidence, InboxItem, Review, ReviewFile } from "./protocol";

export async function openItem(item: InboxItem): Promise<void> {
  if (item.text === null) {
    const [first] = item.evidence;
    if (first !== undefined) {
      await openEvidence(first);
    }
    return;
  }
  if (item.before === null) {
    await commands.executeCommand("vscode.open", inboxUri(item));
    return;
  }
  const before = virtualDocument(fileName(item.uri) || "memory.md", item.before, `before ${item.id}`);
  await commands.executeCommand("vscode.diff", before, inboxUri(item), item.title);
}

/** The session's file at the line where the words were said. */
export async function openEvidence(evidence: InboxEvidence): Promise<void> {
  if (evidence.uri === "") {
    return;
  }
  const line = Math.max(evidence.line, 0);
  await commands.executeCommand("vscode.open", Uri.parse(evidence.uri), {
    preview: true,
    ...(evidence.line < 0 ? {} : { selection: new Range(line, 0, line, 0) }),
  });
}

/** Changes to the proposal that are still only in the editor belong to it. */
export async function saveOpen(item: InboxItem): Promise<void> {
  const uri = inboxUri(item).toString();
  const open = workspace.textDocuments.find(
    (one) => one.uri.scheme === INBOX_SCHEME && one.uri.toString() === uri,
  );
  if (open?.isDirty) {
    await open.save();
  }
}

/** Closes the editors of a proposal that is decided; true when there was one. */
export async function closeItem(item: InboxItem): Promise<boolean> {
  const uri = inboxUri(item).toString();
  const tabs = window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => {
      const shown =
        input instanceof TabInputText
          ? input.uri
          : input instanceof TabInputTextDiff
            ? input.modified
            : undefined;
      return shown?.toString() === uri;
    });
  if (tabs.length > 0) {
    await window.tabGroups.close(tabs);
  }
  return tabs.length > 0;
}

const sides = (review: Review, file: ReviewFile): [Uri | undefined, Uri | undefined] => {
  const side = (name: string, text: string | null): Uri | undefined =>
    text === null ? undefined : virtualDocument(file.label, text, `${name} ${review.id}`);
  return [side("before", file.before), side("proposed", file.after)];
};

export async function openDiff(review: Review, file: ReviewFile): Promise<void> {
  const nothing = virtualDocument(file.label, "", "nothing");
  const [before, after] = sides(review, file);
  const title = l10n.t("Proposal: {0}", file.label);
  await commands.executeCommand("vscode.diff", before ?? nothing, after ?? nothing, title);
}

/** Every change of a proposal in one editor. */
export async function openChanges(review: Review): Promise<void> {
  const changes = review.files.map((file) => [Uri.parse(file.uri), ...sides(review, file)]);
  await commands.executeCommand("vscode.changes", review.title, changes);
}
