"""Characters that nobody sees: which ones are a fault, and which belong to a script or an emoji."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.lazy_re import lazy

# Zero-width and format characters, bidirectional controls, fillers, tags, controls other than tab and line breaks,
# and selectors of variants (legitimate one at a time behind a base, a hiding place in rows).
_CLASS = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_RUN = lazy(f"[{_CLASS}]+")
_ZWNJ, _ZWJ, _LRM, _RLM = "\u200c", "\u200d", "\u200e", "\u200f"
_SOFT_HYPHEN = "\u00ad"
_BLACK_FLAG, _CANCEL_TAG = "\U0001f3f4", "\U000e007f"
_TAGS = lazy("[\U000e0020-\U000e007e]+\U000e007f")
# Scripts in which ZWJ and ZWNJ shape letters: Arabic (with Persian and Urdu), Syriac, N'Ko, Mandaic, Mongolian and the
# scripts of India and South-East Asia.
_JOINING = lazy(
    "[\u0600-\u08ff\u0900-\u0dff\u0e80-\u109f\u1780-\u18af\u1a20-\u1aaf\u1b00-\u1bff\ua840-\ua8df\ua900-\ua9df\uaa00-\uaaff\ufb50-\ufdff\ufe70-\ufefe\U00010a00-\U00011fff]"
)
_NO_BLANKS = lazy("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")  # Thai, Lao, Burmese, Khmer: U+200B ends words
_RTL = lazy("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_EMOJI = lazy("[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff]")
_SKIN = lazy("[\U0001f3fb-\U0001f3ff\ufe0f\u20e3]")


# How UTF-8 begins what the class holds and Python calls printable: selectors of variants, fillers, joiners of graphemes.
_PRINTABLE = (
    b"\xef\xb8",
    b"\xf3\xa0",
    b"\xcd\x8f",
    b"\xe1\x85",
    b"\xe1\x9e",
    b"\xe1\xa0",
    b"\xe3\x85\xa4",
    b"\xef\xbe\xa0",
)
# Pure ASCII text, the most frequent case, can only hold controls.
_ASCII_CONTROLS = "\0\x07\x08\x0b\x0c\x1b\x7f"


_NEAR = 200  # characters around a direction mark in which a right-to-left letter explains it


def may_hold_invisible(text: str) -> bool:
    """False when the text certainly holds none; a fifth of the cost of looking for them."""
    if text.isascii():
        return any(c in text for c in _ASCII_CONTROLS)
    if not text.replace("\n", "").isprintable():
        return True
    data = text.encode("utf-8", "surrogatepass")
    return any(lead in data for lead in _PRINTABLE)


def invisible_runs(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of every run of invisible characters that has no business there."""
    for m in _RUN.finditer(text):
        at, end = m.span()
        bad = -1
        while at < end:
            skip = _legitimate(text, at, end)
            if skip:
                if bad >= 0:
                    yield bad, at
                bad = -1
                at += skip
            else:
                bad = at if bad < 0 else bad
                at += 1
        if bad >= 0:
            yield bad, end


def _legitimate(text: str, at: int, end: int) -> int:
    """How many characters from `at` on are in their place (0: none)."""
    c = text[at]
    before = text[at - 1] if at else ""
    after = text[at + 1] if at + 1 < len(text) else ""
    if c in (_ZWJ, _ZWNJ):
        if _JOINING.match(before) and (
            not after or _JOINING.match(after) or c == _ZWJ or not after.isalnum()
        ):
            return 1
        base = text[at - 2] if at > 1 and _SKIN.match(before) else before
        return 1 if c == _ZWJ and _EMOJI.match(base) and _EMOJI.match(after) else 0
    if (
        "\ufe00" <= c <= "\ufe0f"
    ):  # one selector behind a visible base; the two that choose text or emoji style
        return 1 if before and not before.isspace() and not _RUN.match(before) else 0
    if "\U000e0100" <= c <= "\U000e01ef":  # variants of ideographs
        return (
            1
            if "\u2e80" <= before <= "\u9fff"
            or "\uf900" <= before <= "\ufaff"
            or (before >= "\U00020000" and before < "\U000e0000")
            else 0
        )
    if c == "\u200b":
        return 1 if _NO_BLANKS.match(before) and _NO_BLANKS.match(after) else 0
    if c == _SOFT_HYPHEN:
        return 1 if before.isalpha() and after.isalpha() else 0
    if c in (_LRM, _RLM, "\u061c"):
        near = text[max(at - _NEAR, 0) : at].rpartition("\n")[2] + text[at : at + _NEAR].partition("\n")[0]
        return 1 if _RTL.search(near) else 0
    if before == _BLACK_FLAG and (m := _TAGS.match(text, at, end)):  # the flags of England, Scotland, Wales
        return m.end() - at
    if c == "\u180e" or "\u180b" <= c <= "\u180f":
        return 1 if "\u1800" <= before <= "\u18af" else 0
    return 0
