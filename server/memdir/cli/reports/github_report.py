"""GitHub workflow commands: annotations on the lines of a pull request."""

from __future__ import annotations

import os

from memdir.cli.env import CliEnv
from memdir.cli.reports import Report

_LEVEL = {"error": "error", "warning": "warning", "information": "notice", "hint": "notice"}


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def write(report: Report, env: CliEnv) -> None:
    """One command per finding; paths below the current directory are relative, as GitHub wants them."""
    for file in report.files:
        path = os.path.relpath(file.path, env.cwd) if file.path.startswith(env.cwd + os.sep) else file.path
        for d in file.diagnostics:
            (line, column), (end_line, end_column) = (
                file.lines.position(d.span.start, "utf-32"),
                file.lines.position(d.span.end, "utf-32"),
            )
            place = f"file={_property(path)},line={line + 1},col={column + 1},endLine={end_line + 1},endColumn={end_column + 1}"
            env.out(
                f"::{_LEVEL[d.severity.label]} {place},title={_property(d.rule)}::{_data(env.text(d.message))}"
            )
