/** Private and team: what can go from one to the other. Pure. */

import type { TreeNode } from "../protocol";

export type Side = "private" | "team";

/** What can go to the other side. */
export function movable(nodes: readonly TreeNode[], to: Side): TreeNode[] {
  const from: Side = to === "team" ? "private" : "team";
  return nodes.filter((node) => node.kind === "memory" && node.scope === from && node.uri !== undefined);
}
