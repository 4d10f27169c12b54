"""Messages of the doctor: memory directories left behind, and where their memories belong."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    "{directory} is how an older client named the memory of {owner}; today's client reads another one.": (
        "{directory} 是旧版客户端为 {owner} 的记忆所起的名称；当前的客户端读取另一个目录。"
    ),
    "{directory} was kept for {path} alone; its memories belong to {owner}, which today's client shares.": (
        "{directory} 原来只供 {path} 使用；其中的记忆属于 {owner}，当前的客户端由其共享。"
    ),
    "The memories in {directory} belong to {path}, which is gone, and no repository in sight took its place.": (
        "{directory} 中的记忆属于 {path}，但它已不存在，也没有发现取代它的仓库。"
    ),
    "The memories in {directory} belong to {path}, which is gone; it may be any of {candidates}.": (
        "{directory} 中的记忆属于 {path}，但它已不存在；可能是以下之一：{candidates}。"
    ),
    "The memories in {directory} belong to {path}, which is gone; {owner} seems to be the same: {reason}.": (
        "{directory} 中的记忆属于 {path}，但它已不存在；{owner} 看来就是它：{reason}。"
    ),
    "it has the same first commit": "首个提交相同",
    "it has the same remote": "远程地址相同",
    "a session of the old place went on there": "旧位置的一个会话在那里继续",
    "it has the same name, or sessions of the old place": "名称相同，或含有旧位置的会话",
    "{directory} and {other} are one directory with the drive letter in either case.": (
        "{directory} 和 {other} 是同一目录，只是盘符大小写不同。"
    ),
    (
        "{owners} share {directory}, because their paths differ only in characters that become dashes. Give one of them "
        "a directory of its own (autoMemoryDirectory in .claude/settings.local.json)."
    ): (
        "{owners} 共用 {directory}，因为它们的路径只在会变成连字符的字符上不同。请为其中一个指定自己的目录"
        "（在 .claude/settings.local.json 中设置 autoMemoryDirectory）。"
    ),
    "{directory} holds no memory, and no client looks for one there. It can be removed by hand.": (
        "{directory} 中没有记忆，也没有客户端会到那里查找。可以手动删除。"
    ),
    # a case in few words
    "Repository moved": "仓库已移动",
    "Repository is gone": "仓库已不存在",
    "Split by underscore": "因下划线而分开",
    "Split by drive letter": "因盘符而分开",
    "Kept for one checkout": "只供单个检出使用",
    "Shared by two repositories": "两个仓库共用",
    "Empty directory": "空目录",
    "Misplaced agent memory": "位置不当的代理记忆",
    "no repository in sight took its place": "没有发现取代它的仓库",
    "it may be any of {candidates}": "可能是以下之一：{candidates}",
    "an older client kept underscores in the name, today's makes them dashes": (
        "旧版客户端在名称中保留下划线，当前的客户端将其变为连字符"
    ),
    "both names mean one directory": "两个名称指同一目录",
    "today's client shares one memory between all checkouts of a repository": "当前的客户端让仓库的所有检出共用一份记忆",
    "their paths differ only in characters that become dashes": "它们的路径只在会变成连字符的字符上不同",
    "it holds no memory": "其中没有记忆",
    "a start at the top of the repository never finds it": "从仓库顶层启动时永远找不到它",
    # the change set
    "Move the memories in {source} to {owner}": "将 {source} 中的记忆移到 {owner}",
    "everything in it is in the other directory now": "其全部内容现已在另一个目录中",
    "a file it links to gets another name": "它所链接的文件改了名称",
    "moved": "已移动",
    "moved; another memory has its name already": "已移动；原名已被另一条记忆占用",
    "lines of the other directory are added": "添加了另一目录中的行",
    "{path} is too large to be moved; move it by hand.": "{path} 太大，无法移动；请手动移动。",
    # memdir doctor
    "Find memory directories that were left behind, and move them home.": "查找被遗落的记忆目录，并将其移回原处。",
    "Repositories to consider as the new place of a moved one; the current directory by default.": (
        "可能是被移动仓库新位置的仓库；默认为当前目录。"
    ),
    "Carry out what is certain. Nothing is deleted.": "执行确定无疑的部分。不会删除任何内容。",
    "Move the memories of this directory under projects/ to the current repository.": (
        "将 projects/ 下此目录中的记忆移到当前仓库。"
    ),
    "Every memory directory is where its repository's client looks for it.": "每个记忆目录都在客户端会查找的位置。",
    "Proposed: take {files} into {target}.": "建议：将 {files} 移入 {target}。",
    "`memdir doctor --fix` does it; --dry-run shows it first.": "`memdir doctor --fix` 会执行；加 --dry-run 可先查看。",
    "This is not certain. If it is right, run: {command}": "这并不确定。如果正确，请运行：{command}",
    "There is no memory directory {name} under {root}.": "{root} 下没有记忆目录 {name}。",
    "{name} is the memory directory of this repository already.": "{name} 已经是此仓库的记忆目录。",
}
