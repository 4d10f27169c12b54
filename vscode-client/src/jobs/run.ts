/** Runs a job of the server: one object as argument, a failure as the sentence that the server gave. */

import { type CancellationToken, type ProgressLocation, window } from "vscode";
import { type ExecuteCommandParams, ResponseError } from "vscode-languageclient/node";
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
    super(message);
  }
}

export async function runJob<T>(
  services: Services,
  command: string,
  argument: object,
  token?: CancellationToken,
): Promise<T> {
  const client = services.manager.running;
  if (client === undefined) {
    throw serverUnavailable();
  }
  const params: ExecuteCommandParams = { command, arguments: [argument] };
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

/** The same with progress that can be cancelled; undefined when the person cancelled. */
export async function runWithProgress<T>(
  services: Services,
  location: ProgressLocation,
  title: string,
  command: string,
  argument: object,
): Promise<T | undefined> {
  return window.withProgress({ location, title, cancellable: true }, async (_progress, token) => {
    try {
      return await runJob<T>(services, command, argument, token);
    } catch (error) {
      if (token.isCancellationRequested) {
        return undefined;
      }
      throw error;
    }
  });
}
