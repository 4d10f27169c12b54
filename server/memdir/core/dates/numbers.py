"""Numbers as they stand before a unit: digits, ranges, number words and Chinese numerals."""

from __future__ import annotations

from collections.abc import Mapping

from memdir.core.dates.table import Value
from memdir.core.lazy_re import lazy

_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_RANGE = lazy(r"(\d{1,3})\s?(?:-|–|~|〜|～|、|to|or|bis|oder|à|ou|a|o)\s?(\d{1,3})")


def read(text: str, words: Mapping[str, Value]) -> tuple[float, bool] | None:
    """(value, whether it is approximate) of the text of slot `n`; None when it is no number."""
    known = words.get(text)
    if known is not None:
        return float(known), False
    found = _RANGE.fullmatch(text)
    if found:
        return (int(found[1]) + int(found[2])) / 2, True
    if text.isdecimal():
        return int(text), False
    try:
        return float(text.replace(",", ".")), False
    except ValueError:
        pass
    number = chinese(text)
    return None if number is None else (number, False)


def chinese(text: str) -> int | None:
    """Value of a numeral up to 999 ("十五", "二十", "三百"); None when a character is none."""
    total = digit = 0
    for c in text:
        if c in _DIGITS:
            digit = _DIGITS[c]
        elif c in "十百":
            total += max(digit, 1) * (10 if c == "十" else 100)
            digit = 0
        else:
            return None
    return total + digit
