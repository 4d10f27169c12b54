/** How the language server can be started, and the report when it can't. */

export type LaunchSource =
  | "setting-path"
  | "setting-interpreter"
  | "workspace-python"
  | "virtual-env"
  | "path"
  | "managed";

export interface Launch {
  source: LaunchSource;
  command: string;
  args: string[];
  /** Version of the `memdir` package that will run. */
  version: string;
}

/** One place that was looked at and why it did not do. */
export interface Attempt {
  source: LaunchSource;
  place: string;
  why: string;
}

export type Discovery = { launch: Launch; tried: Attempt[] } | { launch: undefined; tried: Attempt[] };

/**
 * Arguments that run a module of `memdir` in an interpreter. `-P` keeps the working directory off the import path:
 * a repository with a folder called `memdir` must not be able to replace the server.
 */
export const MODULE_ARGS = ["-P", "-m", "memdir.cli.main"] as const;

export const SERVE = "serve";
