// A world of its own for one run: a home, a configuration directory, a repository and its memory. Nothing of the
// machine's real memory can be reached from it.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { PYTHON, ROOT } from "./places.mjs";

/** Directory name of an owner path, for paths short enough not to be hashed. */
export const slug = (owner) => owner.replace(/[^A-Za-z0-9]/g, "-");

export class World {
  constructor(name) {
    // Short and real: socket paths have a limit, and memory follows the real path
    this.base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), `md-${name}-`)));
    this.home = path.join(this.base, "home");
    this.config = path.join(this.home, ".claude");
    this.repo = path.join(this.base, "repo");
    this.run = path.join(this.base, "run");
    for (const directory of [this.home, this.config, this.repo, this.run]) {
      fs.mkdirSync(directory, { recursive: true });
    }
  }

  get memory() {
    return path.join(this.config, "projects", slug(this.repo), "memory");
  }

  /** Environment for every program of this run: what could point at real memory or a real model is left out. */
  env(extra = {}) {
    const env = {};
    for (const [key, value] of Object.entries(process.env)) {
      if (!/^(CLAUDE|ANTHROPIC|MEMDIR_|GIT_|XDG_|VIRTUAL_ENV|npm_|NODE_)/.test(key)) {
        env[key] = value;
      }
    }
    return {
      ...env,
      HOME: this.home,
      CLAUDE_CONFIG_DIR: this.config,
      XDG_RUNTIME_DIR: this.run,
      XDG_CONFIG_HOME: path.join(this.home, ".config"),
      XDG_CACHE_HOME: path.join(this.home, ".cache"),
      XDG_STATE_HOME: path.join(this.home, ".local/state"),
      XDG_DATA_HOME: path.join(this.home, ".local/share"),
      GIT_CONFIG_NOSYSTEM: "1",
      LANG: "C.UTF-8",
      ...extra,
    };
  }

  git(...args) {
    return execFileSync("git", args, {
      cwd: this.repo,
      encoding: "utf8",
      env: this.env({
        GIT_AUTHOR_NAME: "Ada",
        GIT_AUTHOR_EMAIL: "ada@example.org",
        GIT_COMMITTER_NAME: "Ada",
        GIT_COMMITTER_EMAIL: "ada@example.org",
      }),
    });
  }

  /** An empty git repository with a readme. */
  initRepository() {
    this.git("init", "-q", "-b", "main");
    fs.writeFileSync(path.join(this.repo, "README.md"), "# A project\n");
    this.git("add", ".");
    this.git("commit", "-q", "-m", "Start");
    return this;
  }

  /** Memory files by relative path. */
  writeMemory(files) {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(this.memory, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
    }
    return this;
  }

  /** The sample project that `make run` shows; its home and repository become this world's. */
  makeSample(...args) {
    const script = path.join(ROOT, "scripts/make_sample.py");
    const sample = path.join(this.base, "s");
    execFileSync(PYTHON, [script, sample, ...args], { env: this.env(), stdio: "pipe" });
    this.home = path.join(sample, "home");
    this.config = path.join(this.home, ".claude");
    this.repo = path.join(sample, "harbour");
    return this;
  }

  read(name) {
    return fs.readFileSync(path.join(this.memory, name), "utf8");
  }

  remove() {
    fs.rmSync(this.base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
