"""The words of a text, cut once: what most rules look for before anything that costs more.

Cutting a text into bytes and looking words up in a set takes a tenth of what one regular expression over it takes. Words
are lower-case ASCII; bytes of other letters are kept as they are (upper and lower case differ then).
"""

from __future__ import annotations

# Lower-cases ASCII letters, keeps digits and bytes of other characters, blanks the rest. E2 and 80, 93, 94, 98, 99, 9C, 9D
# are the bytes of dashes and typographic quotes; where they belong to a letter (Ü), all words are cut alike.
_TABLE = bytes(
    b + 32
    if 65 <= b <= 90
    else b
    if 97 <= b <= 122 or 48 <= b <= 57 or (b >= 0x80 and b not in b"\xe2\x80\x93\x94\x98\x99\x9c\x9d")
    else 32
    for b in range(256)
)
_ASCII = bytes(b if b < 0x80 else 32 for b in _TABLE)
_ONLY_ASCII = bytes(range(0x80))
# Letters that patterns which ignore case take for an ASCII one, in UTF-8: ſ for s, the Kelvin sign for k, İ and ı for i.
_LIKE_ASCII = {b"\xc5\xbf": b"s", b"\xe2\x84\xaa": b"k", b"\xc4\xb0": b"i", b"\xc4\xb1": b"i"}

# The last text that was asked about, its words, whether it has letters of other scripts or with accents.
_last: list[tuple[str, frozenset[bytes], bool]] = [("", frozenset(), False)]


def cut(text: str) -> list[bytes]:
    """The words of `text` in order."""
    return text.encode("utf-8", "surrogatepass").translate(_TABLE).split()


def cut_plain(text: str) -> list[bytes] | None:
    """The words of a text whose only characters beside ASCII are symbols; None for other texts."""
    raw = text.encode("utf-8", "surrogatepass")
    if text.isascii():
        return raw.translate(_TABLE).split()
    return raw.translate(_ASCII).split() if _only_symbols(raw.translate(None, _ONLY_ASCII)) else None


def word_set(text: str) -> frozenset[bytes]:
    """The different words of `text`; of mixed scripts also the ASCII words alone (文档today holds "today").

    The last answer is kept: the rules ask one after the other for the same text.
    """
    return _look(text)[1]


def has_foreign_letters(text: str) -> bool:
    """True unless all characters are ASCII, dashes, typographic quotes, arrows and other symbols (U+2000 to U+2FFF)."""
    return _look(text)[2]


def _look(text: str) -> tuple[str, frozenset[bytes], bool]:
    known = _last[0]
    if known[0] is text:
        return known
    raw = text.encode("utf-8", "surrogatepass")
    foreign = False
    if text.isascii():
        words = raw.translate(_TABLE).split()
    else:
        words = raw.translate(_ASCII).split()
        others = raw.translate(None, _ONLY_ASCII)
        if not _only_symbols(others):
            foreign = True
            words += raw.translate(_TABLE).split()
        for letter, plain in _LIKE_ASCII.items():
            if letter in others:
                raw = raw.replace(letter, plain)
                words += raw.translate(_ASCII).split()
    _last[0] = found = (text, frozenset(words), foreign)
    return found


def _only_symbols(others: bytes) -> bool:
    """True when the characters beyond ASCII, as UTF-8, are in the range U+2000 to U+2FFF: E2 and two more bytes each."""
    return len(others) == 3 * others.count(b"\xe2")


def words_of(text: str) -> frozenset[bytes]:
    """A set for comparison with `word_set` from words written with blanks between them; ASCII only."""
    return frozenset(text.encode("ascii").split())
