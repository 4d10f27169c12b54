"""The four types of memory."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    "Who the person is: role, goals, knowledge, preferences of style.": "这个人是谁：角色、目标、知识背景、风格偏好。",
    "As soon as something about the person comes to light, and again as it turns out finer than first thought.": (
        "了解到关于此人的情况时；日后了解得更准确时再加以完善。"
    ),
    "Plain prose: what is so, and what that changes in working with them.": "平实的叙述：情况如何，以及与其协作时因此有何不同。",
    "Always private.": "始终为私有。",
    "Maintains the audio codec in Rust; reads Python fluently but seldom writes it.": "用 Rust 维护音频编解码器；能流畅阅读 Python，但很少编写。",
    "Reviews on the train: wants the outcome in the first sentence and short diffs.": "在火车上审阅代码：希望第一句就给出结论，差异要短。",
    "Opinions about the person, or anything that does not help the work.": "对此人的评价，或任何无助于工作的内容。",
    "How to do a task: that is feedback.": "如何做某件事：那属于 feedback。",
    "How to work here: what the person put right, and what they approved.": "在这里如何工作：此人纠正过什么，认可过什么。",
    "After a correction, and just as much after approval: a “yes, like that”, or an unusual choice that nobody objects to. Approval is quiet; who records corrections only becomes timid.": (
        "被纠正之后，以及同样重要的——得到认可之后：一句“对，就这样”，或一个无人反对的不寻常选择。认可往往不声不响；只记录纠正会变得畏首畏尾。"
    ),
    "The rule first, then its reason and its reach, so that cases nobody foresaw can be judged.": (
        "先写规则，再写理由和适用范围，以便判断未曾预料的情形。"
    ),
    "the reason: what happened, or what the person values": "理由：发生过什么，或此人看重什么",
    "where the rule applies, and where it ends": "规则适用于何处，到何处为止",
    "Private; team only for a convention that everybody on the project follows.": "私有；仅当它是项目全员遵守的约定时才归入团队。",
    "Try migrations on a copy of real data: an empty database hid a broken default twice.": (
        "迁移要在真实数据的副本上试跑：空数据库曾两次掩盖了错误的默认值。"
    ),
    "The one long table-driven test was welcome; splitting it would have hidden the pattern.": (
        "那一个较长的表驱动测试受到认可；拆开反而会掩盖其中的规律。"
    ),
    "What CLAUDE.md or a rules file says already.": "CLAUDE.md 或规则文件中已有的内容。",
    "A fix for one bug: the code has the fix, its commit the reason.": "某个缺陷的修复：代码里有修复，提交说明里有原因。",
    "Who does what, why and until when; decisions with their motives; constraints from outside.": (
        "谁在做什么、为什么、到何时；决定及其动机；来自外部的约束。"
    ),
    "As soon as such a fact comes up; “Thursday” is written as its date, or it means nothing next week.": (
        "出现这类事实时。“周四”要写成具体日期，否则下周就毫无意义。"
    ),
    "The fact or decision first, then its motive and its consequences; such facts age fast.": (
        "先写事实或决定，再写动机和影响；这类事实过时很快。"
    ),
    "the motive: a deadline, a contract, somebody's request": "动机：期限、合同、某人的要求",
    "what follows from it for plans and proposals": "对计划和建议意味着什么",
    "Team wherever there is one; private only while it concerns nobody else.": "有团队就归入团队；只在与他人无关时才私有。",
    "Export format 2 stays frozen until 2026-04-30, because the auditors compare against it.": (
        "导出格式 2 冻结至 2026-04-30，因为审计方以它为比对基准。"
    ),
    "Payments move to the new provider for reasons of contract, so going back is no option.": (
        "支付因合同原因迁往新的服务商，因此不能考虑退回。"
    ),
    "What git tells: who changed what, and when.": "git 能告诉的：谁在何时改了什么。",
    "Where the task at hand stands: that is out of date tomorrow.": "手头任务的进展：明天就过时了。",
    "Where to look outside the project: trackers, dashboards, channels, documents.": "项目之外去哪里查：跟踪系统、仪表盘、频道、文档。",
    "As soon as an outside resource and its purpose become known.": "得知某个外部资源及其用途时。",
    "The pointer and what it is good for.": "指向何处，以及它有何用。",
    "Usually team; private when it is this person's own.": "通常归入团队；仅属个人时私有。",
    "Complaints about imports arrive in the channel #import-help; search there first.": "关于导入的投诉都在频道 #import-help；先到那里搜索。",
    "The capacity plan is in the operations wiki under “Storage”; figures in the code are older.": (
        "容量规划在运维 wiki 的“Storage”页；代码里的数字更旧。"
    ),
    "A copy of what is found there: it changes without notice.": "那里内容的副本：它会不声不响地改变。",
    "Passwords and keys to get in.": "用于登录的密码和密钥。",
    "What the project shows by itself: patterns, conventions, architecture, paths, layout.": "项目自身就能看出的内容：模式、约定、架构、路径、目录结构。",
    "What in it would surprise somebody who has just read the code?": "其中有什么会让刚读过代码的人感到意外？",
    "What git keeps: history, recent changes, who changed what.": "git 保存的内容：历史、近期改动、谁改了什么。",
    "Which decision behind it is written nowhere?": "其背后有哪个决定没有写在任何地方？",
    "How a bug was fixed: the code has the fix, its commit the story.": "缺陷是如何修复的：代码里有修复，提交说明里有经过。",
    "Which assumption was wrong, and would mislead again?": "哪个假设是错的，而且还会再次误导人？",
    "Is something different from what is written there? Then change it there.": "与那里写的有出入吗？那就到那里去改。",
    "What passes with the task: its state, its steps, this conversation.": "随任务结束而失效的内容：进展、步骤、本次对话。",
    "What of it will still count when the task is done?": "任务完成之后，其中还有什么仍然重要？",
}
