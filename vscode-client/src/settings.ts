/** The extension's settings, read once per use so that changes take effect. */

import { type ConfigurationScope, workspace } from "vscode";
import type { DiscoverySettings } from "./server/discovery";

export const SECTION = "memdir";

/** Settings whose change needs another server process. */
export const RESTART_SETTINGS = [
  "memdir.server.path",
  "memdir.server.interpreter",
  "memdir.server.basePython",
  "memdir.server.managed",
  "memdir.server.extraArgs",
] as const;

export interface ServerSettings extends DiscoverySettings {
  basePython: string;
  extraArgs: string[];
}

export function serverSettings(scope?: ConfigurationScope): ServerSettings {
  const section = workspace.getConfiguration("memdir.server", scope);
  return {
    path: expandHome(section.get("path", "").trim()),
    interpreter: expandHome(section.get("interpreter", "").trim()),
    basePython: expandHome(section.get("basePython", "").trim()),
    managed: section.get<ServerSettings["managed"]>("managed", "auto"),
    extraArgs: section.get<string[]>("extraArgs", []),
    trusted: workspace.isTrusted,
  };
}

/** `~/x` as a person writes it; nothing else is expanded. */
function expandHome(value: string): string {
  const home = process.env.HOME ?? process.env.USERPROFILE;
  return home !== undefined && /^~[/\\]/.test(value) ? home + value.slice(1) : value;
}
