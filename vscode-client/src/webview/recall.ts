/** Runs inside the view "Recall": shows what the extension sends, reports questions, clicks and judgements. */

interface Host {
  postMessage(message: unknown): void;
}
declare function acquireVsCodeApi(): Host;

interface Incoming {
  html?: string;
  query?: string;
  noModel?: boolean;
}

const host = acquireVsCodeApi();
const form = document.getElementById("ask") as HTMLFormElement;
const query = document.getElementById("query") as HTMLTextAreaElement;
const words = document.getElementById("words") as HTMLInputElement;
const result = document.getElementById("result") as HTMLElement;

/** What finds the focused button again after its list was drawn anew. */
function place(element: Element | null): string | undefined {
  if (!(element instanceof HTMLButtonElement)) {
    return undefined;
  }
  const { open, judge, right } = element.dataset;
  return judge === undefined ? open && `o ${open}` : `j ${judge} ${right}`;
}

window.addEventListener("message", (event: MessageEvent<Incoming>) => {
  const { html, query: asked, noModel } = event.data;
  if (asked !== undefined) {
    query.value = asked;
    words.checked = noModel === true;
  }
  if (html !== undefined) {
    const focused = place(document.activeElement);
    result.innerHTML = html; // made by the extension, every text escaped; scripts can't run (CSP)
    for (const button of result.querySelectorAll("button")) {
      if (focused !== undefined && place(button) === focused) {
        button.focus();
      }
    }
  }
});

function ask(): void {
  host.postMessage({ ask: query.value, noModel: words.checked });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});

query.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    ask();
  }
});

result.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  const { open, judge, right } = button?.dataset ?? {};
  if (open !== undefined) {
    host.postMessage({ open });
  } else if (judge !== undefined) {
    host.postMessage({ judge, right: right === "true" });
  }
});

host.postMessage({ ready: true });

export {};
