"""Saving and forgetting memories."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    # core/save.py
    "The memory needs a name.": "记忆需要一个名称。",
    "The memory needs a description: one line that says what it holds, in words that a question would use.": (
        "记忆需要一行描述：用提问时会用到的词说明它记了什么。"
    ),
    "The name has {count} characters; {limit} are enough for a title.": "名称有 {count} 个字符；作为标题，{limit} 个已经足够。",
    "Save “{name}”": "保存“{name}”",
    "Update “{name}”": "更新“{name}”",
    "List “{name}”": "将“{name}”列入索引",
    "{path} is no memory of this directory.": "{path} 不是本目录中的记忆。",
    "{path} is {scope}; move it first, then update it.": "{path} 的范围是 {scope}；请先移动，再更新。",
    "A memory about a person is always private; it can't go into the team's directory.": (
        "关于个人的记忆始终为私有，不能放入团队目录。"
    ),
    "“{old}” is saved as “{new}”.": "“{old}”保存为“{new}”。",
    "{finding} {question}": "{finding}{question}",
    "There is a memory on this already: {files}. Update it rather than adding one.": (
        "已有关于此事的记忆：{files}。请更新它，而不要再添一条。"
    ),
    "The team has feedback on this: {files}. If yours differs, say in it that and why it does.": (
        "团队对此已有反馈：{files}。如果您的看法不同，请在其中写明不同之处及原因。"
    ),
    "A {type} memory says {label} {hint}.": "{type} 类记忆应写明 {label} {hint}。",
    "{index} is full: the agent will not load every line. Merge or shorten entries.": (
        "{index} 已满：代理不会加载每一行。请合并或缩短条目。"
    ),
    # core/forget.py
    "Forget “{name}”": "遗忘“{name}”",
    "It points to “{name}”, which goes.": "它指向即将移除的“{name}”。",
    # memdir save, memdir forget
    "Save a memory: the file and its index line.": "保存一条记忆：文件及其索引行。",
    "Delete a memory and what points to it; `memdir undo` brings it back.": "删除一条记忆及指向它的内容；可用 `memdir undo` 找回。",
    "user, feedback, project or reference.": "user、feedback、project 或 reference。",
    "Title of the memory.": "记忆的标题。",
    "One line that says what it holds, in words that a question would use.": "一行描述：用提问时会用到的词说明它记了什么。",
    "The text; - reads it from the standard input.": "正文；- 表示从标准输入读取。",
    "Into the directory that the team shares.": "放入团队共享的目录。",
    "Into your own directory.": "放入您自己的目录。",
    "Change this memory instead of adding one.": "修改这条记忆，而不新增。",
    "Save although there are questions.": "即使有疑问也保存。",
    "{path} has no team directory; set team memory up first.": "{path} 没有团队目录；请先设置团队记忆。",
    "Note: memory is off (by {source}), so the agent will not read this.": "注意：记忆已关闭（由 {source} 决定），代理不会读取此内容。",
    "Note: {advice}": "注意：{advice}",
    "Nothing was saved. --update {path} changes that memory, --force saves a new one.": (
        "尚未保存。--update {path} 修改那条记忆，--force 另存一条新的。"
    ),
    "Nothing was saved. --force saves it all the same.": "尚未保存。--force 可照样保存。",
    "Path, file name or name of the memory.": "记忆的路径、文件名或名称。",
    "There is no memory “{name}” in {path}.": "{path} 中没有名为“{name}”的记忆。",
    "Which one is meant? Give its path:": "指的是哪一条？请给出路径：",
    # memdir prompt
    "Print the memory section for an agent's system prompt.": "输出用于代理系统提示词的记忆部分。",
    "With the directory that the team shares.": "包含团队共享的目录。",
    "For long-lived sessions: append to daily logs instead of editing memories.": "用于长时间运行的会话：向每日日志追加，而不编辑记忆。",
    "Print its size instead of the text.": "输出其大小而非正文。",
    "Memory is off, so there is no prompt. Decided by {source}: {why}.": "记忆已关闭，因此没有提示词。由 {source} 决定：{why}。",
    "{characters} characters, about {tokens} tokens (estimated)": "{characters} 个字符，约 {tokens} 个 token（估算）",
}
