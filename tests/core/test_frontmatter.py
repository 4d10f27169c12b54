"""Headers: both shapes, positions, what YAML refuses, and bytes of any kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.frontmatter import MAX_DEPTH, MAX_YAML, Frontmatter, find_frontmatter

PIECES = st.lists(
    st.sampled_from(
        "name|description|type|metadata:\n  type: user\n|: |:|\n|\r\n|\r|---|---\n|'|\"|#| # x|[|]|{|}|- |>|&a |*a|!!str |%|@|`|? |<<: *a|"
        "é|中文|😀|\udc80|\0|\t|  |    |null|2026-01-01|...|\x85|\u2028|\ufeff|a: 1\n|- b\n|\\".split("|")
    ),
    max_size=25,
).map("".join)


def read(text: str) -> Frontmatter:
    header = find_frontmatter(text)
    assert header is not None
    return header


def values(header: Frontmatter) -> dict[tuple[str, ...], str]:
    return {f.path: f.value for f in header.fields if f.style != "map"}


def problems(header: Frontmatter) -> list[str]:
    return [p.code for p in header.problems]


def check_positions(text: str, header: Frontmatter) -> None:
    """Every span lies inside the header and keys are where they say."""
    for field in header.fields:
        assert header.inner.start <= field.key_span.start <= field.key_span.end <= header.inner.end
        assert (
            header.inner.start <= field.value_span.start <= field.value_span.end <= max(header.inner.end, 0)
        )
    for problem in header.problems:
        assert 0 <= problem.span.start <= problem.span.end <= len(text)


def test_flat_shape_with_positions() -> None:
    text = "---\nname: Real database\ndescription: Tests hit a real database\ntype: feedback\n---\nBody\n"
    header = read(text)
    assert header.closed
    assert header.shape == "flat"
    assert text[header.span.end :] == "Body\n"
    assert values(header) == {
        ("name",): "Real database",
        ("description",): "Tests hit a real database",
        ("type",): "feedback",
    }
    for field in header.fields:
        assert text[field.key_span.start : field.key_span.end] == field.key
        assert text[field.value_span.start : field.value_span.end] == field.value


def test_nested_shape_of_the_client() -> None:
    text = "---\nname: x\ndescription: y\nmetadata: \n  node_type: memory\n  type: user\n  originSessionId: 1a\n---\n"
    header = read(text)
    assert header.shape == "nested"
    assert header.get("type") == "user"
    assert header.find("type") is header.field("metadata", "type")
    assert header.problems == ()


def test_flat_type_wins_over_nested() -> None:
    assert read("---\ntype: user\nmetadata:\n  type: project\n---\n").get("type") == "user"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('"a: b"', "a: b"),
        ("'it''s'", "it's"),
        ('"tab\\tand \\u00e9"', "tab\tand é"),
        ("yes", "yes"),
        ("1.10", "1.10"),
        ("2026-03-05", "2026-03-05"),
        ("|\n  one\n  two", "one\ntwo\n"),
        (">-\n  one\n  two", "one two"),
        ("[a, b]", "[a, b]"),
        ("", ""),
        ("https://x.dev/a#b", "https://x.dev/a#b"),
    ],
)
def test_values_are_the_text_that_was_written(value: str, expected: str) -> None:
    text = f"---\nname: n\ndescription: {value}\ntype: user\n---\n"
    header = read(text)
    assert header.get("description") == expected
    assert header.get("type") == "user"
    check_positions(text, header)


@pytest.mark.parametrize(
    "description",
    [
        "Auth rewrite: driven by legal",
        '"Never" mock the database',
        "`retry` is for the network",
        "@mara decides",
        "[unclosed: list",
        "{a: b",
        "* starred",
        "100%: yes",
    ],
)
def test_headers_that_yaml_refuses_still_give_their_keys(description: str) -> None:
    text = f"---\nname: Auth\ndescription: {description}\ntype: project\nmetadata:\n  node_type: memory\n---\nx\n"
    header = read(text)
    assert problems(header) == ["invalid-yaml"]
    assert header.get("name") == "Auth"
    assert header.get("description") == description
    assert header.get("type") == "project"
    assert header.get("node_type") == "memory"
    check_positions(text, header)


@pytest.mark.parametrize(
    ("line", "kept", "comment"),
    [
        ("description: Issue #482 from legal", "Issue", "#482 from legal"),
        ("description: #482 from legal", "", "#482 from legal"),
        ("name: C # the language", "C", "# the language"),
    ],
)
def test_what_yaml_takes_for_a_comment_is_noticed(line: str, kept: str, comment: str) -> None:
    text = f"---\n{line}\ntype: user\n---\n"
    header = read(text)
    (problem,) = header.problems
    assert problem.code == "cut-by-comment"
    assert text[problem.span.start : problem.span.end] == comment
    assert header.get(problem.key) == kept


@pytest.mark.parametrize(
    "line", ["description: C# and F#", 'description: "a # b"', "# a comment", "tags: [a] # list"]
)
def test_comments_that_cut_nothing(line: str) -> None:
    assert read(f"---\nname: n\n{line}\n---\n").problems == ()


def test_duplicate_keys_are_reported_and_the_first_counts() -> None:
    text = "---\nname: one\ntype: user\nname: two\n---\n"
    header = read(text)
    assert problems(header) == ["duplicate-key"]
    assert header.get("name") == "one"
    assert header.problems[0].span.start == text.rindex("name")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_breaks_of_any_kind(newline: str) -> None:
    text = newline.join(["---", "name: a", "description: b c", "metadata:", "  type: user", "---", "Body"])
    header = read(text)
    assert (header.get("name"), header.get("description"), header.get("type")) == ("a", "b c", "user")
    assert text[header.span.end :] == "Body"
    check_positions(text, header)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "# h\n---\nname: a\n---\n",
        "\n---\nname: a\n---\n",
        "----\nname: a\n----\n",
        "---\n\nprose\n",
        "---",
    ],
)
def test_no_header(text: str) -> None:
    assert find_frontmatter(text) is None


def test_an_unclosed_header_ends_with_its_keys() -> None:
    text = "---\nname: a\ndescription: b\nmetadata:\n  type: user\n\nBody: not a key\n"
    header = read(text)
    assert not header.closed
    assert header.get("type") == "user"
    assert text[header.span.end :] == "\nBody: not a key\n"


def test_empty_header() -> None:
    header = read("---\n---\nBody")
    assert header.closed
    assert header.fields == ()
    assert header.span.end == 8


def test_a_value_that_holds_dashes_does_not_close() -> None:
    header = read("---\nname: a --- b\ndescription: ---x\n---\n")
    assert header.get("name") == "a --- b"
    assert header.get("description") == "---x"


def test_deep_nesting_is_capped() -> None:
    header = read("---\nname: a\nx: " + "[" * (MAX_DEPTH + 5) + "]" * (MAX_DEPTH + 5) + "\n---\n")
    assert problems(header) == ["too-deep"]
    assert header.get("name") == "a"
    assert problems(read("---\nname: a\n" + "".join(" " * i + "k:\n" for i in range(1000)) + "---\n")) != []


def test_huge_headers_are_read_line_by_line() -> None:
    text = "---\nname: a\n" + "x: &a [1]\n" * (MAX_YAML // 8) + "type: user\n---\n"
    header = read(text)
    assert "too-large" in problems(header)
    assert header.get("name") == "a"
    assert header.get("type") == "user"


def test_aliases_and_merge_keys_do_no_harm() -> None:
    header = read("---\nbase: &b {x: 1}\n<<: *b\nname: n\nother: *b\ntype: user\n---\n")
    assert header.get("name") == "n"
    assert header.get("type") == "user"


@given(PIECES)
def test_any_text_is_read(body: str) -> None:
    for text in (body, "---\n" + body, "---\n" + body + "\n---\n"):
        header = find_frontmatter(text)
        if header is not None:
            assert 0 <= header.inner.start <= header.inner.end <= header.span.end <= len(text)
            check_positions(text, header)
            for key in ("name", "description", "type"):
                assert isinstance(header.get(key), str)


# What can be split without YAML must read exactly as YAML reads it.
SIMPLE_VALUE = st.text(st.sampled_from(list("ab1 é中-_.,:#'\"/()&*!|>%@`[]{}?~")), max_size=12)


@given(
    st.lists(
        st.tuples(st.sampled_from(["name", "description", "type", "k-1"]), SIMPLE_VALUE),
        max_size=4,
        unique_by=lambda t: t[0],
    )
)
def test_the_quick_reader_agrees_with_yaml(pairs: list[tuple[str, str]]) -> None:
    from memdir.core.frontmatter import _read_simple
    from memdir.core.frontmatter_yaml import read as read_yaml

    inner = "".join(f"{k}: {v}\n" for k, v in pairs)
    text = f"---\n{inner}---\n"
    quick = _read_simple(text, 4, 4 + len(inner))
    if quick is None:
        return
    slow, found = read_yaml(text, 4, 4 + len(inner))
    assert not found
    assert [(f.path, f.value, f.style, f.key_span, f.value_span) for f in quick] == [
        (f.path, f.value, f.style, f.key_span, f.value_span) for f in slow
    ]
