/** Fades the part of an index that the agent never sees, so that it can be seen at a glance where the limit strikes. */

import {
  type Diagnostic,
  type Disposable,
  l10n,
  languages,
  OverviewRulerLane,
  Range,
  type TextEditor,
  ThemeColor,
  window,
} from "vscode";

const LIMIT_RULES = new Set(["index-over-line-limit", "index-over-size-limit"]);

function ruleOf(diagnostic: Diagnostic): string {
  const { code } = diagnostic;
  return String(typeof code === "object" ? code.value : code);
}

/** First line that is lost, by what the server reports on the file. */
export function firstLostLine(diagnostics: readonly Diagnostic[]): number | undefined {
  const lines = diagnostics.filter((d) => LIMIT_RULES.has(ruleOf(d))).map((d) => d.range.start.line);
  return lines.length === 0 ? undefined : Math.min(...lines);
}

export class LostPart implements Disposable {
  private readonly faded = window.createTextEditorDecorationType({
    isWholeLine: true,
    opacity: "0.5",
    overviewRulerColor: new ThemeColor("editorOverviewRuler.errorForeground"),
    overviewRulerLane: OverviewRulerLane.Left,
  });
  private readonly border = window.createTextEditorDecorationType({
    isWholeLine: true,
    borderColor: new ThemeColor("editorError.foreground"),
    borderStyle: "solid",
    borderWidth: "1px 0 0 0",
  });
  private readonly disposables: Disposable[] = [
    this.faded,
    this.border,
    languages.onDidChangeDiagnostics((event) => {
      const changed = new Set(event.uris.map(String));
      this.update(window.visibleTextEditors.filter((editor) => changed.has(editor.document.uri.toString())));
    }),
    window.onDidChangeVisibleTextEditors((editors) => this.update(editors)),
  ];

  constructor() {
    this.update(window.visibleTextEditors);
  }

  private update(editors: readonly TextEditor[]): void {
    for (const editor of editors.filter((one) => one.document.fileName.endsWith("MEMORY.md"))) {
      const first = firstLostLine(languages.getDiagnostics(editor.document.uri));
      const last = editor.document.lineCount - 1;
      const lost = first === undefined ? [] : [new Range(first, 0, Math.max(first, last), 0)];
      const hoverMessage = l10n.t("The agent never sees this: it lies behind the limit of the index.");
      editor.setDecorations(
        this.faded,
        lost.map((range) => ({ range, hoverMessage })),
      );
      editor.setDecorations(
        this.border,
        lost.map((range) => new Range(range.start, range.start)),
      );
    }
  }

  dispose(): void {
    for (const one of this.disposables) {
      one.dispose();
    }
  }
}
