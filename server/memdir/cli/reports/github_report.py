"""GitHub workflow commands: annotations on the lines of a pull request."""

from __future__ import annotations

import os
from collections.abc import Iterable

from memdir.cli.env import CliEnv
from memdir.cli.reports import FileReport, Tally

_LEVEL = {"error": "error", "warning": "warning", "information": "notice", "hint": "notice"}


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


class GithubForm:
    """One command per finding; paths below the current directory are relative, as GitHub wants them."""

    def __init__(self, env: CliEnv) -> None:
        self._env = env

    def piece(self, file: FileReport) -> str:
        cwd, position = self._env.cwd, file.lines.position
        path = os.path.relpath(file.path, cwd) if file.path.startswith(cwd + os.sep) else file.path
        lines = []
        for d in file.diagnostics:
            (line, column), (end_line, end_column) = (
                position(d.span.start, "utf-32"),
                position(d.span.end, "utf-32"),
            )
            place = f"file={_property(path)},line={line + 1},col={column + 1},endLine={end_line + 1},endColumn={end_column + 1}"
            message = _data(self._env.text(d.message))
            lines.append(f"::{_LEVEL[d.severity.label]} {place},title={_property(d.rule)}::{message}")
        return "\n".join(lines)

    def write(self, pieces: Iterable[str], tally: Tally) -> None:
        for piece in pieces:
            self._env.out(piece)
