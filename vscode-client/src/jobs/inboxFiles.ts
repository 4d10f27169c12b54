/** A proposed memory as a file that can be edited before it is taken: saving it changes the proposal. */

import {
  type Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  Uri,
  workspace,
} from "vscode";
import type { Services } from "../commands/context";
import { fileName } from "../views/shape";
import { INBOX, INBOX_EDIT, type InboxItem } from "./protocol";
import { runJob } from "./run";
import { SingleFiles } from "./singleFiles";

export const INBOX_SCHEME = "memdir-inbox";

/** Address of a proposal; its name is that of the memory's file. */
export function inboxUri(item: InboxItem): Uri {
  const query = new URLSearchParams({ id: item.id, folder: item.folder }).toString();
  return Uri.from({ scheme: INBOX_SCHEME, path: `/${fileName(item.uri) || `${item.id}.md`}`, query });
}

function address(uri: Uri): { id: string; folder: string } {
  const query = new URLSearchParams(uri.query);
  return { id: query.get("id") ?? "", folder: query.get("folder") ?? "" };
}

export class InboxFiles extends SingleFiles implements FileSystemProvider {
  private readonly changed = new EventEmitter<FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private readonly times = new Map<string, number>();

  constructor(private readonly services: Services) {
    super();
  }

  static register(services: Services): Disposable {
    return workspace.registerFileSystemProvider(INBOX_SCHEME, new InboxFiles(services), {
      isCaseSensitive: true,
    });
  }

  async stat(uri: Uri): Promise<FileStat> {
    const text = await this.text(uri);
    const mtime = this.times.get(uri.toString()) ?? 0;
    return { type: FileType.File, ctime: 0, mtime, size: new TextEncoder().encode(text).length };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    return new TextEncoder().encode(await this.text(uri));
  }

  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    const text = new TextDecoder().decode(content);
    await runJob<InboxItem>(this.services, INBOX_EDIT, { ...address(uri), text });
    this.times.set(uri.toString(), (this.times.get(uri.toString()) ?? 0) + 1);
    this.changed.fire([{ type: FileChangeType.Changed, uri }]);
  }

  private async text(uri: Uri): Promise<string> {
    const { id, folder } = address(uri);
    const items = await runJob<InboxItem[]>(this.services, INBOX, { folder });
    const found = items.find((item) => item.id === id);
    if (found === undefined || found.text === null) {
      throw FileSystemError.FileNotFound(uri);
    }
    return found.text;
  }
}
