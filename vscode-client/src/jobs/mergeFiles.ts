/** The result of bringing two texts together, as a file that exists only in the editor: saving it hands it over. */

import {
  type Disposable,
  EventEmitter,
  type FileChangeEvent,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  type Tab,
  TabInputText,
  TabInputTextDiff,
  Uri,
  window,
  workspace,
} from "vscode";
import { SingleFiles } from "./singleFiles";

export const MERGE_SCHEME = "memdir-merge";

export interface Merge {
  /** What the result starts with. */
  text: string;
  /** How often it was saved: the editor asks for a time after it has written. */
  saved?: number;
  /** Gets the result; its failure is a failure to save. */
  take(text: string): Promise<void>;
}

export class MergeFiles extends SingleFiles implements FileSystemProvider {
  private readonly changed = new EventEmitter<FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private static readonly open = new Map<string, Merge>();

  static register(): Disposable {
    return workspace.registerFileSystemProvider(MERGE_SCHEME, new MergeFiles(), { isCaseSensitive: true });
  }

  /** Address of a new result; `serial` tells results for one file apart. */
  static begin(name: string, serial: number, merge: Merge): Uri {
    const uri = Uri.from({ scheme: MERGE_SCHEME, path: `/${name}`, query: String(serial) });
    MergeFiles.open.set(uri.toString(), merge);
    return uri;
  }

  /** Closes the editors of results that were handed over; true when there was one. */
  static async close(uri: string): Promise<boolean> {
    const shown = (): Tab[] =>
      window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => resultOf(tab) === uri);
    for (let look = 0; look < 40 && shown().some((tab) => tab.isDirty); look++) {
      await new Promise((resolve) => setTimeout(resolve, 50)); // the editor is still being told that it was saved
    }
    const tabs = shown();
    if (tabs.length > 0) {
      await window.tabGroups.close(tabs);
    }
    return tabs.length > 0;
  }

  stat(uri: Uri): FileStat {
    const merge = this.of(uri);
    return {
      type: FileType.File,
      ctime: 0,
      mtime: merge.saved ?? 0,
      size: new TextEncoder().encode(merge.text).length,
    };
  }

  readFile(uri: Uri): Uint8Array {
    return new TextEncoder().encode(this.of(uri).text);
  }

  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    const merge = this.of(uri);
    const text = new TextDecoder().decode(content);
    await merge.take(text);
    merge.text = text;
    merge.saved = (merge.saved ?? 0) + 1;
    // The editor first learns that it was saved, then its tab goes
    setTimeout(() => void MergeFiles.close(uri.toString()), 0);
  }

  private of(uri: Uri): Merge {
    const found = MergeFiles.open.get(uri.toString());
    if (found === undefined) {
      throw FileSystemError.FileNotFound(uri); // of an earlier window
    }
    return found;
  }
}

/** Address of the result that a tab shows. */
function resultOf({ input }: Tab): string | undefined {
  const shown =
    input instanceof TabInputText
      ? input.uri
      : input instanceof TabInputTextDiff
        ? input.modified
        : undefined;
  return shown?.scheme === MERGE_SCHEME ? shown.toString() : undefined;
}
