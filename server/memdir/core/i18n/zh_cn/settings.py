"""Messages of the configuration: the table of settings, mistakes in it, the rules that report them."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    # the table
    "Ask a model which memories help with a query. Without a key, or when off, words are compared.": (
        "让模型判断哪些记忆对查询有帮助。没有密钥或关闭时，改为按词语比较。"
    ),
    "Model that chooses the memories.": "用来挑选记忆的模型。",
    "How many memories, newest first, are considered.": "最多考虑多少条记忆（从最新的开始）。",
    "The most memories that one recall gives.": "一次回忆最多给出的记忆条数。",
    "Milliseconds after which the model's answer is no longer waited for.": "等待模型回答的最长毫秒数。",
    "Keep local records of which memories were offered and chosen (never their content).": (
        "在本地记录哪些记忆曾被提供和选中（绝不记录内容）。"
    ),
    "Model for extraction, consolidation and session notes.": "用于提取、整理和会话笔记的模型。",
    "The most model calls of one extraction.": "一次提取最多调用模型的次数。",
    "The most model calls of one consolidation.": "一次整理最多调用模型的次数。",
    "After each finished turn: nothing (off), proposals in the inbox (suggest), or write at once (apply).": (
        "每轮结束后：不做任何事（off）、在收件箱中给出建议（suggest）或立即写入（apply）。"
    ),
    "When a consolidation is due: nothing (off), a proposal to review (propose), or write at once (apply).": (
        "到了该整理的时候：不做任何事（off）、给出待审阅的提案（propose）或立即写入（apply）。"
    ),
    "Hours that must have passed since the last consolidation.": "距上次整理至少要过多少小时。",
    "Sessions that must have been touched since the last consolidation.": "上次整理以来至少要有多少个会话活动过。",
    "Keep notes of the running session (needs a key).": "为正在进行的会话做笔记（需要密钥）。",
    "Tokens of context at which the notes are first written.": "上下文达到多少词元时首次写笔记。",
    "Further tokens after which the notes are updated.": "之后每增加多少词元更新一次笔记。",
    "Tool calls that must have come as well before an update.": "更新之前还须发生多少次工具调用。",
    "How team memory travels: not at all (off), through a service (service), or through git (git).": (
        "团队记忆的传递方式：不传递（off）、通过服务（service）或通过 git（git）。"
    ),
    "Address of the team service; https, or http on this machine only.": "团队服务的地址；须用 https，仅本机可用 http。",
    "Name of this repository at the team service; empty: derived from the git remote.": (
        "此仓库在团队服务中的名称；留空则由 git 远程地址得出。"
    ),
    "Seconds between two pulls.": "两次拉取之间的秒数。",
    "Rules to run; empty: all.": "要运行的规则；留空表示全部。",
    "Rules not to run.": "不运行的规则。",
    "Files not to check: patterns relative to the memory directory, such as archive/**.": (
        "不检查的文件：相对于记忆目录的模式，例如 archive/**。"
    ),
    "Memory types allowed beside user, feedback, project and reference.": "除 user、feedback、project、reference 外还允许的记忆类型。",
    "Age in days from which a memory is reported as old.": "记忆达到多少天即提示其陈旧。",
    "Lines of MEMORY.md that the agent loads.": "代理加载 MEMORY.md 的行数。",
    "Size of MEMORY.md that the agent loads, in UTF-16 code units.": "代理加载 MEMORY.md 的大小，以 UTF-16 码元计。",
    "Part of a limit from which the index is reported as nearly full.": "索引达到上限的多大比例即提示快满。",
    "Characters of an index entry from which it is long (information).": "索引条目达到多少字符算长（信息级）。",
    "Characters of an index entry from which it is too long (warning).": "索引条目达到多少字符算过长（警告级）。",
    "Unlisted memories above which they are reported in one line.": "未列入索引的记忆超过多少条时合并为一条提示。",
    "Similarity (0 to 1) from which two memories are near duplicates.": "两条记忆的相似度（0 到 1）达到多少算近似重复。",
    "Let a trusted project's own settings move the memory directory (autoMemoryDirectory).": (
        "允许受信任项目自身的设置（autoMemoryDirectory）改变记忆目录的位置。"
    ),
    "Directories whose repositories are trusted on the command line; ~ is your home directory.": (
        "命令行中受信任仓库所在的目录；~ 表示您的主目录。"
    ),
    "Severity per rule: off, error, warning, information or hint.": "各规则的级别：off、error、warning、information 或 hint。",
    "{description} Default: {default}": "{description} 默认值：{default}",
    # mistakes
    "{key} must be {wanted}.": "{key} 必须是{wanted}。",
    "{key} is {value}; it must be one of {choices}.": "{key} 的值是 {value}；只能是以下之一：{choices}。",
    "{key} must be from {low} to {high}.": "{key} 必须在 {low} 到 {high} 之间。",
    "Replace {old} by {new}": "将 {old} 替换为 {new}",
    "This file is not valid TOML: {reason}.": "此文件不是有效的 TOML：{reason}。",
    "nested too deeply": "嵌套过深",
    "The settings are not an object of names and values.": "设置不是由名称和值组成的对象。",
    "There is no setting {key}. Did you mean {near}?": "没有名为 {key} 的设置。您是否想写 {near}？",
    "There is no setting {key}.": "没有名为 {key} 的设置。",
    "There is no rule {rule}. Did you mean {near}?": "没有名为 {rule} 的规则。您是否想写 {near}？",
    "There is no rule {rule}.": "没有名为 {rule} 的规则。",
    "{key} is taken from your own settings only, not from a project's file.": "{key} 只从您自己的设置读取，不从项目的文件读取。",
    "true or false": " true 或 false",
    "a whole number": "整数",
    "a number": "数字",
    "a list of strings": "字符串列表",
    "a string": "字符串",
    "a table": "表",
    # rules
    "A mistake in memdir.toml, in [tool.memdir], or in the editor's settings for Memdir.": (
        "memdir.toml、[tool.memdir] 或编辑器的 Memdir 设置中有错误。"
    ),
    (
        "A setting with a typing error does nothing, silently: the rule that was meant to be off still reports, or the "
        "limit stays at its default. The value at fault is left out and the rest of the file counts."
    ): (
        "写错的设置会悄无声息地失效：本想关闭的规则仍在报告，或者上限仍是默认值。有误的值会被略去，文件的其余部分仍然有效。"
    ),
    "A project's settings name a memory directory (autoMemoryDirectory), which is not followed.": (
        "项目的设置指定了记忆目录（autoMemoryDirectory），但不予采用。"
    ),
    (
        "Settings in .claude/settings.json come with the repository. One could point memory at ~/.ssh, where the agent "
        "may then write without asking. The agent's client follows such a setting once the folder is trusted; Memdir "
        "does so only in a trusted workspace and after allow-project-directory = true in your own memdir.toml. Name the "
        "directory in .claude/settings.local.json or in your user settings instead."
    ): (
        ".claude/settings.json 随仓库而来，它可能把记忆指向 ~/.ssh，而代理可以不经询问就在那里写入。一旦文件夹受信任，"
        "代理的客户端就会采用这样的设置；Memdir 只有在工作区受信任、并且您自己的 memdir.toml 写有 allow-project-directory = true "
        "时才采用。请改在 .claude/settings.local.json 或您的用户设置中指定目录。"
    ),
    "A settings file of the agent's client, or a value about memory in it, can't be used.": (
        "代理客户端的设置文件，或其中有关记忆的值，无法使用。"
    ),
    (
        "Broken JSON, a value of the wrong type, or a memory directory that is refused (a home or root directory, a "
        "relative path) counts as not set: memory stays where it would be without it. Memory that was meant to be off "
        "may then be on, so background work waits until the file can be read."
    ): (
        "损坏的 JSON、类型不对的值，或被拒绝的记忆目录（主目录、根目录、相对路径）都视为未设置：记忆仍在没有该设置时的位置。"
        "本想关闭的记忆可能因此处于开启状态，所以后台工作会等到文件可读为止。"
    ),
}
