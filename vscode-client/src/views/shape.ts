/** Filters and sorts the tree that the server sent. Pure: the server's nodes are never changed. */

import type { TreeNode } from "../protocol";
import { badgeCount } from "../util/text";

export type SortOrder = "server" | "name" | "age" | "problems";

export interface Shape {
  /** Words that a row must contain, all of them; empty shows everything. */
  filter: string;
  sort: SortOrder;
}

function words(filter: string): string[] {
  return filter.toLocaleLowerCase().split(/\s+/).filter(Boolean);
}

function haystack(node: TreeNode): string {
  return [
    node.label,
    node.description,
    node.memoryType,
    node.scope,
    node.uri === undefined ? "" : fileName(node.uri),
  ]
    .filter((part) => part !== undefined)
    .join("\n")
    .toLocaleLowerCase();
}

/** Last part of a URI, decoded. */
export function fileName(uri: string): string {
  const raw = uri.slice(uri.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw; // a stray % in a file name
  }
}

function comparer(sort: SortOrder): ((a: TreeNode, b: TreeNode) => number) | undefined {
  const byName = (a: TreeNode, b: TreeNode): number =>
    a.label.localeCompare(b.label, undefined, { numeric: true });
  switch (sort) {
    case "name":
      return byName;
    case "age":
      return (a, b) =>
        (a.age ?? Number.MAX_SAFE_INTEGER) - (b.age ?? Number.MAX_SAFE_INTEGER) || byName(a, b);
    case "problems":
      return (a, b) => weight(b) - weight(a) || byName(a, b);
    default:
      return undefined;
  }
}

/** Errors count more than warnings, and these more than notes. */
function weight(node: TreeNode): number {
  const p = node.problems;
  return p === undefined ? 0 : p.error * 10_000 + badgeCount(p) * 100 + p.information + p.hint;
}

/**
 * Rows that match, with the rows above them; a matching group keeps all it holds. Only memories and files are sorted:
 * scopes and types keep the server's order, which people learn.
 */
export function shape(roots: readonly TreeNode[], options: Shape): TreeNode[] {
  const wanted = words(options.filter);
  const compare = comparer(options.sort);
  const visit = (nodes: readonly TreeNode[], inherited: boolean): TreeNode[] => {
    const kept: TreeNode[] = [];
    for (const node of nodes) {
      const hit = inherited || wanted.every((word) => haystack(node).includes(word));
      const children =
        node.children === undefined ? undefined : visit(node.children, hit && wanted.length > 0);
      if (hit || (children?.length ?? 0) > 0) {
        kept.push(children === undefined ? node : { ...node, children });
      }
    }
    return compare !== undefined && kept.every(isSortable) ? kept.sort(compare) : kept;
  };
  return visit(roots, false);
}

function isSortable(node: TreeNode): boolean {
  return node.kind === "memory" || node.kind === "file" || node.kind === "project";
}

/** Number of memories in these rows. */
export function countMemories(nodes: readonly TreeNode[]): number {
  return nodes.reduce((sum, n) => sum + (n.kind === "memory" ? 1 : 0) + countMemories(n.children ?? []), 0);
}
