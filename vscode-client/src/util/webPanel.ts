/** Panels that show a page of ours: their icon, style sheets and one script, and a policy that allows nothing else. */

import * as crypto from "node:crypto";
import { env, Uri, ViewColumn, type WebviewPanel, window } from "vscode";

/** Each has a script in `dist/webview` and a style sheet in `media`, behind `view.css`. */
export type PageName = "context" | "recall";

/** A panel in the active column; `root` is the folder of the extension. */
export function createPanel(root: Uri, name: PageName, title: string): WebviewPanel {
  const media = Uri.joinPath(root, "media");
  const panel = window.createWebviewPanel(`memdir.${name}`, title, ViewColumn.Active, {
    enableScripts: true,
    localResourceRoots: [media, scripts(root)],
  });
  panel.iconPath = {
    light: Uri.joinPath(media, "memory-light.svg"),
    dark: Uri.joinPath(media, "memory-dark.svg"),
  };
  return panel;
}

/** The page for such a panel; `body` is HTML whose texts are escaped. Only the page's own script runs. */
export function pageOf(panel: WebviewPanel, root: Uri, name: PageName, body: string): string {
  const { webview } = panel;
  const nonce = crypto.randomBytes(16).toString("base64");
  const script = webview.asWebviewUri(Uri.joinPath(scripts(root), `${name}.js`));
  const styles = ["view", name].map((sheet) => {
    const uri = webview.asWebviewUri(Uri.joinPath(root, "media", `${sheet}.css`));
    return `<link rel="stylesheet" href="${uri}">`;
  });
  return `<!DOCTYPE html>
<html lang="${env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}';">
${styles.join("\n")}
</head>
<body>${body}<script nonce="${nonce}" src="${script}"></script></body>
</html>`;
}

function scripts(root: Uri): Uri {
  return Uri.joinPath(root, "vscode-client", "dist", "webview");
}
