/** What waits for a person: proposals from the inbox and reviews, down to single pieces, and what team memory asks. */

import { type Disposable, EventEmitter, type TreeDataProvider, type TreeItem } from "vscode";
import type { Services } from "../commands/context";
import { log } from "../log";
import { treeItem } from "./proposalItems";
import { type Proposal, reviewRows, topRows } from "./proposalRows";
import { INBOX, type InboxItem, REVIEW, type Review, TEAM_STATUS, type TeamStatus } from "./protocol";
import { runJob } from "./run";

export class ProposalTree implements TreeDataProvider<Proposal>, Disposable {
  private readonly changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private rows: Proposal[] = [];
  private loading: Promise<void> | undefined;
  private again = false;

  constructor(private readonly services: Services) {}

  get count(): number {
    return this.rows.length;
  }

  /** Asks the server what waits; `team`: also what team memory asks. Calls meanwhile are answered by one more round. */
  async refresh(team: boolean): Promise<void> {
    if (this.loading !== undefined) {
      this.again = true;
      await this.loading;
      return;
    }
    this.loading = this.load(team);
    try {
      await this.loading;
    } finally {
      this.loading = undefined;
    }
    if (this.again) {
      this.again = false;
      await this.refresh(team);
    }
  }

  private async load(team: boolean): Promise<void> {
    if (this.services.manager.running === undefined) {
      this.rows = [];
    } else {
      try {
        const [inbox, teams] = await Promise.all([
          runJob<InboxItem[]>(this.services, INBOX, {}),
          team ? this.teams() : [],
        ]);
        this.rows = topRows(inbox, teams);
      } catch (error) {
        log().warn(`proposals: ${String(error)}`);
        return;
      }
    }
    this.changed.fire(undefined);
  }

  private teams(): Promise<TeamStatus[]> {
    const folders = this.services.model.status.folders;
    return Promise.all(
      folders.map((folder) => runJob<TeamStatus>(this.services, TEAM_STATUS, { folder: folder.uri })),
    );
  }

  async getChildren(node?: Proposal): Promise<Proposal[]> {
    switch (node?.kind) {
      case undefined:
        return this.rows;
      case "item":
        return node.item.evidence.map((evidence) => ({ kind: "evidence", item: node.item, evidence }));
      case "review": {
        return reviewRows(await this.review(node.id, node.folder));
      }
      case "file":
        return node.file.hunks.length > 1
          ? node.file.hunks.map((hunk) => ({ kind: "hunk", review: node.review, file: node.file, hunk }))
          : [];
      default:
        return [];
    }
  }

  /** A proposal in full, as it stands now. */
  review(id: string, folder: string): Promise<Review> {
    return runJob<Review>(this.services, REVIEW, { id, folder });
  }

  /** The row with this review, to be shown. */
  find(review: string): Proposal | undefined {
    return this.rows.find((row) => row.kind === "review" && row.id === review);
  }

  getParent(): undefined {
    return undefined; // only rows of the first level are revealed
  }

  getTreeItem(node: Proposal): TreeItem {
    return treeItem(node);
  }

  dispose(): void {
    this.changed.dispose();
  }
}
