"""One file, read: what it is by its place, its parts, its bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.document import Document, kind_of
from memdir.core.model import Edit, EditFile, Span, content_hash


def read(content: bytes | str, rel: str = "feedback_a.md") -> Document:
    return Document("/m/" + rel, rel, content)


@pytest.mark.parametrize(
    ("rel", "kind"),
    [
        ("MEMORY.md", "index"),
        ("team/MEMORY.md", "index"),
        ("sub/MEMORY.md", "topic"),
        ("memory.md", "topic"),
        ("a.md", "topic"),
        ("logs/2026/03/2026-03-10.md", "log"),
        ("team/logs/x.md", "log"),
        ("logs.md", "topic"),
    ],
)
def test_kind(rel: str, kind: str) -> None:
    assert kind_of(rel) == kind
    assert read("", rel).kind == kind


def test_parts() -> None:
    document = read("---\nname:  Real DB \ndescription: d\nmetadata:\n  type: feedback\n---\n# H\nbody\n")
    assert (document.name, document.description, document.type) == ("Real DB", "d", "feedback")
    assert document.body == "# H\nbody\n"
    assert (document.stem, document.title, document.scope) == ("feedback_a", "Real DB", "private")
    assert read("# Heading\n").title == "Heading"
    assert read("text\n").title == "feedback_a"
    assert read("", "team/a.md").scope == "team"
    assert Document("/m/a.md", "a.md", "", scope="agent").scope == "agent"
    assert (read("no header").name, read("no header").type) == ("", "")


@pytest.mark.parametrize(
    ("text", "newline"), [("a\nb", "\n"), ("a\r\nb\n", "\r\n"), ("a\rb", "\r"), ("", "\n"), ("\n\r\n", "\n")]
)
def test_newline(text: str, newline: str) -> None:
    assert read(text).newline == newline


def test_a_buffer_with_a_mark_is_saved_with_it() -> None:
    document = read("\ufeff---\nname: a\n---\n")
    assert document.bom
    assert document.name == "a"
    assert document.content == b"\xef\xbb\xbf---\nname: a\n---\n"
    assert document.hash == content_hash(document.content)
    assert read(document.content).text == document.text


def test_an_edit_names_its_base() -> None:
    document = read("abc")
    assert document.edit(Edit(Span(0, 1), "x")) == EditFile(
        "/m/feedback_a.md", (Edit(Span(0, 1), "x"),), document.hash
    )


def test_what_others_compute_is_kept_with_the_document() -> None:
    document = read("abc")
    document.memo["mine"] = 1
    assert document.memo == {"mine": 1}
    assert read("abc").memo == {}


@given(st.binary(max_size=120))
def test_any_bytes(content: bytes) -> None:
    document = read(content)
    assert document.content == content
    assert document.lines.count >= 1
    assert 0 <= document.body_start <= len(document.text)
    assert isinstance(document.title, str)
    assert document.markdown is document.markdown
