/**
 * Which documents the server gets. Memory lies outside the workspace, in places that settings and environment can move,
 * so the selector has a fixed part (the shapes every memory directory has by default) and the directories that
 * the server named. Other Markdown never reaches the server.
 */

import type { DocumentFilter } from "vscode-languageclient/node";
import type { FolderStatus } from "../protocol";

/** Where memory lies unless something moved it; also what the server checks besides memory. */
export const DEFAULT_PATTERNS: readonly { language?: string; pattern: string }[] = [
  { language: "markdown", pattern: "**/projects/*/memory/**" },
  { language: "markdown", pattern: "**/{agent-memory,agent-memory-local}/**" },
  { language: "markdown", pattern: "**/{CLAUDE,CLAUDE.local}.md" },
  { language: "markdown", pattern: "**/.claude/rules/**" },
  { pattern: "**/{memdir,pyproject}.toml" },
  { pattern: "**/.claude/{settings,settings.local}.json" },
];

/** A path inside a glob: its special characters stand for themselves. */
export function escapeGlob(path: string): string {
  return path.replace(/[?*[\]{}]/g, (c) => `[${c}]`);
}

/** True when the fixed patterns reach the files of this memory directory. */
export function coveredByDefault(directory: string): boolean {
  const parts = directory.replaceAll("\\", "/").split("/").filter(Boolean);
  const last = parts.length - 1;
  return (
    (parts[last] === "memory" && parts[last - 2] === "projects") ||
    parts.includes("agent-memory") ||
    parts.includes("agent-memory-local")
  );
}

/** The directories of a status that the fixed patterns don't reach, sorted. */
export function extraDirectories(folders: readonly FolderStatus[]): string[] {
  const extra = folders.map((f) => f.memoryDir).filter((d) => d !== "" && !coveredByDefault(d));
  return [...new Set(extra)].sort();
}

/** The whole selector: files on disk only. */
export function documentSelector(extra: readonly string[]): DocumentFilter[] {
  const patterns = [
    ...DEFAULT_PATTERNS,
    ...extra.map((directory) => ({
      language: "markdown",
      pattern: `${escapeGlob(directory.replaceAll("\\", "/").replace(/\/+$/, ""))}/**`,
    })),
  ];
  return patterns.map((p) => ({ scheme: "file", ...p }));
}

/** True when the running selector lacks one of the wanted directories. */
export function selectorLacks(current: readonly string[], wanted: readonly string[]): boolean {
  return wanted.some((directory) => !current.includes(directory));
}
