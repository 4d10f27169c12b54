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
    "{path} belongs to another user; set MEMDIR_STATE_DIR to a directory of your own.": (
        "{path} 属于其他用户；请把 MEMDIR_STATE_DIR 设为您自己的目录。"
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
}
