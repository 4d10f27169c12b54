"""JSON: a list of findings; lines and characters count from 0, characters in UTF-16 code units."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from memdir.cli.env import CliEnv
from memdir.cli.reports import Report, rule_url


def rows(report: Report, env: CliEnv) -> Iterator[dict[str, Any]]:
    """One dictionary per finding, in the order of files and positions."""
    for file in report.files:
        for d in file.diagnostics:
            start, end = file.lines.position(d.span.start), file.lines.position(d.span.end)
            yield {
                "rule": d.rule,
                "severity": d.severity.label,
                "path": d.path,
                "range": {
                    "start": {"line": start[0], "character": start[1]},
                    "end": {"line": end[0], "character": end[1]},
                },
                "message": env.text(d.message),
                "fix": {"title": env.text(d.fix.title), "safe": d.fix.safety.value == "safe"}
                if d.fix
                else None,
                "url": rule_url(d.rule),
            }


def write(report: Report, env: CliEnv) -> None:
    """Print the list, a finding per line, so that it can be read and diffed."""
    lines = [json.dumps(row, ensure_ascii=False) for row in rows(report, env)]
    env.out("[" + ("\n" + ",\n".join(lines) + "\n" if lines else "") + "]")
