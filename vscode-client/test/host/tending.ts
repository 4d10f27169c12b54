import assert from "node:assert/strict";
import * as fs from "node:fs";
import { commands, type Uri } from "vscode";
import { memoryUri, ready, rows, until } from "./support";

const text = (uri: Uri): string => fs.readFileSync(uri.fsPath, "utf8");

suite("tending", () => {
  test("a deleted memory takes its index entry along, and undo brings both back", async () => {
    const { services } = await ready();
    const file = memoryUri("project_freeze.md");
    const node = await until("the row", () =>
      rows(services.model.roots).find((one) => one.uri?.endsWith("project_freeze.md")),
    );
    const before = text(file);
    void commands.executeCommand("memdir.deleteMemory", node, [node]); // its message waits for an answer
    await until("the file to go", () => !fs.existsSync(file.fsPath));
    assert.doesNotMatch(text(memoryUri("MEMORY.md")), /project_freeze/);
    await until("the row to go", () =>
      rows(services.model.roots).every((one) => !one.uri?.endsWith("project_freeze.md")),
    );
    const [folder] = services.model.status.folders;
    await commands.executeCommand("memdir.undoChange", folder, "1");
    assert.equal(text(file), before);
    assert.match(text(memoryUri("MEMORY.md")), /\(project_freeze\.md\)/);
  });

  test("check all reports and restores what the server knows", async () => {
    const { services } = await ready();
    void commands.executeCommand("memdir.checkAll");
    await until("the problems", () => services.model.status.folders.some((f) => f.problems.warning > 0));
  });

  test("fix all changes files on disk and can be undone", async () => {
    const { services } = await ready();
    const file = memoryUri("user_role.md"); // a colon in its description, which YAML refuses
    const before = text(file);
    void commands.executeCommand("memdir.fixAll");
    await until("the fix", () => text(file) !== before);
    assert.match(text(file), /^description: "Data scientist: reads Go well/m);
    const [folder] = services.model.status.folders;
    const { listChanges } = await import("../../src/jobs/undo");
    assert.ok(folder);
    const [newest] = await listChanges(services, folder);
    await commands.executeCommand("memdir.undoChange", folder, newest?.id);
    assert.equal(text(file), before);
  });
});
