/** How much waits for a person, as the server last said it; one listener for all who show it. */

import { type Disposable, EventEmitter } from "vscode";
import type { Services } from "../commands/context";
import { JOBS_CHANGED, type JobsChanged } from "./protocol";

const NOTHING: JobsChanged = { reviews: 0, inbox: 0, team: 0, sharing: 0 };

export class JobCounts implements Disposable {
  private readonly changed = new EventEmitter<JobsChanged>();
  readonly onDidChange = this.changed.event;
  private readonly state: Disposable;
  private listener: Disposable | undefined;
  current: JobsChanged = NOTHING;

  constructor(services: Services) {
    this.state = services.manager.onDidChangeState((state) => {
      this.listener?.dispose();
      this.listener =
        state.kind === "running"
          ? state.client.onNotification(JOBS_CHANGED, (counts: JobsChanged) => this.set(counts))
          : undefined;
      this.set(NOTHING);
    });
  }

  private set(counts: JobsChanged): void {
    this.current = counts;
    this.changed.fire(counts);
  }

  dispose(): void {
    this.listener?.dispose();
    this.state.dispose();
    this.changed.dispose();
  }
}
