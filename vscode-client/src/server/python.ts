/** Looks at interpreters and executables of the machine: the real side of the discovery's probes. */

import * as fs from "node:fs";
import * as path from "node:path";
import { extensions, l10n, type Uri } from "vscode";
import { lastLine, run } from "../util/process";
import type { Probe } from "./discovery";

/** A probe that takes longer than this is a broken interpreter (milliseconds; a cold disk may need seconds). */
const PROBE_TIMEOUT = 15_000;

export const MINIMUM_PYTHON: readonly [number, number] = [3, 11];

const isWindows = process.platform === "win32";

/** Interpreter of a virtual environment. */
export function environmentPython(environment: string): string {
  return isWindows
    ? path.join(environment, "Scripts", "python.exe")
    : path.join(environment, "bin", "python");
}

/** Full path of a program on the PATH, undefined when there is none. */
export function which(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const names = isWindows ? [`${name}.exe`, `${name}.cmd`, name] : [name];
  for (const directory of (env.PATH ?? "").split(path.delimiter)) {
    // An empty or relative entry would mean the working directory, which a repository controls
    if (!path.isAbsolute(directory)) {
      continue;
    }
    for (const candidate of names) {
      const full = path.join(directory, candidate);
      try {
        fs.accessSync(full, fs.constants.X_OK);
        if (fs.statSync(full).isFile()) {
          return full;
        }
      } catch {
        // not here: the next entry may have it
      }
    }
  }
  return undefined;
}

/** The interpreter of the active virtual environment, if it exists. */
export function virtualEnvPython(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const root = env.VIRTUAL_ENV;
  if (root === undefined || !path.isAbsolute(root)) {
    return undefined;
  }
  const python = environmentPython(root);
  return fs.existsSync(python) ? python : undefined;
}

/** Version of `memdir` in an interpreter. Isolated from the working directory and from PYTHONPATH-free user code. */
export async function probeInterpreter(python: string): Promise<Probe> {
  const result = await run(python, ["-P", "-c", "import memdir; print(memdir.__version__)"], {
    timeout: PROBE_TIMEOUT,
  });
  const version = result.stdout.trim();
  if (result.code === 0 && version !== "") {
    return { version };
  }
  if (result.stderr.includes("ENOENT")) {
    return { error: l10n.t("it does not exist") };
  }
  if (result.stderr.includes("No module named 'memdir'")) {
    return { error: l10n.t("it has no memdir package") };
  }
  return { error: lastLine(result.stderr) || l10n.t("it gave no answer") };
}

/** Version that a `memdir` executable names. */
export async function probeExecutable(executable: string): Promise<Probe> {
  const result = await run(executable, ["--version"], { timeout: PROBE_TIMEOUT });
  const match = /^memdir (\d+\.\d+\S*)/m.exec(result.stdout);
  if (result.code === 0 && match?.[1] !== undefined) {
    return { version: match[1] };
  }
  if (result.stderr.includes("ENOENT")) {
    return { error: l10n.t("it does not exist") };
  }
  return { error: lastLine(result.stderr) || l10n.t("it is not the memdir program") };
}

/** Version of an interpreter when it is new enough to run the server, else undefined. */
export async function usablePython(python: string): Promise<string | undefined> {
  const result = await run(
    python,
    ["-P", "-c", "import sys, venv; print('%d.%d.%d' % sys.version_info[:3])"],
    { timeout: PROBE_TIMEOUT },
  );
  const [major = 0, minor = 0] = result.stdout.trim().split(".").map(Number);
  const [needMajor, needMinor] = MINIMUM_PYTHON;
  const enough = major > needMajor || (major === needMajor && minor >= needMinor);
  return result.code === 0 && enough ? result.stdout.trim() : undefined;
}

/** Interpreters that could carry the extension's own environment, newest names first. */
export function basePythons(preferred: string | undefined): string[] {
  const names = ["python3.14", "python3.13", "python3.12", "python3.11", "python3", "python"];
  const found = [preferred, ...names.map((name) => which(name))];
  return [...new Set(found.filter((p): p is string => p !== undefined && p !== ""))];
}

interface PythonEnvironmentApi {
  environments: {
    getActiveEnvironmentPath(resource?: Uri): { path: string };
    resolveEnvironment(environment: {
      path: string;
    }): Promise<{ executable: { uri?: Uri | undefined } } | undefined>;
  };
}

/** The interpreter that the Python extension has chosen for a folder; undefined without that extension. */
export async function workspacePython(folder: Uri | undefined): Promise<string | undefined> {
  const extension = extensions.getExtension<PythonEnvironmentApi>("ms-python.python");
  if (!extension) {
    return undefined;
  }
  const api = extension.isActive ? extension.exports : await extension.activate();
  const active = api.environments.getActiveEnvironmentPath(folder);
  const resolved = await api.environments.resolveEnvironment(active);
  return resolved?.executable.uri?.fsPath;
}
