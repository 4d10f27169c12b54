/**
 * The context preview as HTML. Pure: a report in, a string out; every text from a file is escaped. The picture is an SVG
 * whose parts carry a pattern beside their colour, so that it can be read in high contrast and in print; the table below
 * it says the same in words and is what the keyboard moves through.
 */

import { l10n } from "vscode";
import type { IndexBudget } from "../protocol";
import { kilo } from "../util/text";
import { type Bar, bars, type ContextReport, percent } from "./model";

const WIDTH = 1000;
const HEIGHT = 44;
const GAP = 2;
/** From this share on a limit is nearly reached; the server's rule has the same default. */
const NEAR = 0.8;

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

const number = (value: number, locale: string): string => value.toLocaleString(locale);

/** The whole body of the view. `home` shortens paths, `locale` writes numbers. */
export function renderContext(
  report: ContextReport,
  home: string | undefined,
  locale: string,
  index: IndexBudget | null = null,
): string {
  const rows = bars(report, home);
  const title = l10n.t("What the agent sees when it starts in {0}", report.cwd);
  const total = l10n.t(
    "{0} characters, about {1} tokens",
    number(report.total.characters, locale),
    number(report.total.tokens, locale),
  );
  return [
    `<header><h1>${escapeHtml(title)}</h1><p class="total">${escapeHtml(total)}</p>`,
    `<p class="actions">${button("directory", l10n.t("Another directory…"))} ${button("text", l10n.t("Show the exact text"))} ${button("index", l10n.t("Show the loaded index"))} ${button("refresh", l10n.t("Refresh"))}</p></header>`,
    rows.length === 0
      ? `<p class="empty">${escapeHtml(l10n.t("Nothing: no instructions and no memory apply to this directory."))}</p>`
      : picture(rows) + (index === null ? "" : meters(index)) + table(rows, locale),
    repeats(report),
  ].join("\n");
}

function button(action: string, label: string): string {
  return `<button type="button" class="button" data-action="${action}">${escapeHtml(label)}</button>`;
}

/** One strip: a part per layer that is in the context, as wide as its share. */
function picture(rows: readonly Bar[]): string {
  const shown = rows.filter((row) => row.share > 0);
  const description = shown.map((row) => `${row.layer.label} ${row.place}: ${percent(row.share)}`).join("; ");
  let x = 0;
  const parts = shown.map((row) => {
    const width = Math.max(row.share * WIDTH - GAP, 1.5);
    const part =
      `<g class="part series-${row.series}" data-key="${escapeHtml(row.key)}"><title>${escapeHtml(`${row.layer.label}: ${row.place}, ${percent(row.share)}`)}</title>` +
      `<rect class="fill" x="${x.toFixed(1)}" y="1" width="${width.toFixed(1)}" height="${HEIGHT - 2}" rx="2"/>` +
      `<rect class="pattern" x="${x.toFixed(1)}" y="1" width="${width.toFixed(1)}" height="${HEIGHT - 2}" rx="2" fill="url(#pattern-${row.series})"/></g>`;
    x += row.share * WIDTH;
    return part;
  });
  return (
    `<figure><svg class="strip" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${escapeHtml(`${l10n.t("Share of each layer")}. ${description}`)}">` +
    `<defs>${patterns()}</defs>${parts.join("")}</svg>` +
    `<figcaption>${escapeHtml(l10n.t("Share of each layer, in the order in which they load"))}</figcaption></figure>`
  );
}

/** Hatchings that tell the series apart without colour. */
function patterns(): string {
  const lines: Record<number, string> = {
    1: '<path d="M0 0h8" />',
    2: '<path d="M0 8L8 0" />',
    3: "",
    4: '<path d="M0 0L8 8" />',
    5: '<path d="M4 0v8" />',
    6: '<path d="M0 8L8 0M0 0L8 8" />',
  };
  return Object.entries(lines)
    .map(
      ([series, path]) =>
        `<pattern id="pattern-${series}" width="8" height="8" patternUnits="userSpaceOnUse" class="hatch">${path}</pattern>`,
    )
    .join("");
}

function swatch(series: number): string {
  return `<svg class="swatch series-${series}" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true"><rect class="fill" width="14" height="14" rx="2"/><rect class="pattern" width="14" height="14" rx="2" fill="url(#pattern-${series})"/></svg>`;
}

/** How much of the index's two limits is used; the line marks the limit when it is passed. */
function meters(index: IndexBudget): string {
  const one = (label: string, used: number, limit: number, text: string): string => {
    const share = limit > 0 ? used / limit : 0;
    const state = share > 1 ? "over" : share >= NEAR ? "near" : "";
    const end = Math.max(share, 1);
    const x = (value: number): string => ((value / end) * WIDTH).toFixed(1);
    const mark = share > 1 ? `<line class="limit" x1="${x(1)}" y1="0" x2="${x(1)}" y2="10"/>` : "";
    return (
      `<span>${escapeHtml(label)}</span>` +
      `<div class="meter ${state}" role="meter" aria-label="${escapeHtml(label)}" aria-valuemin="0" aria-valuemax="${limit}" aria-valuenow="${Math.min(used, limit)}" aria-valuetext="${escapeHtml(text)}">` +
      `<svg viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true"><rect class="fill" width="${x(share)}" height="10"/>${mark}</svg></div>` +
      `<span class="number ${state}">${escapeHtml(text)}</span>`
    );
  };
  const lines = `${index.lines}/${index.maxLines}`;
  const size = `${kilo(index.utf16)}/${kilo(index.maxSize)} KB`;
  return `<section class="meters" aria-label="${escapeHtml(l10n.t("Limits of the memory index"))}">${one(l10n.t("Index lines"), index.lines, index.maxLines, lines)}${one(l10n.t("Index size"), index.utf16, index.maxSize, size)}</section>`;
}

function table(rows: readonly Bar[], locale: string): string {
  const head = [
    l10n.t("Layer"),
    l10n.t("File"),
    l10n.t("State"),
    l10n.t("Characters"),
    l10n.t("Tokens"),
    l10n.t("Share"),
  ];
  const body = rows.map((row, index) => line(row, index, locale)).join("\n");
  return `<table><thead><tr>${head.map((text, i) => `<th scope="col"${i > 2 ? ' class="number"' : ""}>${escapeHtml(text)}</th>`).join("")}</tr></thead><tbody>\n${body}\n</tbody></table>`;
}

function line(row: Bar, index: number, locale: string): string {
  const { layer } = row;
  const notes = [
    layer.why ?? "",
    layer.globs.length > 0 ? l10n.t("for {0}", layer.globs.join(", ")) : "",
    layer.chain.length > 0
      ? l10n.t("imported by {0}", layer.chain.map((p) => p.split("/").at(-1)).join(" → "))
      : "",
  ].filter((note) => note !== "");
  const lost = layer.state === "cut" ? layer.size - layer.characters : 0;
  if (lost > 0) {
    notes.push(l10n.t("{0} characters are lost", number(lost, locale)));
  }
  const depth = Math.min(layer.chain.length, 5);
  return (
    `<tr class="state-${layer.state}${row.inContext ? "" : " outside"}" data-key="${escapeHtml(row.key)}">` +
    `<td>${swatch(row.series)}<span class="label">${escapeHtml(layer.label)}</span></td>` +
    `<td class="depth-${depth}"><button type="button" class="file" data-open="${escapeHtml(layer.path)}" title="${escapeHtml(layer.path)}" tabindex="${index === 0 ? 0 : -1}">${escapeHtml(row.place)}</button>` +
    `${notes.length > 0 ? `<span class="note">${escapeHtml(notes.join(" · "))}</span>` : ""}</td>` +
    `<td>${escapeHtml(layer.state_label)}</td>` +
    `<td class="number">${number(layer.characters, locale)}</td>` +
    `<td class="number">${number(layer.tokens, locale)}</td>` +
    `<td class="number">${row.inContext ? percent(row.share) : "–"}</td></tr>`
  );
}

function repeats(report: ContextReport): string {
  if (report.repeats.length === 0) {
    return "";
  }
  const items = report.repeats
    .slice(0, 50)
    .map(
      (repeat) =>
        `<li><q>${escapeHtml(repeat.text)}</q> <span class="note">${repeat.paths.map((p) => `<button type="button" class="file" data-open="${escapeHtml(p)}">${escapeHtml(p.split("/").at(-1) ?? p)}</button>`).join(" ")}</span></li>`,
    )
    .join("");
  return `<section><h2>${escapeHtml(l10n.t("Said more than once"))}</h2><ul>${items}</ul></section>`;
}
