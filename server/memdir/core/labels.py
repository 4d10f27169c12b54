"""Whether a memory says why it is kept and how to apply it, in the words and languages people use."""

from __future__ import annotations

import re

from memdir.core.lazy_re import lazy

# Labels stand in bold, as a heading, or before a colon. English ones are usual in CJK text too.
_WHY = r"why|reason(?:s|ing)?|rationale|motivation|because|background|context"
_WHY_OTHER = (
    r"为什么|为何|原因|理由|动机|背景|為什麼|なぜ|動機|根拠|왜|이유|배경|근거"
    r"|warum|grund|gründe|begründung|hintergrund|pourquoi|raison|motif|contexte"
    r"|por ?qu[eéê]|motivo|raz[oó]n|motivaci[oó]n|raz[aã]o|почему|причина|proč|důvod|miért|indok"
)
_HOW = r"how(?: to (?:apply|use|do)(?: (?:it|this))?)?|when(?: to apply)?|apply(?:ing)?|application|applies(?: to| when)?|usage|in practice|action(?:s)?|what to do|do this"
_HOW_OTHER = (
    r"如何应用|如何使用|怎么做|怎么用|应用方式|应用场景|应用|使用方法|做法|适用|如何應用|應用方式|應用|適用(?:方法|場面)?|使い方|どう使う|対応"
    r"|적용(?: ?방법)?|사용법|어떻게|anwendung|umsetzung|wie anwenden|wann|comment (?:l')?appliquer|application"
    r"|c[oó]mo aplicar(?:lo)?|aplicaci[oó]n|como aplicar|aplica[cç][aã]o|как применять|применение|jak (?:použít|aplikovat)|hogyan|alkalmazás"
)
_LABEL = r"(?:^|[\s>*_#(（【\-•:：.。])(?:{words})[^\S\r\n]*(?:\([^)\n]{{0,40}}\)|（[^）\n]{{0,40}}）)?[^\S\r\n]*(?:\*\*|__)?[^\S\r\n]*(?:[:：—–?？】]|\*\*|__|$)"
_HAS_WHY = lazy(_LABEL.format(words=f"{_WHY}|{_WHY_OTHER}"), re.I | re.M)
_HAS_HOW = lazy(_LABEL.format(words=f"{_HOW}|{_HOW_OTHER}"), re.I | re.M)
# A motive in running words, for project memories: any of these is a why.
_MOTIVE = lazy(
    r"\b(?:because|since|so that|in order to|due to|driven by|reason|rationale|caused|cause|otherwise|to avoid|to prevent|to keep"
    r"|requires?d?|must|mandated|decided|agreed|asked|wants?|needs?|deadline|until|blocked|instead of|rather than|legal|compliance|why"
    r"|weil|damit|denn|wegen|sonst|um zu|parce que|afin|car|pour|porque|para que|debido|pois|потому|чтобы|protože|aby|mert|hogy)\b"
    r"|因为|因為|由于|由於|为了|為了|以便|避免|否则|原因|决定|決定|要求|ため|ので|から|理由|때문|위해|이유|결정",
    re.I,
)


# Labels stand in the first lines of a memory; megabytes of pasted text are not searched for them.
_MAX = 100_000


def has_why(text: str, start: int = 0) -> bool:
    """True when the body (`text` from `start`) has a passage labelled as the reason."""
    return text.find("**Why", start) >= 0 or _HAS_WHY.search(text, start, start + _MAX) is not None


def has_how(text: str, start: int = 0) -> bool:
    """True when the body has a passage labelled as how or when to apply the memory."""
    return text.find("**How to apply", start) >= 0 or _HAS_HOW.search(text, start, start + _MAX) is not None


def has_motive(text: str, start: int = 0) -> bool:
    """True when the body gives a reason at all, labelled or in running words."""
    return has_why(text, start) or _MOTIVE.search(text, start, start + _MAX) is not None
