// The whole interface in Simplified Chinese: manifest, client and server.
import assert from "node:assert/strict";
import { scenario } from "../lib/scenario.mjs";
import { World } from "../lib/world.mjs";

const world = new World("zh").makeSample();
await scenario(
  world,
  { name: "chinese", language: "zh-cn", locale: "zh-CN", theme: "light", vsix: process.env.MEMDIR_TEST_VSIX },
  async (wb) => {
    // the manifest
    await wb.openSidebar("记忆");
    await wb.row("私有").waitFor();
    assert.match(await wb.sidebar.innerText(), /此仓库/);
    assert.match(await wb.sidebar.innerText(), /其他项目/);
    // the client and the server
    await wb.openFile("Merge freeze", "project_freeze.md");
    await wb.squiggles().first().waitFor();
    await wb.openProblems();
    await wb.shot("sidebar");
    await wb.command("记忆: 我的记忆在哪里？");
    await wb.dialog().waitFor();
    assert.match(await wb.dialog().innerText(), /复制路径/);
    await wb.shot("where");
  },
);
