"""Body structure: links, wikilinks, headings, code and comments; the quick reader against the full one."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memdir.core.markdown import MAX_BODY, Markdown, atx_text, parse_markdown
from memdir.core.markdown_events import read_events
from memdir.core.markdown_quick import read_quick
from memdir.core.model import Span


def links(text: str, found: Markdown) -> list[tuple[str, str, str]]:
    for link in found.links:
        assert text[link.span.start : link.span.end]
        if link.kind in ("inline", "image"):
            assert text[link.target_span.start : link.target_span.end].replace(
                "\\", ""
            ) == link.target.replace("\\", "")
    return [(link.text, link.target, link.kind) for link in found.links]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see [a](b.md) and [c](d.md)", [("a", "b.md", "inline"), ("c", "d.md", "inline")]),
        ("[a](<b c.md>)", [("a", "b c.md", "inline")]),
        ('[a](b.md "title")', [("a", "b.md", "inline")]),
        ("[a [b] c](d.md)", [("a [b] c", "d.md", "inline")]),
        ("[a](b(1).md)", [("a", "b(1).md", "inline")]),
        (r"[a](b\_c.md)", [("a", "b_c.md", "inline")]),
        ("[a]()", [("a", "", "inline")]),
        ("![i](p.png)", [("i", "p.png", "image")]),
        ("[![i](p.png)](q.md)", [("![i](p.png)", "q.md", "inline"), ("i", "p.png", "image")]),
        ("**[a](b.md)**", [("a", "b.md", "inline")]),
        ("<https://x.dev/y>", [("https://x.dev/y", "https://x.dev/y", "autolink")]),
        ("[a][ref]\n\n[ref]: b.md", [("a", "b.md", "reference")]),
        (
            "| [a](b.md) | x |\n|---|---|\n| [c](d.md) | y |",
            [("a", "b.md", "inline"), ("c", "d.md", "inline")],
        ),
        ("`[a](b.md)`", []),
        ("```\n[a](b.md)\n```", []),
        ("    [a](b.md)", []),
        (r"\[a](b.md)", []),
        ("[a] (b.md)", []),
        ("<!-- [a](b.md) -->", []),
        ("[a](b c.md)", []),
        ("中文 [标题](文件.md) 😀 [b](c.md)", [("标题", "文件.md", "inline"), ("b", "c.md", "inline")]),
    ],
)
def test_links(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert links(text, parse_markdown(text)) == expected


def test_link_parts() -> None:
    (link,) = parse_markdown("x [a](b%20c.md#part)").links
    assert link.path == "b c.md"
    assert not link.external
    assert parse_markdown("[a](https://x.dev/b.md)").links[0].external
    assert parse_markdown("[a](//x.dev/b.md)").links[0].external
    assert parse_markdown("[a](#part)").links[0].path == ""


def test_wikilinks() -> None:
    text = "[[a]] [[b c|label]] [[d#part]] `[[e]]` [[]] [[ f ]]\n```\n[[g]]\n```\n<!-- [[h]] -->\n"
    found = parse_markdown(text).wikilinks
    assert [w.name for w in found] == ["a", "b c", "d", "f"]
    for link in found:
        assert text[link.name_span.start : link.name_span.end].strip() == link.name


def test_headings_and_code() -> None:
    text = "# One #\n\nTwo\n===\n\n```py x\ncode\n```\n\n### Three\n\ntext `span` and ``a ` b``\n\n    indented\n"
    found = parse_markdown(text)
    assert [(h.level, h.text) for h in found.headings] == [(1, "One"), (1, "Two"), (3, "Three")]
    assert [(c.kind, text[c.inner.start : c.inner.end], c.info) for c in found.code] == [
        ("fence", "code\n", "py"),
        ("span", "span", ""),
        ("span", "a ` b", ""),
        ("indented", "indented\n", ""),
    ]
    assert found.in_code(text.index("span"))
    assert not found.in_code(text.index("text"))


def test_comments() -> None:
    text = "<!-- block -->\n\ntext <!-- inline --> more\n\n<!-- open\n"
    found = parse_markdown(text).comments
    assert [(c.block, c.closed) for c in found] == [(True, True), (False, True), (True, False)]


def test_spans_are_counted_from_the_start_of_the_text() -> None:
    text = "---\nname: 中\n---\n# H\n[a](b.md) `c`\n"
    start = text.index("# H")
    found = parse_markdown(text, start)
    assert text[found.headings[0].span.start :].startswith("# H")
    assert found.links[0].span == Span(text.index("[a]"), text.index(" `c`"))
    assert text[found.code[0].inner.start : found.code[0].inner.end] == "c"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("# a", "a"),
        ("## a ##", "a"),
        ("# a#", "a#"),
        ("#", ""),
        ("# #", ""),
        ("###### a b  ", "a b"),
        ("  # a", "a"),
    ],
)
def test_text_of_a_heading(line: str, text: str) -> None:
    assert atx_text(line) == text


def test_a_long_body_is_read_up_to_the_cap() -> None:
    text = "a" * MAX_BODY + "\n[a](b.md)\n"
    found = parse_markdown(text)
    assert found.truncated
    assert found.links == ()


PIECES = st.lists(
    st.sampled_from(
        [
            *(
                "a",
                "b c",
                " ",
                "  ",
                "\n",
                "\n\n",
                "- ",
                "* ",
                "1. ",
                "# ",
                "## ",
                "#",
                "`",
                "`x`",
                "``",
                "```",
                "```\n",
                "\n```\n",
            ),
            *(
                "\n```py\n",
                "[",
                "]",
                "(",
                ")",
                "[a](b)",
                "[a](b.md)",
                "![i](j)",
                "](",
                "[[n]]",
                "[[n|l]]",
                "[[",
                "]]",
                "---",
                "\n---\n",
            ),
            *(
                "===",
                "_",
                "**",
                "> ",
                "!",
                "é",
                "中",
                "😀",
                "-",
                "+",
                "=",
                ":",
                "//",
                "&amp;",
                "[ ]",
                "~",
                "b.md",
                "<",
                "<a",
                "<!-- c -->",
            ),
            *(
                "|",
                "\t",
                "\\",
                "    ",
                "\r\n",
                "\udc80",
                "\u2028",
                "~~~\n",
                "]:",
                "\x0c",
                "[r]: u\n",
                "a".ljust(70, "é"),
            ),
        ]
    ),
    max_size=14,
).map("".join)


@settings(max_examples=400)
@example("# \udc80")
@example("[\udc80](\udc80.md) `\udc80`\n\n## a \udc80 b\n")
@given(PIECES)
def test_the_quick_reader_agrees_with_the_full_one(text: str) -> None:
    quick = read_quick(text, 7)
    if quick is not None:
        assert quick == read_events(text, 7)


def test_undecodable_bytes_are_kept_in_texts_and_targets() -> None:
    found = read_events("# \udc80\n\n[a\udc80](b\udc80.md)\n", 0)
    assert [h.text for h in found.headings] == ["\udc80"]
    assert [(x.text, x.target) for x in found.links] == [("a\udc80", "b\udc80.md")]


@settings(max_examples=200)
@given(PIECES)
def test_any_text_is_read_and_spans_lie_inside(text: str) -> None:
    found = read_events(text, 0)
    items = [*found.links, *found.wikilinks, *found.headings, *found.code, *found.comments]
    for span in [i.span for i in items] + list(found.tables) + [c.inner for c in found.code]:
        assert 0 <= span.start <= span.end <= len(text)
    for link in found.links:
        assert link.span.start <= link.target_span.start <= link.target_span.end <= link.span.end


def test_most_memories_need_no_parser() -> None:
    text = (
        "The admin dashboard is frozen — no exceptions.\n\n**Why:** reviewers asked for it.\n\n## Notes\n\n"
        "- See `src/app/queue.py:270` and [tests](feedback_tests.md)\n- [[other-memory]] too\n\n```bash\nmake test\n```\n"
    )
    found = read_quick(text, 0)
    assert found is not None
    assert (len(found.links), len(found.wikilinks), len(found.code), len(found.headings)) == (1, 1, 2, 1)
