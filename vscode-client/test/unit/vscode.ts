/** Stand-in for the editor's API in unit tests: only what pure modules use. */

import * as fs from "node:fs";

let bundle: Record<string, string> = {};

/** Switches the translator to a bundle, or back to English. */
export function useBundle(file: string | undefined): void {
  bundle = file === undefined ? {} : JSON.parse(fs.readFileSync(file, "utf8"));
}

export const l10n = {
  t(message: string, ...args: (string | number | boolean)[]): string {
    return (bundle[message] ?? message).replace(/\{(\d+)\}/g, (whole, index) =>
      args[Number(index)] === undefined ? whole : String(args[Number(index)]),
    );
  },
};

export const workspace = {};
export const extensions = { getExtension: () => undefined };
export const window = {};
export const languages = {};
export enum LanguageStatusSeverity {
  Information = 0,
  Warning = 1,
  Error = 2,
}

// Names that modules under test import for parts that unit tests don't reach
class Unreached {}

/** Modules make one when they load. */
export class EventEmitter {
  readonly event = (): void => undefined;
  readonly fire = (): void => undefined;
}

export {
  Unreached as DataTransferItem,
  Unreached as FileSystemError,
  Unreached as MarkdownString,
  Unreached as Range,
  Unreached as TabInputText,
  Unreached as TabInputTextDiff,
  Unreached as ThemeColor,
  Unreached as ThemeIcon,
  Unreached as TreeItem,
  Unreached as Uri,
};
export const commands = {};
export const env = { language: "en" };
export enum OverviewRulerLane {
  Left = 1,
  Full = 7,
}
export enum TreeItemCollapsibleState {
  None = 0,
  Collapsed = 1,
}
export enum FileType {
  File = 1,
}
