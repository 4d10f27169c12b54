"""Forms in which `memdir check` prints diagnostics: text, json, sarif, github.

A form makes one piece of text per file, so that a report of ten thousand files need not be held in memory and another
process can make half of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from memdir.cli.env import CliEnv
from memdir.core.model import Diagnostic, Safety, Severity
from memdir.core.text import LineIndex

FORMS = ("text", "json", "sarif", "github")


@dataclass(frozen=True, slots=True)
class FileReport:
    """Diagnostics of one file with what is needed to show them: its path and its lines."""

    path: str
    text: str
    lines: LineIndex
    diagnostics: tuple[Diagnostic, ...]


@dataclass(slots=True)
class Tally:
    """Numbers of a run: files looked at, findings by severity (1 to 4), of these with a safe and with another fix."""

    checked: int = 0
    by_severity: dict[int, int] = field(default_factory=dict)
    fixable: int = 0
    unsafe: int = 0

    @property
    def count(self) -> int:
        return sum(self.by_severity.values())

    def add(self, file: FileReport) -> None:
        for d in file.diagnostics:
            severity = int(d.severity)
            self.by_severity[severity] = self.by_severity.get(severity, 0) + 1
            if d.fixes:
                if any(f.safety is Safety.SAFE for f in d.fixes):
                    self.fixable += 1
                else:
                    self.unsafe += 1

    def merge(self, other: Tally) -> None:
        self.checked += other.checked
        self.fixable += other.fixable
        self.unsafe += other.unsafe
        for severity, number in other.by_severity.items():
            self.by_severity[severity] = self.by_severity.get(severity, 0) + number

    def told(self) -> tuple[int, dict[int, int], int, int]:
        """All numbers, to make another one of."""
        return self.checked, self.by_severity, self.fixable, self.unsafe

    def severities(self) -> dict[Severity, int]:
        """Severity -> number of findings, the worst first."""
        return {severity: self.by_severity.get(int(severity), 0) for severity in Severity}


class Form(Protocol):
    """How findings are printed."""

    def piece(self, file: FileReport) -> str:
        """The text of one file with findings."""
        ...

    def write(self, pieces: Iterable[str], tally: Tally) -> None:
        """Print all pieces as they come; `tally` is complete after the last one."""
        ...


def make_form(name: str, env: CliEnv) -> Form:
    """The form called `name`, one of FORMS."""
    if name == "json":
        from memdir.cli.reports.json_report import JsonForm

        return JsonForm(env)
    if name == "sarif":
        from memdir.cli.reports.sarif_report import SarifForm

        return SarifForm(env)
    if name == "github":
        from memdir.cli.reports.github_report import GithubForm

        return GithubForm(env)
    from memdir.cli.reports.text_report import TextForm

    return TextForm(env)


def rule_url(rule: str) -> str:
    """Page that explains a rule."""
    from memdir.core.rule import DOCS_URL

    return DOCS_URL + rule
