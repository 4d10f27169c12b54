/**
 * What the server gets of the settings: only what somebody set. Defaults are the server's business; sent along they
 * would win over the repository's own configuration file.
 */

import { type ConfigurationScope, workspace } from "vscode";
import { SECTION } from "./settings";

type Inspect = (key: string) =>
  | {
      globalValue?: unknown;
      workspaceValue?: unknown;
      workspaceFolderValue?: unknown;
    }
  | undefined;

/** Nested object of the keys that have a value of their own; the nearest level wins. Pure. */
export function explicitSettings(keys: readonly string[], inspect: Inspect): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const key of keys) {
    const found = inspect(key);
    const value = found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue;
    if (value === undefined) {
      continue;
    }
    let target = result;
    const parts = key.split(".");
    for (const part of parts.slice(0, -1)) {
      const inner = (target[part] ?? {}) as Record<string, unknown>;
      target[part] = inner;
      target = inner;
    }
    target[parts.at(-1) ?? key] = value;
  }
  return result;
}

/** The same for a scope of this window. `keys` are those of the manifest, without the section. */
export function settingsFor(keys: readonly string[], scope?: ConfigurationScope): Record<string, unknown> {
  const section = workspace.getConfiguration(SECTION, scope);
  return explicitSettings(keys, (key) => section.inspect(key));
}

/** Keys of the manifest that concern the server, without the section's name. */
export function manifestKeys(manifest: { contributes?: { configuration?: unknown } }): string[] {
  const blocks = [manifest.contributes?.configuration].flat() as { properties?: Record<string, unknown> }[];
  return blocks
    .flatMap((block) => Object.keys(block?.properties ?? {}))
    .filter((key) => key.startsWith(`${SECTION}.`))
    .map((key) => key.slice(SECTION.length + 1))
    .filter((key) => !/^(server|tree|trace|clash)\./.test(key));
}
