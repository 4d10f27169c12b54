"""Refactorings."""

MESSAGES: dict[str, str] = {
    "Mark as verified today": "标记为今日已核实",
    "Extract “{title}” to {path}": "将“{title}”提取到 {path}",
    "Split into {n} memories, one per section": "拆分为 {n} 条记忆，每节一条",
    "Merge {file} into this memory": "将 {file} 合并到此记忆",
    "Merge {file} into this memory (they differ in numbers: look first)": "将 {file} 合并到此记忆（数字不同，请先查看）",
    "takes in the text of {file}": "并入 {file} 的文字",
    "its text stands in {file} now": "其文字现在位于 {file}",
    "Move to private memory": "移到私人记忆",
    "Move to team memory": "移到团队记忆",
    "Supersede by a new memory ({path})": "用新记忆取代（{path}）",
    "Move type under metadata": "将 type 移到 metadata 下",
    "Move type under metadata in every memory of this directory": "将此目录中每条记忆的 type 移到 metadata 下",
    "Move type to the top of the header": "将 type 移到头部顶层",
    "Move type to the top of the header in every memory of this directory": "将此目录中每条记忆的 type 移到头部顶层",
}
