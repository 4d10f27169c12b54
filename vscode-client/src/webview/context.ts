/** Runs inside the view "Context": shows what the extension sends, reports clicks, moves the focus by keyboard. */

interface Host {
  postMessage(message: unknown): void;
}
declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
const root = document.getElementById("root") as HTMLElement;

function files(): HTMLButtonElement[] {
  return [...root.querySelectorAll<HTMLButtonElement>("tbody .file")];
}

/** One stop for Tab in the table; arrows move inside it. */
function focus(button: HTMLButtonElement | undefined): void {
  if (button === undefined) {
    return;
  }
  for (const other of files()) {
    other.tabIndex = other === button ? 0 : -1;
  }
  button.focus();
}

function mark(key: string | undefined): void {
  for (const element of root.querySelectorAll<HTMLElement | SVGElement>("[data-key]")) {
    element.classList.toggle("marked", key !== undefined && element.dataset.key === key);
  }
}

window.addEventListener("message", (event: MessageEvent<{ html: string }>) => {
  const focused =
    document.activeElement instanceof HTMLButtonElement ? document.activeElement.dataset.open : undefined;
  const scroll = document.documentElement.scrollTop;
  root.innerHTML = event.data.html; // made by the extension, every text escaped; scripts can't run (CSP)
  document.documentElement.scrollTop = scroll;
  if (focused !== undefined) {
    focus(files().find((button) => button.dataset.open === focused));
  }
});

root.addEventListener("click", (event) => {
  const target =
    event.target instanceof Element ? event.target.closest<HTMLElement>("[data-open],[data-action]") : null;
  if (target?.dataset.open !== undefined) {
    host.postMessage({ open: target.dataset.open });
  } else if (target?.dataset.action !== undefined) {
    host.postMessage({ action: target.dataset.action });
  }
});

root.addEventListener("keydown", (event) => {
  const all = files();
  const at = all.indexOf(document.activeElement as HTMLButtonElement);
  const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 };
  const next = moves[event.key];
  if (at >= 0 && next !== undefined) {
    event.preventDefault();
    focus(all[Math.min(Math.max(next, 0), all.length - 1)]);
  }
});

for (const type of ["mouseover", "focusin"] as const) {
  root.addEventListener(type, (event) => {
    const owner = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-key]") : null;
    mark(owner?.dataset.key);
  });
}
