/** Runs a job of the server: one object as argument, a failure as the sentence that the server gave. */

import { randomUUID } from "node:crypto";
import { type CancellationToken, l10n, type ProgressLocation, window } from "vscode";
import {
  type ExecuteCommandParams,
  ResponseError,
  WorkDoneProgress,
  type WorkDoneProgressBegin,
  type WorkDoneProgressEnd,
  type WorkDoneProgressReport,
} from "vscode-languageclient/node";
import { Explained, type Services, serverUnavailable } from "../commands/context";
import type { ClashInfo } from "./protocol";

/** LSP's RequestFailed: the message is meant for people. */
const REQUEST_FAILED = -32803;
const EXECUTE = "workspace/executeCommand";

/** A job that found a file changed meanwhile; the three texts of each come along. */
export class Clash extends Explained {
  constructor(
    message: string,
    readonly clashes: readonly ClashInfo[],
  ) {
    super(message, [
      {
        title: l10n.t("Compare"),
        command: "memdir.compareClash",
        args: clashes.map((clash) => ({ ...clash })),
      },
    ]);
  }
}

export async function runJob<T>(
  services: Services,
  command: string,
  argument: object,
  token?: CancellationToken,
  workDoneToken?: string,
): Promise<T> {
  const client = services.manager.running;
  if (client === undefined) {
    throw serverUnavailable();
  }
  const params: ExecuteCommandParams = {
    command,
    arguments: [argument],
    ...(workDoneToken === undefined ? {} : { workDoneToken }),
  };
  try {
    return await (token === undefined
      ? client.sendRequest<T>(EXECUTE, params)
      : client.sendRequest<T>(EXECUTE, params, token));
  } catch (error) {
    throw explained(error);
  }
}

function explained(error: unknown): unknown {
  if (!(error instanceof ResponseError) || error.code !== REQUEST_FAILED) {
    return error;
  }
  const clashes = (error.data as { clashes?: ClashInfo[] } | undefined)?.clashes;
  return clashes === undefined ? new Explained(error.message) : new Clash(error.message, clashes);
}

type Step = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

/**
 * The same with progress that can be cancelled; undefined when the person cancelled. What the server says of its steps
 * is shown in the same place: the request carries a token of ours, so the server opens no progress of its own.
 */
export async function runWithProgress<T>(
  services: Services,
  location: ProgressLocation | { viewId: string },
  title: string,
  command: string,
  argument: object,
): Promise<T | undefined> {
  return window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const steps = randomUUID();
    let percent = 0;
    const listener = services.manager.running?.onProgress(WorkDoneProgress.type, steps, (step: Step) => {
      if (step.kind === "report") {
        const increment = Math.max((step.percentage ?? percent) - percent, 0);
        percent += increment;
        progress.report({ ...(step.message === undefined ? {} : { message: step.message }), increment });
      }
    });
    try {
      return await runJob<T>(services, command, argument, token, steps);
    } catch (error) {
      if (token.isCancellationRequested) {
        return undefined;
      }
      throw error;
    } finally {
      listener?.dispose();
    }
  });
}
