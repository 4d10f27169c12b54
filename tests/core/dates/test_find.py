"""What `find` gives and leaves alone, beyond single sentences."""

from __future__ import annotations

from datetime import date

import pytest

from memdir.core.dates import DateHit, find
from memdir.core.dates.detect import LANGUAGES, candidates
from memdir.core.dates.finder import MAX_MENTIONS
from memdir.core.model import Span

DAY = date(2026, 3, 11)  # a Wednesday


def words(text: str, lang: str | None = None) -> list[str]:
    return [hit.text for hit in find(text, DAY, lang=lang)]


def test_a_hit_carries_everything() -> None:
    text = "The team moved last week."
    assert find(text, DAY) == [
        DateHit(Span(15, 24), "last week", date(2026, 3, 2), date(2026, 3, 8), "en", "week", True, "period")
    ]


def test_a_vague_hit_has_no_days() -> None:
    (hit,) = find("The user recently moved to Zed.", DAY)
    assert (hit.earliest, hit.latest, hit.period, hit.kind, hit.direction) == (None, None, None, "vague", -1)


@pytest.mark.parametrize(
    ("phrase", "period", "exact"),
    [
        ("merged yesterday", "day", True),
        ("merged 3 days ago", "day", True),
        ("merged two weeks ago", "day", True),
        ("merged about two weeks ago", "day", False),
        ("merged two months ago", "day", False),
        ("merged a few days ago", "range", False),
        ("merged 2-3 weeks ago", "range", False),
        ("merged last weekend", "weekend", True),
        ("merged last month", "month", True),
        ("merged last quarter", "quarter", True),
        ("merged last year", "year", True),
        ("was red over the past two weeks", "range", True),
        ("is due by the end of the week", "week", False),
        ("is due by the end of the month", "day", False),
        ("ships next Friday", "day", False),
        ("ships next Monday", "day", True),
        ("shipped last Friday", "day", True),
        ("ships on Friday", "day", True),
        ("and the demo: Friday", "day", False),
        ("is on Friday", "day", True),
    ],
)
def test_period_and_exactness(phrase: str, period: str, exact: bool) -> None:
    (hit,) = find(f"The fix {phrase}.", DAY)
    assert (hit.period, hit.exact) == (period, exact)


def test_hits_of_one_text_are_sorted() -> None:
    text = "Yesterday it broke; the fix lands next week and the audit was last month."
    assert words(text) == ["Yesterday", "next week", "last month"]


@pytest.mark.parametrize(
    "text",
    [
        "```\nIt broke yesterday.\n```\n",
        "~~~text\nIt broke yesterday.\n~~~",
        "```\nIt broke yesterday, and the fence never ends.\n",
        "- list\n  ```sh\n  echo it broke yesterday\n  ```\n",
        "The flag `yesterday` and ``a ` yesterday`` stay.",
        "A span `may\nbreak yesterday` over lines.",
        "<!-- it broke yesterday -->",
        "<!-- it broke yesterday",
        '<span title="it broke yesterday">x</span>',
        "See [what broke yesterday](notes.md).",
        "See [the notes](broke-yesterday.md) and ![chart](last week.png).",
        "See [what broke yesterday][1].",
        "See [[yesterday]].",
        "See https://example.org/it-broke/yesterday?x=last+week now.",
        "He wrote “it broke yesterday”.",
        'He wrote "it broke yesterday".',
        "He wrote 'it broke yesterday'.",
        "Er schrieb „das brach gestern“.",
        "Il a écrit « c'est tombé hier ».",
        "他写道：「昨天坏了」。",
        "> It broke yesterday.",
        "- > It broke yesterday.",
        "## 2026-03-02 Outage\n\nIt broke yesterday.\n",
        "- 2026-03-02: it broke yesterday.",
        "**2026-03-02** it broke yesterday.",
        "| 2026-03-02 | it broke yesterday |",
        "It broke yesterday (2026-03-10).",
        "It broke on 2026-03-10 (yesterday).",
        "It broke yesterday, March 10.",
        "As of 2026-03-02 it had broken yesterday.",
        "src/yesterday.py and yesterday() and @yesterday and --yesterday",
    ],
)
def test_left_alone(text: str) -> None:
    assert words(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "```\ncode\n```\nIt broke yesterday.",
        "A `span`, then it broke yesterday, then a `span`.",
        "<!-- note --> It broke yesterday.",
        "The user's build broke yesterday and the team's did not.",
        '5" disks broke yesterday and 6" ones did not.',
        "An unpaired ` and it broke yesterday.",
        "An unpaired [ and it broke yesterday.",
        "## 2026-03-02 Outage\n\nDone.\n\n## Now\n\nIt broke yesterday.",
        "- 2026-03-02: done\n- It broke yesterday.",
        "Version 2026.1 broke yesterday.",
        "It broke yesterday.\r\nIt is mended.\r\n",
        "**It broke yesterday.**",
        "*It* broke yesterday!",
        "| broke yesterday |",
        "- [ ] broke yesterday",
    ],
)
def test_found_beside(text: str) -> None:
    assert words(text) == ["yesterday"]


def test_languages_mix() -> None:
    text = (
        "---\n用户昨天要求保留旧接口。\n\n**Why:** The vendor complained last week.\n\n"
        "Das Team hat gestern zugestimmt und die Migration wird verschoben.\n\n"
        "L'équipe a été prévenue hier, et elle a accepté.\n"
    )
    assert [(h.text, h.lang) for h in find(text, DAY)] == [
        ("昨天", "zh"),
        ("last week", "en"),
        ("gestern", "de"),
        ("hier", "fr"),
    ]


def test_hier_is_a_place_in_german_and_a_day_in_french() -> None:
    assert words("Hier liegt die Konfiguration, und hier ist das Log.") == []
    assert words("Le module a été fusionné hier et il est en production.") == ["hier"]


def test_japanese_without_kana_beside_kana_is_japanese() -> None:
    hits = find("設定を変更した。\n昨日、再起動した。", DAY)
    assert [(h.text, h.lang) for h in hits] == [("昨日", "ja")]


def test_the_language_can_be_given() -> None:
    assert words("merge gestern", "de") == ["gestern"]
    assert words("merge gestern", "en") == []
    with pytest.raises(ValueError, match="no date table for 'xx'"):
        find("yesterday", DAY, lang="xx")


def test_spans_cover_the_original_text() -> None:
    text = "İstanbul team: 𝒳 merged it yesterday, 團隊 wrote."
    for hit in find(text, DAY):
        assert text[hit.span.start : hit.span.end] == hit.text
    assert "yesterday" in words(text)


@pytest.mark.parametrize("day", [date.min, date.max, date(1, 1, 3), date(9999, 12, 30)])
def test_the_ends_of_the_calendar(day: date) -> None:
    for text in (
        "It broke 999 years ago.",
        "It ships next year.",
        "It ships tomorrow.",
        "It broke last week.",
        "还有三年后到期。",
    ):
        for hit in find(text, day):
            assert hit.earliest is None or hit.latest is None or hit.earliest <= hit.latest


def test_no_candidate_no_grammar() -> None:
    assert candidates("The service reads its configuration from the environment — and a naïve café.") == ()
    assert candidates("这段说明服务从环境变量读取配置。") == ()
    assert candidates("") == ()
    assert candidates("We moved yesterday.") == ("en",)
    assert set(candidates("昨天 We moved yesterday.")) == {"zh", "en"}


def test_every_language_is_listed_once() -> None:
    assert len(set(LANGUAGES)) == len(LANGUAGES) == 7


def test_a_text_of_nothing_but_dates_is_bounded() -> None:
    assert len(find("today. " * 3 * MAX_MENTIONS, DAY, lang="en")) <= MAX_MENTIONS
