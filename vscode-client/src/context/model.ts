/** What `memdir context --json` says, and the numbers that the picture shows. Pure. */

export interface Layer {
  kind: string;
  /** The kind in the reader's language. */
  label: string;
  path: string;
  /** `conditional`: only once a file is touched that its `globs` name. */
  state: "loaded" | "conditional" | "cut" | "not-loaded";
  state_label: string;
  why: string | null;
  /** Characters that reach the agent. */
  characters: number;
  /** Characters of the file. */
  size: number;
  tokens: number;
  globs: string[];
  /** Files through which an import came, outermost first. */
  chain: string[];
}

export interface Repeat {
  text: string;
  paths: string[];
}

export interface ContextReport {
  cwd: string;
  layers: Layer[];
  total: { characters: number; tokens: number };
  /** Lines that stand in several layers. */
  repeats: Repeat[];
}

export interface Bar {
  layer: Layer;
  /** Key that stays the same when the report is made again. */
  key: string;
  place: string;
  /** Part of the whole context, 0 to 1. */
  share: number;
  /** 1 to 6: which of the chart's colours and patterns. */
  series: number;
  inContext: boolean;
}

const SERIES: Record<string, number> = {
  managed: 1,
  user: 2,
  "user-rule": 2,
  project: 3,
  "project-rule": 3,
  import: 4,
  local: 5,
  "memory-index": 6,
  "team-index": 6,
};

/** Colour and pattern of a kind of layer: everything that is memory looks alike, and so on. */
export function seriesOf(kind: string): number {
  if (kind.includes("index") || kind.includes("agent")) {
    return 6;
  }
  if (kind.includes("rule")) {
    return 4;
  }
  return SERIES[kind] ?? 3;
}

/** Longer paths than this keep only their end; the whole one is in the tooltip (characters). */
const LONG_PATH = 48;

/** `path` as a person knows it: relative to the working directory, else with `~`, else its end. */
export function shortPath(path: string, cwd: string, home: string | undefined): string {
  for (const [root, shown] of [
    [cwd, ""],
    [home, "~/"],
  ] as const) {
    if (root !== undefined && root !== "" && path.startsWith(`${root}/`)) {
      return ending(shown + path.slice(root.length + 1));
    }
  }
  return ending(path);
}

function ending(path: string): string {
  const parts = path.split("/");
  return path.length <= LONG_PATH || parts.length <= 3 ? path : `…/${parts.slice(-2).join("/")}`;
}

/** One bar per layer, in the order in which they load. */
export function bars(report: ContextReport, home: string | undefined): Bar[] {
  const total = Math.max(report.total.characters, 1);
  return report.layers.map((layer) => {
    const inContext = layer.state === "loaded" || layer.state === "cut";
    return {
      layer,
      key: `${layer.kind}:${layer.path}`,
      place: shortPath(layer.path, report.cwd, home),
      share: inContext ? layer.characters / total : 0,
      series: seriesOf(layer.kind),
      inContext,
    };
  });
}

/** "25 %", and "<1 %" for what is there but small. */
export function percent(share: number): string {
  if (share <= 0) {
    return "0 %";
  }
  return share < 0.01 ? "<1 %" : `${Math.round(share * 100)} %`;
}
