/** What this window's memory is like as a whole: decides which text the empty view shows. Pure. */

import type { StatusResult } from "../protocol";

/** `virtual`: folders are open, and none of them lies on a disk. */
export type MemoryState = "present" | "none" | "off" | "noFolder" | "virtual";

export function memoryState(
  status: Pick<StatusResult, "folders">,
  opened: readonly { uri: { scheme: string } }[],
): MemoryState {
  const folders = status.folders;
  if (folders.length === 0) {
    return opened.length > 0 && opened.every(({ uri }) => uri.scheme !== "file") ? "virtual" : "noFolder";
  }
  if (folders.some((f) => f.enabled && f.exists)) {
    return "present";
  }
  return folders.some((f) => f.enabled) ? "none" : "off";
}
