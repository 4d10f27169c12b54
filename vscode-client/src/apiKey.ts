/**
 * The key for the model service, for people who don't want it in the environment of the editor. It lies in the editor's
 * secret storage only, and leaves it in one way: as a variable in the environment of the server and of the `memdir` program.
 */

import { type Disposable, type ExtensionContext, l10n, window } from "vscode";
import { Explained } from "./commands/context";
import { register } from "./commands/register";
import { log } from "./log";
import {
  type Credentials,
  credentials,
  type Kept,
  keptFrom,
  serviceAddress,
  unsafe,
} from "./util/credentials";

const SECRET = "memdir.apiKey";

export class ApiKey implements Disposable {
  private readonly disposables: Disposable[];
  private told = "";

  /** `changed` is called when the key was set or removed, in this window or in another one. */
  constructor(
    private readonly context: ExtensionContext,
    changed: () => void,
    private readonly env: NodeJS.ProcessEnv = process.env,
  ) {
    this.disposables = [
      context.secrets.onDidChange((event) => event.key === SECRET && changed()),
      register("memdir.setApiKey", () => this.set()),
      register("memdir.removeApiKey", () => this.remove()),
    ];
  }

  /** What a process of ours gets beside the editor's environment; tells once when a key is withheld. */
  async environment(): Promise<NodeJS.ProcessEnv> {
    const found = await this.look();
    if (found.source === "withheld") {
      void this.tell(found.kept);
    }
    return found.environment;
  }

  /** Where the key comes from that processes of ours get now. */
  async look(): Promise<Credentials> {
    return credentials(this.env, await this.kept());
  }

  private async kept(): Promise<Kept | undefined> {
    try {
      return keptFrom(await this.context.secrets.get(SECRET));
    } catch (error) {
      // A keyring that is locked or missing must not keep the server from starting
      log().warn(`the secret storage could not be read: ${error instanceof Error ? error.name : "error"}`);
      return undefined;
    }
  }

  private async set(): Promise<void> {
    const address = serviceAddress(this.env);
    if (unsafe(address)) {
      throw new Explained(
        l10n.t(
          "ANTHROPIC_BASE_URL is {0}: a key is sent over https, or to this machine only. Nothing was kept.",
          address,
        ),
      );
    }
    const key = await window.showInputBox({
      title: l10n.t("Key for the model service"),
      prompt: l10n.t("It is used for {0} and kept in the editor's secret storage, nowhere else.", address),
      password: true,
      ignoreFocusOut: true,
      validateInput: (value) =>
        /\s/.test(value.trim()) ? l10n.t("A key has no blanks and no line breaks.") : undefined,
    });
    if (key === undefined || key.trim() === "") {
      return;
    }
    await this.context.secrets.store(SECRET, JSON.stringify({ key: key.trim(), address } satisfies Kept));
    const found = credentials(this.env, { key: key.trim(), address });
    window.showInformationMessage(
      found.source === "environment"
        ? l10n.t(
            "The key is kept, but {0} in the environment of the editor goes first. The kept key is used when that is gone.",
            found.variable,
          )
        : l10n.t("The key is kept. The memory server starts again with it."),
    );
  }

  private async remove(): Promise<void> {
    if ((await this.context.secrets.get(SECRET)) === undefined) {
      throw new Explained(l10n.t("There is no key in the editor's secret storage."));
    }
    await this.context.secrets.delete(SECRET);
    window.showInformationMessage(
      l10n.t("The key is removed. The memory server starts again and works without a model."),
    );
  }

  /** The environment names another address than the one that the key was given for. */
  private async tell(kept: Kept): Promise<void> {
    const address = serviceAddress(this.env);
    if (this.told === address) {
      return;
    }
    this.told = address;
    const set = l10n.t("Set API Key");
    const text = l10n.t(
      "The key for the model service was given for {0}, but ANTHROPIC_BASE_URL is {1} now. It is not handed out; set it again if you trust that address.",
      kept.address,
      address,
    );
    if ((await window.showWarningMessage(text, set)) === set) {
      await this.set();
    }
  }

  dispose(): void {
    for (const one of this.disposables) {
      one.dispose();
    }
  }
}
