/** The view "Session Notes": what the sessions of this repository are about and where they stand, while they run. */

import * as path from "node:path";
import {
  commands,
  type Disposable,
  EventEmitter,
  l10n,
  MarkdownString,
  Range,
  RelativePattern,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  type TreeView,
  Uri,
  window,
  workspace,
} from "vscode";
import type { Services } from "../commands/context";
import { register } from "../commands/register";
import { log } from "../log";
import type { FolderStatus } from "../protocol";
import type { JobCounts } from "./counts";
import { type NotesSection, notesSections } from "./notesText";
import { JOBS, type JobState, NOTES, type SessionNotes } from "./protocol";
import { runJob } from "./run";

const VIEW = "memdir.notes";
/** Notes are written with several system calls; one look is enough for them (milliseconds). */
const QUIET = 200;

export type NotesRow =
  | { kind: "session"; folder: FolderStatus; one: SessionNotes }
  | { kind: "section"; one: SessionNotes; section: NotesSection };

export class NotesView implements TreeDataProvider<NotesRow>, Disposable {
  private readonly changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: TreeView<NotesRow>;
  private readonly disposables: Disposable[];
  private readonly watchers = new Map<string, Disposable>();
  private timer: NodeJS.Timeout | undefined;
  private rows: NotesRow[] = [];

  constructor(
    private readonly services: Services,
    counts: JobCounts,
  ) {
    this.view = window.createTreeView(VIEW, { treeDataProvider: this, showCollapseAll: true });
    this.disposables = [
      this.changed,
      this.view,
      register("memdir.sessionNotes", () => commands.executeCommand(`${VIEW}.focus`)),
      register("memdir.refreshNotes", () => this.look()),
      this.view.onDidChangeVisibility(() => this.soon()),
      services.model.onDidChangeStatus(() => this.soon()),
      counts.onDidChange(() => this.soon()),
    ];
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), QUIET);
  }

  /** Asks for the notes while somebody looks at them, and follows their files. */
  private async look(): Promise<void> {
    const { folders } = this.services.model.status;
    if (!this.view.visible || this.services.manager.running === undefined || folders.length === 0) {
      return;
    }
    try {
      const all = await Promise.all(
        folders.map(async (folder): Promise<NotesRow[]> => {
          const found = await runJob<SessionNotes[]>(this.services, NOTES, { folder: folder.uri });
          return found.map((one) => ({ kind: "session", folder, one }));
        }),
      );
      this.rows = all.flat();
      this.follow(folders);
      await commands.executeCommand("setContext", "memdir.notesKept", await this.kept(folders));
    } catch (error) {
      log().warn(`session notes: ${String(error)}`);
      return;
    }
    this.changed.fire(undefined);
  }

  /** Whether notes are kept in one of the folders: the empty view says what is missing. */
  private async kept(folders: readonly FolderStatus[]): Promise<boolean> {
    const states = await Promise.all(
      folders.map((folder) => runJob<JobState[]>(this.services, JOBS, { folder: folder.uri })),
    );
    return states.flat().some((state) => state.job === "notes" && state.state === "on");
  }

  /** Notes lie beside the session's file; sessions of worktrees and sub-directories have directories of their own. */
  private follow(folders: readonly FolderStatus[]): void {
    const sessions = this.rows.flatMap((row) => (row.kind === "session" ? [path.dirname(row.one.path)] : []));
    const wanted = new Set([...folders.map((folder) => path.dirname(folder.memoryDir)), ...sessions]);
    for (const [directory, watcher] of this.watchers) {
      if (!wanted.has(directory)) {
        watcher.dispose();
        this.watchers.delete(directory);
      }
    }
    for (const directory of wanted) {
      if (!this.watchers.has(directory)) {
        const pattern = new RelativePattern(Uri.file(directory), "*/session-notes/*.md");
        const watcher = workspace.createFileSystemWatcher(pattern);
        watcher.onDidChange(() => this.soon());
        watcher.onDidCreate(() => this.soon());
        watcher.onDidDelete(() => this.soon());
        this.watchers.set(directory, watcher);
      }
    }
  }

  getChildren(row?: NotesRow): NotesRow[] {
    if (row === undefined) {
      return this.rows;
    }
    return row.kind === "session"
      ? notesSections(row.one.text)
          .filter((section) => section.body !== row.one.title) // the row says it already
          .map((section) => ({ kind: "section", one: row.one, section }))
      : [];
  }

  getTreeItem(row: NotesRow): TreeItem {
    const item = row.kind === "session" ? sessionItem(row.one) : sectionItem(row.section);
    item.id = row.kind === "session" ? row.one.path : `${row.one.path} ${row.section.heading}`;
    const line = row.kind === "session" ? 0 : row.section.line;
    item.command = {
      command: "vscode.open",
      title: l10n.t("Open"),
      arguments: [Uri.parse(row.one.uri), { preview: true, selection: new Range(line, 0, line, 0) }],
    };
    item.accessibilityInformation = { label: [item.label, item.description].filter(Boolean).join(", ") };
    return item;
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const one of [...this.disposables, ...this.watchers.values()]) {
      one.dispose();
    }
  }
}

function sessionItem(one: SessionNotes): TreeItem {
  const item = new TreeItem(one.title, TreeItemCollapsibleState.Collapsed);
  const time = new Date(one.updated).toLocaleString();
  item.description = one.running ? l10n.t("running · {0}", time) : time;
  item.iconPath = new ThemeIcon(one.running ? "pulse" : "note");
  item.tooltip = new MarkdownString().appendText(one.state === "" ? one.title : one.state);
  item.contextValue = "session";
  return item;
}

function sectionItem(section: NotesSection): TreeItem {
  const item = new TreeItem(section.heading);
  item.description = section.first;
  item.tooltip = new MarkdownString().appendText(section.body);
  item.contextValue = "section";
  return item;
}
