/** Decides when a crashed server starts again. Pure: the clock is an argument. */

export interface BackoffOptions {
  /** Waiting time before the first restart, in milliseconds; doubles with every further crash. */
  firstDelay: number;
  maxDelay: number;
  /** Crashes within the window before giving up. */
  maxCrashes: number;
  /** Crashes older than this many milliseconds are forgotten. */
  window: number;
}

export const DEFAULT_BACKOFF: BackoffOptions = {
  firstDelay: 500,
  maxDelay: 15_000,
  maxCrashes: 5,
  window: 3 * 60_000,
};

export class CrashBackoff {
  private crashes: number[] = [];

  constructor(private readonly options: BackoffOptions = DEFAULT_BACKOFF) {}

  /** Notes a crash at `now`; gives the milliseconds to wait before the restart, or undefined to give up. */
  crashed(now: number): number | undefined {
    this.crashes = this.crashes.filter((at) => now - at < this.options.window);
    this.crashes.push(now);
    if (this.crashes.length >= this.options.maxCrashes) {
      return undefined;
    }
    return Math.min(this.options.firstDelay * 2 ** (this.crashes.length - 1), this.options.maxDelay);
  }

  /** A person asked for a restart: the slate is clean. */
  reset(): void {
    this.crashes = [];
  }

  get count(): number {
    return this.crashes.length;
  }
}
