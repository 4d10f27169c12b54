"""Headers that need YAML, and those that YAML refuses. Imported only for such files: yaml costs start-up time."""

from __future__ import annotations

import json
from typing import Any

import yaml

from memdir.core.frontmatter import MAX_DEPTH, Field, HeaderProblem, Style
from memdir.core.lazy_re import lazy
from memdir.core.model import Span

_Loader: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STYLES: dict[str | None, Style] = {
    None: "plain",
    "": "plain",
    "'": "single",
    '"': "double",
    "|": "block",
    ">": "block",
}
_COMMENT = lazy(r"[ \t]+#[^\r\n]*")
_LINE = lazy(
    r"(?P<indent>[ \t]*)(?P<key>[^\s:#\-\[\]{},&*!|>'\"%@`][^:\r\n]{0,80}?)[ \t]*:(?:[ \t]+(?P<value>[^\r\n]*))?(?:\r\n|\n|\r|$)"
)
_FENCES = {'"': '"', "'": "'", "`": "`"}


def read(text: str, start: int, end: int) -> tuple[tuple[Field, ...], tuple[HeaderProblem, ...]]:
    """Fields of the header `text[start:end]` and what is wrong with it; never raises."""
    inner = text[start:end].translate(_SURROGATES) if not text.isascii() else text[start:end]
    fields: list[Field] = []
    problems: list[HeaderProblem] = []
    try:
        _walk(inner, start, fields, problems)
    except _TooDeepError:
        problems.append(HeaderProblem("too-deep", _first_line(text, start, end), str(MAX_DEPTH)))
        fields = read_lines(text, start, end)
    except yaml.YAMLError as error:
        problems = [_yaml_problem(error, text, start, end)]
        fields = read_lines(text, start, end)
    seen: dict[tuple[str, ...], Field] = {}
    for item in fields:
        if item.path in seen:
            problems.append(HeaderProblem("duplicate-key", item.key_span, item.key, item.key))
        seen.setdefault(item.path, item)
    return tuple(fields), tuple(problems)


_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


def _at(mark: Any) -> int:
    """Offset of a mark (libyaml's or PyYAML's own; the parser always gives one)."""
    return int(mark.index) if mark is not None else 0


class _TooDeepError(Exception):
    """Nesting beyond MAX_DEPTH: no memory needs it, and every level costs work."""


def _walk(inner: str, base: int, fields: list[Field], problems: list[HeaderProblem]) -> None:
    """Collect the scalars of the top mapping and of its direct sub-mappings from libyaml's events."""
    depth = 0
    keys: list[tuple[str, Span] | None] = [None]  # pending key per open level; None: a key comes next
    path: list[str] = []
    kinds: list[str] = []
    for event in yaml.parse(inner, Loader=_Loader):
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            depth += 1
            if depth > MAX_DEPTH:
                raise _TooDeepError
            is_map = isinstance(event, yaml.MappingStartEvent)
            pending = keys[-1]
            if pending is not None and kinds and kinds[-1] == "map" and len(path) < 2:
                at = base + _at(event.start_mark)
                style: Style = "map" if is_map else "flow"
                fields.append(Field((*path, pending[0]), pending[1], "", Span(at, at), style))
            if depth == 1 and not is_map:
                raise yaml.YAMLError("the header is a list, not 'key: value' lines")
            path.append(pending[0] if pending is not None else "")
            if depth == 1:
                path.clear()
            keys.append(None)
            kinds.append("map" if is_map else "seq")
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            depth -= 1
            keys.pop()
            kind = kinds.pop()
            if path:
                path.pop()
            if kind in ("seq", "map"):
                _close_collection(inner, base, event, fields, kind, keys, path)
            keys[-1] = None
        elif isinstance(event, yaml.ScalarEvent):
            if depth == 0:
                if event.value.strip():
                    raise yaml.YAMLError("the header has no 'key: value' line")
                continue
            if kinds[-1] == "seq":
                continue
            span = Span(base + _at(event.start_mark), base + _at(event.end_mark))
            if keys[-1] is None:
                keys[-1] = (event.value, span)
                continue
            key, key_span = keys[-1]
            keys[-1] = None
            if len(path) >= 2:
                continue
            _add_scalar(inner, base, event, (*path, key), key_span, fields, problems)
        elif isinstance(event, yaml.AliasEvent):
            if keys[-1] is not None:
                keys[-1] = None
            elif kinds and kinds[-1] == "map":
                keys[-1] = ("*", Span(base + _at(event.start_mark), base + _at(event.end_mark)))


def _close_collection(
    inner: str,
    base: int,
    event: yaml.Event,
    fields: list[Field],
    kind: str,
    keys: list[tuple[str, Span] | None],
    path: list[str],
) -> None:
    """Give a list its source text as value (tags: [a, b]), now that its end is known."""
    pending = keys[-1]
    if kind != "seq" or pending is None or len(path) >= 2:
        return
    for i in range(len(fields) - 1, -1, -1):
        item = fields[i]
        if item.key_span == pending[1]:
            end = min(base + _at(event.end_mark), base + len(inner))
            raw = inner[item.value_span.start - base : end - base].rstrip()
            fields[i] = Field(
                item.path,
                item.key_span,
                raw,
                Span(item.value_span.start, item.value_span.start + len(raw)),
                "flow",
            )
            return


def _add_scalar(
    inner: str,
    base: int,
    event: yaml.ScalarEvent,
    path: tuple[str, ...],
    key_span: Span,
    fields: list[Field],
    problems: list[HeaderProblem],
) -> None:
    first, last = _at(event.start_mark), _at(event.end_mark)
    style: Style = _STYLES.get(event.style, "plain")
    if style == "block":  # the mark stands behind the last line break, which belongs to the next key
        while last > first and inner[last - 1] in " \t\r\n":
            last -= 1
    elif style == "plain":
        # libyaml ends a plain scalar behind trailing blanks in some cases
        while last > first and inner[last - 1] in " \t\r\n":
            last -= 1
        if first == last:
            style = "null"
            first = last = (
                key_span.end - base + 1
                if inner[key_span.end - base : key_span.end - base + 1] == ":"
                else last
            )
        cut = _COMMENT.match(inner, last)
        if cut and path[-1] in ("name", "description"):
            at = cut.start() + (len(cut[0]) - len(cut[0].lstrip()))
            problems.append(
                HeaderProblem(
                    "cut-by-comment", Span(base + at, base + cut.end()), inner[at : cut.end()], path[-1]
                )
            )
    fields.append(Field(path, key_span, event.value, Span(base + first, base + last), style))


def _yaml_problem(error: yaml.YAMLError, text: str, start: int, end: int) -> HeaderProblem:
    """The place libyaml names, as the whole line it stands on."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    at = start + mark.index if mark is not None else start + int(getattr(error, "position", 0) or 0)
    at = max(start, min(at, end - 1 if end > start else start))
    line_start = max(text.rfind("\n", start, at), text.rfind("\r", start, at)) + 1
    if line_start == 0:
        line_start = start
    stop = at
    while stop < end and text[stop] not in "\r\n":
        stop += 1
    detail = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error).split("\n")[0]
    key = text[line_start : min(stop, line_start + 80)].split(":", 1)[0].strip()
    return HeaderProblem("invalid-yaml", Span(line_start, max(stop, line_start)), detail, key)


def read_lines(text: str, start: int, end: int) -> list[Field]:
    """Fields of a header that YAML refuses: one per `key: value` line, continuation lines appended."""
    fields: list[Field] = []
    parent: str | None = None
    pos = start
    while pos < end:
        m = _LINE.match(text, pos, end)
        if m is None or m.end() == pos:
            stop = pos
            while stop < end and text[stop] not in "\r\n":
                stop += 1
            last = fields[-1] if fields else None
            more = text[pos:stop].strip()
            if last is not None and more and text[pos] in " \t" and last.style in ("plain", "block", "null"):
                value = (last.value + " " + more).strip()
                fields[-1] = Field(
                    last.path, last.key_span, value, Span(last.value_span.start, stop), "block"
                )
            pos = stop + (2 if text.startswith("\r\n", stop) else 1)
            continue
        indented = m.end("indent") > m.start("indent")
        key = m["key"].strip()
        key_span = Span(m.start("key"), m.start("key") + len(key))
        raw = (m["value"] or "").rstrip()
        at = m.start("value") if m["value"] is not None else m.end("key") + 1
        style: Style = "plain" if raw else "null"
        value = raw
        if raw in ("|", ">", "|-", ">-", "|+", ">+"):
            value, style = "", "block"
        elif len(raw) > 1 and raw[0] in "\"'" and raw[-1] == _FENCES[raw[0]]:
            value, style = _unquoted(raw), "double" if raw[0] == '"' else "single"
        path = (parent, key) if indented and parent else (key,)
        fields.append(Field(path, key_span, value, Span(at, at + len(raw)), style))
        if not indented:
            parent = key if not raw else None
        pos = m.end()
    return fields


def _unquoted(raw: str) -> str:
    """The text between quotes, escapes resolved where they are the usual ones."""
    if raw[0] == "'":
        return raw[1:-1].replace("''", "'")
    if "\\" not in raw:
        return raw[1:-1]
    try:
        value = json.loads(raw, strict=False)
    except ValueError:
        return raw[1:-1]
    return value if isinstance(value, str) else raw[1:-1]


def _first_line(text: str, start: int, end: int) -> Span:
    stop = start
    while stop < end and text[stop] not in "\r\n":
        stop += 1
    return Span(start, stop)
