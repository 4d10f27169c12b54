/** Consolidation, extraction and session notes: jobs that make proposals, and what decides whether they run. */

import {
  commands,
  type Disposable,
  env,
  l10n,
  ProgressLocation,
  type QuickPickItem,
  QuickPickItemKind,
  window,
} from "vscode";
import { Explained, pickFolder, type Services } from "../commands/context";
import { register } from "../commands/register";
import { showText } from "../documents";
import type { FolderStatus, TreeNode } from "../protocol";
import type { Credentials } from "../util/credentials";
import type { NotesRow } from "./notesView";
import {
  CONSOLIDATE,
  CONTINUE,
  type ConsolidateAnswer,
  type ContinueAnswer,
  EXTRACT,
  type ExtractAnswer,
  JOBS,
  type JobState,
  MERGE,
} from "./protocol";
import type { Waiting } from "./review";
import { runJob, runWithProgress } from "./run";
import { saveFirst } from "./unsaved";

export function backgroundCommands(services: Services, waiting: Waiting): Disposable[] {
  const withFolder =
    (job: (folder: FolderStatus) => Promise<void>) =>
    async (node?: TreeNode): Promise<void> => {
      const folder = await pickFolder(services, node);
      if (folder !== undefined) {
        await job(folder);
      }
    };
  return [
    register(
      "memdir.consolidate",
      withFolder((folder) => consolidate(services, waiting, folder, false)),
    ),
    register(
      "memdir.extract",
      withFolder((folder) => extract(services, waiting, folder)),
    ),
    register("memdir.continueSession", async (row?: NotesRow) => {
      const folder = row?.kind === "session" ? row.folder : await pickFolder(services);
      if (folder !== undefined) {
        await continueSession(services, folder, row?.one.session ?? "");
      }
    }),
    register(
      "memdir.jobs",
      withFolder((folder) => jobStates(services, folder)),
    ),
    register("memdir.mergeMemories", (_node: TreeNode, nodes?: TreeNode[]) => merge(services, nodes ?? [])),
  ];
}

async function consolidate(
  services: Services,
  waiting: Waiting,
  folder: FolderStatus,
  force: boolean,
): Promise<void> {
  if (!(await saveFirst(folder))) {
    return; // it looks at the disk
  }
  const answer = await runWithProgress<ConsolidateAnswer>(
    services,
    ProgressLocation.Notification,
    l10n.t("Consolidating memory"),
    CONSOLIDATE,
    { folder: folder.uri, force },
  );
  if (answer === undefined) {
    return;
  }
  if (!answer.due && !force) {
    const now = l10n.t("Consolidate now");
    if ((await window.showInformationMessage(answer.message, now)) === now) {
      await consolidate(services, waiting, folder, true);
    }
    return;
  }
  if (answer.review !== null) {
    await waiting.reveal(answer.review);
  }
  void sayOutcome(services, answer);
}

async function extract(services: Services, waiting: Waiting, folder: FolderStatus): Promise<void> {
  const answer = await runWithProgress<ExtractAnswer>(
    services,
    ProgressLocation.Notification,
    l10n.t("Reading the last session"),
    EXTRACT,
    { folder: folder.uri },
  );
  if (answer === undefined) {
    return;
  }
  if (answer.items > 0) {
    await waiting.reveal(null);
  }
  void sayOutcome(services, answer);
}

/** What a job did; where it did without a model because there is no key, with the way to one. */
async function sayOutcome(
  services: Services,
  answer: { message: string; notes: string[]; byModel: boolean },
): Promise<void> {
  const set = l10n.t("Set API Key");
  const without = !answer.byModel && (await services.apiKey.look()).source === "none";
  const text = [answer.message, ...answer.notes].join(" ");
  if ((await window.showInformationMessage(text, ...(without ? [set] : []))) === set) {
    await commands.executeCommand("memdir.setApiKey");
  }
}

/** The text with which an agent goes on, shown and ready to be pasted. */
async function continueSession(services: Services, folder: FolderStatus, session: string): Promise<void> {
  const answer = await runWithProgress<ContinueAnswer>(
    services,
    ProgressLocation.Notification,
    l10n.t("Preparing the text to continue with"),
    CONTINUE,
    { folder: folder.uri, session },
  );
  if (answer === undefined) {
    return;
  }
  await showText(`${l10n.t("Continue the session")}.md`, answer.text);
  const copy = l10n.t("Copy");
  const text = [l10n.t("Give this text to a new session."), ...answer.notes].join(" ");
  if ((await window.showInformationMessage(text, copy)) === copy) {
    await env.clipboard.writeText(answer.text);
  }
}

const STATE_ICONS = { on: "pass", limited: "warning", off: "circle-slash" } as const;

async function jobStates(services: Services, folder: FolderStatus): Promise<void> {
  const states = await runJob<JobState[]>(services, JOBS, { folder: folder.uri });
  const rows: (QuickPickItem & { act?: () => Thenable<unknown> })[] = states.map((one) => ({
    label: `$(${STATE_ICONS[one.state]}) ${one.label}`,
    detail: one.message,
    act: () => commands.executeCommand("workbench.action.openSettings", one.setting),
  }));
  const chosen = await window.showQuickPick(
    [
      ...rows,
      { label: l10n.t("model service"), kind: QuickPickItemKind.Separator },
      {
        label: `$(key) ${l10n.t("Set API Key")}`,
        detail: keyText(await services.apiKey.look()),
        act: () => commands.executeCommand("memdir.setApiKey"),
      },
    ],
    {
      title: l10n.t("Memory jobs of this repository"),
      placeHolder: l10n.t("Choose one to open its setting"),
    },
  );
  await chosen?.act?.();
}

/** Where the key comes from that the jobs use now. */
function keyText(found: Credentials): string {
  switch (found.source) {
    case "environment":
      return l10n.t("{0} in the environment of the editor is used.", found.variable);
    case "kept":
      return l10n.t("The key in the editor's secret storage is used.");
    case "withheld":
      return l10n.t(
        "The kept key was given for {0} and is not handed out to another address.",
        found.kept.address,
      );
    case "none":
      return l10n.t("There is no key: the jobs do what needs no model.");
  }
}

/** Merges the selected memories; the server shows the result before anything is written. */
async function merge(services: Services, nodes: readonly TreeNode[]): Promise<void> {
  const uris = nodes.filter((node) => node.kind === "memory").map((node) => node.uri);
  if (uris.length < 2) {
    throw new Explained(l10n.t("Select two or more memories in the sidebar first."));
  }
  await runWithProgress(services, ProgressLocation.Notification, l10n.t("Merging memories"), MERGE, { uris });
}
