"""SARIF 2.1.0 (OASIS): one run, rules with their pages, columns in UTF-16 code units."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

from memdir import __version__
from memdir.cli.env import CliEnv
from memdir.cli.reports import FileReport, Tally, rule_url

_LEVEL = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}


class SarifForm:
    """The rules stand before the results in a SARIF log, so all of it is put together at the end."""

    def __init__(self, env: CliEnv) -> None:
        self._env = env

    def piece(self, file: FileReport) -> str:
        return json.dumps([self._result(file, number) for number in range(len(file.diagnostics))])

    def _result(self, file: FileReport, number: int) -> dict[str, Any]:
        d = file.diagnostics[number]
        start, end = file.lines.position(d.span.start), file.lines.position(d.span.end)
        region = {
            "startLine": start[0] + 1,
            "startColumn": start[1] + 1,
            "endLine": end[0] + 1,
            "endColumn": end[1] + 1,
        }
        return {
            "ruleId": d.rule,
            "ruleIndex": -1,
            "level": _LEVEL[d.severity.label],
            "message": {"text": self._env.text(d.message)},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": PurePosixPath(d.path).as_uri()},
                        "region": region,
                    }
                }
            ],
        }

    def write(self, pieces: Iterable[str], tally: Tally) -> None:
        results: list[dict[str, Any]] = [result for piece in pieces for result in json.loads(piece)]
        names = sorted({result["ruleId"] for result in results})
        index = {name: number for number, name in enumerate(names)}
        for result in results:
            result["ruleIndex"] = index[result["ruleId"]]
        driver = {
            "name": "memdir",
            "version": __version__,
            "informationUri": rule_url(""),
            "rules": [self._rule(name) for name in names],
        }
        log = {
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{"tool": {"driver": driver}, "columnKind": "utf16CodeUnits", "results": results}],
        }
        self._env.out(json.dumps(log, ensure_ascii=False, indent=1))

    def _rule(self, name: str) -> dict[str, Any]:
        from memdir.core.rules import TABLE

        entry: dict[str, Any] = {"id": name, "helpUri": rule_url(name)}
        rule = TABLE.get(name)
        if rule is not None:
            entry["shortDescription"] = {"text": self._env.text(rule.summary)}
            entry["fullDescription"] = {"text": self._env.text(rule.rationale)}
        return entry
