import assert from "node:assert/strict";
import { commands, extensions, languages } from "vscode";
import { codeOf, diagnosticsOf, memoryUri, ready, rows, until } from "./support";

suite("activation", () => {
  test("the server starts from the interpreter that the settings name", async () => {
    const { services } = await ready();
    assert.equal(services.manager.state.kind, "running");
    assert.ok(services.manager.state.kind === "running");
    assert.equal(services.manager.state.launch.source, "setting-interpreter");
  });

  test("every contributed command exists", async () => {
    await ready();
    const manifest = extensions.getExtension("memdir.memdir")?.packageJSON as {
      contributes: { commands: { command: string }[] };
    };
    const known = new Set(await commands.getCommands(true));
    const missing = manifest.contributes.commands.map((c) => c.command).filter((c) => !known.has(c));
    assert.deepEqual(missing, []);
  });

  test("the tree shows the three memories and the index", async () => {
    const { services } = await ready();
    const shown = await until("all four files", () => {
      const files = rows(services.model.roots).filter(
        (node) => node.kind === "memory" || node.kind === "index",
      );
      const names = files.map((node) => node.uri?.split("/").at(-1)).sort();
      return names.length >= 4 ? names : undefined;
    });
    assert.deepEqual(shown, ["MEMORY.md", "feedback_real_database.md", "project_freeze.md", "user_role.md"]);
  });

  test("the status counts lines of the index against the limit", async () => {
    const { services } = await ready();
    const index = await until("the budget", () => services.model.status.folders[0]?.index);
    assert.equal(index.maxLines, 200);
    assert.equal(index.lines, 4);
  });

  test("a memory that no editor has open is checked as well", async () => {
    await ready();
    const found = await until("a diagnostic on the closed file", () => {
      const all = diagnosticsOf("project_freeze.md", "relative-date");
      return all.length > 0 ? all : undefined;
    });
    assert.equal(found[0]?.range.start.line, 6);
    const owners = languages
      .getDiagnostics()
      .filter(([uri]) => uri.path === memoryUri("project_freeze.md").path);
    assert.equal(owners.length, 1);
    assert.ok(owners[0]?.[1].every((d) => codeOf(d) !== ""));
  });

  test("two restarts asked for at once end with one running server", async () => {
    const { services } = await ready();
    const states: string[] = [];
    const listener = services.manager.onDidChangeState((state) => states.push(state.kind));
    await Promise.all([services.manager.restart("one"), services.manager.restart("two")]);
    listener.dispose();
    assert.deepEqual(states, ["starting", "running"]);
    await ready();
  });

  test("a killed server comes back by itself", async () => {
    const { services } = await ready();
    const state = services.manager.state;
    assert.ok(state.kind === "running");
    const child = (state.client as unknown as { serverProcess: { pid: number } }).serverProcess;
    process.kill(child.pid, "SIGKILL");
    await until("the crash to be noticed", () => services.manager.state.kind !== "running");
    await until("the server to run again", () => services.manager.running);
    await ready();
  });
});
