"""The rules about secrets, personal data, user memories and injected instructions."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    "tells the agent to disregard its instructions": "要求智能体无视其指令",
    "tells the agent to hide something from the person": "要求智能体对用户隐瞒",
    "tells the agent to act without asking": "要求智能体不经询问就行动",
    "tells the agent to get around its protections": "要求智能体绕过其防护",
    "tells the agent to send private data away": "要求智能体把私密数据发送出去",
    "has the agent run what it downloads": "让智能体运行其下载的内容",
    "imitates the marks of the agent's own prompt": "仿冒智能体自身提示词的标记",
    "a person's e-mail address": "个人电子邮件地址",
    "a telephone number": "电话号码",
    "a bank account number": "银行账号",
    "a payment card number": "支付卡号",
    "a social security number": "社会保障号码",
    "a resident identity number": "居民身份证号码",
    "Password": "密码",
    "Password in a URL": "网址中的密码",
    "Private key": "私钥",
    "JSON web token": "JSON Web 令牌",
    "Secret value": "机密值",
    "Bearer token": "Bearer 令牌",
    "User and password": "用户名和密码",
    "A memory holds a password, key or token.": "记忆中含有密码、密钥或令牌。",
    "Memory files are plain text, go into every session's context and, in `team/`, to other people. Formats of providers are recognised by mark, length and checksum; other values by what they are called (`api_key = …`, “the password is …”). The value is never shown or logged. In team memory this is an error: the file is not uploaded. Once a secret has been shared, redacting is not enough: revoke it.": (
        "记忆文件是纯文本，会进入每次会话的上下文；放在 `team/` 中还会传给其他人。各家服务的凭据按标记、长度和校验和识别，"
        "其他值按其名称识别（`api_key = …`、“密码是 …”）。凭据的值绝不显示，也不写入日志。在团队记忆中这是错误：文件不会上传。"
        "机密一旦被共享，仅涂掉是不够的：请将其吊销。"
    ),
    "{label} in team memory: it stays on this machine until it is taken out.": "团队记忆中有{label}：在移除之前，该文件只留在本机。",
    "{label} in a memory file: every session of the agent reads it. Keep it in a secret store.": (
        "记忆文件中有{label}：智能体的每次会话都会读到它。请把它存放在机密存储中。"
    ),
    "Redact: {label}": "涂掉：{label}",
    "Redact every secret in this file": "涂掉此文件中的所有机密",
    "Team memory holds personal data.": "团队记忆中含有个人数据。",
    "Team memory is copied to every member's machine and kept with its history. E-mail addresses of persons, telephone numbers, account, card and identity numbers rarely help an agent; a role or a link to a directory does. Role addresses (support@…), documentation domains and numbers without a valid check digit are left alone.": (
        "团队记忆会复制到每位成员的机器上，并保留历史。个人邮箱、电话、账号、卡号和证件号很少对智能体有用；写明角色或给出通讯录链接才有用。"
        "角色邮箱（support@…）、文档示例域名和校验位无效的号码不受影响。"
    ),
    "Team memory holds {what}. Share it only if the team needs it and the person agrees.": (
        "团队记忆中含有{what}。仅在团队需要且本人同意时才共享。"
    ),
    "Move this memory to your private memory": "把这条记忆移到您的私有记忆",
    "A memory of type user lies in team memory.": "团队记忆中有 user 类型的记忆。",
    "User memories say who somebody is and how they like to work. They help with that person only, and others have no business reading them. Files of this type are not uploaded, and those that arrive from the team wait in quarantine.": (
        "user 记忆说明某人是谁、喜欢怎样工作。它只对本人有帮助，他人无须阅读。此类文件不会上传；从团队收到的会放入隔离区等待审阅。"
    ),
    "A memory about a person is always private, but this one is in team memory: it will not be shared.": (
        "关于个人的记忆始终是私有的，而这一条在团队记忆中：它不会被共享。"
    ),
    "A memory holds text addressed to the agent's guard-rails.": "记忆中含有针对智能体防护规则的文字。",
    "The agent trusts its memory. A file from a teammate, a merged branch or an extraction from a hostile page can carry commands: ignore your instructions, don't ask, don't tell the user, run this download, send these keys. Such files wait in quarantine when they come from the team. Sentences that forbid the same are ordinary advice and pass.": (
        "智能体信任自己的记忆。来自队友、被合并的分支，或从恶意网页提取的文件可能夹带命令：无视指令、不要询问、不要告诉用户、运行下载的内容、"
        "发送密钥。来自团队的此类文件会放入隔离区等待审阅。禁止这些行为的句子属于正常建议，不会报告。"
    ),
    "This text {what}. Find out who wrote it before an agent reads it.": "这段文字{what}。在智能体读到它之前，请先查明是谁写的。",
}
