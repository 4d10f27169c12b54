/** The output channel "Memory": what the extension and the server have to say. Nothing leaves the machine. */

import { type LogOutputChannel, window } from "vscode";

let channel: LogOutputChannel | undefined;

export function log(): LogOutputChannel {
  channel ??= window.createOutputChannel("Memory", { log: true });
  return channel;
}

export function disposeLog(): void {
  channel?.dispose();
  channel = undefined;
}
