"""The language server and its command."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    # serve
    "Run the language server.": "运行语言服务器。",
    "Talk over standard input and output (the default).": "通过标准输入和输出通信（默认）。",
    "Listen for one client on an address of this machine; port 0 takes any.": "在本机地址上等待一个客户端；端口 0 表示任选。",
    "What is logged to standard error.": "写到标准错误的日志级别。",
    "--tcp wants HOST:PORT such as 127.0.0.1:2087, not “{value}”.": "--tcp 需要 主机:端口，例如 127.0.0.1:2087，而不是“{value}”。",
    "{host} is unknown: {reason}.": "找不到 {host}：{reason}。",
    "The server listens on this machine only: {host} would let others read and change memory. Use 127.0.0.1 or a tunnel.": "服务器只在本机监听：{host} 会让别人读取和修改记忆。请使用 127.0.0.1 或隧道。",
    "Listening on {host}:{port}.": "正在监听 {host}:{port}。",
    # status
    "Memory is switched off by {source}.": "记忆已被 {source} 关闭。",
    "This repository has no memory yet.": "此仓库还没有记忆。",
    "MEMORY.md is longer than what the agent loads; its end is lost.": "MEMORY.md 超出了代理加载的范围，末尾部分丢失。",
    "{errors} errors, {warnings} warnings.": "{errors} 个错误，{warnings} 个警告。",
    "{warnings} warnings.": "{warnings} 个警告。",
    "No problems.": "没有问题。",
    # tree
    "Private": "私有",
    "Team": "团队",
    "Agents": "代理",
    "Daily logs": "每日日志",
    "1 memory": "1 条记忆",
    "{count} memories": "{count} 条记忆",
    "{lines}/{max} lines, {size}/{limit} KB": "{lines}/{max} 行，{size}/{limit} KB",
    "User": "用户",
    "Feedback": "反馈",
    "Project": "项目",
    "Reference": "参考",
    "Without a type": "没有类型",
    "{type}": "{type}",
    # code actions and commands
    "{title} (please check)": "{title}（请检查）",
    "Ignore {rule} here": "在此忽略 {rule}",
    "Fix everything that is safe to fix": "修复所有可安全修复的问题",
    "May change what the memory says; please read the result.": "可能改变记忆的含义，请检查结果。",
    "This fix is out of date; the file has changed.": "此修复已过时：文件已更改。",
    "Nothing was changed: a file is no longer what this was made for.": "没有更改：某个文件已不是当初的内容。",
    "{error}": "{error}",
    "This editor can't rename files for a server; rename {file} yourself.": "此编辑器无法代服务器重命名文件；请自行重命名 {file}。",
    "This is no memory.": "这不是记忆。",
    "There is no index yet that could list this memory.": "还没有可列出此记忆的索引。",
    "This memory cites nothing.": "此记忆没有引用任何内容。",
    "All {total} citations hold.": "全部 {total} 处引用仍然成立。",
    "All {total} cited places are there; whether they changed is not known for {unknown}.": "引用的 {total} 处都还在；其中 {unknown} 处不知道是否有更改。",
    "Not there any more: {places}. Of {total} citations {holds} hold.": "已不存在：{places}。{total} 处引用中有 {holds} 处成立。",
    "Changed since the memory was written: {places}. Of {total} citations {holds} hold.": "写下记忆之后有更改：{places}。{total} 处引用中有 {holds} 处成立。",
    # after a deletion
    "One place still points to {names}. Take it out?": "还有 1 处指向 {names}。要移除吗？",
    "{count} places still point to {names}. Take them out?": "还有 {count} 处指向 {names}。要移除吗？",
    "Take out": "移除",
    "Leave": "保留",
    "Take out what pointed to “{name}”": "移除指向“{name}”的内容",
}
