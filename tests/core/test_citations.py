"""What counts as a citation of the repository, and what doesn't."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.citations import Citation, citations
from memdir.core.document import Document


def read(text: str) -> list[Citation]:
    return list(citations(Document("/m/a.md", "a.md", text)))


def short(text: str) -> list[tuple[str, tuple[int, int] | None]]:
    return [(c.path, c.lines) for c in read(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`src/app.py`", [("src/app.py", None)]),
        ("`./src/app.py`", [("src/app.py", None)]),
        ("`src/app/`", [("src/app/", None)]),
        ("`src/app.py:12`", [("src/app.py", (12, 12))]),
        ("`src/app.py:12-30`", [("src/app.py", (12, 30))]),
        ("`src/app.py:12:5`", [("src/app.py", (12, 12))]),
        ("`src/app.py:~12`", [("src/app.py", (12, 12))]),
        ("`src/app.py#L12`", [("src/app.py", (12, 12))]),
        ("`src/app.py#L12-L30`", [("src/app.py", (12, 30))]),
        ("`src/app.py:30-12`", [("src/app.py", (30, 30))]),
        ("`tests/test_app.py::TestApp::test_one`", [("tests/test_app.py", None)]),
        ("`src/app.py:main`", [("src/app.py", None)]),
        ("`app.py`", [("app.py", None)]),
        ("`src/Makefile`", [("src/Makefile", None)]),
        ("`.github/workflows/ci.yml`", [(".github/workflows/ci.yml", None)]),
        ("`src/模块/文件.py`", [("src/模块/文件.py", None)]),
        ("see src/app.py:12 there", [("src/app.py", (12, 12))]),
        ("(src/app.py:12-30)", [("src/app.py", (12, 30))]),
        ("见 src/app.py:12。", [("src/app.py", (12, 12))]),
        ("app.py:12 and lib/x.rb:3", [("app.py", (12, 12)), ("lib/x.rb", (3, 3))]),
        ("`src/app.py` (line 12)", [("src/app.py", (12, 12))]),
        ("`src/app.py`, lines 12-30", [("src/app.py", (12, 30))]),
        ("`src/app.py` ~line 12", [("src/app.py", (12, 12))]),
        ("`src/app.py` around line 12", [("src/app.py", (12, 12))]),
        ("line 12 of `src/app.py`", [("src/app.py", (12, 12))]),
        ("`src/app.py` 第 12 行", [("src/app.py", (12, 12))]),
        ("`src/app.py`, Zeile 12", [("src/app.py", (12, 12))]),
        ("`src/app.py`. The other file has line 12", [("src/app.py", None)]),
        ("`src/a.py` and `src/b.py` (line 3)", [("src/a.py", None), ("src/b.py", (3, 3))]),
        ("the pipeline 12 in `src/app.py`", [("src/app.py", None)]),
    ],
)
def test_citations(text: str, expected: list[tuple[str, tuple[int, int] | None]]) -> None:
    assert short(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "`https://x.dev/src/app.py`",
        "http://x.dev/src/app.py:12",
        "`src/**/*.py`",
        "`src/{a,b}.py`",
        "`src/[id]/page.tsx`",
        "`python src/app.py`",
        "`<path>/app.py`",
        "`$HOME/app.py`",
        "`~/app.py`",
        "`../app.py`",
        "`/etc/app.py`",
        "`path/to/app.py`",
        "`src/foo.py`",
        "`src/...`",
        "`#123`",
        "`@scope/pkg`",
        "`origin/main`",
        "`application/json`",
        "`10.0.0.0/8`",
        "`2026/03/05`",
        "`localhost:8080`",
        "`redis:6379`",
        "`e.g.`",
        "`v1.2.3`",
        "`1.2`",
        "`module.function`",
        "`example.com/team/repo`",
        "`C:\\src\\app.py`",
        "`a`",
        "at 12:30, ratio 3.x:1",
        "[x](https://x.dev/app.py:12)",
        "<https://x.dev/src/app.py:12>",
        "```\nsrc/app.py:12\n```",
        "<!-- `src/app.py`",
        "src/app.py without a line",
    ],
)
def test_no_citations(text: str) -> None:
    assert short(text) == []


def test_spans_cover_path_and_line() -> None:
    text = "See `src/app.py:12-30` and `lib/x.py` (line 7)."
    one, two = read(text)
    assert text[one.span.start : one.span.end] == "src/app.py:12-30"
    assert text[one.path_span.start : one.path_span.end] == "src/app.py"
    assert one.line_span is not None
    assert text[one.line_span.start : one.line_span.end] == ":12-30"
    assert two.line_span is not None
    assert text[two.line_span.start : two.line_span.end] == "line 7"
    assert not one.approximate
    assert [c.approximate for c in read("`src/app.py` ~line 12 `src/b.py:~4`")] == [True, True]


def test_computed_once() -> None:
    document = Document("/m/a.md", "a.md", "`src/app.py`")
    assert citations(document) is citations(document)


PIECES = st.lists(
    st.sampled_from(["`", "src/", "app.py", ":12", "-30", " ", "\n", "(line 3)", "~", "#L4", "/", ".", "..", "line 5 of ", "中", "http://", "```\n", "[a](b.py:1)", "第3行", "::", "@"]),
    max_size=16,
).map("".join)  # fmt: skip


@given(PIECES)
def test_any_text(text: str) -> None:
    before = -1
    for citation in read(text):
        assert (
            0
            <= citation.span.start
            <= citation.path_span.start
            < citation.path_span.end
            <= citation.span.end
            <= len(text)
        )
        assert citation.span.start >= before
        before = citation.span.start
        assert citation.path
        assert ".." not in citation.path
        if citation.lines:
            assert citation.lines[0] <= citation.lines[1]
