"""Messages about where the memory is: the client's settings, what decided, `memdir where`."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    # values that are refused
    "it must be 1 to 64 letters, digits, dashes or underscores": "它必须由 1 到 64 个字母、数字、连字符或下划线组成",
    "it is empty": "它是空的",
    "it contains a NUL character": "它含有 NUL 字符",
    "it contains characters that no file name can have": "它含有文件名不可能有的字符",
    "it is not an absolute path": "它不是绝对路径",
    "it is a network or device path": "它是网络路径或设备路径",
    "it is not an absolute path with a drive letter": "它不是带盘符的绝对路径",
    "it is the root of the file system": "它是文件系统的根目录",
    "it lies directly below the root; name a directory further down": "它直接位于根目录之下；请指定更深的目录",
    "it is your home directory, or the one above; name a directory of its own below it": (
        "它是您的主目录或其上级目录；请在其下指定一个专用目录"
    ),
    "only ~/ is expanded, no other user's home directory": "只展开 ~/，不展开其他用户的主目录",
    "it starts with a drive letter, which means nothing on this system": "它以盘符开头，而盘符在本系统上没有意义",
    # settings files
    "{path} is larger than {size} bytes and is not read.": "{path} 超过 {size} 字节，不予读取。",
    "{path} can't be read: {reason}.": "无法读取 {path}：{reason}。",
    "{path} does not exist.": "{path} 不存在。",
    "This is not valid JSON ({reason}), so none of its settings count.": "这不是有效的 JSON（{reason}），因此其中的设置都不生效。",
    "This JSON is nested too deeply, so none of its settings count.": "此 JSON 嵌套过深，因此其中的设置都不生效。",
    "Settings must be one JSON object ({{...}}), so none of them count.": "设置必须是一个 JSON 对象（{{...}}），因此都不生效。",
    "This memory directory is not used: {why}.": "不使用此记忆目录：{why}。",
    "A project's settings don't move the memory directory here: {why}.": "项目的设置不能把记忆目录移到这里：{why}。",
    # what decided about the place
    "it is not set": "未设置",
    "{source} comes first": "{source} 优先",
    "nothing that comes before it is set": "优先于它的都未设置",
    "it names the whole memory directory and comes first": "它直接指定整个记忆目录，优先于其他一切",
    "{name} sets autoMemoryDirectory": "{name} 设置了 autoMemoryDirectory",
    "a repository may not move your memory; set allow-project-directory in your own Memdir settings to let it": (
        "仓库不得移动您的记忆；如要允许，请在您自己的 Memdir 设置中设置 allow-project-directory"
    ),
    "the workspace is not trusted": "工作区不受信任",
    "it replaces the configuration directory for memory": "对记忆而言，它取代配置目录",
    "it counts only together with {variable}": "它只有与 {variable} 同时设置才有效",
    "it replaces the name made from the owner's path": "它取代由所有者路径得出的名称",
    "nothing else names a directory, so its name is made from the owner's path": "没有别的设置指定目录，因此名称由所有者路径得出",
    "nothing is there yet, but a directory that an older client made for this repository exists": (
        "那里还没有内容，但旧版客户端为此仓库建立的目录存在"
    ),
    "it holds this repository's memories; underscores were kept in its name (memdir doctor moves it)": (
        "此仓库的记忆在这里；其名称保留了下划线（memdir doctor 可以移动它）"
    ),
    "today's client reads the directory without underscores in its name (memdir doctor merges both)": (
        "当前的客户端读取名称中没有下划线的目录（memdir doctor 可以合并两者）"
    ),
    # what decided about on or off
    "memory is on unless something switches it off": "只要没有设置将其关闭，记忆就是开启的",
    "the client runs in safe mode": "客户端以安全模式运行",
    "the client runs bare": "客户端以精简模式运行",
    "the client runs remotely, and {variable} names no place that stays": "客户端在远程运行，而 {variable} 没有指定持久的位置",
    "{name} sets autoMemoryEnabled": "{name} 设置了 autoMemoryEnabled",
    "it switches memory off": "它关闭记忆",
    "it forces memory on": "它强制开启记忆",
    "it is neither true nor false": "它既不表示是也不表示否",
    # memdir where
    "Say where the memory of a directory is, and why.": "说明某个目录的记忆在哪里，以及原因。",
    "Directory to ask about; the current one by default.": "要查询的目录；默认为当前目录。",
    "Print one JSON object.": "输出一个 JSON 对象。",
    "Settings as the agent's client gets them with --settings.": "代理客户端通过 --settings 得到的设置。",
    "Answer as for the client's --bare.": "按客户端使用 --bare 时的情形回答。",
    "Answer as for the client's --safe-mode.": "按客户端使用 --safe-mode 时的情形回答。",
    "{path} does not exist; give the directory of a project.": "{path} 不存在；请给出项目的目录。",
    "The memory of {path} is in {directory}.": "{path} 的记忆在 {directory}。",
    "The memory of {path} belongs in {directory}, which does not exist yet.": "{path} 的记忆应在 {directory}，该目录尚不存在。",
    "It belongs to {owner}, the main checkout of the worktree {top}.": "它属于 {owner}，即工作树 {top} 的主检出。",
    "It belongs to the repository {owner}.": "它属于仓库 {owner}。",
    "It belongs to {owner} itself, as no directory above it is a git repository.": (
        "它属于 {owner} 本身，因为其上没有任何目录是 git 仓库。"
    ),
    "Decided by {source}: {why}.": "由 {source} 决定：{why}。",
    "Not used: {source} = {value}, because {why}.": "未采用：{source} = {value}，因为{why}。",
    "Not used: {source}, because {why}.": "未采用：{source}，因为{why}。",
    "Memory is on": "记忆已开启",
    "Memory is off": "记忆已关闭",
    "{state}, decided by {source}: {why}.": "{state}，由 {source} 决定：{why}。",
    "No sessions of this project were found in {directory}.": "在 {directory} 中没有找到此项目的会话。",
    "Its sessions are in:": "其会话在：",
    "Problem in {path}, line {line}: {message}": "{path} 第 {line} 行有问题：{message}",
    "Problem in the given settings: {message}": "给定的设置有问题：{message}",
}
