/**
 * The order in which the server is looked for. Pure: everything that touches the machine comes in as `Probes`,
 * so the order itself is a unit test.
 *
 * 1. the settings `memdir.server.path` and `memdir.server.interpreter` (a wrong setting is an error, not a hint to look on)
 * 2. an environment that already has `memdir`: the workspace's Python, `VIRTUAL_ENV`, `memdir` on the PATH
 * 3. the extension's own environment, created from the bundled wheel when it is not there yet
 */

import { l10n } from "vscode";
import { type Attempt, type Discovery, type Launch, type LaunchSource, MODULE_ARGS, SERVE } from "./launch";

export interface DiscoverySettings {
  path: string;
  interpreter: string;
  /** `auto`: when nothing else has it; `always`: before environments; `never`: not at all. */
  managed: "auto" | "always" | "never";
  trusted: boolean;
}

export type Probe = { version: string } | { error: string };

export interface Probes {
  /** What `memdir --version` of this executable says. */
  executable(path: string): Promise<Probe>;
  /** The version of `memdir` that this interpreter imports. */
  interpreter(python: string): Promise<Probe>;
  /** The interpreter chosen for the workspace, if the Python extension is there to ask. */
  workspacePython(): Promise<string | undefined>;
  /** The interpreter of `VIRTUAL_ENV`. */
  virtualEnv(): string | undefined;
  /** Full path of a program on the PATH. */
  which(name: string): string | undefined;
  /** The extension's own interpreter, created when it is not there. */
  managed(): Promise<{ python: string; version: string } | { error: string }>;
  /** Whether a version speaks this client's protocol. */
  compatible(version: string): boolean;
}

class Search {
  readonly tried: Attempt[] = [];

  constructor(private readonly probes: Probes) {}

  /** The launch from this place, or undefined with the reason noted. */
  async attempt(
    source: LaunchSource,
    place: string,
    kind: "executable" | "interpreter",
  ): Promise<Launch | undefined> {
    const found = await this.probes[kind](place);
    if ("error" in found) {
      this.tried.push({ source, place, why: found.error });
      return undefined;
    }
    if (!this.probes.compatible(found.version)) {
      this.tried.push({
        source,
        place,
        why: l10n.t("its version {0} does not fit this extension", found.version),
      });
      return undefined;
    }
    const args = kind === "executable" ? [SERVE] : [...MODULE_ARGS, SERVE];
    return { source, command: place, args, version: found.version };
  }

  async managed(): Promise<Launch | undefined> {
    const made = await this.probes.managed();
    if ("error" in made) {
      this.tried.push({
        source: "managed",
        place: l10n.t("the extension's own environment"),
        why: made.error,
      });
      return undefined;
    }
    return { source: "managed", command: made.python, args: [...MODULE_ARGS, SERVE], version: made.version };
  }
}

/** Finds the server; `tried` explains every place that did not do, in the order they were asked. */
export async function discover(settings: DiscoverySettings, probes: Probes): Promise<Discovery> {
  const search = new Search(probes);
  const done = (launch: Launch | undefined): Discovery => ({ launch, tried: search.tried }) as Discovery;
  if (settings.path !== "") {
    return done(await search.attempt("setting-path", settings.path, "executable"));
  }
  if (settings.interpreter !== "") {
    return done(await search.attempt("setting-interpreter", settings.interpreter, "interpreter"));
  }
  if (settings.managed === "always") {
    return done(await search.managed());
  }
  // A workspace that isn't trusted must not choose the program that runs
  const workspace = settings.trusted ? await probes.workspacePython() : undefined;
  const places: [LaunchSource, string | undefined, "executable" | "interpreter"][] = [
    ["workspace-python", workspace, "interpreter"],
    ["virtual-env", probes.virtualEnv(), "interpreter"],
    ["path", probes.which("memdir"), "executable"],
  ];
  for (const [source, place, kind] of places) {
    const launch = place === undefined ? undefined : await search.attempt(source, place, kind);
    if (launch) {
      return done(launch);
    }
  }
  return done(settings.managed === "never" ? undefined : await search.managed());
}
