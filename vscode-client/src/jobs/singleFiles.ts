/** A file system of single documents: what VS Code asks of one, and none of ours can do. */

import { type Disposable, FileSystemError, type FileType, type Uri } from "vscode";

export abstract class SingleFiles {
  watch(): Disposable {
    return { dispose: () => undefined };
  }

  readDirectory(): [string, FileType][] {
    return [];
  }

  createDirectory(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  delete(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  rename(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }
}
