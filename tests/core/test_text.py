"""Lines, positions in three encodings, edits, and bytes that survive being read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.model import Edit, Span
from memdir.core.text import LineIndex, apply_edits, decode, encode, printable, units

ENCODINGS = ("utf-8", "utf-16", "utf-32")
TEXT = st.text(st.sampled_from(list("ab\n\r\t é中😀\u2028\x0c\ud800\udc80")), max_size=40)


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("", [0]),
        ("a", [0]),
        ("a\n", [0, 2]),
        ("a\r\nb", [0, 3]),
        ("a\rb\nc", [0, 2, 4]),
        ("\r\n\r", [0, 2, 3]),
        ("a\x0cb\u2028c\x85d", [0]),  # what an editor does not take for the end of a line
    ],
)
def test_line_starts(text: str, starts: list[int]) -> None:
    index = LineIndex(text)
    assert [index.start(i) for i in range(index.count)] == starts
    assert index.start(index.count) == len(text)


def test_line_text_and_spans() -> None:
    index = LineIndex("one\r\n\ntwo")
    assert [index.line(i) for i in range(3)] == ["one", "", "two"]
    assert index.span(0) == Span(0, 3)
    assert index.span(0, with_break=True) == Span(0, 5)
    assert index.span(2, with_break=True) == Span(6, 9)
    assert [index.line_of(i) for i in (0, 3, 4, 5, 6, 9)] == [0, 0, 0, 1, 2, 2]


@pytest.mark.parametrize(
    ("encoding", "character"),
    [("utf-8", 1 + 2 + 3 + 4), ("utf-16", 1 + 1 + 1 + 2), ("utf-32", 4)],
)
def test_position_counts_the_units_of_the_encoding(encoding: str, character: int) -> None:
    text = "x\naé中😀!"
    index = LineIndex(text)
    offset = text.index("!")
    assert index.position(offset, encoding) == (1, character)  # type: ignore[arg-type]  # parametrized
    assert index.offset(1, character, encoding) == offset  # type: ignore[arg-type]  # parametrized


def test_positions_outside_are_clamped() -> None:
    index = LineIndex("ab\ncd")
    assert index.offset(0, 99) == 2
    assert index.offset(9, 0) == 5
    assert index.offset(-1, 0) == 0
    assert index.position(99) == (1, 2)
    assert index.position(-5) == (0, 0)
    assert LineIndex("😀x").offset(0, 1) == 0  # inside the pair: before it


@given(TEXT, st.integers(0, 45), st.sampled_from(ENCODINGS))
def test_position_and_offset_are_inverse(text: str, offset: int, encoding: str) -> None:
    index = LineIndex(text)
    offset = min(offset, len(text))
    line, character = index.position(offset, encoding)  # type: ignore[arg-type]  # sampled
    assert line == index.line_of(offset)
    back = index.offset(line, character, encoding)  # type: ignore[arg-type]  # sampled
    end = index.span(line).end
    assert back == min(offset, end)  # between CR and LF an editor has no position


@given(TEXT)
def test_units_agree_with_the_codecs(text: str) -> None:
    assert units(text, "utf-16") * 2 == len(text.encode("utf-16-le", "surrogatepass"))
    assert units(text, "utf-8") == len(text.encode("utf-8", "surrogatepass"))
    assert units(text, "utf-32") == len(text)


@given(st.binary(max_size=60))
def test_any_bytes_survive(content: bytes) -> None:
    text, bom = decode(content)
    assert encode(text, bom) == content
    printable(text).encode()


def test_byte_order_mark_is_set_aside() -> None:
    assert decode(b"\xef\xbb\xbf---\n") == ("---\n", True)
    assert encode("---\n", True) == b"\xef\xbb\xbf---\n"


def test_surrogates_of_a_buffer_become_replacement_characters() -> None:
    assert encode("a\ud83dz") == "a\ufffdz".encode()
    assert encode("a\udcffz") == b"a\xffz"


def test_edits_apply_to_the_original_text() -> None:
    edits = [Edit(Span(4, 5), ""), Edit(Span(0, 1), "AA"), Edit(Span(2, 2), "x"), Edit(Span(2, 2), "y")]
    assert apply_edits("abcde", edits) == "AAbxycd"


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(Span(0, 2), "x"), Edit(Span(1, 3), "y")],
        [Edit(Span(4, 9), "x")],
        [Edit(Span(3, 2), "x")],
    ],
)
def test_wrong_edits_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match="overlaps"):
        apply_edits("abcde", edits)
