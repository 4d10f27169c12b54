"""Formatting: what changes, what stays, and that nothing is lost."""

from __future__ import annotations

import re

import pyromark
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.model import Span
from memdir.core.rule import Context
from memdir.core.settings import Settings
from memdir.core.text import apply_edits
from memdir.ide.formatting import format_document
from tests.conftest import NOW


def formatted(rel: str, text: str, span: Span | None = None, **options: int) -> str:
    document = Document(f"/m/{rel}", rel, text)
    context = Context(Directory("/m", [document]), NOW, Settings(**options))  # type: ignore[arg-type]  # numbers only
    return apply_edits(text, format_document(document, context, span))


def test_an_index() -> None:
    source = (
        "\n# Memory  \n\n\n\n"
        "*   [A](a.md)  -  one   \n"
        "+ [B](b.md)—two\n"
        "- [C](c.md) – three\n"
        "- **[D](d.md)** -- four\n"
        "- `e.md` - five\n"
        "- [F](f.md): six\n"
        "1.  [G](g.md) - seven\n"
        "   \n\n"
        "## Free   text\t\n"
        "Some words -- as they are.  \nA hard break above.\n\n\n"
    )
    assert formatted("MEMORY.md", source) == (
        "\n# Memory\n\n"
        "- [A](a.md) — one\n"
        "- [B](b.md) — two\n"
        "- [C](c.md) — three\n"
        "- **[D](d.md)** — four\n"
        "- `e.md` — five\n"
        "- [F](f.md): six\n"
        "1.  [G](g.md) — seven\n"
        "\n"
        "## Free   text\n"
        "Some words -- as they are.  \nA hard break above.\n"
    )


def test_what_an_index_says_in_its_own_way_stays() -> None:
    source = (
        "- [A](a.md) / one\n"
        "- [Well-known](b.md)-ish words\n"
        "- [C](c.md), [D](d.md) - two in one\n"
        "- [ ] [E](e.md) — to do\n"
        "| [F](f.md) | words - and more |\n"
        "*   [G](g.md) — with more\n"
        "\n"
        "    below, indented by what stands above\n"
        "```\n*  [H](h.md) -  code   \n\n\n```\n"
        "<!-- *  [I](i.md)   \n\n\n-->\n"
    )
    assert formatted("MEMORY.md", source) == source.replace("*   [G]", "-   [G]")


def test_a_header() -> None:
    source = (
        "---  \n\n"
        "name:   Berths \n"
        'description:\t "Which: ships"   \n'
        "\n"
        "# a remark   \n"
        "metadata: \n"
        "    type :  project\n"
        "    node_type: memory\n"
        "---\t\n\n\n\n"
        "Body  with   blanks.  \n\n\n\nMore.\n\n\n"
    )
    assert formatted("project_a.md", source) == (
        "---\n"
        "name: Berths\n"
        'description: "Which: ships"\n'
        "# a remark   \n"
        "metadata:\n"
        "  type: project\n"
        "  node_type: memory\n"
        "---\n\n"
        "Body  with   blanks.  \n\n\n\nMore.\n\n\n"
    )


@pytest.mark.parametrize(
    "header",
    [
        "name: A\ndescription: |\n  two  \n\n  lines\ntype:  project\n",
        "name: A\ndescription: two\n  lines   of it\ntype:  project\n",
        "name: A\ntags: [a,   b]\ntype:  project\n",
        "name: A\nlist:\n  - a\n  -   b\ntype:  project\n",
        "name: A: B\ntype:  project\n",  # broken: the reader's guess must not become a fact
        "name: A\nname:  B\n",
    ],
)
def test_headers_with_more_than_lines_keep_every_blank(header: str) -> None:
    source = f"---\n{header}---\nBody.\n"
    assert formatted("project_a.md", source) == source


def test_bodies_logs_and_open_headers_are_left_alone() -> None:
    body = "*  item  \n\n\n\n# X   \n- [A](a.md) - b\n\n\n"
    assert formatted("project_a.md", body) == body
    assert formatted("project_a.md", "---\nname:   A\n\n" + body) == "---\nname:   A\n\n" + body
    assert formatted("logs/2026/03/2026-03-10.md", body) == body


def test_tidy_files_have_no_edits() -> None:
    document = Document("/m/MEMORY.md", "MEMORY.md", "# M\n\n- [A](a.md) — one\n")
    assert format_document(document, Context(Directory("/m", [document]), NOW)) == []
    assert formatted("MEMORY.md", "") == ""
    assert formatted("MEMORY.md", "\n\n") == "\n\n"
    assert formatted("MEMORY.md", "x") == "x\n"


def test_a_range() -> None:
    source = "*  [A](a.md) - one\n*  [B](b.md) - two\n*  [C](c.md) - three\n\n\n\n"
    middle = Span(source.index("B"), source.index("two"))
    assert formatted("MEMORY.md", source, middle) == source.replace("*  [B](b.md) - two", "- [B](b.md) — two")
    line = Span(source.index("*  [B]"), source.index("*  [C]"))  # a whole line with its break
    assert formatted("MEMORY.md", source, line) == formatted("MEMORY.md", source, middle)
    cursor = Span(0, 0)
    assert formatted("MEMORY.md", source, cursor) == source.replace("*  [A](a.md) - one", "- [A](a.md) — one")


def test_no_longer_dash_where_it_would_cost_an_entry() -> None:
    source = "- [A](a.md)—one   \n- [B](b.md)—two\n"
    size = len(source.strip())
    assert formatted("MEMORY.md", source, index_size=size) == "- [A](a.md)—one\n- [B](b.md)—two\n"
    assert formatted("MEMORY.md", source, index_size=size + 4) == "- [A](a.md) — one\n- [B](b.md) — two\n"


def test_windows_line_ends() -> None:
    source = "---  \r\nname:  A\r\n---\r\n\r\n\r\nBody.\r\n"
    assert formatted("project_a.md", source) == "---\r\nname: A\r\n---\r\n\r\nBody.\r\n"
    assert formatted("MEMORY.md", "*  [A](a.md) - x  \r\n\r\n\r\n\r\nY") == "- [A](a.md) — x\r\n\r\nY\r\n"


PIECES = st.sampled_from(
    ["- [A](a.md) - one", "*  [B](b.md)—two", "+ `c.md` -- x", "  below", "    far below", "1) [D](d.md) – y", "", "  ", "\t",
     "# Head  ", "## ", "Text with  blanks  ", "Text\t", "```", "~~~ py", "<!-- x", "-->", "---", "===", "| [E](e.md) | - |", "> quoted",
     "* * *", "- ", "-", "- [ ] [F](f.md) - z", "- [G](<g h.md>) - z", "- [H](h.md \"t\") - z", "[ref]: a.md", "- [I][ref] - z", "\\", "<div>", "</div>"]
)  # fmt: skip
HEADERS = st.sampled_from(
    ["name:  A", "name: A  ", "description:   'a  b'", 'description: "a  b" ', "type : project", "metadata: ", "metadata:", "    type:  user",
     "  type: user", "", "  ", "# c  ", "tags: [a,  b]", "x: |", "  text  ", "- a", "a: b: c", "\tx: 1", "? x", "name:", "y:  # c"]
)  # fmt: skip


def words(text: str) -> list[str]:
    """Words and marks, without bullets and dashes, which may change."""
    return [w for w in re.findall(r"[^\s]+", text.replace("—", " ").replace("–", " ")) if w.strip("-*+")]


def rendered(text: str) -> str:
    """The page that Markdown makes of an index, without what may change: blanks, dashes, where a list of another mark begins."""
    html = pyromark.html(
        Document("/m/MEMORY.md", "MEMORY.md", text).body, options=pyromark.Options.ENABLE_TABLES
    )
    html = re.sub(r"\s*(?:—|–|--|-)\s*|</?p>", " ", html)
    return re.sub(r"\s+", "", re.sub(r"</ul>\s*<ul>", "", html))


@settings(max_examples=200)
@given(st.lists(PIECES.filter(lambda piece: "div" not in piece), max_size=9), st.sampled_from(["\n", "\r\n"]))
def test_an_index_looks_the_same(rows: list[str], newline: str) -> None:
    text = newline.join(rows)
    assert rendered(formatted("MEMORY.md", text)) == rendered(text)


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=12), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_an_index_keeps_what_it_says(rows: list[str], newline: str, closed: bool) -> None:
    text = newline.join(rows) + (newline if closed else "")
    after = formatted("MEMORY.md", text)
    before_doc, after_doc = (Document("/m/MEMORY.md", "MEMORY.md", t) for t in (text, after))
    directory = Directory("/m", [])

    def said(document: Document) -> list[tuple[object, ...]]:
        return [
            (e.title, [t.path for t in e.targets], e.hook, e.section, e.kind)
            for e in directory.entries(document)
        ]

    assert said(before_doc) == said(after_doc)
    assert [(h.level, h.text) for h in before_doc.markdown.headings] == [
        (h.level, h.text) for h in after_doc.markdown.headings
    ]
    assert [before_doc.slice(c.inner).rstrip() for c in before_doc.markdown.code] == [
        after_doc.slice(c.inner).rstrip() for c in after_doc.markdown.code
    ]
    assert words(text) == words(after)
    assert after_doc.lines.count <= before_doc.lines.count + 1  # the break at the end
    assert formatted("MEMORY.md", after) == after


@settings(max_examples=300)
@given(st.lists(HEADERS, max_size=8), st.lists(PIECES, max_size=3), st.sampled_from(["\n", "\r\n"]))
def test_a_header_keeps_what_it_says(rows: list[str], body: list[str], newline: str) -> None:
    text = newline.join(["---", *rows, "--- ", *body])
    after = formatted("user_a.md", text)
    before_doc, after_doc = (Document("/m/user_a.md", "user_a.md", t) for t in (text, after))
    assert before_doc.frontmatter is not None and after_doc.frontmatter is not None
    assert [(f.path, f.value) for f in before_doc.frontmatter.fields] == [
        (f.path, f.value) for f in after_doc.frontmatter.fields
    ]
    assert len(before_doc.frontmatter.problems) == len(after_doc.frontmatter.problems)
    assert before_doc.body.lstrip() == after_doc.body.lstrip()
    assert text.split() == after.split() or "type :" in text
    assert formatted("user_a.md", after) == after


@given(
    st.text(alphabet="-*+#`[]()a.md :—\n\r\t<>!|1\"' ", max_size=150), st.sampled_from(["MEMORY.md", "a.md"])
)
def test_any_text(text: str, rel: str) -> None:
    after = formatted(rel, text)
    assert words(text.replace("-", " ")) == words(after.replace("-", " ")) or "---" in text
    assert formatted(rel, after) == after
