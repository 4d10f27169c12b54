/** Runs short programs to their end. */

import { execFile } from "node:child_process";

export interface RunResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** Milliseconds until the program is killed. */
  timeout: number;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal;
}

/** Never rejects: a program that can't be started has code -1 and the reason as its stderr. */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  return new Promise((resolve) => {
    execFile(
      command,
      [...args],
      { ...options, encoding: "utf8", maxBuffer: 4 * 1024 * 1024, windowsHide: true },
      (error, stdout, stderr) => {
        if (error === null) {
          resolve({ code: 0, stdout, stderr });
        } else {
          const code = typeof error.code === "number" ? error.code : -1;
          resolve({ code, stdout, stderr: stderr.trim() === "" ? error.message : stderr });
        }
      },
    );
  });
}

/** The last non-empty line of a program's output: where Python puts the reason. */
export function lastLine(text: string): string {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return lines.at(-1)?.trim() ?? "";
}
