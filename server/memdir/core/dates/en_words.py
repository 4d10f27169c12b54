"""Words that stand around English dates: tenses, what happens once, parts of a page, values of settings. For `en.py`."""

from __future__ import annotations

MONTH = "(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}\\.?"
DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?"

# Things that happen once: "yesterday's outage" is one, "yesterday's settlement price" is a term.
EVENT_NOUNS = (
    "announcement|audit|bug|build|call|change|chat|commit|conversation|crash|cutover|debate|decision|demo|deploy|deployment|discussion"
    "|email|experiment|failure|feedback|findings?|fix|fixes|hotfix|incident|interview|investigation|issue|kickoff|launch|mail"
    "|meeting|merge|migration|notes|offsite|outage|planning|postmortem|pr|prs|progress|pull request|push|rebase|refactor"
    "|refactoring|regression|release|request|retro|retrospective|review|rewrite|rollback|rollout|run|session|standup|sync|talk"
    "|thread|upgrade|visit|work|workshop"
)
UI_NOUNS = (
    "tabs?|views?|pages?|widgets?|buttons?|screens?|filters?|columns?|sections?|panels?|cards?|labels?|badges?|menus?|presets?"
    "|options?|ranges?|buckets?|partitions?|pickers?|cells?|charts?|fields?|params?|parameters?|shelf|shelves|shortcuts?|macros?"
    "|placeholders?"
)
GENERIC_VALUE = (
    r"(?:\bdefault(?:s|ed|ing)?\s+to|\bequals?|[=<>]|\bset(?:\s+[\w-]+){0,4}\s+to|\breturns?|\bmeans?|e\.g\.,?|i\.e\.,?|\blike|\bsuch\s+as|\bcalled"
    r"|\bnamed|\blabel(?:s|l?ed)|\bthan|\bbetween|\bpresets?|\busa|\bpsychology|\bexcept|\bword|\bphrase|\binstead\s+of|\bdepend(?:s|ing)?\s+on|\bregardless\s+of|\bassum(?:e|es|ing)|\bdate\s+of|\b(?:comput|deriv|calculat|aggregat)ed\s+(?:\w+\s+)?(?:from|for|over|on)|\bplus|\bminus|\bbased\s+on|\bvs\.?|\bversus"
    r"|\bcompar(?:e|es|ed|ing)(?:\s+[\w'’]+){0,3}\s+(?:to|with|and)|(?:^|\s)--[\w-]+)\s*$"
)
LISTED = r"(?:today|yesterday|tomorrow|(?:last|this|next)\s+\w+|(?:last|next)\s+\d+\s+\w+)"
PAST = (
    r"\b(?:was|were|did|didn['’]t|had|has|have|been|went|came|got|made|took|said|told|broke|fell|left|sent|met|ran|began|held|built|wrote"
    r"|rewrote|lost|found|kept|led|paid|spent|stuck|thought|understood|won|saw|gave|knew|grew|chose|froze|rose|spoke|stood|sold|bought|brought"
    r"|caught|drew|drove|since|became|picked up"
    r"|(?!(?:need|feed|speed|seed|embed|indeed|hundred|shed|exceed|proceed|succeed|based|named|called|red|bed)\b)[a-z]{2,}ed)\b"
)
FUTURE = (
    r"\b(?:will|won['’]t|shall|going to|gonna|plans?|planned|schedul\w+|expect\w*|due|deadline|begin(?:s|ning)?|start(?:s|ing)?"
    r"|end(?:s|ing)|expires?|runs? out|launch(?:es|ing)?|opens|clos(?:es|ing)|ships|shipping|lands|landing|leav(?:es|ing)|returns|returning"
    r"|arriv(?:es|ing)|goes|go(?:ing)? (?:live|out|on)|lifts|moves|takes effect|comes?(?: back)?|renews|wants|must|should|needs? to|has to"
    r"|have to|to be|signs? off|postponed (?:to|until)|moved to(?=\s+$)|pushed (?:to|back)|rescheduled|deferred|delayed until|extended (?:to|until)"
    r"|upcoming|freeze|by|until|till|before|next(?=\s+\w+\s+(?:is\s+)?(?:in\b|$)))\b|['’]ll\b"
)
NEUTRAL = (
    r"\b(?:is|are|be|being|gets?|get)\s+(?:\w+ly\s+|not\s+)?(?:[a-z]{2,}ed|built|held|kept|lost|made|met|paid|sent|sold|told|taken|written)\b"
    r"(?!\s+(?:to|until|for))"
)
