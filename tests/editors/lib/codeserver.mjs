// A real VS Code: code-server with a profile of its own, and a Chromium to look at it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { chromium, EDITORS, PYTHON, ROOT } from "./places.mjs";
import { until } from "./wait.mjs";

const QUIET = {
  "workbench.startupEditor": "none",
  "workbench.reduceMotion": "on",
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.enableExperiments": false,
  "chat.disableAIFeatures": true,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "git.enabled": false,
  "github.gitAuthentication": false,
  "security.workspace.trust.enabled": false,
  "editor.minimap.enabled": false,
};

function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function answers(url) {
  return new Promise((resolve) => {
    http
      .get(url, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      })
      .on("error", () => resolve(false));
  });
}

/**
 * Starts code-server. `settings` go to the user's file; `machine` to the remote machine's, where machine-scoped ones
 * belong. `vsix` is installed first; without it the extension is copied from the checkout, unless `bare` is set.
 */
export async function startCodeServer(world, options = {}) {
  const { settings = {}, machine, vsix, args = [], env = {} } = options;
  const data = path.join(world.base, "vscode");
  const extensions = path.join(world.base, "extensions");
  fs.mkdirSync(extensions, { recursive: true });
  const write = (where, value) => {
    fs.mkdirSync(path.join(data, where), { recursive: true });
    fs.writeFileSync(path.join(data, where, "settings.json"), JSON.stringify(value, null, 1));
  };
  write("User", { ...QUIET, ...settings });
  write("Machine", machine ?? { "memdir.server.interpreter": PYTHON });
  if (options.language !== undefined) {
    writeLanguagePack(extensions, data, options.language);
  }
  const config = path.join(data, "config.yaml");
  fs.writeFileSync(config, "auth: none\n");
  const environment = world.env({
    PATH: `${path.dirname(EDITORS.node)}:/usr/local/bin:/usr/bin:/bin`,
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
    ...env,
  });
  const common = [
    EDITORS.codeServer,
    "--config",
    config,
    "--user-data-dir",
    data,
    "--extensions-dir",
    extensions,
  ];
  const logFile = path.join(data, "server.log");
  const log = fs.openSync(logFile, "a");
  const start = (more) =>
    spawn(EDITORS.node, [...common, ...more], {
      stdio: ["ignore", log, log],
      detached: true,
      cwd: world.base,
      env: environment,
    });
  if (vsix === undefined && !options.bare) {
    copyExtension(extensions);
  } else if (vsix !== undefined) {
    const [code] = await once(start(["--install-extension", vsix]), "exit");
    if (code !== 0) {
      throw new Error(`the extension was not installed:\n${fs.readFileSync(logFile, "utf8")}`);
    }
  }
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = start([
    "--auth",
    "none",
    "--bind-addr",
    `127.0.0.1:${port}`,
    "--disable-telemetry",
    "--disable-update-check",
    "--disable-getting-started-override",
    "--ignore-last-opened",
    ...(options.trust === undefined ? ["--disable-workspace-trust"] : []),
    ...(options.language === undefined ? [] : ["--locale", options.language]),
    ...args,
  ]);
  await until(
    async () => {
      if (child.exitCode !== null) {
        throw new Error(`code-server exited with ${child.exitCode}:\n${fs.readFileSync(logFile, "utf8")}`);
      }
      return answers(`${url}/healthz`);
    },
    { what: "code-server to answer", timeout: 60_000 },
  );
  return {
    url,
    host: `127.0.0.1:${port}`,
    data,
    log: logFile,
    /** Everything the extension host wrote. */
    logs: () => collectLogs(data),
    async stop() {
      await endGroup(child);
      fs.closeSync(log);
    },
  };
}

/** Puts the extension as it stands in the checkout into the editor: quicker than a package, for work on it. */
function copyExtension(extensions) {
  const { publisher, name, version } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));
  const target = path.join(extensions, `${publisher}.${name}-${version}`);
  for (const part of [
    "package.json",
    "package.nls.json",
    "package.nls.zh-cn.json",
    "l10n",
    "media",
    "vscode-client/dist/extension.js",
    "vscode-client/dist/webview",
  ]) {
    if (fs.existsSync(path.join(ROOT, part))) {
      fs.cpSync(path.join(ROOT, part), path.join(target, part), { recursive: true });
    }
  }
}

/**
 * A language pack without texts of its own: VS Code takes it for the display language, so that extensions speak it. The
 * real pack would have to be fetched from the marketplace.
 */
function writeLanguagePack(extensions, data, language) {
  const name = `language-pack-${language}`;
  const folder = path.join(extensions, `memdir-tests.${name}-1.0.0`);
  const translations = path.join(folder, "translations", "main.i18n.json");
  fs.mkdirSync(path.dirname(translations), { recursive: true });
  fs.writeFileSync(translations, JSON.stringify({ "": [], version: "1.0.0", contents: {} }));
  fs.writeFileSync(
    path.join(folder, "package.json"),
    JSON.stringify({
      name,
      publisher: "memdir-tests",
      version: "1.0.0",
      engines: { vscode: "^1.90.0" },
      contributes: {
        localizations: [
          {
            languageId: language,
            languageName: language,
            localizedLanguageName: language,
            translations: [{ id: "vscode", path: "./translations/main.i18n.json" }],
          },
        ],
      },
    }),
  );
  const pack = {
    [language]: {
      hash: "memdir-tests",
      label: language,
      extensions: [{ extensionIdentifier: { id: `memdir-tests.${name}` }, version: "1.0.0" }],
      translations: { vscode: translations },
    },
  };
  fs.writeFileSync(path.join(data, "languagepacks.json"), JSON.stringify(pack));
}

/** Ends the process group that we started, politely first. */
async function endGroup(child) {
  const gone = child.exitCode === null && child.signalCode === null ? once(child, "exit") : Promise.resolve();
  for (const signal of ["SIGTERM", "SIGKILL"]) {
    try {
      process.kill(-child.pid, signal);
    } catch {
      return; // no process of the group is left
    }
    if (signal === "SIGTERM") {
      await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 5000).unref())]);
    }
  }
}

function collectLogs(data) {
  const found = [];
  const visit = (directory) => {
    for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
      const full = path.join(directory, entry.name);
      if (entry.isDirectory()) {
        visit(full);
      } else if (/(Memory|remoteexthost)\.log$/.test(entry.name)) {
        found.push(`--- ${path.relative(data, full)}\n${fs.readFileSync(full, "utf8")}`);
      }
    }
  };
  const logs = path.join(data, "logs");
  if (fs.existsSync(logs)) {
    visit(logs);
  }
  return found.join("\n");
}

/** Headless Chromium with a profile inside the world. */
export async function launchBrowser(
  world,
  { width = 1400, height = 1000, colorScheme, locale, forcedColors } = {},
) {
  const context = await chromium.launchPersistentContext(path.join(world.base, "chromium"), {
    executablePath: EDITORS.chromium,
    headless: true,
    env: world.env(),
    viewport: { width, height },
    ...(colorScheme === undefined ? {} : { colorScheme }),
    ...(locale === undefined ? {} : { locale }),
    ...(forcedColors === undefined ? {} : { forcedColors }),
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  return context;
}

/** Address of the workbench on a folder or a `.code-workspace` file. With `tests` the extension comes from the checkout and runs them. */
export function workbenchUrl(server, folder, { tests } = {}) {
  const remote = (file) => `vscode-remote://${server.host}${file}`;
  const payload = [["skipWelcome", "true"]];
  if (tests !== undefined) {
    payload.push(["extensionDevelopmentPath", remote(ROOT)], ["enableProposedApi", ""]);
    payload.push(["extensionTestsPath", remote(tests)]);
  }
  const kind = folder?.endsWith(".code-workspace") ? "workspace" : "folder";
  const where = folder === undefined ? "" : `${kind}=${encodeURIComponent(folder)}&`;
  return `${server.url}/?${where}payload=${encodeURIComponent(JSON.stringify(payload))}`;
}
