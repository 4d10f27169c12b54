"""Configuration text and editor settings -> a `Layer`, and every mistake as a `Problem` at its place.

A mistake never stops anything: the value at fault is left out, the rest counts. `tomllib` is imported only when there
is something to read.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from memdir.core.i18n import Message, msg
from memdir.core.lazy_re import lazy
from memdir.core.model import Edit, EditFile, Fix, Safety, Span, content_hash
from memdir.core.settings import GROUPS, SEVERITY_NAMES, Key, Layer, Level, Problem, settings_keys
from memdir.core.text import encode

RULE = "config-invalid"
_CAMEL = lazy(r"(?<=[a-z0-9])([A-Z])")
_NOWHERE = Span(0, 0)

Path = tuple["str | int", ...]


def parse_toml(
    text: str,
    path: str,
    level: Level,
    *,
    rules: Collection[str] | None = None,
    table: tuple[str, ...] = (),
    bom: bool = False,
) -> tuple[Layer, list[Problem]]:
    """The settings of a TOML file.

    `path` is the file's absolute path, for problems. `rules` are the names of the rules that exist (None: any name
    passes). `table` is where the settings are in the file: `("tool", "memdir")` for pyproject.toml. `bom` says that a
    byte-order mark was taken off `text`, so that fixes carry the hash of the file's real bytes.
    """
    import tomllib

    if table and table[-1] not in text:
        return Layer(level, path), []
    try:
        data: Any = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        from memdir.core.toml_positions import syntax_place

        reason = msg("nested too deeply") if isinstance(error, RecursionError) else str(error)
        message = msg("This file is not valid TOML: {reason}.", reason=reason)
        return Layer(level, path), [Problem(RULE, path, syntax_place(text, str(error)), message)]
    for i, name in enumerate(table):
        data = data.get(name)
        if data is None:
            return Layer(level, path), []
        if not isinstance(data, Mapping):
            from memdir.core.toml_positions import toml_positions

            found = toml_positions(text).get(table[: i + 1])
            span = found.value if found else _NOWHERE
            return Layer(level, path), [_wrong_type(path, span, ".".join(table[: i + 1]), msg("a table"))]
    reader = _Reader(level, path, rules)
    reader.read(data)
    if not reader.mistakes:
        return Layer(level, path, reader.values), []
    from memdir.core.toml_positions import toml_positions

    places, base = toml_positions(text), content_hash(encode(text, bom))
    problems: list[Problem] = []
    for mistake in reader.mistakes:
        at = places.get((*table, *mistake.at))
        span = _NOWHERE if at is None else at.key if mistake.on_key else at.value
        problems.append(Problem(RULE, path, span, mistake.message, _fixes(path, base, text, span, mistake)))
    return Layer(level, path, reader.values), problems


def parse_mapping(
    data: object, level: Level, *, rules: Collection[str] | None = None, path: str = ""
) -> tuple[Layer, list[Problem]]:
    """The settings of an editor or of command-line flags: nested mappings, keys with dashes or in camel case.

    null means "not set". Problems carry no place.
    """
    if data is None:
        return Layer(level, path), []
    reader = _Reader(level, path, rules, loose=True)
    if isinstance(data, Mapping):
        reader.read(data)
    else:
        reader.note((), msg("The settings are not an object of names and values."))
    return Layer(level, path, reader.values), [
        Problem(RULE, path, _NOWHERE, m.message) for m in reader.mistakes
    ]


class _Mistake:
    """`at` is the path inside the settings; `instead` replaces what stands there (a fix)."""

    __slots__ = ("at", "instead", "message", "on_key")

    def __init__(self, at: Path, message: Message, on_key: bool = False, instead: str | None = None) -> None:
        self.at, self.message, self.on_key, self.instead = at, message, on_key, instead


class _Reader:
    """Validates one tree of values against the table of settings."""

    def __init__(
        self, level: Level, path: str, rules: Collection[str] | None, *, loose: bool = False
    ) -> None:
        self.level, self.path, self.rules, self.loose = level, path, rules, loose
        self.keys = settings_keys()
        self.values: dict[str, Any] = {}
        self.mistakes: list[_Mistake] = []

    def note(self, at: Path, message: Message, *, on_key: bool = False, instead: str | None = None) -> None:
        self.mistakes.append(_Mistake(at, message, on_key, instead))

    def read(self, data: Mapping[Any, Any], at: Path = (), group: str = "") -> None:
        for raw, value in data.items():
            name = str(raw)
            here = (*at, name)
            kebab = _CAMEL.sub(r"-\1", name).lower() if self.loose else name
            if value is None:
                continue
            if not group and kebab in GROUPS:
                if isinstance(value, Mapping):
                    self.read(value, here, kebab + ".")
                else:
                    self.note(here, _type_message(name, msg("a table")))
                continue
            dotted = group + kebab
            if dotted not in self.keys:
                self.unknown(here, kebab, group)
                continue
            key, default = self.keys[dotted]
            if key.scope == "user" and self.level == "project":
                self.note(
                    here,
                    msg("{key} is taken from your own settings only, not from a project's file.", key=dotted),
                    on_key=True,
                )
                continue
            accepted = (
                self.severities(here, value)
                if dotted == "severity"
                else self.value(here, dotted, key, default, value)
            )
            if accepted is not None:
                self.values[dotted] = accepted

    def unknown(self, at: Path, name: str, group: str) -> None:
        names = (k[len(group) :] for k in self.keys if k.startswith(group))
        known = [*(n for n in names if "." not in n), *(() if group else GROUPS)]
        # an editor's section also holds what only its client reads: there only a clear slip is one
        near = _nearest(name, known, 0.8 if self.level == "editor" else 0.6)
        if near is not None:
            text = msg("There is no setting {key}. Did you mean {near}?", key=group + name, near=near)
            self.note(at, text, on_key=True, instead=near)
        elif self.level != "editor":
            self.note(at, msg("There is no setting {key}.", key=group + name), on_key=True)

    def value(self, at: Path, name: str, key: Key, default: object, value: Any) -> Any:
        """The value to keep, or None after noting what is wrong with it."""
        wanted: Message
        if isinstance(default, bool):
            if isinstance(value, bool):
                return value
            wanted = msg("true or false")
        elif isinstance(default, (int, float)):
            whole = isinstance(default, int)
            fits = isinstance(value, int) or (
                isinstance(value, float) and (not whole or (self.loose and value.is_integer()))
            )
            if fits and not isinstance(value, bool):
                return self.number(at, name, key, int(value) if whole else float(value))
            wanted = msg("a whole number") if whole else msg("a number")
        elif isinstance(default, tuple):
            if isinstance(value, list | tuple):
                return self.strings(at, name, key, value)
            wanted = msg("a list of strings")
        else:
            if isinstance(value, str):
                return self.choice(at, name, key, value) if key.choices else value
            wanted = msg("a string")
        return self.note(at, _type_message(name, wanted))

    def number(self, at: Path, name: str, key: Key, value: float) -> Any:
        low, high = key.minimum, key.maximum
        if (low is None or value >= low) and (high is None or value <= high):
            return value
        return self.note(
            at, msg("{key} must be from {low} to {high}.", key=name, low=f"{low:g}", high=f"{high:g}")
        )

    def strings(self, at: Path, name: str, key: Key, value: Iterable[Any]) -> tuple[str, ...]:
        kept: list[str] = []
        for i, item in enumerate(value):
            here = (*at, i)
            if not isinstance(item, str):
                self.note(here, _type_message(f"{name}[{i}]", msg("a string")))
            elif not key.rule_names or self.rule(here, item, on_key=False):
                kept.append(item)
        return tuple(dict.fromkeys(kept))

    def choice(self, at: Path, name: str, key: Key, value: str) -> str | None:
        if value in key.choices:
            return value
        self.note(
            at, _choice_message(name, value, key.choices), instead=_quoted(_nearest(value, key.choices))
        )
        return None

    def severities(self, at: Path, value: Any) -> Mapping[str, Any] | None:
        if not isinstance(value, Mapping):
            self.note(at, _type_message("severity", msg("a table")))
            return None
        kept: dict[str, Any] = {}
        for rule, severity in value.items():
            here = (*at, str(rule))
            if severity is None or not self.rule(here, str(rule), on_key=True):
                continue
            if severity is False:  # `rule = false` has one meaning only
                kept[rule] = None
            elif isinstance(severity, str) and severity in SEVERITY_NAMES:
                kept[rule] = SEVERITY_NAMES[severity]
            else:
                shown = severity if isinstance(severity, str) else str(severity)
                near = _nearest(shown, SEVERITY_NAMES)
                self.note(
                    here,
                    _choice_message(f"severity.{rule}", shown, tuple(SEVERITY_NAMES)),
                    instead=_quoted(near),
                )
        return kept

    def rule(self, at: Path, name: str, *, on_key: bool) -> bool:
        if self.rules is None or name in self.rules:
            return True
        near = _nearest(name, self.rules)
        if near is None:
            self.note(at, msg("There is no rule {rule}.", rule=name), on_key=on_key)
        else:
            text = msg("There is no rule {rule}. Did you mean {near}?", rule=name, near=near)
            self.note(at, text, on_key=on_key, instead=near if on_key else _quoted(near))
        return False


def _type_message(name: str, wanted: Message) -> Message:
    return msg("{key} must be {wanted}.", key=name, wanted=wanted)


def _wrong_type(path: str, span: Span, name: str, wanted: Message) -> Problem:
    return Problem(RULE, path, span, _type_message(name, wanted))


def _choice_message(name: str, value: str, choices: Collection[str]) -> Message:
    return msg(
        "{key} is {value}; it must be one of {choices}.", key=name, value=value, choices=", ".join(choices)
    )


def _quoted(text: str | None) -> str | None:
    return None if text is None else f'"{text}"'


def _nearest(name: str, known: Collection[str], likeness: float = 0.6) -> str | None:
    """The known name that `name` was probably meant to be. Long names are cut: difflib is quadratic."""
    found = difflib.get_close_matches(name[:80].replace("_", "-").lower(), list(known), 1, likeness)
    return found[0] if found else None


def _fixes(path: str, base: str, text: str, span: Span, mistake: _Mistake) -> tuple[Fix, ...]:
    if mistake.instead is None or not len(span) or not path:
        return ()
    change = EditFile(path, (Edit(span, mistake.instead),), base)
    title = msg("Replace {old} by {new}", old=text[span.start : span.end], new=mistake.instead)
    return (Fix(title, Safety.UNSAFE, (change,)),)
