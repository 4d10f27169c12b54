"""Notes of the running session."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    "Session notes are switched off (notes.enabled).": "会话笔记已关闭（notes.enabled）。",
    "Session notes need a model. {reason}": "会话笔记需要模型。{reason}",
    "The notes are being updated already.": "笔记已在更新中。",
    "The headings of the notes were changed; they are fixed.": "笔记的标题被改动；标题是固定的。",
    "The italic line below “{heading}” was changed; it is fixed.": "“{heading}”下方的斜体行被改动；该行是固定的。",
    "The section “{heading}” has about {size} tokens; there is room for {limit}. Say older things shorter.": (
        "“{heading}”一节约有 {size} 个 token，只容得下 {limit} 个。请把旧内容写得更短。"
    ),
    "The notes have about {size} tokens; there is room for {limit}. Say older things shorter.": (
        "笔记约有 {size} 个 token，只容得下 {limit} 个。请把旧内容写得更短。"
    ),
    "There are no notes of this session.": "本会话没有笔记。",
    "The notes of this session are empty.": "本会话的笔记是空的。",
    "Where the notes end is not found in the session.": "在会话中找不到笔记截止的位置。",
    "The conversation was compacted after the notes were written.": "写下笔记之后，对话被压缩过。",
    "More was said since the notes were written than can go along.": "写下笔记之后说的内容过多，无法一并带上。",
    "{reason} A model could write a summary, but: {off}": "{reason}模型本可撰写摘要，但是：{off}",
    "The notes have been in the middle of an update for {seconds} seconds.": "笔记的更新已持续 {seconds} 秒仍未完成。",
    "The session can't be read.": "无法读取该会话。",
    "Nothing was said in this session yet.": "本会话中还没有任何对话。",
    "The model gave no summary.": "模型没有给出摘要。",
    "Show or update the notes of a session, or go on from them.": "显示或更新会话笔记，或从笔记继续。",
    "The notes are up to date.": "笔记已更新。",
    "There was nothing to note.": "没有可记的内容。",
    "show them, update them now, or print what a compacted session goes on with.": (
        "显示笔记、立即更新笔记，或输出压缩后的会话据以继续的文字。"
    ),
    "A model wrote the summary: {reason}": "摘要由模型撰写：{reason}",
}
