/**
 * The extension's own environment: a virtual environment in the editor's storage, filled from the wheels that the
 * extension carries. It is built beside its final place and moved there in one step, so that two windows that start
 * together, or a window closed half-way, never leave a broken one behind.
 */

import * as crypto from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { l10n } from "vscode";
import { lastLine, run } from "../util/process";
import { basePythons, environmentPython, MINIMUM_PYTHON, usablePython } from "./python";

const VENV_TIMEOUT = 120_000;
const INSTALL_TIMEOUT = 600_000;
/** Two weeks, in milliseconds. */
const UNUSED_AFTER = 14 * 24 * 3600_000;
const STAMP = "memdir-environment.json";

export interface ManagedOptions {
  /** `globalStorage` of the extension. */
  storage: string;
  /** The wheels that the extension carries. */
  wheels: string;
  /** Interpreter to build on, from the settings; otherwise the newest on the PATH. */
  basePython: string | undefined;
  report(step: string): void;
  log(line: string): void;
  signal?: AbortSignal;
}

export type ManagedResult = { python: string; version: string } | { error: string };

interface Bundle {
  wheel: string;
  pip: string | undefined;
  version: string;
  /** Names the environment: another set of wheels is another environment. */
  key: string;
}

/** What the extension carries; undefined when it was built without a wheel (a development checkout). */
export function readBundle(wheels: string): Bundle | undefined {
  if (!fs.existsSync(wheels)) {
    return undefined;
  }
  const names = fs
    .readdirSync(wheels)
    .filter((name) => name.endsWith(".whl"))
    .sort();
  const wheel = names.find((name) => name.startsWith("memdir-"));
  const version = wheel === undefined ? undefined : /^memdir-([^-]+)-/.exec(wheel)?.[1];
  if (wheel === undefined || version === undefined) {
    return undefined;
  }
  const hash = crypto.createHash("sha256");
  for (const name of names) {
    hash.update(name);
  }
  hash.update(fs.readFileSync(path.join(wheels, wheel)));
  const pip = names.find((name) => name.startsWith("pip-"));
  return {
    wheel: path.join(wheels, wheel),
    pip: pip === undefined ? undefined : path.join(wheels, pip),
    version,
    key: `${version}-${hash.digest("hex").slice(0, 12)}`,
  };
}

/** The finished environment for this bundle, if it is there. */
export function existing(storage: string, bundle: Bundle): ManagedResult | undefined {
  const root = path.join(storage, "environments", bundle.key);
  const python = environmentPython(root);
  const stamp = path.join(root, STAMP);
  if (!fs.existsSync(stamp) || !fs.existsSync(python)) {
    return undefined;
  }
  const now = new Date();
  fs.utimesSync(stamp, now, now);
  return { python, version: bundle.version };
}

/** Creates the environment; `report` gets the steps as a person should read them. */
export async function create(options: ManagedOptions, bundle: Bundle): Promise<ManagedResult> {
  const base = await findBase(options);
  if (base === undefined) {
    return {
      error: l10n.t("no Python {0} or newer was found on this machine", MINIMUM_PYTHON.join(".")),
    };
  }
  const parent = path.join(options.storage, "environments");
  fs.mkdirSync(parent, { recursive: true });
  const staging = fs.mkdtempSync(path.join(parent, ".new-"));
  try {
    options.report(l10n.t("Creating an environment with Python {0}", base.version));
    const failure =
      (await createVenv(base.python, staging, bundle, options)) ?? (await install(staging, bundle, options));
    if (failure !== undefined) {
      return { error: failure };
    }
    fs.writeFileSync(
      path.join(staging, STAMP),
      `${JSON.stringify({ version: bundle.version, base: base.python })}\n`,
    );
    return publish(staging, parent, options, bundle);
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
}

async function findBase(options: ManagedOptions): Promise<{ python: string; version: string } | undefined> {
  for (const python of basePythons(options.basePython)) {
    const version = await usablePython(python);
    if (version !== undefined) {
      return { python, version };
    }
    options.log(`not usable as base interpreter: ${python}`);
  }
  return undefined;
}

async function createVenv(
  base: string,
  staging: string,
  bundle: Bundle,
  options: ManagedOptions,
): Promise<string | undefined> {
  // With our own pip no `ensurepip` is needed, which Debian's Python lacks without another package
  const args = ["-m", "venv", ...(bundle.pip === undefined ? [] : ["--without-pip"]), staging];
  const made = await step(base, args, VENV_TIMEOUT, options);
  return made.code === 0
    ? undefined
    : l10n.t("the environment could not be created: {0}", lastLine(made.stderr || made.stdout));
}

async function install(
  staging: string,
  bundle: Bundle,
  options: ManagedOptions,
): Promise<string | undefined> {
  const python = environmentPython(staging);
  // A wheel is a zip archive, and pip runs from inside one
  const pip = bundle.pip === undefined ? ["-m", "pip"] : [path.join(bundle.pip, "pip")];
  const common = [
    ...pip,
    "install",
    "--disable-pip-version-check",
    "--no-input",
    "--find-links",
    options.wheels,
  ];
  options.report(l10n.t("Installing Memdir {0} without network", bundle.version));
  const offline = await step(python, [...common, "--no-index", bundle.wheel], INSTALL_TIMEOUT, options);
  if (offline.code === 0) {
    return undefined;
  }
  options.report(l10n.t("Installing Memdir {0} and downloading what it needs", bundle.version));
  const online = await step(python, [...common, bundle.wheel], INSTALL_TIMEOUT, options);
  return online.code === 0
    ? undefined
    : l10n.t("the package could not be installed: {0}", lastLine(online.stderr || online.stdout));
}

/** Moves the finished environment into place. When another window was faster, its environment is taken. */
function publish(staging: string, parent: string, options: ManagedOptions, bundle: Bundle): ManagedResult {
  const root = path.join(parent, bundle.key);
  const faster = existing(options.storage, bundle);
  if (faster !== undefined) {
    return faster;
  }
  fs.rmSync(root, { recursive: true, force: true });
  try {
    fs.renameSync(staging, root);
  } catch (error) {
    const other = existing(options.storage, bundle);
    if (other !== undefined) {
      return other;
    }
    throw error;
  }
  removeOld(parent, bundle.key, options);
  return { python: environmentPython(root), version: bundle.version };
}

/** Environments that no window has started for a while go: one of them may still run an earlier version. */
function removeOld(parent: string, keep: string, options: ManagedOptions): void {
  for (const name of fs.readdirSync(parent)) {
    const stamp = path.join(parent, name, STAMP);
    const used = fs.existsSync(stamp)
      ? fs.statSync(stamp).mtimeMs
      : fs.statSync(path.join(parent, name)).mtimeMs;
    if (name !== keep && Date.now() - used > UNUSED_AFTER) {
      options.log(`removing an environment that is no longer used: ${name}`);
      fs.rmSync(path.join(parent, name), { recursive: true, force: true });
    }
  }
}

async function step(
  command: string,
  args: string[],
  timeout: number,
  options: ManagedOptions,
): Promise<{ code: number; stdout: string; stderr: string }> {
  options.log(`${command} ${args.join(" ")}`);
  const env = { ...process.env };
  // What a shell set for another Python must not steer this one
  for (const name of [
    "PYTHONHOME",
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "PIP_TARGET",
    "PIP_USER",
    "PIP_REQUIRE_VIRTUALENV",
  ]) {
    delete env[name];
  }
  const result = await run(command, args, {
    timeout,
    cwd: options.storage,
    env,
    ...(options.signal ? { signal: options.signal } : {}),
  });
  for (const line of `${result.stdout}\n${result.stderr}`.split(/\r?\n/)) {
    if (line.trim() !== "") {
      options.log(`  ${line}`);
    }
  }
  return result;
}
