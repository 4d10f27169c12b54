"""SARIF 2.1.0 (OASIS): one run, rules with their pages, columns in UTF-16 code units."""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import Any

from memdir import __version__
from memdir.cli.env import CliEnv
from memdir.cli.reports import Report, rule_url

_LEVEL = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}


def document(report: Report, env: CliEnv) -> dict[str, Any]:
    """The SARIF log as a dictionary."""
    from memdir.core.rules import TABLE

    names = sorted({d.rule for f in report.files for d in f.diagnostics})
    rules = []
    for name in names:
        rule = TABLE.get(name)
        entry: dict[str, Any] = {"id": name, "helpUri": rule_url(name)}
        if rule is not None:
            entry["shortDescription"] = {"text": env.text(rule.summary)}
            entry["fullDescription"] = {"text": env.text(rule.rationale)}
        rules.append(entry)
    results = []
    for file in report.files:
        for d in file.diagnostics:
            start, end = file.lines.position(d.span.start), file.lines.position(d.span.end)
            region = {
                "startLine": start[0] + 1,
                "startColumn": start[1] + 1,
                "endLine": end[0] + 1,
                "endColumn": end[1] + 1,
            }
            results.append(
                {
                    "ruleId": d.rule,
                    "ruleIndex": names.index(d.rule),
                    "level": _LEVEL[d.severity.label],
                    "message": {"text": env.text(d.message)},
                    "locations": [
                        {
                            "physicalLocation": {
                                "artifactLocation": {"uri": PurePosixPath(d.path).as_uri()},
                                "region": region,
                            }
                        }
                    ],
                }
            )
    driver = {"name": "memdir", "version": __version__, "informationUri": rule_url(""), "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "utf16CodeUnits", "results": results}],
    }


def write(report: Report, env: CliEnv) -> None:
    """Print the SARIF log."""
    env.out(json.dumps(document(report, env), ensure_ascii=False, indent=1))
