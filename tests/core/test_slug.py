"""The name of a project directory: observed vectors and properties."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.slug import MAX_LENGTH, base36, java_hash, legacy_slug, may_be_below, raw_slug, slug
from memdir.core.text import units
from tests.conftest import DATA

CASES = json.loads((DATA / "slug.json").read_text("utf-8"))["cases"]
PATHS = st.text(alphabet=st.characters(exclude_characters="\0")).map(lambda t: "/" + t)


@pytest.mark.parametrize("case", CASES, ids=[c["slug"][:30] + str(len(c["path"])) for c in CASES])
def test_observed(case: dict[str, str]) -> None:
    assert slug(case["path"]) == case["slug"]


@pytest.mark.parametrize(
    ("text", "value"),
    [("", 0), ("a", 97), ("ab", 3105), ("polygenelubricants", -2147483648), ("😀", 31 * 0xD83D + 0xDE00)],
)
def test_hash(text: str, value: int) -> None:
    assert java_hash(text) == value


@pytest.mark.parametrize(("number", "text"), [(0, "0"), (35, "z"), (36, "10"), (2147483648, "zik0zk")])
def test_base36(number: int, text: str) -> None:
    assert base36(number) == text
    assert int(text, 36) == number


@given(PATHS)
def test_one_dash_per_utf16_unit(path: str) -> None:
    raw = raw_slug(path)
    assert len(raw) == units(path, "utf-16")
    assert re.fullmatch("[A-Za-z0-9-]*", raw)


@given(PATHS)
def test_length_is_bounded_and_short_names_are_whole(path: str) -> None:
    name = slug(path)
    assert len(name) <= MAX_LENGTH + 1 + 6
    if len(raw_slug(path)) <= MAX_LENGTH:
        assert name == raw_slug(path)
    else:
        assert name.startswith(raw_slug(path)[:MAX_LENGTH] + "-")


@given(PATHS, st.text(min_size=1))
def test_everything_below_may_be_below(path: str, rest: str) -> None:
    for make in (slug, legacy_slug):
        assert may_be_below(make(path), path)
        assert may_be_below(make(path + "/" + rest), path)


@pytest.mark.parametrize(
    ("name", "path", "fits"),
    [
        ("-a-b", "/a/b", True),
        ("-a-b-c", "/a/b", True),
        ("-a-bc", "/a/b", False),
        ("-a", "/a/b", False),
        ("-a-b_c-d", "/a/b_c", True),
        ("-x", "/", True),
    ],
)
def test_may_be_below(name: str, path: str, fits: bool) -> None:
    assert may_be_below(name, path) is fits


@given(st.text(alphabet="ab/._-中😀", max_size=30))
def test_legacy_differs_only_in_underscores(path: str) -> None:
    assert legacy_slug(path).replace("_", "-") == slug(path)
    assert (legacy_slug(path) == slug(path)) is ("_" not in path)
