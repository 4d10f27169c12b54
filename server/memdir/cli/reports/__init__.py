"""Forms in which `memdir check` prints diagnostics: text, json, sarif, github."""

from __future__ import annotations

from dataclasses import dataclass

from memdir.core.model import Diagnostic
from memdir.core.text import LineIndex


@dataclass(frozen=True, slots=True)
class FileReport:
    """Diagnostics of one file with what is needed to show them: its path and its lines."""

    path: str
    text: str
    lines: LineIndex
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one run found, files in path order; `checked` counts the files looked at."""

    files: tuple[FileReport, ...]
    checked: int

    @property
    def count(self) -> int:
        return sum(len(f.diagnostics) for f in self.files)


def rule_url(rule: str) -> str:
    """Page that explains a rule."""
    from memdir.core.rule import DOCS_URL

    return DOCS_URL + rule
