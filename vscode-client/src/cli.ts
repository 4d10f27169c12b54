/**
 * The `memdir` program beside the server: jobs that read or change memory on disk and answer once. Each runs as a
 * process of its own, so that a long one can be cancelled and never holds up the editor's questions to the server.
 */

import { spawn } from "node:child_process";
import { type CancellationToken, env, l10n, workspace } from "vscode";
import { Explained, type Services, serverUnavailable } from "./commands/context";
import { log } from "./log";
import { type Launch, MODULE_ARGS } from "./server/launch";

export interface CliResult {
  /** 0 done or clean, 1 findings or questions, 2 could not run. */
  code: number;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  /** Directory that the command is about. */
  cwd: string;
  /** Text for its standard input. */
  input?: string;
  token?: CancellationToken;
}

/** The command line of a job, from how the server itself was started. Pure. */
export function commandLine(launch: Launch, args: readonly string[]): { command: string; args: string[] } {
  const asModule = launch.args.includes(MODULE_ARGS[1]);
  return { command: launch.command, args: [...(asModule ? MODULE_ARGS : []), ...args] };
}

/** What the program can't find out by itself: without it, it would look for memory elsewhere than the server does. */
function workspaceFacts(): Record<string, string> {
  const allowed = workspace.getConfiguration("memdir").get<boolean | null>("allowProjectDirectory");
  return {
    MEMDIR_TRUSTED: workspace.isTrusted ? "1" : "0",
    ...(typeof allowed === "boolean" ? { MEMDIR_ALLOW_PROJECT_DIRECTORY: allowed ? "1" : "0" } : {}),
  };
}

/** Runs a job; rejects when no server (and so no program) was found, or when it was cancelled. */
export async function runCli(
  services: Services,
  args: readonly string[],
  options: CliOptions,
): Promise<CliResult> {
  const { state } = services.manager;
  if (state.kind !== "running") {
    throw serverUnavailable();
  }
  const credentials = await services.apiKey.environment();
  const line = commandLine(state.launch, args);
  log().debug(`${line.command} ${line.args.join(" ")}`);
  return new Promise((resolve, reject) => {
    const child = spawn(line.command, line.args, {
      cwd: options.cwd,
      env: {
        ...process.env,
        ...credentials,
        ...workspaceFacts(),
        PYTHONUTF8: "1",
        MEMDIR_LANG: env.language,
        NO_COLOR: "1",
      },
      windowsHide: true,
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const cancelled = options.token?.onCancellationRequested(() => child.kill());
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.stdin.on("error", () => undefined); // a program that does not read its input may end before it is written
    child.stdin.end(options.input ?? "");
    child.on("error", reject);
    child.on("close", (code) => {
      cancelled?.dispose();
      const stderr = Buffer.concat(err).toString("utf8");
      if (stderr.trim() !== "") {
        log().info(`${args[0]}: ${stderr.trim()}`);
      }
      resolve({ code: code ?? 2, stdout: Buffer.concat(out).toString("utf8"), stderr });
    });
  });
}

/** A job whose answer is one JSON value; code 2 becomes the sentence that the program gave. */
export async function runJson<T>(
  services: Services,
  args: readonly string[],
  options: CliOptions,
): Promise<T> {
  const result = await runCli(services, args, options);
  return parseAnswer<T>(result);
}

export function parseAnswer<T>(result: CliResult): T {
  if (result.code !== 0 && result.code !== 1) {
    throw new Explained(reason(result));
  }
  try {
    return JSON.parse(result.stdout) as T;
  } catch {
    throw new Error(reason(result));
  }
}

/** What the program said about a failure, without its name in front. */
export function reason(result: CliResult): string {
  const text = result.stderr
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .join("\n")
    .replace(/^memdir: /, "");
  return text === "" ? l10n.t("The memdir program gave no answer (exit code {0}).", result.code) : text;
}
