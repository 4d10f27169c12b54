"""`find` on any text: it answers, its spans are sound, and it takes time in proportion to the text."""

from __future__ import annotations

import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir.core.dates import find
from memdir.core.dates.absolute import absolute
from memdir.core.dates.deadlines import find_deadlines
from memdir.core.dates.mask import hidden
from memdir.core.dates.reference import date_in_name, reference_day
from memdir.core.text import apply_edits
from tests.core.dates.scoring import REFERENCE, unseen

PIECES = st.sampled_from(
    [
        "yesterday", "last", "next", "week", "in", "3", "days", "ago", "Friday", "the", "end of", "'s", "(", ")", "`", "```", "\n", "\n\n", " ", " ", " ",
        "**", "> ", "- ", "[", "](", "]]", "[[", "<!--", "-->", "“", "”", '"', ".", ",", "2026-03-05", "until", "May", "as of", "# 2026-03-05\n",
        "昨天", "上", "周", "四", "三", "天", "前", "后", "下个月", "底", "後", "週", "先週", "の", "3日前", "어제", "지난", "주", "gestern", "vor drei Tagen", "bis", "il y a",
        "deux mois", "d'", "hier", "ayer", "hace", "el", "lunes", "\ud800", "\x00", "\r\n", "İ", "９９", "999", "一百二十", "半", "～",
    ]
)  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(PIECES, max_size=40).map("".join),
    st.lists(PIECES, max_size=40).map(" ".join),
    st.lists(st.sampled_from([c.text for c in unseen()]), max_size=4).map("\n".join),
)
DAYS = st.dates(date.min, date.max)


@settings(max_examples=250, deadline=None)
@given(TEXTS, DAYS)
def test_find_is_total_and_sound(text: str, day: date) -> None:
    end = 0
    for hit in find(text, day):
        assert end <= hit.span.start < hit.span.end <= len(text)
        assert text[hit.span.start : hit.span.end] == hit.text
        end = hit.span.end
        assert (hit.earliest is None) == (hit.latest is None) == (hit.period is None)
        if hit.earliest is not None and hit.latest is not None:
            assert hit.earliest <= hit.latest


@settings(max_examples=150, deadline=None)
@given(TEXTS, DAYS)
def test_edits_are_sound(text: str, day: date) -> None:
    edits = [e for h in find(text, day) if (e := absolute(text, h, day)) is not None]
    assert apply_edits(text, edits) is not None  # raises when two overlap


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_masks_and_deadlines_are_sound(text: str) -> None:
    end = -1
    for span in hidden(text):
        assert end < span.start <= span.end <= len(text)
        end = span.end
    for deadline in find_deadlines(text):
        assert 0 <= deadline.span.start < deadline.span.end <= len(text)


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(st.sampled_from(["modified", "updated", "created"]), st.text(max_size=30)),
    st.text(max_size=40),
)
def test_references_are_total(header: dict[str, str], rel: str) -> None:
    reference_day(header, rel)
    date_in_name(rel)


HOSTILE = {
    "in in in": "in in in 3 3 3 ",
    "digits": "3",
    "digits and blanks": "3 ",
    "ago": "3 days ago ",
    "last": "last last ",
    "end of": "end of the ",
    "fridays": "Friday, Friday and ",
    "backticks": "` `` ``` ",
    "fences": "```\n",
    "open comments": "<!-- ",
    "open links": "[a](",
    "nested brackets": "[[[[",
    "open quotes": "“ \" ' ",
    "quotes on lines": '"a\n',
    "headings": "# 2026-03-05 x\n",
    "blockquotes": "> yesterday\n",
    "blank lines": "\n",
    "spaces": " ",
    "tabs and days": "\t\t\t\tdays",
    "han numerals": "三",
    "han": "上上上周周三天前",
    "kana": "3日前の先週の",
    "hangul": "지난 주 3일 전 ",
    "german": "vor drei Tagen und in ",
    "french": "il y a il y a d'ici d'",
    "spanish": "hace hace el lunes el ",
    "years": "2026-03-05 until 2026 ",
    "no blanks": "yesterdaytoday",
    "emphasis": "**yesterday**_today_",
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_time_is_linear(name: str) -> None:
    """Four times the text takes about four times as long; a quadratic step would take sixteen."""
    piece = HOSTILE[name]

    def seconds(size: int) -> float:
        text = (piece * (size // len(piece) + 1))[:size]
        best = float("inf")
        for _ in range(2):
            start = time.process_time()
            find(text, REFERENCE)
            find_deadlines(text)
            best = min(best, time.process_time() - start)
        return best

    small = seconds(4_000)
    assert seconds(16_000) < 9 * small + 0.05


def test_a_megabyte() -> None:
    text = "in in in 3 3 3 " * 70_000
    start = time.process_time()
    assert find(text, REFERENCE) == []
    assert time.process_time() - start < 20


def test_a_text_without_candidates_costs_little() -> None:
    """Measured against cutting the same text into a set of words, which is most of the work."""
    text = (
        "The service reads its configuration from the environment and falls back to defaults. Callers must pass a token; "
        "integration tests hit a real database because mocks hid a broken migration. Use ruff, not black; keep lines short.\n"
    ) * 7
    table = bytes(range(256))

    def seconds(run: object) -> float:
        assert callable(run)
        best = float("inf")
        for _ in range(5):
            start = time.process_time()
            for _ in range(200):
                run()
            best = min(best, time.process_time() - start)
        return best

    assert find(text, REFERENCE) == []
    floor = seconds(lambda: set(text.encode().translate(table).split()))
    assert seconds(lambda: find(text, REFERENCE)) < 4 * floor
