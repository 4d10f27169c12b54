/** What of team memory waits for a person: both texts of a conflict side by side, doubtful files before they are let in. */

import {
  commands,
  l10n,
  Range,
  TabInputText,
  type TextEditor,
  type TextEditorDecorationType,
  ThemeColor,
  Uri,
  window,
  workspace,
} from "vscode";
import type { Services } from "../commands/context";
import { SCHEME, showText, virtualDocument } from "../documents";
import { invisibles } from "../util/invisible";
import { openFile } from "../util/open";
import type { TeamRow } from "./proposalRows";
import {
  TEAM_CONFLICT,
  TEAM_HELD,
  TEAM_JUDGE,
  TEAM_RESOLVE,
  type TeamConflict,
  type TeamFile,
  type TeamHeld,
} from "./protocol";
import { runJob } from "./run";

export async function openMatter(services: Services, row: TeamRow): Promise<void> {
  switch (row.matter) {
    case "conflict":
      await conflict(services, row.folder, row.file);
      return;
    case "held":
      await held(services, row.folder, row.file);
      return;
    case "blocked":
      await commands.executeCommand("vscode.open", Uri.parse(row.file.uri));
  }
}

/** Both texts side by side; the person keeps one. */
export async function conflict(services: Services, folder: string, file: TeamFile): Promise<void> {
  const both = await runJob<TeamConflict>(services, TEAM_CONFLICT, { folder, key: file.key });
  const mine = virtualDocument(file.key, both.mine ?? "", "mine");
  const theirs = virtualDocument(file.key, both.theirs ?? "", "team");
  await commands.executeCommand("vscode.diff", mine, theirs, l10n.t("{0}: mine and the team's", file.key));
  const keepMine = l10n.t("Keep mine and send it");
  const keepTheirs = l10n.t("Keep the team's");
  const chosen = await window.showInformationMessage(
    l10n.t("{0} was changed by {1} too. Which text stays?", file.key, both.author),
    ...(both.mine === null ? [] : [keepMine]),
    keepTheirs,
  );
  if (chosen !== undefined) {
    await keep(services, folder, file, chosen === keepMine ? "mine" : "theirs");
  }
}

/** Ends a conflict. */
export async function keep(
  services: Services,
  folder: string,
  file: TeamFile,
  which: "mine" | "theirs",
): Promise<void> {
  await runJob(services, TEAM_RESOLVE, { folder, key: file.key, keep: which });
  const text =
    which === "mine"
      ? l10n.t("$(check) Your text of {0} is back and will be sent", file.key)
      : l10n.t("$(check) The team's text of {0} stays", file.key);
  window.setStatusBarMessage(text, 5000);
}

/** A file from the team that something is doubtful about: read it, then let it in or not. */
export async function held(services: Services, folder: string, file: TeamFile): Promise<void> {
  const found = await runJob<TeamHeld>(services, TEAM_HELD, { folder, key: file.key });
  markInvisible(await showText(heldName(file.key), found.text));
  const letIn = l10n.t("Let it in");
  const turnDown = l10n.t("Turn it down");
  const chosen = await window.showWarningMessage(
    l10n.t("{0} by {1}: {2}", file.key, found.author, found.why.join(" ")),
    turnDown, // the first button is the one that stands out
    letIn,
  );
  if (chosen !== undefined) {
    await judge(services, folder, file, chosen === letIn);
  }
}

export function judgeHeld(services: Services, row: TeamRow, accept: boolean): Promise<void> {
  return judge(services, row.folder, row.file, accept);
}

/** Decides; what was looked at in quarantine goes on as the memory, or its editor is closed. */
async function judge(services: Services, folder: string, file: TeamFile, accept: boolean): Promise<void> {
  await runJob(services, TEAM_JUDGE, { folder, key: file.key, accept });
  const name = `/${heldName(file.key).replaceAll("/", "∕")}`;
  const tabs = window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) => input instanceof TabInputText && input.uri.scheme === SCHEME && input.uri.path === name,
    );
  if (tabs.length > 0) {
    await window.tabGroups.close(tabs);
    if (accept) {
      await openFile(Uri.parse(file.uri));
    }
  }
}

const heldName = (key: string): string => `held ${key}`;

let marks: TextEditorDecorationType | undefined;

/** Writes the name of each invisible character where it stands: Markdown editors don't show them. */
function markInvisible(editor: TextEditor): void {
  marks ??= window.createTextEditorDecorationType({});
  const drawn = workspace.getConfiguration("editor").get("renderControlCharacters", true);
  editor.setDecorations(
    marks,
    invisibles(editor.document.getText(), drawn).map(({ line, start, end, name }) => ({
      range: new Range(line, start, line, end),
      renderOptions: {
        before: {
          contentText: name,
          color: new ThemeColor("editorUnicodeHighlight.border"),
          border: "1px solid",
          margin: "0 1px",
        },
      },
    })),
  );
}
