"""What a language file holds: words with their values, patterns over them, and the wording of the dates that replace them.

A pattern is a regular expression in which `{slot}` stands for the words of that slot and a blank for the language's
word space. Slots and what their values mean:

| slot | value |
| --- | --- |
| n | a number (digits are always accepted) |
| unit | the unit that is counted, a `Unit` |
| period | a calendar unit, a `Unit` |
| day | days from the reference day |
| which | how many units, weeks or years away: -1 last, 0 this, 1 next |
| weekday, month | 0 Monday .. 6 Sunday; 1 .. 12 |
| dom | day of the month (digits) |
| around | words that make a number approximate; the value is ignored |
| half | 0.5, added to n |

Everything is matched against lower-case text, so patterns are lower case too. A slot may have further word lists under its name and a digit ("which2": the years of `which`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from memdir.core.dates.hit import Kind

Unit: TypeAlias = Literal[
    "minute", "hour", "day", "week", "weekend", "fortnight", "month", "quarter", "half", "year"
]
Value: TypeAlias = "float | str"


# Windows of metrics and retention ("the last 30 days"): a definition, hardly ever a statement about now.
STANDARD_WINDOW = r"(?:7|14|24|28|30|60|90|180|365)(?!\d)"


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # made in numbers, never compared
class Rule:
    """One way to say a date.

    `shift`: direction of an offset, window or vague word; distance of a day or period when no slot gives it; for a
    bare weekday (no slot `which`) None: the tense of the sentence decides; for a month None: the nearest of that name.
    `unit`: of a period when no slot gives it; "week" on a weekday: that of the calendar week.
    `only_before`, `not_before`, `not_after`: expressions for the text right before or after; `unless` for the whole
    sentence. `needs`: a tense, or "event" (either), that the sentence must show, or "!past" for one it must not show.
    `capital`: the word is written with a capital letter anyway, so one in mid-sentence does not make it a name.
    `proper`: the last word must have one ("this May", not "this may").
    """

    kind: Kind
    pattern: str
    shift: int | None = 0
    unit: Unit | None = None
    only_before: str = ""
    only_after: str = ""
    not_before: str = ""
    not_after: str = ""
    unless: str = ""
    needs: Literal["", "past", "future", "event", "!past"] = ""
    capital: bool = False
    proper: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # made in numbers, never compared
class Wording:
    """How absolute dates are put into sentences.

    `bare` holds the noun ("the week of {date}"), `adverb` the form that stands alone in a sentence ("in the week of
    {date}"); keys are those of `memdir.core.dates.absolute`. `bare_after`, `bare_before`: text around a hit that takes
    the noun. `joins`: a word before the hit that merges with a day (pattern, form for both). `parts`:
    adverbs of phrases that name a part of a day. `daytime`: a part of the day that follows (pattern with one group) and the form
    with its {part}. `articles`, `after_article`: words that hold an article already, and the nouns without one. `halves`: names of the halves of a year. `owner`: forms before an owned thing ("the {date} build").
    `spaced`: dates are set off by blanks from letters around them.
    """

    bare: Mapping[str, str]
    adverb: Mapping[str, str]
    bare_after: str = ""
    bare_before: str = ""
    joins: tuple[tuple[str, str], ...] = ()
    parts: Mapping[str, str] = field(default_factory=dict)
    owner: Mapping[str, str] = field(default_factory=dict)
    daytime: tuple[str, str] | None = None
    articles: str = ""
    after_article: Mapping[str, str] = field(default_factory=dict)
    halves: tuple[str, str] = ("1", "2")
    spaced: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # made in numbers, never compared
class Language:
    """A language. Only `code`, `slots`, `rules` and `wording` are required.

    Recognising the language: `common` are frequent short words (languages with blanks between words).
    Finding: `anchors` is an expression that every hit contains (derived from the slots when empty), `space` what a
    blank in a pattern means, `left_edge` and `right_edge` what must not touch a hit, `fold` a one-to-one mapping of
    characters done before matching, `numerals` the characters of composed numbers, `approximate` the numbers that
    stand for "some".
    Judging: `past`, `future` and `neutral` are tense cues (the one nearest to a hit counts; a neutral one hides what
    it covers); `assumed_future` is what stands right before a bare weekday that, without any cue, is still to come for
    certain; `not_before`, `not_after` and `unless` are as in `Rule`, for every rule; `generic` cancels hits of
    sentences without any tense cue (they describe a product, not an event); `titles`: a capital in mid-sentence makes
    a name ("first"), capitals on all words do so anywhere ("all"); `dates`: written dates with month names; `as_of`: a phrase with {date} that dates the whole sentence.
    `next_is_next_week`: "next Friday" is that of the next calendar week, else the first one to come.
    Deadlines: `deadline_before` and `deadline_after` are words beside a written date that make it one, `history` words in
    the sentence that say it is over and known to be.
    """

    code: str
    slots: Mapping[str, Mapping[str, Value]]
    rules: tuple[Rule, ...]
    wording: Wording
    common: frozenset[str] = frozenset()
    anchors: str = ""
    space: str = r"(?:[ \t\xa0]{1,8}|[ \t]{0,4}\r?\n[ \t]{0,12})"
    # No part of paths, host names, calls, options or hyphenated words.
    left_edge: str = r"(?<![\w./@#$\\\-])"
    right_edge: str = r"(?![\w/@(=]|\.\w|-\w)"
    fold: Mapping[int, int] = field(default_factory=dict)
    numerals: str = ""
    approximate: frozenset[str] = frozenset()
    past: str = ""
    future: str = ""
    neutral: str = ""
    assumed_future: str = ""
    not_before: str = ""
    not_after: str = ""
    unless: str = ""
    generic: str = ""
    titles: Literal["", "first", "all"] = ""
    dates: str = ""
    as_of: str = ""
    next_is_next_week: bool = False
    deadline_before: str = ""
    deadline_after: str = ""
    history: str = ""
