// Stands in for @vscode/spdlog in the oldest VS Code of the tests (scripts/setup_editors.sh): log files without a compiler.
const fs = require("node:fs");
const path = require("node:path");

class Logger {
  constructor(file) {
    this.file = file;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.appendFileSync(file, "");
  }

  getLevel() {
    return 0;
  }
}
for (const level of ["trace", "debug", "info", "warn", "error", "critical"]) {
  Logger.prototype[level] = function (text) {
    fs.appendFileSync(this.file, `${new Date().toISOString()} [${level}] ${text}\n`);
  };
}
for (const nothing of ["setLevel", "setPattern", "clearFormatters", "flush", "drop"]) {
  Logger.prototype[nothing] = () => {};
}

const create = async (_name, file) => new Logger(file);
module.exports = {
  version: 0,
  Logger,
  setLevel() {},
  setFlushOn() {},
  shutdown() {},
  createRotatingLogger: create,
  createAsyncRotatingLogger: create,
};
