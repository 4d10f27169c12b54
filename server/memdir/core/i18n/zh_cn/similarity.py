"""Near duplicates, repeated instructions, possible contradictions."""

MESSAGES: dict[str, str] = {
    "{percent} % the same as {file}, but {mine} stands here and {theirs} there: keep both if each is a fact of its own.": "与 {file} 有 {percent}% 相同，但此处是 {mine}，那里是 {theirs}：如果各自是独立的事实，请都保留。",
    "{percent} % the same as {file}: merge them, so that one place is kept right.": "与 {file} 有 {percent}% 相同：请合并，只维护一处。",
    "{percent} % the same": "{percent}% 相同",
    "Two memories say almost the same.": "两条记忆说的几乎相同。",
    "An agent that saves a memory does not always look for the one it has. Duplicates drift apart, and then recall "
    "brings whichever matches better, not whichever is right. Likeness is the part of three-word runs that both texts "
    "share (numbers aside); texts of a series, such as release notes, are alike by nature, so the numbers in which "
    "they differ are named. `near-duplicate` in the settings moves the limit.": "代理保存记忆时并不总会查找已有的记忆。重复的记忆会逐渐不一致，召回时得到的是更匹配的那条，而不是正确的那条。"
    "相似度是两段文字共有的三词片段所占的比例（不计数字）；同一系列的文字（如发布说明）天然相似，因此会指出它们不同的数字。设置中的 `near-duplicate` 可调整阈值。",
    "{file} says this already (line {line}) and loads in every session. Keep here only what it does not say: the why.": "{file} 已经写了这一点（第 {line} 行），并且每个会话都会加载。此处只保留它没有说的内容：原因。",
    "Line {line}: {text}": "第 {line} 行：{text}",
    "A memory repeats what the instructions say.": "记忆重复了指令中的内容。",
    "Instruction files are loaded in every session anyway. What is written there needn't be remembered: the memory "
    "costs a second reading, and when the instruction changes, it keeps the old one alive. What belongs here is the "
    "reason behind it.": "指令文件在每个会话中都会加载。写在那里的内容无需再记：记忆会被重复读取，而当指令改变时，它会让旧内容继续存在。属于这里的是背后的原因。",
    "This may contradict the team's {file}. Read both: a private exception should say that it is one.": "这可能与团队的 {file} 相矛盾。请阅读两者：私人的例外应当说明自己是例外。",
    "The team says: {text}": "团队的说法：{text}",
    "A private feedback may contradict one of the team.": "私人反馈可能与团队反馈相矛盾。",
    "Both indexes are loaded, and an agent that reads two rules which exclude each other follows either. The check "
    "compares words: two feedback memories on one subject of which only one negates. It is a candidate, not a verdict, "
    "and says nothing about which of them is right.": "两个索引都会加载，代理读到互相排斥的两条规则时会随意遵循其一。检查只比较词语：同一主题的两条反馈中只有一条是否定的。"
    "这只是候选，不是结论，也不说明哪一条正确。",
    "never recalled, offered {offered} times": "从未被回忆，已提供 {offered} 次",
    "nearly always recalled: {chosen} of {offered} times": "几乎总被回忆：{offered} 次中的 {chosen} 次",
    "recalled {chosen} of {offered} times": "被回忆：{offered} 次中的 {chosen} 次",
}
