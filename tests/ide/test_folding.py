"""Folding: which lines go away below which."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.ide.folding import folds

MEMORY = """\
---
name: Berths
description: Which ships go where
type: project
---
# Berths

Intro.

## Small ships

They go first.

```python
def berth():
    return 1
```

### At night

Lights on.


## Large ships
They wait.
"""


def lines(rel: str, text: str) -> list[tuple[int, int, str]]:
    """First and last line (from 1) and kind of every fold."""
    document = Document(f"/m/{rel}", rel, text)
    return [(f.first + 1, f.last + 1, f.kind) for f in folds(document, Directory("/m", [document]))]


def test_header_sections_and_code() -> None:
    assert lines("project_a.md", MEMORY) == [
        (1, 5, "header"),
        (6, 25, "section"),
        (10, 21, "section"),
        (14, 17, "code"),
        (19, 21, "section"),
        (24, 25, "section"),
    ]


def test_entries_fold_what_is_indented_below_them() -> None:
    index = (
        "# Memory\n"
        "\n"
        "## Work\n"
        "- [A](a.md) — one\n"
        "  goes on here\n"
        "\n"
        "  and here\n"
        "- [B](b.md) — two\n"
        "  - [C](c.md) — below\n"
        "    more\n"
        "- [D](d.md) — last\n"
    )
    assert lines("MEMORY.md", index) == [
        (1, 11, "section"),
        (3, 11, "section"),
        (4, 7, "entry"),
        (8, 11, "block"),
        (8, 10, "entry"),
        (9, 10, "entry"),
    ]


def test_a_block_of_entries_folds_where_no_heading_does() -> None:
    index = "# Memory\n\n- [A](a.md) — one\n- [B](b.md) — two\n\n- [C](c.md) — alone\n\nText\n- [D](d.md) — x\n- [E](e.md) — y\n"
    assert lines("MEMORY.md", index) == [
        (1, 10, "section"),
        (3, 4, "block"),
        (9, 10, "block"),
    ]
    assert lines("MEMORY.md", "- [A](a.md) — one\n- [B](b.md) — two\n") == [(1, 2, "block")]
    assert lines("MEMORY.md", "# W\n\n- [A](a.md) — one\n- [B](b.md) — two\n") == [(1, 4, "section")]


def test_the_longer_of_two_folds_comes_first_and_equal_ones_once() -> None:
    assert lines("MEMORY.md", "- [A](a.md) — one\n  below\n- [B](b.md) — two\n") == [
        (1, 3, "block"),
        (1, 2, "entry"),
    ]


def test_comments_and_code_that_looks_like_a_list() -> None:
    text = "<!-- one\ntwo\n-->\n\n```\n- a\n  b\n```\n\n    - indented\n      code\n"
    assert lines("project_a.md", text) == [(1, 3, "comment"), (5, 8, "code"), (10, 11, "code")]


def test_logs_fold_their_events() -> None:
    log = "- 09:12 Started\n  with details\n- 11:40 Freeze\n"
    assert lines("logs/2026/03/2026-03-10.md", log) == [(1, 2, "entry")]


def test_nothing_to_fold() -> None:
    assert lines("project_a.md", "") == []
    assert lines("project_a.md", "one line") == []
    assert lines("project_a.md", "# Heading\n\n\n") == []
    assert lines("project_a.md", "---\nname: x") == [(1, 2, "header")]


def test_windows_line_ends() -> None:
    unix = lines("project_a.md", MEMORY)
    assert lines("project_a.md", MEMORY.replace("\n", "\r\n")) == unix


@given(st.text(alphabet="-*#`[]()ab. :\n\r\t<>!|1", max_size=300), st.sampled_from(["MEMORY.md", "a.md"]))
def test_any_text_folds_within_its_lines(text: str, rel: str) -> None:
    document = Document(f"/m/{rel}", rel, text)
    seen = [(f.first, f.last) for f in folds(document, Directory("/m", [document]))]
    assert len(seen) == len(set(seen))
    assert all(0 <= first < last < document.lines.count for first, last in seen)
    assert seen == sorted(seen, key=lambda pair: (pair[0], -pair[1]))
