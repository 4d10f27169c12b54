/**
 * Life of the server: found, started, restarted after a crash with growing pauses, stopped. Requests to start,
 * restart and stop form a queue, so that a changed setting during a start never leaves two processes.
 */

import { type Disposable, EventEmitter, type LogOutputChannel, l10n } from "vscode";
import { CloseAction, type CloseHandlerResult, type LanguageClient } from "vscode-languageclient/node";
import type { ServerSettings } from "../settings";
import { CrashBackoff } from "./backoff";
import { createClient } from "./client";
import type { Attempt, Discovery, Launch } from "./launch";

export type ServerState =
  | { kind: "stopped" }
  | { kind: "starting" }
  | { kind: "running"; client: LanguageClient; launch: Launch }
  | { kind: "missing"; tried: Attempt[] }
  | { kind: "waiting"; milliseconds: number }
  | { kind: "failed"; message: string };

export interface ManagerOptions {
  output: LogOutputChannel;
  cwd: string;
  settings(): ServerSettings;
  discover(settings: ServerSettings): Promise<Discovery>;
  /** Memory directories outside the default places, as remembered from the last status. */
  directories(): readonly string[];
  /** What the process gets beside the editor's environment. */
  credentials(): Promise<NodeJS.ProcessEnv>;
  /** The manifest's settings that concern the server. */
  settingKeys: readonly string[];
}

export class ServerManager implements Disposable {
  private current: ServerState = { kind: "stopped" };
  private client: LanguageClient | undefined;
  private queue: Promise<void> = Promise.resolve();
  private restartPending: Promise<void> | undefined;
  private readonly backoff = new CrashBackoff();
  private timer: NodeJS.Timeout | undefined;
  private disposed = false;
  private readonly changed = new EventEmitter<ServerState>();
  readonly onDidChangeState = this.changed.event;
  /** Directories that the running client's selector covers beside the default ones. */
  covered: readonly string[] = [];

  constructor(private readonly options: ManagerOptions) {}

  get state(): ServerState {
    return this.current;
  }

  /** The running client, or undefined. */
  get running(): LanguageClient | undefined {
    return this.current.kind === "running" ? this.current.client : undefined;
  }

  /** The running client, after a start that is under way; undefined when there is none then. */
  async started(): Promise<LanguageClient | undefined> {
    if (this.current.kind === "starting" || this.restartPending !== undefined) {
      await this.queue;
    }
    return this.running;
  }

  /** Stops what runs and starts anew. Calls that arrive before it began are served by the same restart. */
  restart(reason: string): Promise<void> {
    clearTimeout(this.timer);
    this.restartPending ??= this.enqueue(async () => {
      this.restartPending = undefined;
      this.options.output.info(`starting the server: ${reason}`);
      if (!this.disposed) {
        this.set({ kind: "starting" }); // nobody asks a server that is about to end
      }
      await this.stopClient();
      await this.startClient();
    });
    return this.restartPending;
  }

  /** A person asked: earlier crashes no longer count. */
  restartByHand(): Promise<void> {
    this.backoff.reset();
    return this.restart("asked for");
  }

  stop(): Promise<void> {
    clearTimeout(this.timer);
    return this.enqueue(async () => {
      await this.stopClient();
      this.set({ kind: "stopped" });
    });
  }

  async dispose(): Promise<void> {
    this.disposed = true;
    await this.stop();
    this.changed.dispose();
  }

  private enqueue(job: () => Promise<void>): Promise<void> {
    const next = this.queue.then(job);
    this.queue = next.catch((error: unknown) => {
      this.options.output.error(String(error));
    });
    return this.queue;
  }

  private set(state: ServerState): void {
    this.current = state;
    this.changed.fire(state);
  }

  private async startClient(): Promise<void> {
    if (this.disposed) {
      return;
    }
    const settings = this.options.settings();
    const { launch, tried } = await this.options.discover(settings);
    for (const attempt of tried) {
      this.options.output.info(`not used: ${attempt.place} (${attempt.source}): ${attempt.why}`);
    }
    if (launch === undefined) {
      this.set({ kind: "missing", tried });
      return;
    }
    this.options.output.info(
      `using ${launch.source}: ${launch.command} ${launch.args.join(" ")} (${launch.version})`,
    );
    this.covered = this.options.directories();
    const client = createClient({
      launch,
      extraArgs: settings.extraArgs,
      directories: this.covered,
      cwd: this.options.cwd,
      credentials: await this.options.credentials(),
      settingKeys: this.options.settingKeys,
      output: this.options.output,
      onClosed: () => this.closed(client),
    });
    this.client = client;
    try {
      await client.start();
      this.set({ kind: "running", client, launch });
    } catch (error) {
      this.options.output.error(`the server did not start: ${String(error)}`);
      if (this.client === client) {
        // It answered, with an error: its process still runs
        await client.dispose().catch(() => undefined);
        this.closed(client);
      }
    }
  }

  /** The connection of `client` broke. Only the first report about the current client counts. */
  private closed(client: LanguageClient): CloseHandlerResult {
    const result: CloseHandlerResult = { action: CloseAction.DoNotRestart, handled: true };
    if (client !== this.client) {
      return result;
    }
    this.client = undefined;
    const delay = this.backoff.crashed(Date.now());
    if (delay === undefined) {
      const message = l10n.t("The memory server stopped {0} times in a few minutes.", this.backoff.count);
      this.options.output.error(message);
      this.set({ kind: "failed", message });
      return result;
    }
    this.options.output.warn(`the server stopped; next start in ${delay} ms`);
    this.set({ kind: "waiting", milliseconds: delay });
    this.timer = setTimeout(() => void this.restart("after a crash"), delay);
    return result;
  }

  private async stopClient(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client === undefined) {
      return;
    }
    try {
      await client.dispose(2000);
    } catch (error) {
      this.options.output.warn(`the server did not stop in order: ${String(error)}`);
    }
  }
}
