/** The guided way to a new memory: type with examples, scope, name, description with live advice, the fact, its reasons. */

import {
  CodeAction,
  CodeActionKind,
  type CodeActionProvider,
  type Disposable,
  type DocumentSelector,
  l10n,
  languages,
  type QuickPickItem,
  type Range,
  type TextDocument,
  type TextEditor,
  Uri,
  window,
} from "vscode";
import { Explained, pickFolder, type Services, serverUnavailable } from "../commands/context";
import { register } from "../commands/register";
import { type FolderStatus, type MemoryTypeInfo, type TreeNode, TYPES, type TypesResult } from "../protocol";
import { openFile } from "../util/open";
import { type MemoryRef, SAVE, type SaveAnswer, type SaveQuestion } from "./protocol";
import { runJob } from "./run";
import { type Draft, descriptionAdvice, saveArgument } from "./save";
import { askChoice, askText, Leave, type Place, runSteps } from "./steps";
import { offerUndo } from "./undo";

export function newMemoryCommands(services: Services): Disposable[] {
  return [
    register("memdir.newMemory", (node?: TreeNode) =>
      newMemory(services, { type: node?.memoryType, scope: node?.scope }, node),
    ),
    languages.registerCodeActionsProvider({ scheme: "file" }, new SelectionAction(services), {
      providedCodeActionKinds: [CodeActionKind.RefactorExtract],
    }),
    register("memdir.saveSelection", () => saveSelection(services, window.activeTextEditor)),
  ];
}

/** "Save the selection as a memory" in the files that the server does not get; in its own it offers this itself. */
class SelectionAction implements CodeActionProvider {
  constructor(private readonly services: Services) {}

  provideCodeActions(document: TextDocument, range: Range): CodeAction[] {
    const client = this.services.manager.running;
    const selector = client?.clientOptions.documentSelector as DocumentSelector | undefined;
    if (range.isEmpty || selector === undefined || languages.match(selector, document) > 0) {
      return [];
    }
    const action = new CodeAction(l10n.t("Save the selection as a memory…"), CodeActionKind.RefactorExtract);
    action.command = { command: "memdir.saveSelection", title: action.title };
    return [action];
  }
}

interface Preset {
  type?: string | undefined;
  scope?: string | undefined;
  text?: string | undefined;
}

async function saveSelection(services: Services, editor: TextEditor | undefined): Promise<void> {
  const text = editor?.document.getText(editor.selection) ?? "";
  if (text.trim() === "") {
    throw new Explained(l10n.t("Select the text that the agent should remember, then run this again."));
  }
  await newMemory(services, { text });
}

/** Asks for a memory and saves it; `take` saves it in another way and says whether that settled it. */
export async function newMemory(
  services: Services,
  preset: Preset,
  node?: TreeNode,
  take?: (draft: Draft) => Promise<boolean>,
): Promise<void> {
  const folder = await pickFolder(services, node);
  const client = services.manager.running;
  if (folder === undefined) {
    return;
  }
  if (client === undefined) {
    throw serverUnavailable();
  }
  const { types } = await client.sendRequest<TypesResult>(TYPES, {});
  const draft: Draft = {
    type: "",
    name: "",
    description: "",
    text: preset.text ?? "",
    parts: new Map(),
    scope: undefined,
  };
  const team = hasTeam(services.model.roots);
  if (!(await ask(draft, types, preset, team)) || (await take?.(draft))) {
    return;
  }
  if (take === undefined) {
    await save(services, folder, draft);
  }
}

function hasTeam(roots: readonly TreeNode[]): boolean {
  return roots.some(
    (node) => (node.kind === "scope" && node.scope === "team") || hasTeam(node.children ?? []),
  );
}

async function ask(draft: Draft, types: MemoryTypeInfo[], preset: Preset, team: boolean): Promise<boolean> {
  const title = preset.text === undefined ? l10n.t("New memory") : l10n.t("Save the selection as a memory");
  const place = (fixed: number): Place => ({ title, step: fixed, total: 5 });
  const info = (): MemoryTypeInfo => types.find((type) => type.name === draft.type) as MemoryTypeInfo;
  return runSteps([
    async () => {
      const items = types.map((type) => typeItem(type));
      const wanted = items.find((item) => item.type.name === (draft.type || preset.type));
      const chosen = await askChoice(
        place(1),
        l10n.t("What kind of thing should the agent remember?"),
        items,
        wanted,
      );
      draft.type = chosen.type.name;
      draft.scope = undefined;
    },
    async () => {
      if (!team || !info().teamAllowed) {
        draft.scope = info().teamAllowed ? undefined : "private";
        return;
      }
      const items = scopeItems();
      const wanted = preset.scope ?? info().defaultScope;
      const chosen = await askChoice(
        place(2),
        info().scopeRule,
        items,
        items.find((item) => item.scope === wanted),
      );
      draft.scope = chosen.scope;
    },
    async () => {
      draft.name = await askText(place(3), {
        prompt: l10n.t("A short title, as it should stand in the index"),
        value: draft.name,
        refuse: (value) => (value.trim() === "" ? l10n.t("The memory needs a name.") : undefined),
      });
    },
    async () => {
      draft.description = await askText(place(4), {
        prompt: l10n.t("One line that says what it holds; the agent chooses by it"),
        value: draft.description,
        refuse: (value) => (value.trim() === "" ? descriptionAdvice(value, draft.name) : undefined),
        advise: (value) => descriptionAdvice(value, draft.name),
      });
    },
    async () => {
      if (preset.text !== undefined) {
        return;
      }
      draft.text = await askText(place(5), {
        prompt: info().body,
        value: draft.text,
        placeholder: info().examples[0] ?? "",
        refuse: (value) =>
          value.trim() === "" ? l10n.t("Write the thing itself in one or two sentences.") : undefined,
      });
    },
    async () => {
      for (const part of info().parts) {
        const given = await askText(place(5), {
          prompt: `${part.label.replaceAll("*", "")} ${part.hint}`,
          placeholder: l10n.t("May stay empty; then the memory is open for it"),
          value: draft.parts.get(part.label) ?? "",
        });
        draft.parts.set(part.label, given);
      }
    },
  ]);
}

function typeItem(type: MemoryTypeInfo): QuickPickItem & { type: MemoryTypeInfo } {
  return { label: type.label, description: type.holds, detail: type.examples[0] ?? "", type };
}

function scopeItems(): (QuickPickItem & { scope: "private" | "team" })[] {
  return [
    { label: `$(lock) ${l10n.t("Private")}`, description: l10n.t("only on this machine"), scope: "private" },
    {
      label: `$(organization) ${l10n.t("Team")}`,
      description: l10n.t("shared with everybody on the project"),
      scope: "team",
    },
  ];
}

/** Saves; questions that come back are put to the person until one answer settles them. */
async function save(services: Services, folder: FolderStatus, draft: Draft): Promise<void> {
  let more: { force?: boolean; update?: string } = {};
  for (;;) {
    const answer = await runJob<SaveAnswer>(services, SAVE, {
      folder: folder.uri,
      ...saveArgument(draft, more),
    });
    if (answer.saved) {
      await openFile(Uri.parse(answer.uri));
      const said = [l10n.t("Saved “{0}”.", draft.name), ...answer.advice].join(" ");
      void offerUndo(services, folder, said, answer.done);
      return;
    }
    const [question] = answer.questions;
    const decision = question === undefined ? undefined : await decide(question, draft);
    if (decision === undefined) {
      return;
    }
    more = decision;
  }
}

export type Decision = { force?: boolean; update?: string };

/** One question, politely; it can always be overruled. */
export async function decide(question: SaveQuestion, draft?: Draft): Promise<Decision | undefined> {
  const all = l10n.t("Save it all the same");
  const surprising = l10n.t("Keep what was surprising about it");
  const duplicate = question.kind === "duplicate";
  const updates = new Map(
    question.candidates.slice(0, 2).map((one: MemoryRef) => [l10n.t("Update “{0}”", one.name), one.uri]),
  );
  const chosen = await window.showInformationMessage(
    duplicate ? l10n.t("Is it known already?") : l10n.t("Is this worth remembering?"),
    { modal: true, detail: question.message },
    ...updates.keys(),
    ...(duplicate || draft === undefined ? [] : [surprising]),
    all,
  );
  if (chosen === surprising && draft !== undefined) {
    return keepSurprise(draft);
  }
  const update = chosen === undefined ? undefined : updates.get(chosen);
  return update === undefined ? (chosen === all ? { force: true } : undefined) : { update };
}

/** What the repository does not say itself becomes the memory. */
async function keepSurprise(draft: Draft): Promise<Decision | undefined> {
  try {
    draft.text = await askText(
      { title: l10n.t("Before it is saved"), step: 1, total: 1 },
      {
        prompt: l10n.t("What was surprising about it? What would somebody get wrong without knowing it?"),
        refuse: (value) => (value.trim() === "" ? l10n.t("Write it in one or two sentences.") : undefined),
      },
    );
    return {};
  } catch (error) {
    if (error instanceof Leave) {
      return undefined;
    }
    throw error;
  }
}
