/**
 * What the views show: the newest status and tree of the running server. Requests never pile up: while one is under way
 * further changes are noted once, and the answer of an earlier server is dropped.
 */

import { type Disposable, EventEmitter } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { log } from "./log";
import {
  PROJECTS,
  STATUS,
  STATUS_CHANGED,
  type StatusResult,
  TREE,
  TREE_CHANGED,
  type TreeNode,
  type TreeResult,
} from "./protocol";

const NO_STATUS: StatusResult = { version: "", folders: [] };

export class MemoryModel implements Disposable {
  private client: LanguageClient | undefined;
  private listeners: Disposable[] = [];
  private fetching = false;
  private again = false;
  private readonly changedTree = new EventEmitter<void>();
  private readonly changedStatus = new EventEmitter<StatusResult>();
  readonly onDidChangeTree = this.changedTree.event;
  readonly onDidChangeStatus = this.changedStatus.event;
  roots: TreeNode[] = [];
  /** Memory of other repositories; asked for only while somebody looks at it. */
  projects: TreeNode[] = [];
  status: StatusResult = NO_STATUS;
  /** False until the first tree of the running server arrived. */
  loaded = false;

  /** Follows this client from now on; undefined when no server runs. */
  attach(client: LanguageClient | undefined): void {
    for (const listener of this.listeners) {
      listener.dispose();
    }
    this.listeners = [];
    this.client = client;
    this.loaded = false;
    if (client === undefined) {
      this.roots = [];
      this.projects = [];
      this.setStatus(NO_STATUS);
      this.changedTree.fire();
      return;
    }
    this.listeners.push(
      client.onNotification(TREE_CHANGED, () => void this.refreshTree()),
      client.onNotification(STATUS_CHANGED, (status: StatusResult) => this.setStatus(status)),
    );
    void this.refresh();
  }

  /** Asks the server for everything again. */
  async refresh(): Promise<void> {
    await Promise.all([this.refreshTree(), this.refreshStatus()]);
  }

  private async refreshTree(): Promise<void> {
    if (this.fetching) {
      this.again = true;
      return;
    }
    this.fetching = true;
    try {
      do {
        this.again = false;
        const client = this.client;
        const tree = await this.ask<TreeResult>(client, TREE);
        if (tree !== undefined && client === this.client) {
          this.roots = tree.roots;
          this.loaded = true;
          this.changedTree.fire();
        }
      } while (this.again);
    } finally {
      this.fetching = false;
    }
  }

  /** Looks at the memory directories of other repositories. */
  async refreshProjects(): Promise<void> {
    const client = this.client;
    const found = await this.ask<TreeResult>(client, PROJECTS);
    if (found !== undefined && client === this.client) {
      this.projects = found.roots;
      this.changedTree.fire();
    }
  }

  private async refreshStatus(): Promise<void> {
    const client = this.client;
    const status = await this.ask<StatusResult>(client, STATUS);
    if (status !== undefined && client === this.client) {
      this.setStatus(status);
    }
  }

  private setStatus(status: StatusResult): void {
    this.status = status;
    this.changedStatus.fire(status);
  }

  private async ask<T>(client: LanguageClient | undefined, method: string): Promise<T | undefined> {
    if (client === undefined || !client.isRunning()) {
      return undefined;
    }
    try {
      return await client.sendRequest<T>(method, {});
    } catch (error) {
      log().warn(`${method}: ${String(error)}`);
      return undefined;
    }
  }

  dispose(): void {
    this.attach(undefined);
    this.changedTree.dispose();
    this.changedStatus.dispose();
  }
}
