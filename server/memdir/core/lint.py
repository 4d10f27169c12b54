"""Runs the rules over a document: findings become diagnostics, suppressions are applied, results are sorted."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator, Sequence

from memdir.core.document import Document, Kind
from memdir.core.i18n import msg
from memdir.core.model import Diagnostic, Finding, Severity, Span
from memdir.core.rule import Context, Rule
from memdir.core.rules import RULES, TABLE
from memdir.core.rules.suppression_unknown_rule import unknown_rules
from memdir.core.rules.suppression_unused import unused
from memdir.core.settings import Settings
from memdir.core.suppress import apply_suppressions, suppressions

INTERNAL = "internal-error"
# Findings of one rule in one file; a file with more has one fault many times, and editors choke on them.
MAX_FINDINGS = 500


# (settings, kind) -> rules; settings hold mappings and cannot be hashed, so identity decides
_active: dict[tuple[int, Kind], tuple[Settings, tuple[tuple[Rule, Severity], ...]]] = {}


def active_rules(settings: Settings, kind: Kind) -> tuple[tuple[Rule, Severity], ...]:
    """Rules that run on files of `kind`, with their severity under `settings`."""
    cached = _active.get((id(settings), kind))
    if cached is None or cached[0] is not settings:
        if len(_active) > 64:
            _active.clear()
        chosen = tuple(
            (rule, severity)
            for rule in RULES
            if kind in rule.kinds and (severity := settings.severity_of(rule.name, rule.severity)) is not None
        )
        cached = _active[(id(settings), kind)] = (settings, chosen)
    return cached[1]


def excluded(rel: str, settings: Settings) -> bool:
    """True when an `exclude` pattern matches the path relative to the memory directory."""
    return any(
        fnmatch.fnmatchcase(rel, p) or fnmatch.fnmatchcase(rel, p.rstrip("/") + "/*")
        for p in settings.exclude
    )


def check_document(document: Document, context: Context) -> list[Diagnostic]:
    """Diagnostics of one document, by position. Never raises: a rule that fails becomes a diagnostic that names it."""
    settings = context.settings
    if settings.exclude and excluded(document.rel, settings):
        return []
    found: list[Diagnostic] = []
    for rule, severity in active_rules(settings, document.kind):
        try:
            _collect(found, rule, severity, document, rule.check(document, context), settings)
        except Exception as error:  # one faulty rule must not hide what the others found
            found.append(_internal(document, rule, error))
    if "memdir:" in document.text:
        comments = suppressions(document)
        found = apply_suppressions(document, found, comments)
        for name, findings in (
            ("suppression-unknown-rule", unknown_rules(document, comments, TABLE)),
            ("suppression-unused", unused(document, comments, TABLE, settings)),
        ):
            severity_of = settings.severity_of(name, TABLE[name].severity)
            if severity_of is not None:
                _collect(found, TABLE[name], severity_of, document, findings, settings)
    if len(found) > 1:
        found.sort(key=lambda d: (d.span.start, d.span.end, d.rule))
    return found


def _collect(
    found: list[Diagnostic],
    rule: Rule,
    severity: Severity,
    document: Document,
    findings: Iterable[Finding],
    settings: Settings,
) -> None:
    """Add the diagnostics of one rule, at most MAX_FINDINGS and one that says so."""
    fixed = rule.name in settings.severity  # what a person sets wins over the degrees of a rule
    for number, f in enumerate(findings):
        level = f.severity if f.severity is not None and not fixed else severity
        if number == MAX_FINDINGS:
            message = msg(
                "More than {limit} findings of this rule in this file; those from here on are not shown.",
                limit=MAX_FINDINGS,
            )
            found.append(Diagnostic(rule.name, level, document.path, f.span, message))
            return
        found.append(
            Diagnostic(rule.name, level, document.path, f.span, f.message, f.fixes, f.related, f.data)
        )


def _internal(document: Document, rule: Rule, error: Exception) -> Diagnostic:
    message = msg(
        "Rule {rule} failed on this file ({error}). This is a fault in Memdir; please report it.",
        rule=rule.name,
        error=f"{type(error).__name__}: {error}"[:200],
    )
    return Diagnostic(INTERNAL, Severity.ERROR, document.path, Span(0, 0), message)


def check_directory(
    context: Context, documents: Sequence[Document] | None = None
) -> Iterator[tuple[Document, list[Diagnostic]]]:
    """Diagnostics of every document of the directory (or of `documents`), document by document."""
    for document in documents if documents is not None else list(context.directory):
        yield document, check_document(document, context)
