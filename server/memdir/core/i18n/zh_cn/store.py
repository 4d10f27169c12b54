"""Messages of the store: files, locks, journal."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    "{error}": "{error}",
    "Undo: {title}": "撤销：{title}",
    "{path}: a file with this name exists already; nothing was written over it.": "{path}：已有同名文件，未作覆盖。",
    "{path}: the file is gone, so the change can't be applied to it.": "{path}：文件已不存在，无法应用这项更改。",
    "{path}: the file was changed meanwhile; its present text was kept. Look at both and try again.": (
        "{path}：文件在此期间被修改过，已保留其当前内容。请对照两个版本后重试。"
    ),
    "{path} is in the way: Memdir needs a directory of this name for its state.": "{path} 挡住了位置：Memdir 需要以此名建立存放状态的目录。",
    "Others may write to {path}; set MEMDIR_STATE_DIR to a directory of your own.": (
        "其他用户可以写入 {path}；请把 MEMDIR_STATE_DIR 设为您自己的目录。"
    ),
    "{path} is not an ordinary file, so it is left alone.": "{path} 不是普通文件，因此不作处理。",
    "{path} is not an ordinary file of at most {limit} MiB, so it is left alone.": (
        "{path} 不是不超过 {limit} MiB 的普通文件，因此不作处理。"
    ),
    "{path} is a link, so it can only be moved or removed as it is.": "{path} 是链接，只能原样移动或删除。",
    "{path} is outside the memory directory, so nothing is written there.": "{path} 位于记忆目录之外，因此不会写入。",
    "{path} is held by process {pid}; try again when it is done.": "{path} 正被进程 {pid} 占用；请待其完成后重试。",
    "The state directory's file system has no file locks; set MEMDIR_STATE_DIR to a local directory.": (
        "状态目录所在的文件系统不支持文件锁；请把 MEMDIR_STATE_DIR 设为本地目录。"
    ),
    "{path} is part of an interrupted change that could not be undone yet.": "{path} 属于一次被中断且尚未能还原的更改。",
    "There is no change to undo.": "没有可撤销的更改。",
    "There is no change {id} in the journal; `memdir undo --list` shows them.": (
        "日志中没有编号为 {id} 的更改；可用 `memdir undo --list` 查看。"
    ),
    "The journal's entry {id} is damaged and can't be used.": "日志条目 {id} 已损坏，无法使用。",
    "Change {id} is not in force, so there is nothing to undo.": "更改 {id} 当前未生效，无需撤销。",
    # memdir undo, and the flow that all writing commands share
    "Undo a change that Memdir made, or list them.": "撤销 Memdir 所作的更改，或列出这些更改。",
    "Number of the change; by default the latest one of this project. Undoing an undo repeats the change.": (
        "更改的编号；默认为本项目最近一次更改。撤销一次撤销即重做该更改。"
    ),
    "List the changes, the newest first.": "列出更改，最新的在前。",
    "Changes of all projects, not only of this one.": "所有项目的更改，而不只是本项目的。",
    "Print JSON.": "输出 JSON。",
    "Show the change as a diff and write nothing.": "以差异形式显示更改，不写入任何内容。",
    "Take only this file or hunk (by the id that --dry-run shows); may be repeated.": (
        "只接受此文件或此差异块（编号见 --dry-run 的输出）；可重复使用。"
    ),
    "“{id}” is no number of a change; `memdir undo --list` shows them.": (
        "“{id}”不是更改的编号；可用 `memdir undo --list` 查看。"
    ),
    "restored {path}": "已恢复 {path}",
    "brought back {path}": "已找回 {path}",
    "removed {path}": "已移除 {path}",
    "created {path}": "已新建 {path}",
    "changed {path}": "已修改 {path}",
    "deleted {path}": "已删除 {path}",
    "There is nothing to change.": "没有需要更改的内容。",
    "`memdir undo {id}` repeats the change.": "用 `memdir undo {id}` 可重做这项更改。",
    "`memdir undo {id}` takes this back.": "用 `memdir undo {id}` 可撤销此操作。",
    "Memdir has changed nothing here yet.": "Memdir 尚未在此作过任何更改。",
    "interrupted, taken back": "曾被中断，已还原",
    "interrupted": "被中断",
    "undone by {id}": "已被 {id} 撤销",
    "in force": "生效中",
    "The interrupted change “{title}” could not be taken back yet: {reason}": "被中断的更改“{title}”尚无法还原：{reason}",
    "The interrupted change “{title}” was taken back; changed meanwhile and kept as it is: {path}": (
        "被中断的更改“{title}”已还原；以下文件在此期间被修改，保持原样：{path}"
    ),
    "The interrupted change “{title}” had been carried out.": "被中断的更改“{title}”其实已经完成。",
    "The interrupted change “{title}” was taken back.": "被中断的更改“{title}”已还原。",
    "What this change wanted:": "这项更改原本要写入：",
    "What was changed meanwhile:": "在此期间发生的修改：",
    "{path} could not be written: {reason}.": "无法写入 {path}：{reason}。",
    "“{name}” is neither a file nor a hunk of this change.": "“{name}”既不是这项更改中的文件，也不是其中的差异块。",
    # settings
    "Days for which a change can be undone.": "更改在多少天内可以撤销。",
    "Size in MiB of the journal behind undo; the oldest changes go first.": "撤销日志的大小上限（MiB）；最旧的更改先被清除。",
}
