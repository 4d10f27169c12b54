"""Which facts a change would lose: every statement, link and date that the result no longer holds anywhere.

A consolidation moves sentences between files and says them shorter, so whole files are compared with all files. What is
found word for word (marks, case and blanks aside) is kept. What is not found is `gone`, or `reworded` when most of its
words, and all its numbers, stand together in one statement of the result; a person looks at both.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from memdir.core.document import Document
from memdir.core.index import entries
from memdir.core.lazy_re import lazy
from memdir.core.prose import plain

REWORDED = 0.6  # share of a statement's words that one statement of the result must hold
_SHOWN = 200
_MIN_LETTERS = 6  # shorter pieces ("Yes.", "n/a") are no statements
_ENOUGH = 40  # characters in which a statement surely has that many letters
_ALNUM = lazy(r"[^\W_]+")
_STOP = lazy(r"(?<=[.!?])[\"')\]*_]*\s+(?=[^\s\d])|(?<=[。！？；])")
_LABEL = lazy(r"^\s*(?:[-*+]\s+)?(?:\*\*|__)?(?:why|how to apply)(?:\*\*|__)?\s*[:：]\s*(?:\*\*|__)?", re.I)
_WORDS = lazy(r"[^\W_]+(?:[._/:-][^\W_]+)*")
_CJK = lazy(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_URL = lazy(r"https?://[^\s<>()\[\]\"'`]+[^\s<>()\[\]\"'`.,;:!?*_]")
_YEAR = lazy(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_BESIDE = 24  # characters beside a year in which the rest of its date stands
_DATES = (
    lazy(r"(?<!\d)(?P<y>(?:19|20)\d\d)[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)"),
    lazy(r"(?P<y>(?:19|20)\d\d)\s?[年년]\s?(?P<m>\d{1,2})\s?[月월]\s?(?P<d>\d{1,2})\s?[日号號일]"),
    lazy(r"(?<!\d)(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.(?P<y>(?:19|20)\d\d)(?!\d)"),
    lazy(
        r"(?<!\d)(?P<d>\d{1,2})(?:st|nd|rd|th|\.)?\s(?:de\s)?(?P<n>[^\W\d_]{3,9})\.?,?\s(?:de\s)?(?P<y>(?:19|20)\d\d)(?!\d)"
    ),
    lazy(r"(?P<n>[A-Z][a-z]{2,8})\.?\s(?P<d>\d{1,2})(?:st|nd|rd|th)?,?\s(?P<y>(?:19|20)\d\d)(?!\d)"),
)
_MONTHS = (
    "jan ene", "feb fév fev", "mar mär mär mrz", "apr avr abr", "may mai", "jun juin", "jul juil", "aug aoû aou ago", "sep set",
    "oct okt", "nov", "dec dez déc dic",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lost:
    """Something that stood in the file `rel`. `nearest` is what comes closest in the result, "" for nothing."""

    rel: str
    text: str
    nearest: str = ""


@dataclass(frozen=True, slots=True)
class Losses:
    """Everything that the result no longer contains. Dates are ISO days, links are targets as written."""

    gone: tuple[Lost, ...] = ()
    reworded: tuple[Lost, ...] = ()
    links: tuple[Lost, ...] = ()
    dates: tuple[Lost, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.gone or self.reworded or self.links or self.dates)


def losses(before: Mapping[str, Document], after: Mapping[str, Document]) -> Losses:
    """What the documents `before` hold and those `after` do not. Files that are the same on both sides cost nothing."""
    touched = [d for rel, d in sorted(before.items()) if (a := after.get(rel)) is None or a.text != d.text]
    if not touched:
        return Losses()
    kept = _Kept(after.values())
    gone: list[Lost] = []
    reworded: list[Lost] = []
    links: dict[str, Lost] = {}
    dates: dict[str, Lost] = {}
    for document in touched:
        for text in statements(document):
            if kept.has(text):
                continue
            nearest = kept.nearest(text)
            lost = Lost(document.rel, _shown(text), _shown(nearest))
            (reworded if nearest else gone).append(lost)
        for target in _links(document):
            if target not in kept.links:
                links.setdefault(target, Lost(document.rel, target))
        for day in _days(document.text):
            if day not in kept.days:
                dates.setdefault(day, Lost(document.rel, day))
    return Losses(tuple(gone), tuple(reworded), tuple(links.values()), tuple(dates.values()))


def statements(document: Document) -> Iterator[str]:
    """The statements of a memory: its description, the sentences and list items of its body, the hooks of an index."""
    if document.kind == "topic" and document.description:
        yield document.description
    hooks: dict[int, str] = {}
    if document.kind == "index" or ".md" in document.body:
        hooks = {e.line: e.hook for e in entries(document) if not e.targets[0].external}
    for number in range(document.lines.line_of(document.body_start), document.lines.count):
        span = document.lines.span(number)
        if span.end <= document.body_start:
            continue
        line = document.text[max(span.start, document.body_start) : span.end]
        if number in hooks:
            line = hooks[number]  # title and file name are pointers, not facts
        elif line.lstrip().startswith(("#", "```", "~~~", "---", "<!--")):
            continue
        if line.lstrip().startswith("|"):
            line = line.replace("|", " ")
        for part in _STOP.split(plain(_LABEL.sub("", line))):
            if len(part) >= _MIN_LETTERS and sum(map(str.isalnum, part[:_ENOUGH])) >= _MIN_LETTERS:
                yield part.strip()


def normalised(text: str) -> str:
    """`text` in the form in which two statements that say the same word for word are equal."""
    return " ".join(_ALNUM.findall(_folded(text)))


def _folded(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


class _Kept:
    """What the result says, for looking up."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.links: set[str] = set()
        self.days: set[str] = set()
        self._texts: list[str] = []
        self._holders: dict[str, list[int]] = {}
        whole: list[str] = []
        for document in documents:
            self.links.update(_links(document))
            self.days.update(_days(document.text))
            for text in statements(document):
                for word in _words(text):
                    self._holders.setdefault(word, []).append(len(self._texts))
                self._texts.append(text)
                whole.append(normalised(text))
        self._exact = set(whole)
        # Sentences may be joined or split: a statement that stands inside a longer one is kept, too.
        self._whole = "\n".join(f" {text} " for text in whole)

    def has(self, text: str) -> bool:
        wanted = normalised(text)
        return not wanted or wanted in self._exact or f" {wanted} " in self._whole or self._across(wanted)

    def _across(self, wanted: str) -> bool:
        """Scripts without blanks: the words of a statement are not set off by them."""
        return bool(_CJK.search(wanted)) and wanted in self._whole

    def nearest(self, text: str) -> str:
        """The statement that holds most of the words of `text`, "" when none holds enough of them and all its numbers."""
        words = _words(text)
        counts: dict[int, int] = {}
        for word in words:
            holders = self._holders.get(word, ())
            if len(holders) <= 400:  # words that stand everywhere tell nothing
                for holder in holders:
                    counts[holder] = counts.get(holder, 0) + 1
        numbers = {w for w in words if any(c.isdigit() for c in w)}
        best, share = "", REWORDED
        for holder, _ in sorted(counts.items(), key=lambda item: -item[1])[:20]:
            held = _words(self._texts[holder])
            found = len(words & held) / len(words)
            if found >= share and numbers <= held:
                best, share = self._texts[holder], found + 1e-9
        return best


def _words(text: str) -> set[str]:
    """Words; pairs of characters for scripts without blanks."""
    folded = _folded(text)
    if folded.isascii():
        return set(_WORDS.findall(folded))
    found: set[str] = set()
    for word in _WORDS.findall(folded):
        if _CJK.search(word):
            found.update(word[i : i + 2] for i in range(max(len(word) - 1, 1)))
        else:
            found.add(word)
    return found


def _links(document: Document) -> Iterator[str]:
    text = document.text
    if "://" in text:
        yield from (m[0] for m in _URL.finditer(text))
    if document.kind == "index":  # its links are the listing, which is rebuilt
        return
    for link in document.markdown.links:
        if link.target and not link.target.startswith("#") and "://" not in link.target:
            yield link.target
    for wiki in document.markdown.wikilinks:
        yield f"[[{wiki.name}]]"


def _days(text: str) -> Iterator[str]:
    for year in _YEAR.finditer(text):  # few texts have many: the patterns look around each of them only
        around = text[max(year.start() - _BESIDE, 0) : year.end() + _BESIDE]
        for m in (m for pattern in _DATES for m in pattern.finditer(around)):
            parts = m.groupdict()
            month = int(parts["m"]) if parts.get("m") else _month(parts.get("n") or "")
            if 1 <= month <= 12 and 1 <= int(parts["d"]) <= 31:
                yield f"{parts['y']}-{month:02}-{int(parts['d']):02}"


def _month(name: str) -> int:
    folded = name.casefold()
    for number, starts in enumerate(_MONTHS, 1):
        if any(folded.startswith(start) for start in starts.split()):
            return number
    return 0


def _shown(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
