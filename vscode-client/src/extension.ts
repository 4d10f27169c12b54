/** Composes the extension: server, model, views and commands. The only place that knows all of them. */

import * as fs from "node:fs";
import * as path from "node:path";
import { commands, type ExtensionContext, l10n, ProgressLocation, window, workspace } from "vscode";
import { ApiKey } from "./apiKey";
import type { Services } from "./commands/context";
import { openCommands } from "./commands/open";
import { serverCommands } from "./commands/server";
import { manifestKeys } from "./configuration";
import { loadedIndex } from "./context/loaded";
import { ContextPreview } from "./context/panel";
import { registerDocuments } from "./documents";
import { backgroundCommands } from "./jobs/background";
import { checkCommands } from "./jobs/check";
import { clashCommands } from "./jobs/clash";
import { JobCounts } from "./jobs/counts";
import { DoctorView } from "./jobs/doctorView";
import { fileCommands } from "./jobs/files";
import { moveCommands } from "./jobs/move";
import { newMemoryCommands } from "./jobs/newMemory";
import { NotesView } from "./jobs/notesView";
import { recallCommands } from "./jobs/recall";
import { Waiting } from "./jobs/review";
import { teamCommands } from "./jobs/team";
import { TeamItem } from "./jobs/teamItem";
import { undoCommands } from "./jobs/undo";
import { disposeLog, log } from "./log";
import { MemoryModel } from "./model";
import { discover } from "./server/discovery";
import * as managed from "./server/managed";
import { ServerManager, type ServerState } from "./server/manager";
import * as python from "./server/python";
import { extraDirectories, selectorLacks } from "./server/selector";
import { RESTART_SETTINGS, serverSettings } from "./settings";
import { LostPart } from "./views/lost";
import { Sidebar } from "./views/sidebar";
import { StatusItem } from "./views/status";

/** Directories beside the default places, so that the next window has them from the start. */
const DIRECTORIES_KEY = "memdir.directories";

/** What the tests inside the editor see. */
export interface Api {
  readonly services: Services;
}

let manager: ServerManager | undefined;

export function activate(context: ExtensionContext): Api {
  const output = log();
  const storage = context.globalStorageUri.fsPath;
  fs.mkdirSync(storage, { recursive: true });

  const apiKey = new ApiKey(context, () => void manager?.restart("the key for the model service changed"));
  manager = new ServerManager({
    output,
    cwd: storage,
    settings: () => serverSettings(workspace.workspaceFolders?.[0]),
    discover: (settings) =>
      discover(settings, {
        executable: python.probeExecutable,
        interpreter: python.probeInterpreter,
        workspacePython: () => python.workspacePython(workspace.workspaceFolders?.[0]?.uri),
        virtualEnv: () => python.virtualEnvPython(),
        which: (name) => python.which(name),
        managed: () => managedEnvironment(context, storage, settings.basePython),
        compatible: (version) => compatible(version, String(context.extension.packageJSON.version)),
      }),
    directories: () => context.workspaceState.get<string[]>(DIRECTORIES_KEY, []),
    credentials: () => apiKey.environment(),
    settingKeys: manifestKeys(context.extension.packageJSON),
  });
  const server = manager;
  const model = new MemoryModel();
  const services: Services = { context, apiKey, manager: server, model };
  const sidebar = new Sidebar(services);
  const counts = new JobCounts(services);
  const waiting = new Waiting(services, counts);
  const statusItem = new StatusItem();
  const showState = (state: ServerState): void => {
    sidebar.showState(state);
    statusItem.update(state, model.status);
  };
  showState(server.state);

  context.subscriptions.push(
    apiKey,
    model,
    sidebar,
    statusItem,
    server.onDidChangeState((state) => {
      model.attach(state.kind === "running" ? state.client : undefined);
      showState(state);
      if (state.kind === "failed" || state.kind === "missing") {
        void announce(state);
      }
    }),
    model.onDidChangeStatus(async (status) => {
      statusItem.update(server.state, status);
      const wanted = extraDirectories(status.folders);
      if (server.running !== undefined && selectorLacks(server.covered, wanted)) {
        await context.workspaceState.update(DIRECTORIES_KEY, wanted);
        await server.restart("memory lies outside the default places");
      }
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (RESTART_SETTINGS.some((setting) => event.affectsConfiguration(setting))) {
        void server.restart("its settings changed");
      }
    }),
    workspace.onDidGrantWorkspaceTrust(() => void server.restart("the workspace is trusted now")),
    ...serverCommands(services),
    ...openCommands(services),
    ...registerDocuments(),
    ...loadedIndex(services),
    new ContextPreview(services),
    new LostPart(),
    ...newMemoryCommands(services),
    ...fileCommands(services, () => sidebar.selection),
    ...checkCommands(services),
    ...moveCommands(services),
    ...undoCommands(services),
    ...clashCommands(),
    ...recallCommands(services),
    counts,
    waiting,
    new DoctorView(services, waiting),
    new TeamItem(services, counts),
    new NotesView(services, counts),
    ...backgroundCommands(services, waiting),
    ...teamCommands(services),
  );
  void server.restart("the window opened");
  return { services };
}

export async function deactivate(): Promise<void> {
  await manager?.dispose();
  manager = undefined;
  disposeLog();
}

/** Versions with the same major and minor number speak the same protocol. */
function compatible(server: string, extension: string): boolean {
  const series = (version: string): string => version.split(".").slice(0, 2).join(".");
  return series(server) === series(extension);
}

async function managedEnvironment(
  context: ExtensionContext,
  storage: string,
  basePython: string,
): Promise<managed.ManagedResult> {
  const wheels = path.join(context.extensionPath, "bundled", "wheels");
  const bundle = managed.readBundle(wheels);
  if (bundle === undefined) {
    return { error: l10n.t("this build of the extension carries no server") };
  }
  const ready = managed.existing(storage, bundle);
  if (ready !== undefined) {
    return ready;
  }
  return window.withProgress(
    { location: ProgressLocation.Notification, title: l10n.t("Memory: first start"), cancellable: true },
    (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      return managed.create(
        {
          storage,
          wheels,
          basePython: basePython === "" ? undefined : basePython,
          report: (message) => progress.report({ message }),
          log: (line) => log().info(line),
          signal: abort.signal,
        },
        bundle,
      );
    },
  );
}

async function announce(state: ServerState & { kind: "failed" | "missing" }): Promise<void> {
  const again = l10n.t("Restart server");
  const explain = state.kind === "missing" ? l10n.t("Explain") : l10n.t("Show output");
  const text =
    state.kind === "missing"
      ? l10n.t("Memory needs a Python environment with the memdir package, and none was found.")
      : state.message;
  const chosen = await window.showWarningMessage(text, again, explain);
  if (chosen === again) {
    await manager?.restartByHand();
  } else if (chosen === explain) {
    await commands.executeCommand(state.kind === "missing" ? "memdir.whyNoServer" : "memdir.showOutput");
  }
}
