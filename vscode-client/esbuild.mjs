// Bundles the extension, its webviews and (with --tests) its tests.
//   node vscode-client/esbuild.mjs [--production] [--watch] [--tests]
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const root = path.dirname(fileURLToPath(import.meta.url));
const production = process.argv.includes("--production");
const watch = process.argv.includes("--watch");
const tests = process.argv.includes("--tests");
const dist = path.join(root, "dist");

const common = {
  bundle: true,
  sourcemap: production ? false : "linked",
  minify: production,
  logLevel: "warning",
  legalComments: "none",
};
const node = { ...common, platform: "node", target: "node20", format: "cjs" };

/** Files of a directory with an ending, if the directory exists. */
const files = (directory, ending) => {
  const full = path.join(root, directory);
  return fs.existsSync(full)
    ? fs
        .readdirSync(full)
        .filter((name) => name.endsWith(ending))
        .map((name) => path.join(full, name))
    : [];
};

const builds = [
  { ...node, entryPoints: [path.join(root, "src/extension.ts")], outdir: dist, external: ["vscode"] },
];
const webviews = files("src/webview", ".ts");
if (webviews.length > 0) {
  builds.push({
    ...common,
    entryPoints: webviews,
    outdir: path.join(dist, "webview"),
    platform: "browser",
    target: "es2023",
    format: "iife",
  });
}
if (tests) {
  // Unit tests run in plain Node with a stand-in for the editor; host tests run inside the editor
  builds.push({
    ...node,
    entryPoints: files("test/unit", ".test.ts"),
    outdir: path.join(dist, "test/unit"),
    alias: { vscode: path.join(root, "test/unit/vscode.ts") },
  });
  builds.push({
    ...node,
    entryPoints: files("test/host", ".ts"),
    outdir: path.join(dist, "test/host"),
    external: ["vscode", "mocha"],
  });
}

if (watch) {
  const contexts = await Promise.all(builds.map((options) => esbuild.context(options)));
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  if (production) {
    fs.rmSync(dist, { recursive: true, force: true }); // nothing of an earlier build may get into the package
  }
  await Promise.all(builds.map((options) => esbuild.build(options)));
}
