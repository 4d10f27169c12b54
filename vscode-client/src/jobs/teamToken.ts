/** Tokens for team memory: they lie in the editor's secret storage, and the server keeps them in memory only. */

import { l10n, window } from "vscode";
import { Explained, type Services } from "../commands/context";
import type { FolderStatus } from "../protocol";
import { TEAM_STATUS, TEAM_TOKEN, type TeamStatus } from "./protocol";
import { runJob } from "./run";

const SECRET = "memdir.team.";
const URLS = "memdir.team.urls";

const urlsOf = (services: Services): string[] => services.context.globalState.get<string[]>(URLS, []);

/** Gives the server every token that is kept. */
export async function handOver(services: Services): Promise<void> {
  for (const url of urlsOf(services)) {
    const token = await services.context.secrets.get(SECRET + url);
    if (token !== undefined) {
      await runJob(services, TEAM_TOKEN, { url, token });
    }
  }
}

/** Asks for a token and keeps it; false when the person went away. */
export async function askToken(services: Services, url: string): Promise<boolean> {
  const token = await window.showInputBox({
    title: l10n.t("Sign in to {0}", url),
    prompt: l10n.t("Token for team memory; it is kept in the editor's secret storage"),
    password: true,
    ignoreFocusOut: true,
  });
  if (token === undefined || token.trim() === "") {
    return false;
  }
  await services.context.secrets.store(SECRET + url, token.trim());
  await services.context.globalState.update(URLS, [...new Set([...urlsOf(services), url])]);
  await runJob(services, TEAM_TOKEN, { url, token: token.trim() });
  return true;
}

/** Another token for the folder's service: the first one, or in place of one that has expired. */
export async function signIn(services: Services, folder: FolderStatus): Promise<void> {
  const status = await runJob<TeamStatus>(services, TEAM_STATUS, { folder: folder.uri });
  const url = status.needsToken ?? (status.transport === "service" ? status.url.replace(/\/+$/, "") : "");
  if (url === "") {
    throw new Explained(
      status.transport === "git"
        ? l10n.t("Team memory travels through git here, and git signs in itself.")
        : (status.why ?? l10n.t("Team memory is off.")),
    );
  }
  if (await askToken(services, url)) {
    window.setStatusBarMessage(l10n.t("$(check) Signed in to {0}", url), 5000);
  }
}

/** Forgets a token, here and in the server. */
export async function signOut(services: Services): Promise<void> {
  const urls = urlsOf(services);
  if (urls.length === 0) {
    throw new Explained(l10n.t("No token for team memory is kept."));
  }
  const title = l10n.t("Sign out of which service?");
  const url = urls.length === 1 ? urls[0] : await window.showQuickPick(urls, { title });
  if (url === undefined) {
    return;
  }
  await services.context.secrets.delete(SECRET + url);
  await services.context.globalState.update(
    URLS,
    urls.filter((one) => one !== url),
  );
  await runJob(services, TEAM_TOKEN, { url, token: "" });
  void window.showInformationMessage(l10n.t("Signed out of {0}. Its memories stay on this machine.", url));
}
