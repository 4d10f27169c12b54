"""Reading configuration: values, every mistake at its place with the nearest name, fixes, foreign text."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.json_positions import json_positions
from memdir.core.model import EditFile, Severity, content_hash
from memdir.core.settings import Layer, Problem, merge
from memdir.core.settings_parse import parse_mapping, parse_toml
from memdir.core.text import apply_edits, encode
from memdir.core.toml_positions import syntax_place, toml_positions

RULES = ("relative-date", "memory-stale", "index-orphan")
PATH = "/p/memdir.toml"


def parse(text: str, **options: Any) -> tuple[Layer, list[Problem]]:
    return parse_toml(
        text, PATH, options.pop("level", "project"), rules=options.pop("rules", RULES), **options
    )


def test_all_kinds_of_values() -> None:
    layer, problems = parse(
        """
        stale-days = 60
        near-limit = 1
        exclude = ["archive/**", "x.md"]
        ignore = ["index-orphan"]
        [severity]
        relative-date = "error"
        memory-stale = "off"
        index-orphan = false
        [recall]
        enabled = false
        limit = 3
        [consolidate]
        hours = 12.5
        auto = "off"
        """
    )
    assert problems == []
    found = merge([layer])
    assert (found.stale_days, found.near_limit, found.exclude, found.ignore) == (
        60,
        1.0,
        ("archive/**", "x.md"),
        ("index-orphan",),
    )
    assert dict(found.severity) == {
        "relative-date": Severity.ERROR,
        "memory-stale": None,
        "index-orphan": None,
    }
    assert (found.recall.enabled, found.recall.limit, found.consolidate.hours, found.consolidate.auto) == (
        False,
        3,
        12.5,
        "off",
    )


def test_pyproject_table() -> None:
    text = '[project]\nname = "x"\nstale-days = 3\n[tool.memdir]\nstale-days = 9\n[tool.memdir.recall]\nlimit = 2\n'
    layer, problems = parse(text, table=("tool", "memdir"))
    assert (layer.values, problems) == ({"stale-days": 9, "recall.limit": 2}, [])
    assert parse('[project]\nname = "memdir"\n', table=("tool", "memdir")) == (Layer("project", PATH), [])
    assert parse("[broken", table=("tool", "memdir"))[1] == [], (
        "somebody else's file without our table is not our matter"
    )


MISTAKES = [
    ("stale-day = 60\n", "stale-day", "Did you mean stale-days?"),
    ("stale_days = 60\n", "stale_days", "Did you mean stale-days?"),
    ("zzzzz = 1\n", "zzzzz", "There is no setting zzzzz."),
    ("[recall]\nlimits = 3\n", "limits", "Did you mean limit?"),
    ("[recal]\nlimit = 3\n", "recal", "Did you mean recall?"),
    ("recall = 3\n", "3", "recall must be a table."),
    ('stale-days = "60"\n', '"60"', "stale-days must be a whole number."),
    ("stale-days = 60.5 # c\n", "60.5", "stale-days must be a whole number."),
    ("stale-days = true\n", "true", "stale-days must be a whole number."),
    ("stale-days = 0\n", "0", "stale-days must be from 1 to 36500."),
    ("near-limit = nan\n", "nan", "near-limit must be from 0.1 to 1."),
    ("near-limit = 'x'\n", "'x'", "near-limit must be a number."),
    ("[recall]\nenabled = 1\n", "1", "recall.enabled must be true or false."),
    ("[recall]\nmodel = 1\n", "1", "recall.model must be a string."),
    ("exclude = 'x'\n", "'x'", "exclude must be a list of strings."),
    ("exclude = ['x', 3]\n", "3", "exclude[1] must be a string."),
    (
        "ignore = [\n  'memory-stale', # c\n  'relative-dates',\n]\n",
        "'relative-dates'",
        "Did you mean relative-date?",
    ),
    ("ignore = ['zzz']\n", "'zzz'", "There is no rule zzz."),
    ('[severity]\nrelative-dat = "off"\n', "relative-dat", "Did you mean relative-date?"),
    (
        'severity = { "relative-date" = "warn" }\n',
        '"warn"',
        "severity.relative-date is warn; it must be one of off, error",
    ),
    ("severity.relative-date = 3\n", "3", "severity.relative-date is 3"),
    ("severity = 'off'\n", "'off'", "severity must be a table."),
    (
        '[extract]\nauto = "sugest"\n',
        '"sugest"',
        "extract.auto is sugest; it must be one of off, suggest, apply.",
    ),
    ("allow-project-directory = true\n", "allow-project-directory", "your own settings only"),
    ("trusted = ['/']\n", "trusted", "your own settings only"),
    ("a = \n", None, "not valid TOML"),
    ("stale-days = 5\nstale-days = 6\n", None, "not valid TOML"),
    ("x = [1,\n", None, "not valid TOML"),
]


@pytest.mark.parametrize(("text", "marked", "message"), MISTAKES)
@pytest.mark.parametrize(
    "prefix", ["", "# 中文 😀\r\n", 'exclude = [\n "a", # [x]\n \'b\' ]\nselect = ["memory-stale"]\n']
)
def test_mistakes_have_a_place(text: str, marked: str | None, message: str, prefix: str) -> None:
    if prefix and text.startswith("exclude"):
        prefix = "entry-info = 100\n"
    text = prefix + text
    layer, (problem, *more) = parse(text)
    assert more == []
    assert (problem.rule, problem.path) == ("config-invalid", PATH)
    assert message in str(problem.message)
    if marked is not None:
        assert text[problem.span.start : problem.span.end] == marked
    if marked is not None and prefix.startswith("exclude"):
        assert layer.values["exclude"] == ("a", "b"), "the rest of the file counts"


def test_mistakes_in_pyproject_have_a_place() -> None:
    text = "[tool.other]\nstale-day = 1\n[tool.memdir]\nstale-day = 2\n"
    _, (problem,) = parse(text, table=("tool", "memdir"))
    assert problem.span.start == text.rindex("stale-day")
    text = "[tool]\nmemdir = 3\n"
    _, (problem,) = parse(text, table=("tool", "memdir"))
    assert (text[problem.span.start : problem.span.end], str(problem.message)) == (
        "3",
        "tool.memdir must be a table.",
    )


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("stale-day = 60\n", "stale-days = 60\n"),
        ("ignore = ['relative-dates']\n", 'ignore = ["relative-date"]\n'),
        ('[severity]\nrelative-dat = "off"\n', '[severity]\nrelative-date = "off"\n'),
        ('[severity]\nrelative-date = "warn"\n', '[severity]\nrelative-date = "warning"\n'),
        ('[extract]\nauto = "sugest"\n', '[extract]\nauto = "suggest"\n'),
    ],
)
@pytest.mark.parametrize("bom", [False, True])
def test_fixes_mend(text: str, mended: str, bom: bool) -> None:
    _, (problem,) = parse(text, bom=bom)
    (change,) = problem.fixes[0].changes
    assert isinstance(change, EditFile)
    assert (change.path, change.base) == (PATH, content_hash(encode(text, bom)))
    assert apply_edits(text, change.edits) == mended
    assert parse(mended)[1] == []


def test_user_only_settings_at_their_level() -> None:
    layer, problems = parse("allow-project-directory = true\ntrusted = ['~/work']\n", level="user")
    assert (dict(layer.values), problems) == ({"allow-project-directory": True, "trusted": ("~/work",)}, [])


def test_rule_names_pass_unchecked_without_a_list() -> None:
    assert parse("ignore = ['whatever']\n", rules=None)[0].values == {"ignore": ("whatever",)}


def test_editor_settings() -> None:
    layer, problems = parse_mapping(
        {
            "staleDays": 40,
            "near-limit": 0.5,
            "exclude": None,
            "recall": {"maxCandidates": 50.0, "enabled": None},
            "severity": {"relative-date": "hint"},
            "server": {"path": "/x"},
            "trace": {"server": "off"},
        },
        "editor",
        rules=RULES,
    )
    assert dict(layer.values) == {
        "stale-days": 40,
        "near-limit": 0.5,
        "recall.max-candidates": 50,
        "severity": {"relative-date": Severity.HINT},
    }
    assert problems == []


def test_mistakes_in_editor_settings_have_no_place() -> None:
    _, problems = parse_mapping({"staleDay": 4, "recall": {"limit": "x"}, "notes": 3}, "editor")
    assert [(p.path, str(p.message)) for p in problems] == [
        ("", "There is no setting stale-day. Did you mean stale-days?"),
        ("", "recall.limit must be a whole number."),
        ("", "notes must be a table."),
    ]
    assert parse_mapping(None, "editor") == (Layer("editor"), [])
    assert len(parse_mapping([1], "editor")[1]) == 1
    assert len(parse_mapping({"zzzzz": 1}, "flag")[1]) == 1


def test_deep_nesting_is_a_problem_not_a_crash() -> None:
    _, (problem,) = parse("x = " + "[" * 5000 + "]" * 5000)
    assert "not valid TOML" in str(problem.message)


@given(st.text(max_size=80))
def test_any_text_is_survived(text: str) -> None:
    layer, problems = parse(text)
    assert layer.level == "project"
    for problem in problems:
        assert 0 <= problem.span.start <= problem.span.end <= len(text)


SCALARS = st.one_of(
    st.booleans(),
    st.integers(-(10**6), 10**6),
    st.text(max_size=8),
    st.floats(allow_nan=False, allow_infinity=False),
)
TREES = st.recursive(
    SCALARS,
    lambda c: st.lists(c, max_size=4) | st.dictionaries(st.text(max_size=6), c, max_size=4),
    max_leaves=12,
)


def lookup(data: Any, path: tuple[Any, ...]) -> Any:
    for part in path:
        data = data[part]
    return data


@given(st.dictionaries(st.text(max_size=6), TREES, max_size=5), st.sampled_from([None, 1]), st.booleans())
def test_json_positions_are_those_of_the_values(
    data: dict[str, Any], indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps(data, indent=indent, ensure_ascii=ascii_only)
    found = json_positions(text)
    assert found[()].value.end == len(text)
    for path, place in found.items():
        assert json.loads(text[place.value.start : place.value.end]) == lookup(data, path)
        if path and isinstance(path[-1], str):
            assert json.loads(text[place.key.start : place.key.end]) == path[-1]
    assert {p for p in found if len(p) == 1} == {(k,) for k in data}


@given(st.text(alphabet='{}[]",:\\ ab1\n', max_size=40))
def test_json_positions_survive_anything(text: str) -> None:
    for place in json_positions(text).values():
        assert 0 <= place.value.start <= place.value.end <= len(text)


def quoted(text: str) -> str:
    return json.dumps(text).replace("\x7f", "\\u007f")


def as_toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[ " + ",\n# c ]\n ".join(as_toml(v) for v in value) + " ]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(k)} = {as_toml(v)}" for k, v in value.items()) + "}"
    return quoted(value) if isinstance(value, str) else repr(value)


KEYS = st.text(alphabet="ab-_. 中\"'\\#=[]", min_size=1, max_size=6)
TOML_SCALARS = st.one_of(
    st.booleans(), st.integers(-999, 999), st.text(alphabet="ab\"'\\#=[]{},中 \t", max_size=8)
)
TOML_TREES = st.recursive(
    TOML_SCALARS, lambda c: st.lists(c, max_size=3) | st.dictionaries(KEYS, c, max_size=3), max_leaves=8
)


@given(
    st.dictionaries(KEYS, TOML_TREES, max_size=3),
    st.dictionaries(KEYS, st.dictionaries(KEYS, TOML_TREES, max_size=2), max_size=2),
)
def test_toml_positions_are_those_of_the_values(
    top: dict[str, Any], tables: dict[str, dict[str, Any]]
) -> None:
    text = "".join(f"{quoted(k)}  =  {as_toml(v)}  # c\n" for k, v in top.items())
    for name, table in tables.items():
        if name not in top:
            text += f"[ {quoted(name)} ] # t\n" + "".join(
                f"\t{quoted(k)}={as_toml(v)}\n" for k, v in table.items()
            )
    data = tomllib.loads(text)
    found = toml_positions(text)
    for path, place in found.items():
        value = lookup(data, path)
        marked = text[place.value.start : place.value.end]
        if path and path[0] in top:
            assert tomllib.loads("x = " + marked)["x"] == value
        if isinstance(path[-1], str):
            assert list(tomllib.loads(text[place.key.start : place.key.end] + " = 0")) == [path[-1]]
    assert {p[0] for p in found} == set(data)


def test_toml_positions_of_every_shape() -> None:
    text = '''a.b."c d" = """x
"y" = 1"""
[[arr]]
k = 1
[[arr]]
k = 2
[arr.sub]
z = \'\'\'m
n\'\'\'
[t."q\\u0041"]
d = 1979-05-27T07:32:00Z # c
'''
    found = toml_positions(text)
    data = tomllib.loads(text)
    assert text[found[("arr", 1, "k")].value.start] == "2"
    assert text[found[("a", "b", "c d")].key.start : found[("a", "b", "c d")].key.end] == '"c d"'
    assert lookup(data, ("arr", 1, "sub", "z")) == "m\nn"
    assert text[found[("arr", 1, "sub", "z")].value.start :].startswith("'''m\nn'''\n")
    place = found[("t", "qA", "d")].value
    assert text[place.start : place.end] == "1979-05-27T07:32:00Z"


def test_syntax_place() -> None:
    text = "a = 1\nb = ?\nc"
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        span = syntax_place(text, str(error))
    assert text[span.start : span.end] == "?"
    assert syntax_place("a\nbc", "at the end of the document").start == 2
