/** A chain of small questions with a way back: each step asks one thing, and the Back button returns to the one before. */

import {
  type InputBox,
  InputBoxValidationSeverity,
  QuickInputButtons,
  type QuickPick,
  type QuickPickItem,
  window,
} from "vscode";

/** Thrown by a step when the person goes back, or away. */
export class Leave extends Error {
  constructor(readonly where: "back" | "away") {
    super(where);
  }
}

export type Step = () => Promise<void>;

/** Runs the steps; false when the person left. A step may be skipped by returning at once. */
export async function runSteps(steps: readonly Step[]): Promise<boolean> {
  let at = 0;
  const asked: number[] = [];
  while (at < steps.length) {
    const step = steps[at];
    try {
      const before = shown;
      await step?.();
      if (shown !== before) {
        asked.push(at); // only steps that asked something can be gone back to
      }
      at += 1;
    } catch (error) {
      if (!(error instanceof Leave)) {
        throw error;
      }
      const previous = asked.pop();
      if (error.where === "away" || previous === undefined) {
        return false;
      }
      at = previous;
    }
  }
  return true;
}

let shown = 0;

export interface Place {
  title: string;
  step: number;
  total: number;
}

function prepare<T extends InputBox | QuickPick<QuickPickItem>>(input: T, place: Place): T {
  shown += 1;
  input.title = place.title;
  if (place.total > 1) {
    input.step = place.step;
    input.totalSteps = place.total;
  }
  input.ignoreFocusOut = true; // looking something up in a file must not lose what was typed
  input.buttons = place.step > 1 ? [QuickInputButtons.Back] : [];
  return input;
}

/** Asks to choose; `current` is selected at first. */
export function askChoice<T extends QuickPickItem>(
  place: Place,
  placeholder: string,
  items: readonly T[],
  current?: T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const pick = prepare(window.createQuickPick<T>() as QuickPick<QuickPickItem>, place) as QuickPick<T>;
    pick.placeholder = placeholder;
    pick.items = items;
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    if (current !== undefined) {
      pick.activeItems = [current];
    }
    let done = false;
    pick.onDidAccept(() => {
      const chosen = pick.selectedItems[0] ?? pick.activeItems[0];
      if (chosen !== undefined) {
        done = true;
        resolve(chosen);
        pick.hide();
      }
    });
    pick.onDidTriggerButton(() => {
      done = true;
      reject(new Leave("back"));
      pick.hide();
    });
    pick.onDidHide(() => {
      if (!done) {
        reject(new Leave("away"));
      }
      pick.dispose();
    });
    pick.show();
  });
}

export interface TextQuestion {
  prompt: string;
  placeholder?: string;
  value?: string;
  /** A sentence that forbids going on. */
  refuse?(value: string): string | undefined;
  /** A sentence that helps; going on is allowed. */
  advise?(value: string): string | undefined;
}

/** Asks for a line of text, with live advice under it. */
export function askText(place: Place, question: TextQuestion): Promise<string> {
  return new Promise((resolve, reject) => {
    const box = prepare(window.createInputBox() as InputBox, place);
    box.prompt = question.prompt;
    box.placeholder = question.placeholder ?? "";
    box.value = question.value ?? "";
    let touched = box.value !== "";
    const judge = (): boolean => {
      const refusal = question.refuse?.(box.value);
      const advice = question.advise?.(box.value);
      if (refusal !== undefined) {
        box.validationMessage = touched
          ? { message: refusal, severity: InputBoxValidationSeverity.Error }
          : undefined;
        return false;
      }
      box.validationMessage =
        advice === undefined ? undefined : { message: advice, severity: InputBoxValidationSeverity.Info };
      return true;
    };
    let done = false;
    box.onDidChangeValue(() => {
      touched = true;
      judge();
    });
    box.onDidAccept(() => {
      touched = true;
      if (judge()) {
        done = true;
        resolve(box.value.trim());
        box.hide();
      }
    });
    box.onDidTriggerButton(() => {
      done = true;
      reject(new Leave("back"));
      box.hide();
    });
    box.onDidHide(() => {
      if (!done) {
        reject(new Leave("away"));
      }
      box.dispose();
    });
    judge();
    box.show();
  });
}
