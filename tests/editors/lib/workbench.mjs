// The workbench as a person uses it: palette, sidebar, editor, problems. Every step waits for what it should see.
import fs from "node:fs";
import path from "node:path";
import { launchBrowser, startCodeServer, workbenchUrl } from "./codeserver.mjs";
import { SCREENSHOTS } from "./places.mjs";
import { until } from "./wait.mjs";

const DARK = "Default Dark Modern";
export const THEMES = { dark: DARK, light: "Default Light Modern", contrast: "Default High Contrast" };

export class Workbench {
  /** Opens `folder` of the world (its repository by default). Options go to `startCodeServer` and the browser. */
  static async open(world, options = {}) {
    const { theme = "dark", locale, width, height, folder = world.repo } = options;
    const server = await startCodeServer(world, {
      ...options,
      settings: { "workbench.colorTheme": THEMES[theme], ...options.settings },
    });
    const context = await launchBrowser(world, {
      width,
      height,
      locale,
      colorScheme: theme === "light" ? "light" : "dark",
    });
    const page = context.pages()[0] ?? (await context.newPage());
    page.setDefaultTimeout(30_000);
    const workbench = new Workbench(world, server, context, page, options.name ?? "scenario");
    await page.goto(workbenchUrl(server, folder ?? undefined));
    await page.locator(".monaco-workbench .part.statusbar").waitFor();
    return workbench;
  }

  constructor(world, server, context, page, name) {
    Object.assign(this, { world, server, context, page, name });
    this.shots = 0;
    this.sidebar = page.locator(".part.sidebar");
    this.quickInput = page.locator(".quick-input-widget:not(.hidden)");
    this.problems = page.locator(".markers-panel");
  }

  async close() {
    await this.context.close();
    await this.server.stop();
  }

  /** A picture for people to look at: artifacts/screenshots/<scenario>-<number>-<what>.png */
  async shot(what) {
    fs.mkdirSync(SCREENSHOTS, { recursive: true });
    this.shots += 1;
    const file = path.join(SCREENSHOTS, `${this.name}-${String(this.shots).padStart(2, "0")}-${what}.png`);
    // The text cursor blinks and toasts slide: the picture is taken with animations at their end
    await this.page.screenshot({ path: file, animations: "disabled", caret: "hide" });
    return file;
  }

  /** Switches the theme: `dark`, `light` or `contrast`. */
  async setTheme(theme) {
    await this.command("Preferences: Color Theme");
    const label = { dark: "Dark Modern", light: "Light Modern", contrast: "Dark High Contrast" }[theme];
    const kind = { dark: "vs-dark", light: "vs", contrast: "hc-black" }[theme];
    await this.quickInput.locator(".quick-input-list .monaco-list-row").first().waitFor();
    await this.quickInput.locator(".quick-input-box input").fill(label);
    await this.pick(label);
    await this.quickInput.waitFor({ state: "hidden" });
    await this.page.locator(`.monaco-workbench.${kind}`).waitFor();
  }

  // --- palette and quick input ---------------------------------------------------------------------------------

  /** Runs a command by its palette title. A file that opens meanwhile closes the palette: then it is opened again. */
  async command(title) {
    const input = this.quickInput.locator(".quick-input-box input");
    const row = this.quickInput
      .locator(".quick-input-list .monaco-list-row")
      .filter({ hasText: title })
      .first();
    await until(
      async () => {
        try {
          await this.page.keyboard.press("F1");
          await input.fill(`>${title}`, { timeout: 3000 });
          await row.click({ timeout: 5000 });
          return true;
        } catch {
          return false;
        }
      },
      { what: `the command “${title}”`, timeout: 30_000 },
    );
  }

  /** Types into the input box that asks `prompt` (part of its text) and accepts. */
  async answer(prompt, text) {
    const asked = this.quickInput.getByText(prompt);
    await asked.waitFor();
    const input = this.quickInput.locator(".quick-input-box input");
    await input.fill(text);
    await input.press("Enter"); // the box itself gets the key, whatever has taken the focus meanwhile
    await asked.waitFor({ state: "hidden" });
  }

  /** Picks the row of the open quick pick that has exactly this label. */
  async pick(label) {
    const row = this.quickInput
      .locator(".quick-input-list .monaco-list-row")
      .filter({ has: this.page.getByText(label, { exact: true }) })
      .first();
    await row.waitFor();
    await row.click();
  }

  // --- sidebar -------------------------------------------------------------------------------------------------

  async openSidebar(name = "Memory") {
    await this.page.locator(".activitybar").getByRole("tab", { name }).click();
    await this.sidebar.locator(".monaco-list-row").first().waitFor();
  }

  /** A row of the tree by its text. */
  row(text) {
    return this.sidebar.getByRole("treeitem").filter({ hasText: text }).first();
  }

  async rows() {
    const texts = await this.sidebar.locator(".monaco-list-row").allInnerTexts();
    return texts.map((text) => text.replaceAll("\n", " ").trim());
  }

  /**
   * A button of a row, then what must be `seen` of it: waits at most `timeout` and throws when that is not there. A row
   * that is drawn anew between pointing and clicking swallows the click; then it is clicked again.
   */
  async rowButton(row, name, seen) {
    const happened = (timeout) =>
      seen({ timeout }).then(
        () => true,
        () => false,
      );
    await until(
      async () => {
        try {
          await row.hover({ timeout: 3000 });
          await row.getByRole("button", { name }).click({ timeout: 3000 });
        } catch {
          return happened(100); // a row that is gone may have been taken after all
        }
        return happened(5000);
      },
      { what: `the button “${name}”`, timeout: 40_000 },
    );
  }

  /** Right-click on a row, then an entry of its menu. */
  async menu(text, entry) {
    await this.row(text).click({ button: "right" });
    await this.menuEntry(entry);
  }

  /**
   * An entry of the menu that is open. VS Code ignores a click that comes right behind the opening of a menu; the menu
   * goes when an entry was taken.
   */
  async menuEntry(entry) {
    const item = this.page.locator(".monaco-menu .action-item").filter({ hasText: entry }).first();
    await item.waitFor({ timeout: 5000 });
    for (let attempt = 1; ; attempt++) {
      await item.click({ timeout: 5000 });
      try {
        await item.waitFor({ state: "detached", timeout: 2_000 });
        return;
      } catch (error) {
        if (attempt === 5) {
          throw error;
        }
      }
    }
  }

  // --- editor --------------------------------------------------------------------------------------------------

  get editor() {
    return this.page.locator(".editor-instance .monaco-editor").first();
  }

  /**
   * Opens a file by its row; the tab shows the file's name, which may differ from the row's text. Rows move while the
   * first memories arrive, and a click may meet the neighbour: then it is done again.
   */
  async openFile(row, file = row) {
    await until(
      async () => {
        await this.row(row).click();
        return this.activeTab(file)
          .waitFor({ timeout: 5000 })
          .then(
            () => true,
            () => false,
          );
      },
      { what: `${file} to open`, timeout: 30_000 },
    );
  }

  /** An entry of the active editor's menu "More Actions"; entries come as the editor finds out what it shows. */
  async editorMenu(entry) {
    const more = this.page.locator(".editor-actions").getByRole("button", { name: "More Actions..." });
    await until(
      async () => {
        try {
          await more.first().click({ timeout: 5000 });
          await this.menuEntry(entry);
          return true;
        } catch {
          await this.page.keyboard.press("Escape");
          return false;
        }
      },
      { what: `“${entry}” in the editor's menu`, timeout: 40_000 },
    );
  }

  activeTab(name) {
    return this.page.locator(".tab.active").filter({ hasText: name }).first();
  }

  squiggles(kind = "warning") {
    return this.page.locator(`.monaco-editor .squiggly-${kind}`);
  }

  /**
   * Puts the cursor at a line and column (1-based; a line beyond the end is the last one). A tab is there before its
   * editor is: until then "go to line" has nothing to go to and stays open. So it is asked again.
   */
  async goTo(line, column = 1) {
    const input = this.quickInput.locator(".quick-input-box input");
    await until(
      async () => {
        try {
          await this.page.keyboard.press("Control+1"); // the focus goes to the first editor group
          await this.page.keyboard.press("Control+G");
          await input.fill(`:${line}:${column}`, { timeout: 3000 });
          await input.press("Enter", { timeout: 3000 });
          await this.page.locator(".quick-input-widget").waitFor({ state: "hidden", timeout: 3000 });
          return true;
        } catch {
          await this.page.keyboard.press("Escape");
          return false;
        }
      },
      { what: `the cursor at ${line}:${column}`, timeout: 30_000 },
    );
  }

  /** Puts the cursor on a text of the open file, found by reading the file itself. */
  async goToText(file, text) {
    const lines = fs.readFileSync(file, "utf8").split("\n");
    const line = lines.findIndex((one) => one.includes(text));
    if (line < 0) {
      throw new Error(`${file} has no ${JSON.stringify(text)}`);
    }
    await this.goTo(line + 1, lines[line].indexOf(text) + 2);
  }

  /** Opens the list of code actions at the cursor and gives its rows. */
  async codeActions() {
    const menu = this.page.locator(".action-widget:not(.action-list-submenu-panel)");
    // Right after a change the editor may have none yet
    await until(
      async () => {
        await this.page.keyboard.press("Control+.");
        return menu
          .locator(".monaco-list-row.action")
          .first()
          .waitFor({ timeout: 2000 })
          .then(
            () => true,
            () => false,
          );
      },
      { what: "code actions" },
    );
    return menu;
  }

  /** Applies the code action whose title contains `title`, by keyboard. */
  async applyAction(title) {
    const menu = await this.codeActions();
    const focused = menu.locator(".monaco-list-row.focused");
    for (let i = 0; i < 30; i++) {
      if ((await focused.count()) > 0 && (await focused.innerText()).includes(title)) {
        await this.page.keyboard.press("Enter");
        await menu.waitFor({ state: "hidden" });
        return;
      }
      await this.page.keyboard.press("ArrowDown");
    }
    throw new Error(`no code action “${title}” in: ${(await menu.innerText()).replaceAll("\n", " | ")}`);
  }

  async save() {
    await this.page.keyboard.press("Control+S");
    await this.page.waitForFunction(() => !document.querySelector(".tab.active.dirty"));
  }

  // --- problems ------------------------------------------------------------------------------------------------

  async openProblems() {
    if (!(await this.problems.isVisible())) {
      await this.page.keyboard.press("Control+Shift+M");
    }
    await this.problems.waitFor();
  }

  /** Shows only problems that match: the list draws no more rows than fit. */
  async filterProblems(text) {
    await this.page.getByPlaceholder("Filter (e.g. text").fill(text);
  }

  async problemRows() {
    const texts = await this.problems.locator(".monaco-list-row").allInnerTexts();
    return texts.map((text) => text.replaceAll("\n", " ").trim());
  }

  /** Number on the Memory icon of the activity bar; 0 without one. */
  async badge(name = "Memory") {
    const tab = this.page
      .locator(".activitybar")
      .locator(`.action-item:has([aria-label^="${name}"]) .badge-content`);
    const text = (await tab.count()) > 0 ? await tab.first().innerText() : "";
    return text === "" ? 0 : Number(text);
  }

  toast(text) {
    return this.page.locator(".notifications-toasts .notification-list-item").filter({ hasText: text });
  }

  dialog() {
    return this.page.locator(".monaco-dialog-box");
  }

  webview() {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  }
}
