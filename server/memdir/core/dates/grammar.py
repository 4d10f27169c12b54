"""One language at work: finds candidates, judges them by what stands around, resolves them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import date
from functools import cached_property
from typing import NamedTuple

from memdir.core.dates import numbers
from memdir.core.dates.context import Context, DateBeside, around
from memdir.core.dates.hit import DateHit
from memdir.core.dates.patterns import Found, Patterns
from memdir.core.dates.resolve import resolve
from memdir.core.dates.table import Language, Rule, Value
from memdir.core.lazy_re import lazy
from memdir.core.model import Span

_BLANK = lazy(r"\s+")


class Mention(NamedTuple):
    """Words that name a day or period by where the speaker stands: where, in which language, by which of its rules."""

    span: Span
    text: str
    lang: str
    rule: int
    values: dict[str, Value]
    tense: str


class Grammar:
    """A language's table, ready for use. Expressions compile on first use."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.patterns = Patterns(language)
        self._guards: dict[str, re.Pattern[str]] = {}

    def scan(self, text: str, words: Collection[bytes] | None = None) -> Iterator[Mention]:
        """What may be a date in `text`, in order and without overlaps; masks are the caller's business. `words`: see
        `Patterns.search`."""
        folded = self.patterns.fold(text)
        for found in self.patterns.search(folded, words):
            mention = self._judge(text, folded, found)
            if mention is not None:
                yield mention

    def date(self, mention: Mention, reference: date) -> DateHit | None:
        """The days that a mention means, said on `reference`; None for days beyond the calendar."""
        rule = self.language.rules[mention.rule]
        try:
            days = resolve(
                rule,
                mention.values,
                reference,
                tense=mention.tense,
                next_is_next_week=self.language.next_is_next_week,
            )
        except (ValueError, OverflowError):  # nothing sensible is meant
            return None
        return DateHit(
            mention.span,
            mention.text,
            days.first,
            days.last,
            mention.lang,
            days.period,
            days.exact,
            rule.kind,
            days.direction,
        )

    @cached_property
    def _beside(self) -> DateBeside:
        return DateBeside(self.language.dates, self.language.as_of)

    def _judge(self, text: str, folded: str, found: Found) -> Mention | None:
        language = self.language
        rule = language.rules[found.rule]
        values = self._values(found)
        if values is None:
            return None
        start, end = found.start, found.end
        context = around(folded, start, end)
        if self._refused(rule, text[start:end], context):
            return None
        tense = self._tense(context)
        if not self._fits(rule, tense, context):
            return None
        if not tense and language.assumed_future and self._ends(language.assumed_future, context.left):
            tense = "future"
        return Mention(Span(start, end), text[start:end], language.code, found.rule, values, tense)

    def _values(self, found: Found) -> dict[str, Value] | None:
        """Slot values of a match; None when a number cannot be read."""
        values: dict[str, Value] = {}
        for slot, raw in found.slots:
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
