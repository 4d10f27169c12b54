"""What a provider's credential looks like: the row type of the tables in this folder.

The tables state public facts about credential formats: a fixed mark (the keyword), the alphabet and length of the rest, and
the checksum where the format has one. A row costs nothing until its keyword occurs in a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

# Checks: True = proved genuine (checksum), False = proved no credential, None = can't tell
Check = Callable[[str], bool | None]


@dataclass(frozen=True, slots=True)
class Format:
    """One credential format.

    `kind` is the stable name in findings and settings, `label` what people read. `keywords` are literal marks of which one must
    occur. `pattern` is tried between ASCII word borders unless `bare`; its group `s`, or else the whole match, is
    the secret. `entropy` (bits per character, Shannon) is the least that counts as random; 0 switches the check off.
    `least` is the length of the shortest word that can hold it, for formats whose mark alone says little.
    """

    kind: str
    label: str
    keywords: tuple[str, ...]
    pattern: str
    entropy: float = 2.8
    check: Check | None = None
    bare: bool = False
    least: int = 16


@cache
def compiled(fmt: Format) -> re.Pattern[str]:
    """The regular expression of `fmt` with its borders; compiled when its keyword is first met."""
    pattern = fmt.pattern if fmt.bare else rf"(?<![A-Za-z0-9])(?:{fmt.pattern})(?![A-Za-z0-9])"
    return re.compile(pattern, re.ASCII)


def row(
    kind: str,
    label: str,
    keywords: str,
    pattern: str,
    *,
    entropy: float = 2.8,
    check: Check | None = None,
    bare: bool = False,
    least: int = 16,
) -> Format:
    """A table row; `keywords` are separated by blanks."""
    return Format(kind, label, tuple(keywords.split()), pattern, entropy, check, bare, least)
