"""JSON: a list of findings; lines and characters count from 0, characters in UTF-16 code units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from json.encoder import encode_basestring as _quote

from memdir.cli.env import CliEnv
from memdir.cli.reports import FileReport, Tally, rule_url
from memdir.core.model import Severity

_SEVERITIES = {severity: severity.label for severity in Severity}


class _Urls(dict[str, str]):
    """Pages of rules, by name."""

    def __missing__(self, rule: str) -> str:
        url = self[rule] = rule_url(rule)
        return url


class JsonForm:
    """A finding per line, so that the list can be read and diffed."""

    def __init__(self, env: CliEnv) -> None:
        self._env = env
        self._urls = _Urls()

    def piece(self, file: FileReport) -> str:
        return ",\n".join(self._rows(file))

    def _rows(self, file: FileReport) -> Iterator[str]:
        # Written out: there may be tens of thousands, and json.dumps takes three times as long. Only strings need it.
        text, position = self._env.text, file.lines.position
        path, severities, urls = _quote(file.path), _SEVERITIES, self._urls
        for d in file.diagnostics:
            (line, character), (end_line, end_character) = position(d.span.start), position(d.span.end)
            fix = d.fix
            fixed = (
                f'{{"title": {_quote(text(fix.title))}, "safe": {"true" if fix.safety.value == "safe" else "false"}}}'
                if fix
                else "null"
            )
            yield (
                f'{{"rule": "{d.rule}", "severity": "{severities[d.severity]}", "path": {path}, "range": {{"start": '
                f'{{"line": {line}, "character": {character}}}, "end": {{"line": {end_line}, "character": {end_character}}}}}, '
                f'"message": {_quote(text(d.message))}, "fix": {fixed}, "url": "{urls[d.rule]}"}}'
            )

    def write(self, pieces: Iterable[str], tally: Tally) -> None:
        write, first = self._env.stdout.write, True
        write("[")
        for piece in pieces:
            write("\n" if first else ",\n")
            write(piece)
            first = False
        write("]\n" if first else "\n]\n")
