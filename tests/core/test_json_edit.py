"""Edits of JSON texts keep every other byte."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.json_edit import add, indent_of, remove, replace
from memdir.core.json_positions import json_positions
from memdir.core.text import apply_edits

TEXT = (
    '{\n    "model": "x",\n    "hooks": {\n        "Stop": [1,  2]\n    },\n    "empty": {}, "list": []\n}\n'
)


def test_a_member_goes_last_in_the_file_s_own_indentation() -> None:
    assert apply_edits(TEXT, [add(TEXT, ("hooks",), {"a": [1]}, "New")]) == TEXT.replace(
        "[1,  2]\n",
        '[1,  2],\n        "New": {\n            "a": [\n                1\n            ]\n        }\n',
    )


def test_an_empty_container_is_opened() -> None:
    assert apply_edits(TEXT, [add(TEXT, ("empty",), 1, "k")]) == TEXT.replace(
        "{},", '{\n        "k": 1\n    },'
    )
    assert apply_edits(TEXT, [add(TEXT, ("list",), "ü")]) == TEXT.replace("[]\n", '[\n        "ü"\n    ]\n')
    assert apply_edits("{}", [add("{}", (), 1, "k")]) == '{\n  "k": 1\n}'


def test_windows_line_ends_stay() -> None:
    text = TEXT.replace("\n", "\r\n")
    changed = apply_edits(text, [add(text, ("hooks",), {"a": 1}, "New")])
    assert "\n" not in changed.replace("\r\n", "")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("model",), TEXT.replace('"model": "x",\n    ', "")),
        (("hooks", "Stop", 0), TEXT.replace("[1,  2]", "[2]")),
        (("hooks", "Stop", 1), TEXT.replace("[1,  2]", "[1]")),
        (("hooks", "Stop"), TEXT.replace('{\n        "Stop": [1,  2]\n    }', "{}")),
        (("list",), TEXT.replace(', "list": []', "")),
    ],
)
def test_removing(path: tuple[str | int, ...], expected: str) -> None:
    assert apply_edits(TEXT, [remove(TEXT, path)]) == expected


def test_replacing() -> None:
    assert apply_edits(TEXT, [replace(TEXT, ("hooks", "Stop"), {"a": 1})]) == TEXT.replace(
        "[1,  2]", '{\n            "a": 1\n        }'
    )


def test_unknown_places_are_errors() -> None:
    for change in (
        lambda: add(TEXT, ("nope",), 1, "k"),
        lambda: remove(TEXT, ("nope",)),
        lambda: replace(TEXT, ("nope",), 1),
    ):
        with pytest.raises(KeyError):
            change()


def test_indentation_is_that_of_the_file() -> None:
    assert indent_of(TEXT) == "    "
    assert indent_of('{"a":1}') == "  "
    assert indent_of('{\n\t"a": 1\n}') == "\t"


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


def _at(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


@given(
    st.dictionaries(st.text(max_size=3), _VALUES, max_size=4),
    _VALUES,
    st.sampled_from([None, 2, "\t"]),
    st.data(),
)
def test_edits_mean_what_they_say(
    data: dict[str, Any], value: Any, indent: int | str | None, draw: st.DataObject
) -> None:
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    places = list(json_positions(text))
    path = draw.draw(st.sampled_from(places))
    target = _at(data, path)
    if isinstance(target, dict):
        target["new!"] = value
        assert json.loads(apply_edits(text, [add(text, path, value, "new!")])) == data
    elif isinstance(target, list):
        target.append(value)
        assert json.loads(apply_edits(text, [add(text, path, value)])) == data
    elif path:
        del _at(data, path[:-1])[path[-1]]
        assert json.loads(apply_edits(text, [remove(text, path)])) == data
