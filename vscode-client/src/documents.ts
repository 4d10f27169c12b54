/** Read-only documents that exist only in the editor: the loaded index, previews, reports. Scheme `memdir`. */

import {
  type Disposable,
  EventEmitter,
  type TextDocumentContentProvider,
  type TextEditor,
  Uri,
  type ViewColumn,
  window,
  workspace,
} from "vscode";

export const SCHEME = "memdir";

class Documents implements TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private readonly changed = new EventEmitter<Uri>();
  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  set(uri: Uri, text: string): void {
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
  }

  forget(uri: Uri): void {
    this.texts.delete(uri.toString());
  }
}

const documents = new Documents();

export function registerDocuments(): Disposable[] {
  return [
    workspace.registerTextDocumentContentProvider(SCHEME, documents),
    workspace.onDidCloseTextDocument((document) => {
      if (document.uri.scheme === SCHEME) {
        documents.forget(document.uri);
      }
    }),
  ];
}

/**
 * A document of this name with this text; showing it again replaces the text. `version` tells documents of one name
 * apart without being part of what is shown, as the two sides of a change.
 */
export function virtualDocument(name: string, text: string, version = ""): Uri {
  const uri = Uri.from({ scheme: SCHEME, path: `/${name.replaceAll("/", "∕")}`, query: version });
  documents.set(uri, text);
  return uri;
}

/** Shows a text read-only. A name without ending is Markdown; the ending decides the language, as for files. */
export async function showText(name: string, text: string, column?: ViewColumn): Promise<TextEditor> {
  const uri = virtualDocument(/\.\w+$/.test(name) ? name : `${name}.md`, text);
  const document = await workspace.openTextDocument(uri);
  return window.showTextDocument(document, {
    preview: true,
    ...(column === undefined ? {} : { viewColumn: column }),
  });
}
