"""Agent memory scattered over sub-directories."""

MESSAGES: dict[str, str] = {
    "Memory of the agent {agent} that was kept while it ran in {start}; started at the top of the repository it never sees this.": "这是代理 {agent} 在 {start} 中运行时保存的记忆；从仓库顶层启动时永远看不到它。",
    "Merge it into {path}": "合并到 {path}",
    "{path} holds memory of the agent {agent} that a start at the top of the repository never finds.": "{path} 保存着代理 {agent} 的记忆，从仓库顶层启动时永远找不到。",
    "An agent's memory lies below a sub-directory of the repository.": "代理的记忆位于仓库的子目录下。",
    "Project and local memory of a sub-agent follow the directory the client was started in, not the repository. Each "
    "start in another sub-directory begins an empty memory, and what was learned is scattered. The fix merges the "
    "directory into the one at the top; nothing is deleted.": "子代理的项目记忆和本地记忆取决于客户端启动的目录，而不是仓库。每次在另一个子目录启动都会从空记忆开始，学到的内容因此分散。修复会将该目录合并到顶层目录，不删除任何内容。",
}
