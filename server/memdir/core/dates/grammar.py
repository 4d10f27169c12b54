"""One compiled language: finds candidates, judges them by what stands around, resolves them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cached_property

from memdir.core.dates import numbers
from memdir.core.dates.context import Context, DateBeside, around
from memdir.core.dates.hit import DateHit
from memdir.core.dates.resolve import resolve
from memdir.core.dates.table import Language, Rule, Value
from memdir.core.model import Span

_SLOT = re.compile(r"\{(\w+)\}")
_BLANK = re.compile(r"\s+")
_WORD_TAIL = re.compile(r"[^\W_]+$")
# Reach of a pattern to either side of an anchor; the longest phrases have about 45 letters, 12 Han or kana.
_REACH, _CJK_REACH = (70, 60), (18, 16)

# Slots whose words can be told apart from ordinary ones; "n" and "which" never come without one of them.
_ANCHORING = ("day", "unit", "period", "weekday", "month")


class Grammar:
    """The patterns of one language. Expressions compile on first use."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._beside = DateBeside(language.dates, language.as_of)
        self._guards: dict[str, re.Pattern[str]] = {}
        self._slots: list[tuple[tuple[str, int], ...]] = []

    def scan(self, text: str, reference: date) -> Iterator[DateHit]:
        """Hits of this language in `text`, in order and without overlaps; masks are the caller's business."""
        folded = self.fold(text)
        for start, end in self._windows(folded):
            for match in self._pattern.finditer(folded, start, end):
                hit = self._judge(text, folded, match, reference)
                if hit is not None:
                    yield hit

    # finding

    def fold(self, text: str) -> str:
        """`text` in the form that patterns are written for, character by character: lower case, one script."""
        folded = text.lower()
        if len(folded) != len(text):  # U+0130 alone becomes two characters
            folded = "".join(lower if len(lower := c.lower()) == 1 else c for c in text)
        return folded.translate(self.language.fold) if self.language.fold else folded

    @cached_property
    def anchor(self) -> re.Pattern[str]:
        """An expression that every hit contains, cheap to look for."""
        language = self.language
        if language.anchors:
            return re.compile(_widen(language.anchors, language.fold))
        words = "|".join(sorted(map(re.escape, anchor_words(language)), key=len, reverse=True))
        return re.compile(rf"(?<![^\W_])(?:{words})(?![^\W_])")

    def _windows(self, text: str) -> Iterator[tuple[int, int]]:
        """Stretches around the anchors, merged."""
        start = end = -1
        length = len(text)
        before, after = _CJK_REACH if self.language.anchors else _REACH
        for found in self.anchor.finditer(text):
            first, last = max(found.start() - before, 0), min(found.end() + after, length)
            if first > end:
                if end >= 0:
                    yield start, end
                start = first
            end = last
        if end >= 0:
            yield start, end

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        language = self.language
        group = 0
        alternatives = []
        for index, rule in enumerate(language.rules):
            group += 1  # the rule's own group
            used: list[tuple[str, int]] = []

            def expand(slot: re.Match[str], used: list[tuple[str, int]] = used, base: int = group) -> str:
                used.append((slot[1], base + len(used) + 1))
                return f"({self._words(slot[1])})"

            expression = _SLOT.sub(expand, rule.pattern.replace(" ", language.space))
            group += len(used)
            self._slots.append(tuple(used))
            alternatives.append(f"(?P<r{index}>{expression})")
        return re.compile(language.left_edge + "(?:" + "|".join(alternatives) + ")" + language.right_edge)

    def _words(self, slot: str) -> str:
        """The alternatives of a slot, longest first."""
        language = self.language
        words = sorted(language.slots.get(slot, ()), key=len, reverse=True)
        parts = [re.escape(w).replace(r"\ ", language.space).replace("'", "['’]") for w in words]
        if slot == "dom":
            return r"\d{1,2}"
        if slot == "n":
            parts.insert(0, r"\d{1,3}(?:[.,]5|\s?(?:-|–|~|〜|～|、)\s?\d{1,3})?(?!\d)")
            if language.numerals:
                parts.append(f"[{language.numerals}]{{1,4}}")
        return "|".join(parts)

    # judging

    def _judge(self, text: str, folded: str, match: re.Match[str], reference: date) -> DateHit | None:
        language = self.language
        name = match.lastgroup
        assert name is not None  # every alternative is a named group
        index = int(name[1:])
        rule = language.rules[index]
        values = self._values(index, match)
        if values is None:
            return None
        start, end = match.span()
        context = around(folded, start, end)
        if self._refused(rule, text[start:end], context):
            return None
        tense = self._tense(context)
        if not self._fits(rule, tense, context):
            return None
        try:
            found = resolve(
                rule, values, reference, tense=tense, next_is_next_week=language.next_is_next_week
            )
        except (ValueError, OverflowError):  # beyond the calendar: nothing sensible is meant
            return None
        return DateHit(
            Span(start, end),
            text[start:end],
            found.first,
            found.last,
            language.code,
            found.period,
            found.exact,
            rule.kind,
            found.direction,
        )

    def _values(self, index: int, match: re.Match[str]) -> dict[str, Value] | None:
        """Slot values of a match; None when a number cannot be read."""
        values: dict[str, Value] = {}
        for slot, group in self._slots[index]:
            raw = match.group(group)
            if raw is None:
                continue
            words = self.language.slots.get(slot, {})
            word = _BLANK.sub(" ", raw.replace("’", "'")).strip()
            if slot == "dom":
                values[slot] = int(word)
            elif slot == "n":
                number = numbers.read(word, words)
                if number is None:
                    return None
                values[slot] = number[0]
                if number[1] or word in self.language.approximate:
                    values["some"] = 1
            else:
                values[slot.rstrip("0123456789")] = words[word]
        return values

    def _refused(self, rule: Rule, found: str, context: Context) -> bool:
        """True when what stands around says that no date is meant, or that it is written out already."""
        language = self.language
        left, right = context.left, context.right
        if any(self._ends(g, left) for g in (language.not_before, rule.not_before) if g):
            return True
        if any(self._begins(g, right) for g in (language.not_after, rule.not_after) if g):
            return True
        if rule.only_before and not self._ends(rule.only_before, left):
            return True
        if rule.only_after and not self._begins(rule.only_after, right):
            return True
        if rule.proper and not found.rsplit(maxsplit=1)[-1][0].isupper():
            return True
        if language.titles and not rule.capital and found[0].isupper():
            whole = language.titles == "all" and rule.kind not in ("weekday", "month")
            if not context.starts or (whole and _is_title(found)):
                return True
        sentence = f"{left}{found.lower()}{right}"
        if any(self._within(g, sentence) for g in (language.unless, rule.unless) if g):
            return True
        return self._beside(context)

    def _fits(self, rule: Rule, tense: str, context: Context) -> bool:
        if rule.needs:
            if rule.needs == "!past":
                if tense == "past":
                    return False
            elif not tense or rule.needs not in ("event", tense):
                return False
        generic = self.language.generic
        return bool(tense) or not generic or not self._within(generic, context.left + " " + context.right)

    @cached_property
    def _cues(self) -> re.Pattern[str] | None:
        language = self.language
        parts = [(k, v) for k in ("neutral", "future", "past") if (v := getattr(language, k))]
        return re.compile("|".join(f"(?P<{k}>{v})" for k, v in parts)) if parts else None

    def _tense(self, context: Context) -> str:
        """The tense cue nearest to the hit: the last one before it, else the first one after it."""
        if self._cues is None:
            return ""
        last = ""
        for cue in self._cues.finditer(context.left):
            if cue.lastgroup != "neutral":
                last = cue.lastgroup or ""
        if last:
            return last
        return next(
            (c.lastgroup or "" for c in self._cues.finditer(context.right) if c.lastgroup != "neutral"), ""
        )

    def _ends(self, guard: str, left: str) -> bool:
        return self._compiled(f"(?:{guard})$").search(left[-60:]) is not None

    def _begins(self, guard: str, right: str) -> bool:
        return self._compiled(guard).match(right) is not None

    def _within(self, guard: str, sentence: str) -> bool:
        return self._compiled(guard).search(sentence) is not None

    def _compiled(self, guard: str) -> re.Pattern[str]:
        pattern = self._guards.get(guard)
        if pattern is None:
            pattern = self._guards[guard] = re.compile(guard)
        return pattern


def _is_title(found: str) -> bool:
    """Several words that all have a capital: the name of a thing ("Last Month", a preset)."""
    words = [w for w in _BLANK.split(found) if w[:1].isalpha()]
    return len(words) > 1 and all(w[0].isupper() for w in words)


def _widen(expression: str, fold: Mapping[int, int]) -> str:
    """`expression` with every character followed by the ones that fold to it, so that it fits text before folding."""
    variants: dict[str, str] = {}
    for variant, character in fold.items():
        variants[chr(character)] = variants.get(chr(character), "") + chr(variant)
    parts: list[str] = []
    in_class = False
    for c in expression:
        in_class = c == "[" or (in_class and c != "]")
        more = variants.get(c, "")
        parts.append(c if not more else c + more if in_class else f"[{c}{more}]")
    return "".join(parts)


def anchor_words(language: Language) -> set[str]:
    """Words (lower case) of which every hit of a language with blanks contains one."""
    words: set[str] = set()
    phrases = [phrase for slot in _ANCHORING for phrase in language.slots.get(slot, ())]
    for rule in language.rules:
        if not any("{" + slot + "}" in rule.pattern for slot in _ANCHORING):
            phrases += _literals(rule.pattern)
    for phrase in phrases:
        tail = _WORD_TAIL.search(phrase)
        if tail is None:
            raise ValueError(f"{language.code}: no anchor in {phrase!r}")
        words.add(tail[0].lower())
    return words


def _literals(pattern: str) -> list[str]:
    """The alternatives of a pattern without slots, which must be plain words joined by '|'."""
    return [p.strip() for p in pattern.split("|")]
