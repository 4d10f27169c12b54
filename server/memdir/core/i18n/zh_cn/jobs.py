"""The memory jobs in the language server."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    # where a job works
    "{uri} is no folder of this window.": "{uri} 不是此窗口中的文件夹。",
    "Open a folder first: memory belongs to a repository.": "请先打开一个文件夹：记忆属于某个仓库。",
    "Say which folder is meant: {folders}.": "请指明是哪个文件夹：{folders}。",
    "{path} is still being read; try again in a moment.": "仍在读取 {path}，请稍后再试。",
    "{path} has unsaved changes; save it first.": "{path} 有未保存的更改，请先保存。",
    "{job} does nothing here: memory is switched off by {source}.": "{job}在此不起作用：记忆已被 {source} 关闭。",
    # saving, forgetting, logging, undoing
    "The scope is private or team, not “{value}”.": "范围只能是 private（私有）或 team（团队），而不是“{value}”。",
    "Say which memory to forget: its file or its name.": "请指明要忘记哪条记忆：文件或名称。",
    "There is nothing to log: give the text.": "没有可记录的内容：请给出文字。",
    "“{id}” is no number of a change.": "“{id}”不是更改的编号。",
    "Select the text that the agent should remember, then run this again.": "请先选中要让代理记住的文字，然后再运行一次。",
    "What kind of memory is this?": "这是哪一类记忆？",
    "Update {file}": "更新 {file}",
    "Save all the same": "仍然保存",
    # code actions
    "Save the selection as a memory…": "将所选内容保存为记忆…",
    "Organise the index": "整理索引",
    "Reaches beyond this file; look before you take it.": "会影响此文件以外的内容，应用前请先查看。",
    "This is out of date; the file has changed.": "此操作已过时：文件已更改。",
    "Ask the model for a better description": "请模型给出更好的描述",
    "Looking for a better description": "正在寻找更好的描述",
    "A model wrote this; read it before you take it.": "这是模型写的，采用前请先阅读。",
    "{uri} is no memory.": "{uri} 不是记忆。",
    "{path} has no header to put a description into.": "{path} 没有可以写入描述的头部。",
    # recall
    "Nothing to look for: give a query.": "没有要查找的内容：请给出查询。",
    "There is no such result to judge.": "没有这样的结果可供评价。",
    "Memory is switched off by {source}, so the agent sees none of this.": "记忆已被 {source} 关闭，因此代理看不到这些内容。",
    # the doctor, reviews
    "Looking at memory directories": "正在检查记忆目录",
    "This is not certain; look before you take it.": "这并不确定，采用前请先查看。",
    "Nothing was taken: what is left deletes or shortens files, and needs your explicit consent.": "没有采用任何更改：剩下的更改会删除或缩短文件，需要你明确同意。",
    "This proposal is no longer there; it was taken, refused or replaced.": "此提案已不存在：已被采用、拒绝或替换。",
    "Changed meanwhile, so nothing is proposed for it any more: {path}": "期间已被更改，因此不再对其提出建议：{path}",
    "The proposal has changed; look at it again.": "提案已变化，请重新查看。",
    # team
    "Pulling team memory": "正在拉取团队记忆",
    "Pushing team memory": "正在推送团队记忆",
    "brought back {key}: deletions don't travel, the team still has it": "已恢复 {key}：删除不会同步，团队仍保留它",
    "{key} was changed on both sides: the team's text is in place, yours is kept": "{key} 在双方都有更改：已采用团队的文本，你的文本已保留",
    "{key} waits in quarantine": "{key} 正在隔离区等待",
    "Say which text to keep: mine or theirs.": "请指明保留哪一份文本：mine（我的）或 theirs（团队的）。",
    "The project's file sets team memory up, but this workspace is not trusted; trust it to share memories.": "项目文件设置了团队记忆，但此工作区不受信任；请先信任它，才能共享记忆。",
    "Team memory: {reason}": "团队记忆：{reason}",
}
