"""Quick looks before the patterns of deadlines and written dates: they must never hide what a pattern finds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir.core.dates import deadlines, written
from memdir.core.dates.detect import LANGUAGES, language
from memdir.core.dates.written import written_dates


@pytest.mark.parametrize("code", LANGUAGES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_every_cue_of_a_deadline_is_looked_at(code: str, data: st.DataObject) -> None:
    table = language(code)
    side = data.draw(st.sampled_from([p for p in (table.deadline_before, table.deadline_after) if p]))
    cue = data.draw(st.from_regex(re.compile(side), fullmatch=True)).lower()
    if not re.fullmatch(side, cue):
        return
    left, right = (f"x {cue}", " ") if side == table.deadline_before else ("x ", cue)
    assert len(cue) < deadlines._REACH
    beside = left[-deadlines._REACH :] + right[: deadlines._REACH]
    hints = deadlines._HINTS.get(code)
    if hints is None:
        assert deadlines.CJK.search(beside)
    else:
        assert any(hint in beside for hint in hints)


PIECES = st.sampled_from(
    "2026-03-05|5.3.2026|2026年3月5日|March 5th, 2026|5 de marzo de 2026|Sept. 2026|2026-03|Q3 2026|2026 Q1|1999|v2026.1"
    "|until|x| |\n|-|, |5|12 |March |20|19|2099-13-45|a2026-03-05|2026-03-05b|long words in between dates of the text".split(
        "|"
    )
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=14).map("".join))
def test_windows_around_years_find_what_the_whole_text_holds(text: str) -> None:
    whole = []
    for match in written._FORMS.finditer(text):
        try:
            days = written._days(match)
        except ValueError:
            continue
        if days is not None:
            whole.append((match.start(), match.end(), days.first, days.last))
    assert [(d.span.start, d.span.end, d.first, d.last) for d in written_dates(text)] == whole
