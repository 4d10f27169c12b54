"""Consolidation: the mechanical part, the model's phases, lock, gates, command."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    # core/consolidate
    "takes over what only {file} says ({percent} % the same)": "收入仅 {file} 中才有的内容（相似度 {percent} %）",
    "merged into {file} ({percent} % the same)": "并入 {file}（相似度 {percent} %）",
    "{first} and {second} are {percent} % the same, but of different scope or type; decide which one stays.": (
        "{first} 与 {second} 有 {percent} % 相同，但范围或类型不同；请决定保留哪一个。"
    ),
    "{first} and {second} are {percent} % the same but differ in numbers; look whether each is a fact of its own.": (
        "{first} 与 {second} 有 {percent} % 相同，但数字不同；请看它们是否各为独立的事实。"
    ),
    "{gone} is merged into {keep}": "{gone} 并入 {keep}",
    "a relative date is written out ({fix})": "相对日期写成具体日期（{fix}）",
    "relative dates written out: {count} (the first: {fix})": "写成具体日期的相对日期：{count} 处（第一处：{fix}）",
    "Consolidate memories": "整理记忆",
    "entries point to the renamed files ({files})": "条目改为指向已更名的文件（{files}）",
    "takes over what its entry in {index} said in full": "收入其在 {index} 中条目的完整内容",
    "lists what no index listed ({files})": "列入此前没有索引列出的记忆（{files}）",
    "entries for files that are gone are removed ({files})": "移除指向已不存在文件的条目（{files}）",
    "{first}; {second}": "{first}；{second}",
    "double entries removed: {count}": "移除重复条目：{count} 条",
    "long entries shortened at a word: {count}": "在词边界处缩短过长条目：{count} 条",
    "{index}, line {line}: the entry leads to no file, but text stands below it; decide where that belongs.": (
        "{index} 第 {line} 行：条目没有对应的文件，但其下有文字；请决定这些文字的去处。"
    ),
    "takes over older entries that {index} has no room for: {count}": "收入 {index} 放不下的较旧条目：{count} 条",
    "older entries moved to {archive}: {count}": "移到 {archive} 的较旧条目：{count} 条",
    "{index} is still over its limits: it holds text that is no entry. Move that into memories.": (
        "{index} 仍超出限制：其中有并非条目的文字。请将其移入记忆。"
    ),
    "takes over content that stood in {index}": "收入原先写在 {index} 中的内容",
    "content moves into memories of its own": "内容移入单独的记忆",
    "log entries of {days}, grouped by day: {count}": "{days} 的日志条目，按日归组：{count} 条",
    "Log entries that hold a secret or text addressed to the agent are not taken over ({count}).": (
        "含有机密或针对代理的文字的日志条目不予收入（{count} 条）。"
    ),
    # core/outcome.py
    "the file is deleted": "文件将被删除",
    "the file shrinks from {before} to {after} characters": "文件从 {before} 个字符缩减到 {after} 个",
    # store/consolidate_lock.py, store/jobs.py, agent/gates.py
    "Process {pid} is consolidating these memories; try again when it is done.": "进程 {pid} 正在整理这些记忆；请等它完成后再试。",
    "Process {pid} is consolidating these memories.": "进程 {pid} 正在整理这些记忆。",
    "Another process began to consolidate these memories meanwhile; nothing was proposed.": (
        "期间另一进程开始整理这些记忆；没有提出任何建议。"
    ),
    "Memory is off here: {source} decides ({why}).": "此处记忆已关闭：由 {source} 决定（{why}）。",
    "A settings file can't be used, so nothing runs until it can: {problem}": "设置文件无法使用，在修复之前什么都不会运行：{problem}",
    "Sessions since the last time: {count}; due from {limit}.": "自上次以来的会话：{count} 个；达到 {limit} 个时才整理。",
    "Due; sessions since the last time: {count}.": "已到整理时间；自上次以来的会话：{count} 个。",
    "Consolidated {hours} hours ago; due after {limit}.": "{hours} 小时前整理过；满 {limit} 小时后再整理。",
    "The sessions were counted less than ten minutes ago.": "不到十分钟前刚统计过会话。",
    "Consolidation is switched off (consolidate.auto).": "自动整理已关闭（consolidate.auto）。",
    # agent/dream.py
    "Looking through the memories": "正在浏览记忆",
    "Gathering what is new": "正在收集新内容",
    "Bringing memories together": "正在归并记忆",
    "Putting the index in order": "正在整理索引",
    "The turns of the consolidation are used up; raise agent.consolidate-turns.": (
        "本次整理的轮次已用完；请调高 agent.consolidate-turns。"
    ),
    "{text}": "{text}",
    "{path} would have more than {limit} bytes.": "{path} 将超过 {limit} 字节。",
    # memdir consolidate
    "Bring memories in order: merge, correct, shorten; as a proposal to review.": "整理记忆：合并、更正、缩短；以建议形式供您审阅。",
    "Write at once what needs no consent (and what --consent names).": "立即写入无需同意的部分（以及 --consent 指明的部分）。",
    "Although it is not due.": "即使尚未到整理时间。",
    "Only what needs no judgement.": "只做无需判断的部分。",
    "Agree that this file is deleted or shrinks (all: every one); may be repeated.": (
        "同意删除或缩减此文件（all 表示全部）；可重复使用。"
    ),
    "There are no memories yet.": "还没有任何记忆。",
    "{error} Nothing was changed; --no-model does what needs no judgement.": "{error}没有任何更改；--no-model 可完成无需判断的部分。",
    "`memdir inbox show {id}` shows the change, `memdir inbox accept {id}` makes it.": (
        "`memdir inbox show {id}` 显示更改，`memdir inbox accept {id}` 执行更改。"
    ),
    "The memories are in order; there is nothing to change.": "记忆井然有序，无需更改。",
    "Without a model, only what needs no judgement: {reason}": "没有模型，只做无需判断的部分：{reason}",
    "Needs your consent: {why}.": "需要您的同意：{why}。",
    "No longer said anywhere:": "不再出现：",
    "Said differently:": "改了说法：",
    "Links that go:": "将消失的链接：",
    "Dates that go:": "将消失的日期：",
    "To look at:": "请查看：",
    "--force does it all the same.": "--force 可照样进行。",
    "You refused this proposal before, so it is not kept again.": "您曾拒绝过这一建议，因此不再保留。",
    "No model is asked (--no-model).": "不询问模型（--no-model）。",
}
