/**
 * Every custom message between the editor and the server. Mirrors `server/memdir/lsp/ext.py`, name for name;
 * `docs/protocol.md` explains them. A change here without one there fails `vscode-client/test/unit/protocol.test.ts`.
 */

import type { Command, Range } from "vscode-languageclient/node";

/** How many problems of each severity a node, a file or a whole directory has. */
export interface ProblemCounts {
  error: number;
  warning: number;
  information: number;
  hint: number;
}

export type NodeKind =
  | "scope"
  | "type"
  | "memory"
  | "index"
  | "log"
  | "notes"
  | "agent"
  | "project"
  | "group"
  | "file";

/** One row of the sidebar. Texts are already in the language of the editor. */
export interface TreeNode {
  id: string;
  kind: NodeKind;
  label: string;
  description?: string;
  /** Markdown. */
  tooltip?: string;
  uri?: string;
  range?: Range;
  problems?: ProblemCounts;
  /** Whole days since the memory was last written. */
  age?: number;
  memoryType?: string;
  scope?: string;
  children?: TreeNode[];
  /** What the row's menus test: space separated words such as `memory private`. */
  contextValue?: string;
}

export interface FolderParams {
  folder?: string;
}

export interface TreeResult {
  roots: TreeNode[];
}

/** The part of MEMORY.md that is always loaded, against its limits. */
export interface IndexBudget {
  lines: number;
  maxLines: number;
  /** UTF-16 code units: what the size limit counts. */
  utf16: number;
  bytes: number;
  maxSize: number;
  truncated: null | "lines" | "size" | "both";
}

export type Health = "ok" | "warning" | "error" | "off" | "none";

export interface FolderStatus {
  uri: string;
  owner: string;
  memoryDir: string;
  exists: boolean;
  enabled: boolean;
  enabledBy: string;
  source: string;
  index: IndexBudget | null;
  memories: number;
  problems: ProblemCounts;
  health: Health;
  message: string;
}

export interface StatusResult {
  version: string;
  folders: FolderStatus[];
}

/** A labelled paragraph that a type's body has; the label stays English, as real memories keep it. */
export interface TypePart {
  label: string;
  hint: string;
}

/** What a memory type holds, when it is written, how its body is built and in which scope it lives. */
export interface MemoryTypeInfo {
  name: string;
  label: string;
  holds: string;
  when: string;
  body: string;
  parts: TypePart[];
  examples: string[];
  elsewhere: string[];
  defaultScope: string;
  teamAllowed: boolean;
  scopeRule: string;
}

export interface TypesResult {
  types: MemoryTypeInfo[];
}

/** The cited places of a memory, as written, by what became of them. */
export interface CitationResult {
  holds: string[];
  changed: string[];
  broken: string[];
  unknown: string[];
}

export const TREE = "memdir/tree";
export const TREE_CHANGED = "memdir/didChangeTree";
export const STATUS = "memdir/status";
export const STATUS_CHANGED = "memdir/didChangeStatus";
export const TYPES = "memdir/types";
export const PROJECTS = "memdir/projects";

/** Prefix of the commands that the server carries out through `workspace/executeCommand`. */
export const SERVER_COMMAND_PREFIX = "memdir.server.";
export const APPLY_FIX = `${SERVER_COMMAND_PREFIX}applyFix`;
export const RECHECK = `${SERVER_COMMAND_PREFIX}recheck`;
export const LIST_IN_INDEX = `${SERVER_COMMAND_PREFIX}listInIndex`;
export const MARK_VERIFIED = `${SERVER_COMMAND_PREFIX}markVerified`;
export const VERIFY_CITATIONS = `${SERVER_COMMAND_PREFIX}verifyCitations`;
export const LIST_REFERENCES = `${SERVER_COMMAND_PREFIX}listReferences`;
export const SHOW_ENTRY = `${SERVER_COMMAND_PREFIX}showEntry`;

/** Our command behind a code lens, since the editor shows references itself. */
export const SHOW_REFERENCES = "memdir.showReferences";

export type { Command };

/** Commands that a hover or tooltip from the server may link to. */
export const CLIENT_COMMANDS_IN_MARKDOWN = ["memdir.openIndex", "memdir.whereIsMemory", "memdir.openNode"];
