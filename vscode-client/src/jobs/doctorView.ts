/** The view "Doctor": memory directories that nobody looks for, each with what would mend it. Nothing is deleted. */

import {
  commands,
  type Disposable,
  EventEmitter,
  env,
  FileType,
  l10n,
  type TreeDataProvider,
  type TreeView,
  Uri,
  window,
  workspace,
} from "vscode";
import { Explained, type Services, serverUnavailable } from "../commands/context";
import { register } from "../commands/register";
import { openFile } from "../util/open";
import { doctorItem } from "./doctorItems";
import { type DoctorRow, factsOf, inOrder } from "./doctorRows";
import { openChanges } from "./openProposal";
import { DOCTOR, type DoctorAnswer, type DoctorCase, REVIEW, type Review } from "./protocol";
import type { Waiting } from "./review";
import { runJob, runWithProgress } from "./run";
import { onDidUndo } from "./undo";

const VIEW = "memdir.doctor";
type CaseRow = Extract<DoctorRow, { kind: "case" }>;
/** What the empty view says: nothing yet, being looked at, all well. */
type Finding = "unknown" | "looking" | "clean" | "cases";

export class DoctorView implements TreeDataProvider<DoctorRow>, Disposable {
  private readonly changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: TreeView<DoctorRow>;
  private readonly disposables: Disposable[];
  private rows: CaseRow[] = [];
  private finding: Finding = "unknown";
  private folder = "";
  private looking: Promise<void> | undefined;

  constructor(
    private readonly services: Services,
    private readonly waiting: Waiting,
  ) {
    this.view = window.createTreeView(VIEW, { treeDataProvider: this });
    this.disposables = [
      this.changed,
      this.view,
      register("memdir.doctor", () => this.command()),
      register("memdir.refreshDoctor", () => this.look()),
      register("memdir.previewRepair", (row?: DoctorRow) => this.onCase(row, (one) => this.preview(one))),
      register("memdir.repair", (row?: DoctorRow) => this.onCase(row, (one) => this.repair(one))),
      register("memdir.openPlace", (row: DoctorRow) => openPlace(directoryOf(row))),
      register("memdir.copyPlace", (row: DoctorRow) => env.clipboard.writeText(directoryOf(row))),
      this.view.onDidChangeVisibility(() => void this.lookIfSeen()),
      services.manager.onDidChangeState(() => this.forget()),
      services.model.onDidChangeStatus(() => void this.lookIfSeen()),
      waiting.onDidDecide(() => void this.again()),
      onDidUndo(() => void this.again()),
    ];
  }

  /** Looks when somebody sees the view and nothing is known yet: it costs a look at every memory directory. */
  private async lookIfSeen(): Promise<void> {
    const known = this.finding !== "unknown";
    if (this.view.visible && !known && this.services.model.status.folders.length > 0) {
      await commands.executeCommand("memdir.refreshDoctor");
    }
  }

  /** Something was written: what was found may be mended, or broken again. */
  private async again(): Promise<void> {
    if (this.finding !== "unknown") {
      await commands.executeCommand("memdir.refreshDoctor");
    }
  }

  private async command(): Promise<void> {
    const { manager, model } = this.services;
    if (manager.running === undefined) {
      throw serverUnavailable();
    }
    if (model.status.folders.length === 0) {
      throw new Explained(l10n.t("Open a folder first: memory belongs to a repository."), [
        { title: l10n.t("Open Folder"), command: "workbench.action.files.openFolder" },
      ]);
    }
    await commands.executeCommand(`${VIEW}.focus`);
    await this.look();
  }

  /** Asks the server; calls meanwhile wait for the same answer. */
  private look(): Promise<void> {
    this.looking ??= this.ask().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  private async ask(): Promise<void> {
    const folder = this.services.model.status.folders[0]?.uri;
    if (folder === undefined) {
      return;
    }
    if (this.finding !== "cases") {
      this.show("looking");
    }
    try {
      const title = l10n.t("Looking at memory directories");
      const answer = await runWithProgress<DoctorAnswer>(this.services, { viewId: VIEW }, title, DOCTOR, {
        folder,
      });
      if (answer !== undefined) {
        this.folder = folder;
        this.rows = inOrder(answer.cases).map((one) => ({ kind: "case", one }));
      }
    } finally {
      this.show(this.rows.length > 0 ? "cases" : "clean");
    }
  }

  private forget(): void {
    this.rows = [];
    this.show("unknown");
  }

  private show(finding: Finding): void {
    this.finding = finding;
    const matters = this.rows.filter(({ one }) => one.kind !== "phantom").length;
    this.view.description = matters === 0 ? "" : String(matters);
    void commands.executeCommand("setContext", "memdir.finding", finding);
    this.changed.fire(undefined);
  }

  /** The case of a menu's row, else the selected one. */
  private async onCase(row: DoctorRow | undefined, act: (one: DoctorCase) => Promise<void>): Promise<void> {
    const chosen = row ?? this.view.selection[0];
    if (chosen !== undefined && chosen.kind !== "file") {
      await act(chosen.one);
    }
  }

  private async preview(one: DoctorCase): Promise<void> {
    if (one.review === null) {
      throw new Explained(one.message);
    }
    await openChanges(await this.review(one.review));
    const row = this.rows.find((top) => top.one === one);
    if (row !== undefined) {
      await this.view.reveal(row, { select: true, focus: false, expand: true });
    }
  }

  private async repair(one: DoctorCase): Promise<void> {
    if (one.review === null) {
      throw new Explained(one.message);
    }
    await this.waiting.take({ id: one.review, folder: this.folder });
  }

  private review(id: string): Promise<Review> {
    return runJob<Review>(this.services, REVIEW, { id, folder: this.folder });
  }

  async getChildren(row?: DoctorRow): Promise<DoctorRow[]> {
    if (row === undefined) {
      return this.rows;
    }
    if (row.kind !== "case") {
      return [];
    }
    const { review } = row.one;
    return factsOf(row.one, review === null ? undefined : await this.review(review));
  }

  getParent(row: DoctorRow): DoctorRow | undefined {
    return this.rows.find((top) =>
      row.kind === "file" ? row.review.id === top.one.review : row.kind !== "case" && row.one === top.one,
    );
  }

  getTreeItem(row: DoctorRow): ReturnType<typeof doctorItem> {
    return doctorItem(row);
  }

  dispose(): void {
    for (const one of this.disposables) {
      one.dispose();
    }
  }
}

function directoryOf(row: DoctorRow): string {
  switch (row.kind) {
    case "file":
      return Uri.parse(row.file.uri).fsPath;
    case "owner":
      return row.one.owner ?? "";
    case "to":
      return row.one.target ?? "";
    default:
      return row.one.directory;
  }
}

/** Opens the index of a memory directory, or its first memory. */
async function openPlace(directory: string): Promise<void> {
  const uri = Uri.file(directory);
  let names: string[] = [];
  try {
    names = (await workspace.fs.readDirectory(uri))
      .filter(([name, type]) => type === FileType.File && name.endsWith(".md"))
      .map(([name]) => name)
      .sort();
  } catch {
    // nothing is there yet: the same answer as for an empty one
  }
  const name = names.includes("MEMORY.md") ? "MEMORY.md" : names[0];
  if (name === undefined) {
    throw new Explained(l10n.t("There is no memory in {0}.", directory));
  }
  await openFile(Uri.joinPath(uri, name));
}
