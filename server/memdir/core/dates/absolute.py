"""The words that replace a relative date, and the sentence that names its days.

Keys of `Wording.bare` and `Wording.adverb`: "day", "week", "weekend", "month", "quarter", "half", "year", "range", "around"
(an approximate day), "end-week", "vague". Fields of a form: {date} first day, {last} last day, {month} as 2026-03, {m} its
number, {quarter}, {half}, {year}, {monday} of the week, {text} the words found.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import lru_cache

from memdir.core.dates.context import around
from memdir.core.dates.detect import language
from memdir.core.dates.hit import DateHit
from memdir.core.dates.table import Wording
from memdir.core.i18n import Message, msg
from memdir.core.lazy_re import lazy
from memdir.core.model import Edit, Span

_OWNED = lazy(r"['’]s\b(?=\s+\w)")
_OWNER = lazy(r"['’]s\b")
_DETERMINER = lazy(r"\b(?:the|our|my|your|their|his|her|its|this|that)\s+$", re.I)
_BLANK = lazy(r"\s+")
_TRADITIONAL = str.maketrans("个周后", "個週後")  # the characters of the Chinese wording that differ


def absolute(text: str, hit: DateHit, reference: date) -> Edit | None:
    """The edit that puts a date in the place of `hit` in `text`; None where no readable form is known.

    The span may take in a word next to the hit that merges with the date ("d'hier" gives "du 2026-03-10"). A vague word
    stays and gets the reference day beside it.
    """
    table = language(hit.lang)
    wording = table.wording
    key, fields = _form(hit, reference, wording.halves)
    context = around(text, hit.span.start, hit.span.end)
    left, right = context.left.lower(), context.right.lower()
    start, end = hit.span.start, hit.span.end
    owner = _OWNER.match(context.right) if wording.owner else None
    if owner is not None:
        if not _OWNED.match(context.right):
            return Edit(hit.span, fields["date"]) if key == "day" else None
        form = wording.owner.get(key)
        if form is None:
            return None
        if _DETERMINER.search(context.left):
            form = form.removeprefix("the ")
        end += owner.end()
    else:
        form, taken = _plain_form(hit, key, wording, left, right, context.starts)
        end += len(taken)
        fields["part"] = taken.strip().lower()
        joined = _joined(wording, key, left) if not taken else None
        if joined is not None:
            start, form = start - joined[0], joined[1]
    new = form.format(**fields)
    if wording.spaced:
        if any(ord(c) in table.fold for c in context.left + hit.text + context.right):
            new = new.translate(_TRADITIONAL)
        new = _set_off(text, start, end, new)
    if text[start : start + 1].isupper() and (context.starts or start < hit.span.start):
        new = new[0].upper() + new[1:]
    return Edit(Span(start, end), new)


def meaning(hit: DateHit) -> Message:
    """The days that `hit` means in words: the first one and what period it is. Not for a vague hit (ValueError)."""
    if hit.earliest is None or hit.latest is None:
        raise ValueError(f"{hit.text!r} means no days")
    first, last = hit.earliest.isoformat(), hit.latest.isoformat()
    if hit.period == "day":
        return (
            msg("{date}", date=first)
            if hit.exact or hit.kind != "offset"
            else msg("about {date}", date=first)
        )
    if hit.period == "range" or hit.kind == "end":
        return msg("{date} to {last}", date=first, last=last)
    if hit.period == "week":
        return msg("the week that starts on {date}", date=first)
    if hit.period == "weekend":
        return msg("the weekend that starts on {date}", date=first)
    if hit.period == "month":
        return msg("the month that starts on {date}", date=first)
    if hit.period == "quarter":
        return msg("the quarter that starts on {date}", date=first)
    if hit.period == "half":
        return msg("the half-year that starts on {date}", date=first)
    return msg("the year that starts on {date}", date=first)


def _form(hit: DateHit, reference: date, halves: tuple[str, str]) -> tuple[str, dict[str, str]]:
    """(key of the form, its fields)."""
    first, last = hit.earliest, hit.latest
    if first is None or last is None:
        return "vague", _fields(reference, reference, hit.text, halves)
    if hit.kind == "end" and first != last:
        return "end-week", _fields(first, last, hit.text, halves)
    if hit.period == "range" and hit.kind != "window":
        middle = first + (last - first) / 2
        return "around", _fields(middle, middle, hit.text, halves)
    if hit.period == "day" and hit.kind == "offset" and not hit.exact:
        return "around", _fields(first, first, hit.text, halves)
    return hit.period or "day", _fields(first, last, hit.text, halves)


def _fields(first: date, last: date, text: str, halves: tuple[str, str]) -> dict[str, str]:
    return {
        "date": first.isoformat(),
        "last": last.isoformat(),
        "month": f"{first.year:04}-{first.month:02}",
        "m": str(first.month),
        "quarter": str((first.month + 2) // 3),
        "half": halves[first.month > 6],
        "year": str(first.year),
        "monday": (first - timedelta(first.weekday())).isoformat()
        if first.toordinal() > 7
        else first.isoformat(),
        "text": text,
    }


def _plain_form(
    hit: DateHit, key: str, wording: Wording, left: str, right: str, starts: bool
) -> tuple[str, str]:
    """(form, text after the hit that it takes in): the noun after a preposition or before "is", else the adverb."""
    if key in wording.after_article and _ending(wording.articles).search(left):
        return wording.after_article[key], ""
    bare = bool(wording.bare_after and _ending(wording.bare_after).search(left)) or bool(
        wording.bare_before and _beginning(wording.bare_before).match(right)
    )
    if key == "day":
        if wording.daytime is not None:
            daytime = _beginning(wording.daytime[0]).match(right)
            if daytime is not None:
                form = wording.daytime[1]
                return (form.removeprefix("on ") if bare else form), daytime[0]
        part = wording.parts.get(_BLANK.sub(" ", hit.text.lower()).replace("’", "'"))
        if part is not None:
            return (part.removeprefix("on ") if bare else part), ""
        # "begins Thursday": the plain date reads as well as the name of the day did
        bare = bare or (hit.kind == "weekday" and not starts and not _BLANK.search(hit.text))
    return (wording.bare[key] if bare else wording.adverb.get(key, wording.bare[key])), ""


def _joined(wording: Wording, key: str, left: str) -> tuple[int, str] | None:
    """(length of the word before the hit that merges with the date, the form for both)."""
    if key == "day":
        for word, form in wording.joins:
            found = _ending(word).search(left)
            if found is not None:
                return len(found[0]), form
    return None


def _set_off(text: str, start: int, end: int, new: str) -> str:
    """`new` with blanks between its digits and letters beside it."""
    if start > 0 and text[start - 1].isalnum() and new[:1].isascii():
        new = " " + new
    if end < len(text) and text[end].isalnum() and new[-1:].isascii():
        new += " "
    return new


@lru_cache(maxsize=64)
def _ending(pattern: str) -> re.Pattern[str]:
    return re.compile(f"(?:{pattern})$")


@lru_cache(maxsize=64)
def _beginning(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
