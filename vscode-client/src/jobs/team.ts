/** Team memory: how it stands, pull and push, conflicts and what is held back. */

import {
  commands,
  type Disposable,
  l10n,
  ProgressLocation,
  type QuickPickItem,
  QuickPickItemKind,
  Uri,
  window,
} from "vscode";
import { Explained, pickFolder, type Services } from "../commands/context";
import { register } from "../commands/register";
import type { FolderStatus } from "../protocol";
import {
  TEAM_PULL,
  TEAM_PUSH,
  TEAM_STATUS,
  type TeamFile,
  type TeamReport,
  type TeamStatus,
} from "./protocol";
import { runJob, runWithProgress } from "./run";
import { conflict, held } from "./teamMatters";
import { askToken, handOver, signIn, signOut } from "./teamToken";

type Row = QuickPickItem & { act?: () => Thenable<unknown> };

export function teamCommands(services: Services): Disposable[] {
  const withFolder = (job: (folder: FolderStatus) => Promise<void>) => async (): Promise<void> => {
    const folder = await pickFolder(services);
    if (folder !== undefined) {
      await job(folder);
    }
  };
  return [
    register(
      "memdir.teamStatus",
      withFolder((folder) => showStatus(services, folder)),
    ),
    register(
      "memdir.teamPull",
      withFolder((folder) => sync(services, folder, TEAM_PULL)),
    ),
    register(
      "memdir.teamPush",
      withFolder((folder) => sync(services, folder, TEAM_PUSH)),
    ),
    register(
      "memdir.teamSignIn",
      withFolder((folder) => signIn(services, folder)),
    ),
    register("memdir.teamSignOut", () => signOut(services)),
    services.manager.onDidChangeState((state) => {
      if (state.kind === "running") {
        void handOver(services);
      }
    }),
  ];
}

async function statusOf(services: Services, folder: FolderStatus): Promise<TeamStatus> {
  const status = await runJob<TeamStatus>(services, TEAM_STATUS, { folder: folder.uri });
  if (status.needsToken !== undefined && (await askToken(services, status.needsToken))) {
    return runJob<TeamStatus>(services, TEAM_STATUS, { folder: folder.uri });
  }
  return status;
}

async function sync(services: Services, folder: FolderStatus, command: string): Promise<void> {
  const status = await statusOf(services, folder);
  if (status.transport === "off" || status.why !== null) {
    throw switchedOff(status);
  }
  const title = command === TEAM_PULL ? l10n.t("Pulling team memory") : l10n.t("Pushing team memory");
  const report = await runWithProgress<TeamReport>(services, ProgressLocation.Notification, title, command, {
    folder: folder.uri,
  });
  if (report === undefined) {
    return;
  }
  const details = l10n.t("Details");
  const outcome = report.message ?? report.lines[0] ?? l10n.t("Nothing to do.");
  const text = report.attention ? `${outcome} ${l10n.t("Something waits for your decision.")}` : outcome;
  const again = l10n.t("Sign In");
  const failed = report.outcome === "failed" || report.outcome === "suppressed";
  const offered = [
    ...(failed && status.transport === "service" ? [again] : []),
    ...(report.lines.length > 0 || report.attention ? [details] : []),
  ];
  const show = failed ? window.showErrorMessage : window.showInformationMessage;
  const chosen = await show(text, ...offered);
  if (chosen === details) {
    await showStatus(services, folder);
  } else if (chosen === again) {
    await signIn(services, folder);
  }
}

function switchedOff(status: TeamStatus): Explained {
  return new Explained(status.why ?? l10n.t("Team memory is off."), [
    { title: l10n.t("Open settings"), command: "workbench.action.openSettings", args: ["memdir.team"] },
  ]);
}

async function showStatus(services: Services, folder: FolderStatus): Promise<void> {
  const status = await statusOf(services, folder);
  if (status.transport === "off") {
    throw switchedOff(status);
  }
  const chosen = await window.showQuickPick(rows(services, folder, status), {
    title: l10n.t("Team memory: {0}", status.repository || status.root),
    placeHolder: status.failure ?? status.why ?? status.notes.join(" "),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  await chosen?.act?.();
}

function rows(services: Services, folder: FolderStatus, status: TeamStatus): Row[] {
  const when = (time: string | null): string =>
    time === null ? l10n.t("never") : new Date(time).toLocaleString();
  const section = (
    label: string,
    files: readonly TeamFile[],
    icon: string,
    act: (file: TeamFile) => Thenable<unknown>,
  ): Row[] =>
    files.length === 0
      ? []
      : [
          { label, kind: QuickPickItemKind.Separator },
          ...files.map((file) => ({
            label: `$(${icon}) ${file.key}`,
            detail: file.why.join(" "),
            act: () => act(file),
          })),
        ];
  const open = (file: TeamFile) => commands.executeCommand("vscode.open", Uri.parse(file.uri));
  return [
    {
      label: `$(cloud-download) ${l10n.t("Pull")}`,
      description: when(status.lastPull),
      act: () => sync(services, folder, TEAM_PULL),
    },
    {
      label: `$(cloud-upload) ${l10n.t("Push")}`,
      description: when(status.lastPush),
      act: () => sync(services, folder, TEAM_PUSH),
    },
    ...section(l10n.t("conflicts"), status.conflicts, "warning", (file) =>
      conflict(services, folder.uri, file),
    ),
    ...section(l10n.t("held back, because something is doubtful"), status.held, "shield", (file) =>
      held(services, folder.uri, file),
    ),
    ...section(l10n.t("blocked: a credential or personal data"), status.blocked, "lock", open),
    ...section(l10n.t("refused by the service"), status.refused, "error", open),
    ...section(l10n.t("will be sent"), status.pending, "arrow-up", open),
    ...section(l10n.t("gone here, still with the team"), status.removed, "trash", open),
  ];
}
