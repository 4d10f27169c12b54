/** Makes the language client for one launch of the server. */

import * as path from "node:path";
import { commands, type LogOutputChannel, Uri, workspace } from "vscode";
import {
  CancellationToken,
  type CloseHandlerResult,
  DidChangeConfigurationNotification,
  ErrorAction,
  type ErrorHandler,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  type ServerOptions,
} from "vscode-languageclient/node";
import { settingsFor } from "../configuration";
import { SAVE_SELECTION } from "../jobs/protocol";
import { CLIENT_COMMANDS_IN_MARKDOWN } from "../protocol";
import { SECTION } from "../settings";
import type { Launch } from "./launch";
import { OwnRenames } from "./ownRenames";
import { documentSelector } from "./selector";

export interface ClientOptions {
  launch: Launch;
  extraArgs: readonly string[];
  /** Directories beside the default places that hold memory. */
  directories: readonly string[];
  /** Working directory of the process: never the workspace, whose files it must not import. */
  cwd: string;
  output: LogOutputChannel;
  /** The key for the model service, where the editor's environment has none. */
  credentials: NodeJS.ProcessEnv;
  /** Settings that the server may ask for. */
  settingKeys: readonly string[];
  onClosed(): CloseHandlerResult;
}

/** Requests whose answers hold edits. */
const EDITS = new Set(["textDocument/rename", "textDocument/codeAction", "codeAction/resolve"]);

/** The manager tells a person what went wrong, once and in their language; the library's own pop-ups would double it. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown, _show?: boolean | "force"): void {
    super.error(message, data, false);
  }

  override info(message: string, data?: unknown, _show?: boolean): void {
    super.info(message, data, false);
  }
}

export function createClient(options: ClientOptions): LanguageClient {
  const server: ServerOptions = {
    command: options.launch.command,
    args: [...options.launch.args, ...options.extraArgs],
    options: { cwd: options.cwd, env: serverEnvironment(options.launch, options.credentials) },
  };
  const errorHandler: ErrorHandler = {
    error: (_error, _message, count) => ({
      action: (count ?? 0) <= 3 ? ErrorAction.Continue : ErrorAction.Shutdown,
      handled: true,
    }),
    closed: options.onClosed,
  };
  const own = new OwnRenames();
  const clientOptions: LanguageClientOptions = {
    documentSelector: documentSelector(options.directories),
    diagnosticCollectionName: SECTION,
    outputChannel: options.output,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    errorHandler,
    initializationOptions: {
      trusted: workspace.isTrusted,
      showReferences: true,
      settings: settingsFor(options.settingKeys),
    },
    synchronize: { configurationSection: SECTION },
    middleware: {
      sendRequest: async (type, param, token, next) => {
        const answer = await next(type, param, token);
        if (EDITS.has(typeof type === "string" ? type : type.method)) {
          own.note(answer);
        }
        return answer;
      },
      // The selection is saved by our own flow, which asks more than the server can ask any editor
      executeCommand: (command, args, next) =>
        command === SAVE_SELECTION
          ? commands.executeCommand("memdir.saveSelection", ...args)
          : next(command, args),
      workspace: {
        handleApplyEdit: (params, next) => {
          own.note(params);
          return next(params, CancellationToken.None);
        },
        willRenameFiles: (event, next) => {
          const files = event.files.filter((f) => !own.take(f.oldUri.toString(), f.newUri.toString()));
          return files.length === 0 ? Promise.resolve(null) : next({ ...event, files });
        },
        configuration: (params) =>
          params.items.map((item) =>
            item.section === SECTION
              ? settingsFor(
                  options.settingKeys,
                  item.scopeUri === undefined ? undefined : Uri.parse(item.scopeUri),
                )
              : null,
          ),
        didChangeConfiguration: () =>
          client.sendNotification(DidChangeConfigurationNotification.type, {
            settings: { [SECTION]: settingsFor(options.settingKeys) },
          }),
      },
    },
    markdown: { isTrusted: { enabledCommands: CLIENT_COMMANDS_IN_MARKDOWN }, supportHtml: false },
    initializationFailedHandler: () => false,
  };
  const client = new QuietClient(SECTION, "Memory", server, clientOptions);
  return client;
}

/** The editor's environment; Python flushes its log at once and keeps UTF-8 whatever the locale says. */
function serverEnvironment(launch: Launch, credentials: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...credentials,
    PYTHONUTF8: "1",
    PYTHONUNBUFFERED: "1",
  };
  if (launch.source === "managed") {
    delete env.PYTHONPATH;
    delete env.PYTHONHOME;
    env.VIRTUAL_ENV = path.dirname(path.dirname(launch.command));
  }
  return env;
}
