/** Puts the sidebar together: the two trees, filter and order, badges, and the keys that empty states depend on. */

import { commands, type Disposable, l10n, type TreeView, window, workspace } from "vscode";
import type { Services } from "../commands/context";
import { register } from "../commands/register";
import { MoveByDrag } from "../jobs/move";
import type { FolderStatus, StatusResult, TreeNode } from "../protocol";
import type { ServerState } from "../server/manager";
import { badgeCount, budgetText, problemText, sumProblems } from "../util/text";
import { MemoryDecorations } from "./decorations";
import { memoryState } from "./memoryState";
import type { Shape, SortOrder } from "./shape";
import { countMemories } from "./shape";
import { MemoryTree } from "./tree";

const SORT_KEY = "memdir.sort";

export class Sidebar implements Disposable {
  private readonly shape: Shape;
  private readonly tree: MemoryTree;
  private readonly projects: MemoryTree;
  private readonly view: TreeView<TreeNode>;
  private readonly projectsView: TreeView<TreeNode>;
  private readonly decorations = new MemoryDecorations();
  private readonly disposables: Disposable[] = [];

  constructor(private readonly services: Services) {
    const { model, context } = services;
    this.shape = { filter: "", sort: context.workspaceState.get<SortOrder>(SORT_KEY, "server") };
    this.tree = new MemoryTree(
      () => model.roots,
      () => this.shape,
    );
    this.projects = new MemoryTree(
      () => model.projects,
      () => this.shape,
    );
    this.view = window.createTreeView("memdir.memory", {
      treeDataProvider: this.tree,
      showCollapseAll: true,
      canSelectMany: true,
      dragAndDropController: new MoveByDrag((nodes, to) => {
        const command = to === "team" ? "memdir.moveToTeam" : "memdir.moveToPrivate";
        void commands.executeCommand(command, undefined, nodes);
      }),
    });
    this.projectsView = window.createTreeView("memdir.projects", {
      treeDataProvider: this.projects,
      showCollapseAll: true,
    });
    this.disposables.push(
      this.tree,
      this.projects,
      this.view,
      this.projectsView,
      this.decorations,
      window.registerFileDecorationProvider(this.decorations),
      model.onDidChangeTree(() => this.refresh()),
      model.onDidChangeStatus((status) => this.showStatus(status)),
      workspace.onDidChangeWorkspaceFolders(() => this.showStatus(model.status)),
      workspace.onDidGrantWorkspaceTrust(() => this.showFilter()),
      window.onDidChangeActiveTextEditor(() => void this.revealActive()),
      this.view.onDidChangeVisibility(() => void this.revealActive()),
      this.projectsView.onDidChangeVisibility((event) => event.visible && void model.refreshProjects()),
      register("memdir.filter", () => this.askFilter()),
      register("memdir.clearFilter", () => this.setFilter("")),
      register("memdir.sort", () => this.askSort()),
    );
    this.refresh();
  }

  /** The server's life decides which empty state is shown. */
  showState(state: ServerState): void {
    if (state.kind === "running" && this.projectsView.visible) {
      void this.services.model.refreshProjects();
    }
    void commands.executeCommand("setContext", "memdir.server", state.kind);
  }

  get selection(): readonly TreeNode[] {
    return this.view.selection;
  }

  private refresh(): void {
    this.tree.refresh();
    this.projects.refresh();
    this.decorations.update(this.services.model.roots);
    this.showFilter();
    void this.revealActive();
  }

  private showStatus(status: StatusResult): void {
    const problems = sumProblems(status.folders.map((f) => f.problems));
    const count = badgeCount(problems);
    this.view.badge =
      count > 0 ? { value: count, tooltip: l10n.t("Memory: {0}", problemText(problems)) } : undefined;
    this.view.title = status.folders.length > 1 ? l10n.t("Repositories") : l10n.t("This Repository");
    this.view.description = describeBudget(status.folders);
    void commands.executeCommand(
      "setContext",
      "memdir.memory",
      memoryState(status, workspace.workspaceFolders ?? []),
    );
  }

  private showFilter(): void {
    const { filter } = this.shape;
    void commands.executeCommand("setContext", "memdir.filtered", filter !== "");
    this.view.message = this.message();
  }

  /** What stands above the rows. Nothing without rows: VS Code would leave out the text of the empty view for it. */
  private message(): string {
    const { filter } = this.shape;
    if (this.tree.roots.length === 0) {
      return "";
    }
    if (filter !== "") {
      const count = countMemories(this.tree.roots);
      return count === 1
        ? l10n.t("1 memory matches “{0}”", filter)
        : l10n.t("{0} memories match “{1}”", count, filter);
    }
    return workspace.isTrusted
      ? ""
      : l10n.t(
          "Restricted mode: this repository's settings choose no program, no model and no place of memory.",
        );
  }

  private async askFilter(): Promise<void> {
    const filter = await window.showInputBox({
      title: l10n.t("Filter memories"),
      prompt: l10n.t("Words of the title, description, type or file name; all must occur."),
      value: this.shape.filter,
    });
    if (filter !== undefined) {
      this.setFilter(filter.trim());
    }
  }

  private setFilter(filter: string): void {
    this.shape.filter = filter;
    this.refresh();
  }

  private async askSort(): Promise<void> {
    const choices: { label: string; sort: SortOrder; description?: string }[] = [
      { label: l10n.t("By index"), sort: "server" },
      { label: l10n.t("By name"), sort: "name" },
      { label: l10n.t("By age, newest first"), sort: "age" },
      { label: l10n.t("By problems"), sort: "problems" },
    ];
    for (const choice of choices.filter((c) => c.sort === this.shape.sort)) {
      choice.description = l10n.t("current");
    }
    const chosen = await window.showQuickPick(choices, { title: l10n.t("Sort memories") });
    if (chosen !== undefined) {
      this.shape.sort = chosen.sort;
      await this.services.context.workspaceState.update(SORT_KEY, chosen.sort);
      this.refresh();
    }
  }

  /** Selects the row of the active editor, as the explorer does, without taking the focus. */
  private async revealActive(): Promise<void> {
    const uri = window.activeTextEditor?.document.uri;
    if (
      uri === undefined ||
      !this.view.visible ||
      !workspace.getConfiguration("memdir").get("tree.autoReveal", true)
    ) {
      return;
    }
    const node = this.tree.find(uri);
    if (node !== undefined && this.view.selection[0]?.id !== node.id) {
      await this.view.reveal(node, { select: true, focus: false });
    }
  }

  dispose(): void {
    for (const one of this.disposables) {
      one.dispose();
    }
  }
}

/** The index budget beside the view's title; only when one folder is meant, else each scope row says its own. */
function describeBudget(folders: readonly FolderStatus[]): string {
  const withIndex = folders.filter((f) => f.index !== null);
  const [only] = withIndex;
  return withIndex.length === 1 && only?.index ? budgetText(only.index) : "";
}
