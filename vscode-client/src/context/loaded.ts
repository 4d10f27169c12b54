/** The exact text of the loaded index, with the line where it is cut and what is lost behind it. */

import { type Disposable, l10n, OverviewRulerLane, Range, ThemeColor, Uri, window } from "vscode";
import { runJson } from "../cli";
import { pickFolder, type Services } from "../commands/context";
import { register } from "../commands/register";
import { showText } from "../documents";

export interface LoadedIndex {
  text: string;
  truncated: null | "lines" | "size" | "both";
  lines: number;
  utf16: number;
  bytes: number;
  limits: Record<string, number>;
  lost: { line: number; title: string; target: string }[];
}

/** The document: the loaded text, then (when cut) a line that says so and the lost entries. Pure. */
export function loadedDocument(index: LoadedIndex): { text: string; cutLine: number | undefined } {
  if (index.truncated === null) {
    return { text: index.text, cutLine: undefined };
  }
  const kept = index.text.endsWith("\n") ? index.text : `${index.text}\n`;
  const cutLine = kept.split("\n").length - 1;
  const reason =
    index.truncated === "lines"
      ? l10n.t("the line limit")
      : index.truncated === "size"
        ? l10n.t("the size limit")
        : l10n.t("both limits");
  const head = l10n.t("From here on the agent sees nothing: {0} is reached", reason);
  const lost = index.lost.map((entry) => `- [${entry.title}](${entry.target})`);
  return { text: `${kept}──── ${head} ────\n${lost.join("\n")}\n`, cutLine };
}

export function loadedIndex(services: Services): Disposable[] {
  const cut = window.createTextEditorDecorationType({
    isWholeLine: true,
    color: new ThemeColor("editorError.foreground"),
    fontWeight: "bold",
    overviewRulerColor: new ThemeColor("editorOverviewRuler.errorForeground"),
    overviewRulerLane: OverviewRulerLane.Full,
  });
  const lost = window.createTextEditorDecorationType({
    isWholeLine: true,
    opacity: "0.55",
    textDecoration: "line-through",
  });
  return [
    cut,
    lost,
    register("memdir.showLoadedIndex", async (directory?: unknown) => {
      const cwd = typeof directory === "string" ? directory : await folderPath(services);
      if (cwd === undefined) {
        return;
      }
      const index = await runJson<LoadedIndex>(services, ["index", "--json"], { cwd });
      const { text, cutLine } = loadedDocument(index);
      const editor = await showText(`${l10n.t("Loaded index")}.md`, text);
      if (cutLine !== undefined) {
        editor.setDecorations(cut, [new Range(cutLine, 0, cutLine, 0)]);
        editor.setDecorations(lost, [new Range(cutLine + 1, 0, editor.document.lineCount - 1, 0)]);
        editor.revealRange(new Range(cutLine, 0, cutLine, 0), 2);
      }
    }),
  ];
}

async function folderPath(services: Services): Promise<string | undefined> {
  const folder = await pickFolder(services);
  return folder === undefined ? undefined : Uri.parse(folder.uri).fsPath;
}
