import assert from "node:assert/strict";
import { type CodeAction, CodeActionKind, commands, languages, Uri, workspace } from "vscode";
import { diagnosticsOf, memoryUri, open, ready, until } from "./support";

suite("editing", () => {
  test("a quick fix replaces the relative date and its problem goes away", async () => {
    await ready();
    const editor = await open("project_freeze.md");
    const before = await until("the problem", () => diagnosticsOf("project_freeze.md", "relative-date")[0]);
    const actions = await until("a quick fix", async () => {
      // An older VS Code takes the request back while the editor is still settling
      const offered = await Promise.resolve(
        commands.executeCommand<CodeAction[]>(
          "vscode.executeCodeActionProvider",
          memoryUri("project_freeze.md"),
          before.range,
          CodeActionKind.QuickFix.value,
          10,
        ),
      ).catch((error: Error) => (error.name === "Canceled" ? [] : Promise.reject(error)));
      return offered.find((action) => action.edit !== undefined && /\d{4}-\d{2}-\d{2}/.test(action.title));
    });
    assert.ok(actions.edit);
    assert.ok(await workspace.applyEdit(actions.edit));
    assert.match(editor.document.lineAt(6).text, /\d{4}-\d{2}-\d{2}/);
    await until("the problem to go", () => diagnosticsOf("project_freeze.md", "relative-date").length === 0);
    await commands.executeCommand("workbench.action.files.revert");
  });

  test("Markdown of the repository itself stays away from the server", async () => {
    const { services } = await ready();
    const folder = workspace.workspaceFolders?.[0];
    assert.ok(folder);
    const readme = Uri.joinPath(folder.uri, "README.md");
    await workspace.openTextDocument(readme);
    const client = services.manager.running;
    assert.ok(client);
    const document = await workspace.openTextDocument(readme);
    const selector = (client.clientOptions.documentSelector ?? []) as {
      pattern?: string;
      language?: string;
    }[];
    assert.equal(
      selector.some((filter) => languages.match(filter as never, document) > 0),
      false,
    );
  });
});
