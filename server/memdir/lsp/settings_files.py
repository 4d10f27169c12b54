"""What is wrong in configuration and settings files, as findings of these files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdir.core.model import Diagnostic, Severity
from memdir.core.settings import Problem
from memdir.lsp.convert import Text

if TYPE_CHECKING:
    from memdir.lsp.folder import Folder
    from memdir.lsp.session import Session


def settings_findings(session: Session) -> dict[str, tuple[Text, list[Diagnostic]]]:
    """URI -> (text, findings) of every settings file with problems. Problems without a file are logged."""
    by_path: dict[str, list[Diagnostic]] = {}
    for folder in session.folders.values():
        for problem in folder.problems:
            diagnostic = finding(problem, folder)
            if diagnostic is None:
                continue
            known = by_path.setdefault(problem.path, [])
            if diagnostic not in known:
                known.append(diagnostic)
    found: dict[str, tuple[Text, list[Diagnostic]]] = {}
    session.elsewhere = {path: d for path, d in by_path.items() if session.find(path) is not None}
    for path, diagnostics in by_path.items():
        if not path:
            for diagnostic in diagnostics:
                session.server.log_message(diagnostic.message)
            continue
        if path in session.elsewhere:
            continue  # a memory file that somebody opened: shown together with its own findings
        text = session.text_at(path)
        if text is not None:
            found[text.uri] = (text, sorted(diagnostics, key=lambda d: d.span))
    return found


def finding(problem: Problem, folder: Folder) -> Diagnostic | None:
    """A problem as a diagnostic under the folder's settings; None when its rule is off."""
    from memdir.core.rules import TABLE

    rule = TABLE.get(problem.rule)
    severity = folder.workspace.settings.severity_of(
        problem.rule, rule.severity if rule else Severity.WARNING
    )
    if severity is None:
        return None
    return Diagnostic(problem.rule, severity, problem.path, problem.span, problem.message, problem.fixes)
