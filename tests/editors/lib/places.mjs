// Where the editors, the checkout and the results are.
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");
export const ARTIFACTS = path.join(ROOT, "artifacts");
export const SCREENSHOTS = path.join(ARTIFACTS, "screenshots");

const cache = process.env.MEMDIR_EDITORS_DIR ?? path.join(os.homedir(), ".cache", "memdir-editors");

/** What `scripts/setup_editors.sh` installed. */
export const EDITORS = JSON.parse(fs.readFileSync(path.join(cache, "editors.json"), "utf8"));

/** Whether this run is about the oldest VS Code that the extension supports (MEMDIR_TEST_VSCODE=oldest). */
export const OLDEST = process.env.MEMDIR_TEST_VSCODE === "oldest";
if (OLDEST) {
  EDITORS.codeServer = EDITORS.codeServerOldest;
}

/** The Python that runs the server: the checkout's environment unless MEMDIR_TEST_PYTHON names another. */
export const PYTHON = process.env.MEMDIR_TEST_PYTHON ?? path.join(ROOT, ".venv/bin/python");

export const { chromium } = createRequire(import.meta.url)(EDITORS.playwright);
