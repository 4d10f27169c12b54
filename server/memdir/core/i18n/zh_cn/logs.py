"""Daily logs."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    # memdir log
    "Append a line to today's log.": "向今天的日志追加一行。",
    "What happened; - reads it from the standard input.": "发生了什么；- 表示从标准输入读取。",
    "Take this rewritten log as it is now, so that it is no longer reported.": "将这份被改写的日志以现状为准，不再报告。",
    "There is nothing to log: give the text, or - to read it from the standard input.": "没有可记录的内容：请给出文字，或用 - 从标准输入读取。",
    "{path} is taken as it is now.": "已将 {path} 以现状为准。",
    # log-path
    "{path} is no path of a daily log: they are {pattern}.": "{path} 不是每日日志的路径：日志应为 {pattern}。",
    "The log of {day} belongs in {path}, where consolidation looks for it.": "{day} 的日志应放在 {path}，整理时会到那里查找。",
    "Move it to {path}": "移动到 {path}",
    "A daily log is not where logs are looked for.": "每日日志不在查找日志的位置。",
    "A log is found by its date: `logs/YYYY/MM/YYYY-MM-DD.md`. The agent's prompt names that pattern instead of a date, so that it stays the same across midnight, and consolidation reads the logs of the days since it last ran. A file elsewhere in `logs/` is read by nobody.": (
        "日志按日期查找：`logs/YYYY/MM/YYYY-MM-DD.md`。代理的提示词写的是这一格式而非具体日期，因而跨过午夜也保持不变；整理时读取自上次整理以来各天的日志。`logs/` 中其他位置的文件无人读取。"
    ),
    # log-entry-format
    "This line is no entry. An entry is “- HH:MM what happened”; further lines are indented.": (
        "此行不是条目。条目的形式为“- HH:MM 发生的事”；后续行应缩进。"
    ),
    "{count} lines from here on are no entries. An entry is “- HH:MM what happened”; further lines are indented.": (
        "自此处起有 {count} 行不是条目。条目的形式为“- HH:MM 发生的事”；后续行应缩进。"
    ),
    "A daily log has lines that are no timestamped bullets.": "每日日志中有些行不是带时间的条目。",
    "Each entry of a log is one bullet with its time, so that consolidation can tell events and their order, and quote the one it draws on. Free text in between has neither. One finding covers a whole file.": (
        "日志的每个条目是一个带时间的列表项，以便整理时分清事件及其先后，并引用所依据的那一条。夹在其间的自由文本两者皆无。每个文件只报告一次。"
    ),
    # log-rewritten
    "This log was rewritten: it no longer begins as it did. `memdir log --accept {path}` takes it as it is.": (
        "这份日志被改写过：开头已与先前不同。`memdir log --accept {path}` 可将其以现状为准。"
    ),
    "This log was rewritten after line {line}: only what stands before is as it was. `memdir log --accept {path}` takes it as it is.": (
        "这份日志在第 {line} 行之后被改写过：只有此前的内容与先前一致。`memdir log --accept {path}` 可将其以现状为准。"
    ),
    "A daily log was changed instead of only added to.": "每日日志被修改，而不只是追加。",
    "Logs are evidence: consolidation draws memories from them and may be asked where a statement came from. So they are only ever added to, never rewritten or reordered. Memdir remembers size and hash of what it saw of a log, never its text, and reports a log that no longer begins the same way. `memdir undo` has earlier versions of what Memdir itself changed; `memdir log --accept PATH` takes the log as it is now.": (
        "日志是证据：整理时会从中提取记忆，并可能被追问某句话的来源。因此日志只能追加，不得改写或重排。Memdir 只记住所见日志的大小和哈希值，不记其内容；当日志的开头不再相同时予以报告。Memdir 自身改动的先前版本可用 `memdir undo` 找回；`memdir log --accept PATH` 则以日志的现状为准。"
    ),
}
