"""Which invisible characters are a fault; the look-up that decides whether to look at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.invisible import invisible_runs, may_hold_invisible


def runs(text: str) -> list[str]:
    return [text[s:e] for s, e in invisible_runs(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\u200bb", ["\u200b"]),
        ("a\u200b\u200cb", ["\u200b\u200c"]),
        ("a\u202eb\u202c", ["\u202e", "\u202c"]),
        ("\u2066a\u2069", ["\u2066", "\u2069"]),
        ("a\ufeffb", ["\ufeff"]),
        ("a\x00b\x1b[0m", ["\x00", "\x1b"]),
        ("a\x85b\u2028c", ["\x85", "\u2028"]),
        ("x\U000e0041\U000e0042", ["\U000e0041\U000e0042"]),
        ("x\u3164\uffa0", ["\u3164\uffa0"]),
        ("😀\ufe0f\ufe0f", ["\ufe0f"]),
        (" \ufe0f", ["\ufe0f"]),
        ("a\u200db", ["\u200d"]),
        ("a\u200eb", ["\u200e"]),
        ("\u00ada", ["\u00ad"]),
        ("🏴\U000e0067\U000e0062", ["\U000e0067\U000e0062"]),  # a flag that is never closed
        ("a\tb\nc\r\nd", []),
        ("👨\u200d👩\u200d👧", []),
        ("❤\ufe0f\u200d🔥", []),
        ("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", []),
        ("می\u200cخواهم", []),
        ("क्\u200dष", []),
        ("שלום\u200f!", []),
        ("Do\u00adnau", []),
        ("葛\U000e0100", []),
        ("ภาษา\u200bไทย", []),
        ("ᠮᠣ\u180eᠯ", []),
        ("1\ufe0f\u20e3", []),
    ],
)
def test_runs(text: str, expected: list[str]) -> None:
    assert runs(text) == expected


# every invisible character, and some that are seen
CHARACTERS = [chr(c) for c in (*range(0x20), *range(0x7F, 0xA1), 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x180E, *range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070), 0x3164, *range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0, 0xFFF9, 0xE0001, 0xE0041, 0xE0101)]  # fmt: skip


@given(st.text(st.sampled_from([*CHARACTERS, *"ab é—中😀👩कמی"]), max_size=12))
def test_the_look_up_misses_nothing(text: str) -> None:
    found = runs(text)
    # other ASCII controls than these are so rare that pure ASCII is not searched for them
    if text.isascii() and not set("".join(found)) & set("\0\x07\x08\x0b\x0c\x1b\x7f"):
        return
    assert may_hold_invisible(text) or not found


@pytest.mark.parametrize("text", ["plain text\n", "Orléans — “quoted”\n", "中文，标点。\n", "😀 emoji\n"])
def test_ordinary_text_is_not_searched(text: str) -> None:
    assert not may_hold_invisible(text)
