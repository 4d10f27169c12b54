"""Search patterns from a model, in a form that can't run for ever.

Only patterns whose time is bounded by the line they are tried on are taken: no quantified groups, no backreferences, at
most two open-ended repetitions. Everything else is asked for in simpler words.
"""

from __future__ import annotations

import re

from memdir.agent.shell import DeniedError

MAX_PATTERN = 300  # characters
MAX_LINE = (
    2_000  # characters of a line that are searched: two repetitions then take a few milliseconds at worst
)
_TOKEN = re.compile(
    r"(?P<escape>\\[wWdDsSbB.\\/\[\](){}^$*+?|\-\"' :])|(?P<class>\[\^?\]?(?:\\.|[^\]\\\n])*\])|(?P<open>\((?:\?:)?)|(?P<close>\))"
    r"|(?P<repeat>[*+]\??|\{\d{1,3}(?:,\d{0,3})?\}\??)|(?P<maybe>\?)|(?P<bar>\|)|(?P<anchor>[\^$])|(?P<char>[^\\\[\](){}*+?|^$])",
    re.S,
)


def search_pattern(text: str, *, ignore_case: bool = False, literal: bool = False) -> re.Pattern[str]:
    """`text` compiled. Raises DeniedError for a pattern that is empty, wrong, or could take for ever."""
    if not text or len(text) > MAX_PATTERN:
        raise DeniedError(f"Denied: a pattern has 1 to {MAX_PATTERN} characters.")
    source = re.escape(text) if literal else _checked(text)
    try:
        return re.compile(source, re.IGNORECASE if ignore_case else 0)
    except (re.error, OverflowError, RecursionError) as error:
        raise DeniedError(
            f"The pattern is not valid: {error}. Use plain words, or | between alternatives."
        ) from None


def _checked(text: str) -> str:
    at = repeats = 0
    last = ""
    while at < len(text):
        m = _TOKEN.match(text, at)
        if m is None:
            raise DeniedError(
                f"Denied: the pattern uses {text[at : at + 2]!r}. Use plain words, or | between alternatives."
            )
        kind = m.lastgroup or ""
        if kind in ("repeat", "maybe") and last == "open":
            raise DeniedError(
                "Denied: groups with (?…) are not taken. Use plain words, or | between alternatives."
            )
        if kind == "class" and any(c in m[0][1:-1] for c in ("[", "--", "&&", "||", "~~")):
            raise DeniedError("Denied: a class in brackets may not hold another one. Use plain words.")
        if kind == "repeat":
            if last == "close":
                raise DeniedError(
                    "Denied: a repeated group could take for ever. Use plain words, or | between alternatives."
                )
            repeats += (
                m[0][0] in "*+" or m[0].rstrip("?").endswith(",}") or int(re.findall(r"\d+", m[0])[-1]) > 20
            )
            if repeats > 2:
                raise DeniedError(
                    "Denied: more than two open repetitions could take for ever. Use plain words."
                )
        last = kind
        at = m.end()
    return text
