"""Relative dates and deadlines."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    "`{key}` in the header": "头部的 `{key}`",
    "the date in the file name": "文件名中的日期",
    "the last commit of this file": "该文件的最后一次提交",
    "the time of the file": "文件时间",
    "today, since the file is not saved yet": "今天，因为文件尚未保存",
    "{date}": "{date}",
    "about {date}": "{date} 前后",
    "{date} to {last}": "{date} 至 {last}",
    "the week that starts on {date}": "从 {date} 开始的一周",
    "the weekend that starts on {date}": "从 {date} 开始的周末",
    "the month that starts on {date}": "从 {date} 开始的一个月",
    "the quarter that starts on {date}": "从 {date} 开始的季度",
    "the half-year that starts on {date}": "从 {date} 开始的半年",
    "the year that starts on {date}": "从 {date} 开始的一年",
    "“{words}” names no day: it counts from the day of writing, {day} ({source}). Say when, or add that day.": "“{words}”没有指明日期：它相对于写下的那天，即 {day}（{source}）。请写明时间，或注上那一天。",
    "“{words}” changes its meaning as time passes. Counted from {day} ({source}) it is {meaning}.": "“{words}”的含义会随时间变化。从 {day}（{source}）算起，指 {meaning}。",
    "Write “{new}” instead of “{words}”": "把“{words}”改写为“{new}”",
    "Write “{new}” instead of “{words}”: {meaning}": "把“{words}”改写为“{new}”：{meaning}",
    "A memory says when in words that change their meaning.": "记忆用含义会变化的词来表示时间。",
    "“Thursday”, “last week” and “in 10 days” are clear on the day they are written and wrong ever after; models reason badly about such dates. The fix writes the date out. Words count from `modified`, `updated` or `created` in the header, else a date in the file name, the last commit of the file, or its time; the message says which. The fix is safe only if the words name one day and the memory itself states the day they count from. Standing rules (“every Monday”), quotations, code, links, dated lines (“2026-03-05: …”) and “as of 2026-03-05” are left alone. Vague words such as “recently” get the day of writing beside them. Languages: English, Chinese (simplified and traditional), Japanese, Korean, German, French, Spanish.": "“周四”“上周”“10天后”在写下的当天是清楚的，之后就都不对了；模型很不擅长推算这类日期。修复会写出日期。这些词从头部的 `modified`、`updated` 或 `created` 算起，否则从文件名中的日期、文件的最后一次提交或文件时间算起；消息会说明是哪一个。只有当这些词指明某一天、且记忆自身写明了起算日时，修复才是安全的。长期规则（“每周一”）、引文、代码、链接、带日期的行（“2026-03-05：……”）以及“截至 2026-03-05”不作处理。“最近”之类含糊的词会注上写下的日期。支持的语言：英语、中文（简体和繁体）、日语、韩语、德语、法语、西班牙语。",
    "“{words}” is over: {date} was {age}. Check whether the memory still holds; then update or remove it.": "“{words}”已过期：{date} 是{age}。请确认该记忆是否仍然成立，然后更新或删除。",
    "A deadline in a project memory is over.": "项目记忆中的截止日期已过。",
    "A project memory says who does what until when. Once the day has passed, “merging is frozen until 2026-03-05” makes an agent hold back for no reason. A date counts as a deadline when the words beside it say so (“until”, “by”, “due”, “planned for”, and their like in seven languages); sentences that tell of what is over, code, links and quotations are left alone. A month or quarter is over after its last day.": "项目记忆说明谁在何时之前做什么。日期一过，“合并冻结到 2026-03-05”就会让智能体无故停手。日期旁的词说明它是期限时才算截止日期（“直到”“之前”“到期”“计划于”以及七种语言中的类似说法）；讲述已经结束之事的句子、代码、链接和引文不作处理。月份或季度在最后一天之后才算过期。",
}
