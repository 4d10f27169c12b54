"""`invisible-characters`: characters that an agent reads and a person does not see."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.fixing import safe
from memdir.core.i18n import msg
from memdir.core.invisible import invisible_runs, may_hold_invisible
from memdir.core.lazy_re import lazy
from memdir.core.model import Edit, Finding, Safety, Severity, Span
from memdir.core.rule import Context, Example, Rule

_MAX_FINDINGS = 20
_MAX_NAMED = 3
# Names that Unicode gives to control characters as aliases only.
_CONTROLS = {
    0: "NULL",
    7: "BELL",
    8: "BACKSPACE",
    11: "LINE TABULATION",
    12: "FORM FEED",
    27: "ESCAPE",
    127: "DELETE",
}
_TAG = lazy("[\U000e0020-\U000e007e]+")


def check(document: Document, context: Context) -> Iterator[Finding]:
    text = document.text
    if not may_hold_invisible(text):
        return
    for _, (start, end) in zip(range(_MAX_FINDINGS), invisible_runs(text), strict=False):
        span = Span(start, end)
        characters = text[start:end]
        names = ", ".join(_name(c) for c in list(dict.fromkeys(characters))[:_MAX_NAMED])
        hidden = "".join(chr(ord(c) - 0xE0000) for m in _TAG.finditer(characters) for c in m[0])
        message = (
            msg(
                "Invisible text that an agent reads: “{hidden}”, written in {count} tag characters ({names}). Remove it.",
                hidden=hidden[:200],
                count=len(characters),
                names=names,
            )
            if hidden
            else msg(
                "Invisible: {names}. An agent reads what you don't see here; remove it unless it is meant.",
                names=names,
            )
        )
        yield Finding(span, message, (safe(msg("Remove it"), document.edit(Edit(span, ""))),))


def _name(c: str) -> str:
    import unicodedata

    name = unicodedata.name(c, "") or _CONTROLS.get(ord(c), "CONTROL CHARACTER")
    return f"U+{ord(c):04X} {name}"


RULE = Rule(
    name="invisible-characters",
    severity=Severity.WARNING,
    summary=msg("A file holds invisible characters."),
    rationale=msg(
        "Zero-width characters break searches and links; bidirectional controls make text read otherwise than it is "
        "stored; tag characters can carry whole sentences that only a model sees, which is a known way to plant "
        "instructions in memory. Each is named with its code point. What writing systems and emoji need is left alone: "
        "joiners in Persian, Indic and Arabic text and inside emoji, selectors of variants, direction marks in "
        "right-to-left lines, soft hyphens inside words."
    ),
    check=check,
    kinds=frozenset({"topic", "index", "log"}),
    fix=Safety.SAFE,
    examples=(
        Example(
            "reference_port_codes.md",
            bad="---\nname: Port codes\ndescription: Port codes follow UN/LOCODE\ntype: reference\n---\nPort\u200b codes are bought.\n",
            good="---\nname: Port codes\ndescription: Port codes follow UN/LOCODE\ntype: reference\n---\nPort codes are bought. 👩\u200d💻 می\u200cخواهم\n",
        ),
    ),
)
