"""Extraction, the inbox, and the hook after a turn."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    # agent/extract*.py
    "Extraction is switched off (extract.auto).": "提取已关闭（extract.auto）。",
    "The agent wrote memory itself; nothing was extracted.": "代理自己写了记忆；没有提取任何内容。",
    "Another extraction is running; this one follows.": "另一次提取正在进行；本次随后进行。",
    "New: {name}": "新增：{name}",
    "Change: {name}": "更改：{name}",
    # agent/signals
    "Asked to remember": "要求记住",
    "A correction": "更正",
    "An approval": "认可",
    "A deadline": "期限",
    "A place to look": "可查之处",
    # agent/inbox*.py
    "There is no proposal {id} in the inbox; `memdir inbox` lists them.": "收件箱中没有建议 {id}；`memdir inbox` 会列出全部建议。",
    "This is only a hint: say what to remember, with a name and a description.": (
        "这只是提示：请用名称和描述说明要记住什么。"
    ),
    "The proposal holds no memory.": "该建议中没有记忆。",
    "Only proposed memories can be edited.": "只能编辑建议的记忆。",
    "A memory needs a header with name, description and type.": "记忆需要含有名称、描述和类型的头部。",
    # memdir extract
    "Look through a session for what should be remembered; proposals go to the inbox.": (
        "在会话中查找应当记住的内容；建议放入收件箱。"
    ),
    "There is no such session here; give its id or the path of its file.": "此处没有这个会话；请给出其标识或文件路径。",
    "The session (default: the latest one of this repository).": "会话（默认：本仓库最近的会话）。",
    "Look for signals, ask no model.": "只查找信号，不询问模型。",
    "Do all that follows a finished turn: also notes, and a consolidation when it is due.": (
        "执行一轮结束后的全部工作：还包括笔记，以及到时间的整理。"
    ),
    "Written; `memdir undo {id}` takes this back.": "已写入；`memdir undo {id}` 可撤销。",
    "Waiting already, or refused before: {count}.": "已在等待或曾被拒绝：{count} 条。",
    "`memdir inbox show ID` shows a proposal with the words it rests on.": "`memdir inbox show ID` 显示建议及其所依据的原话。",
    "Nothing new was said.": "没有新的内容。",
    "Nothing in it needs to be remembered.": "其中没有需要记住的内容。",
    "It failed.": "失败了。",
    # memdir inbox
    "List proposed memories; show, accept, edit or refuse them.": "列出建议的记忆；查看、接受、编辑或拒绝。",
    "Refused: {title}": "已拒绝：{title}",
    "Files of the proposal that still wait: {count}.": "该建议中仍在等待的文件：{count} 个。",
    "Show a proposal: its change, and the words it rests on.": "显示一项建议：其更改及所依据的原话。",
    "Number of the proposal.": "建议的编号。",
    "Make the proposed change.": "执行建议的更改。",
    "Replace the text of a proposed memory.": "替换所建议记忆的文字。",
    "The whole new text, with its header; - reads it from the standard input.": "包含头部的完整新文字；- 表示从标准输入读取。",
    "Drop a proposal; it will not come back.": "丢弃一项建议；它不会再出现。",
    "The inbox is empty.": "收件箱为空。",
    "the person": "用户",
    "the agent": "代理",
    "files: {count}": "文件：{count} 个",
    # memdir hook stop
    "Answer the client's Stop event (JSON on stdin): look through the turn in the background.": (
        "响应客户端的 Stop 事件（标准输入为 JSON）：在后台查看这一轮。"
    ),
}
