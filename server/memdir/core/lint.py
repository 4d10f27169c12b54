"""Runs the rules over a document: findings become diagnostics, suppressions are applied, results are sorted."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence

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


# Run by the driver itself, after the others.
_AFTERWARDS = ("suppression-unknown-rule", "suppression-unused")

# (settings, kind) -> rules; settings hold mappings and cannot be hashed, so identity decides
_active: dict[tuple[int, Kind], tuple[Settings, tuple[tuple[Rule, Severity], ...]]] = {}


def active_rules(settings: Settings, kind: Kind) -> tuple[tuple[Rule, Severity], ...]:
    """Rules that run on files of `kind`, with their severity under `settings`; without those about suppressions."""
    cached = _active.get((id(settings), kind))
    if cached is None or cached[0] is not settings:
        if len(_active) > 64:
            _active.clear()
        chosen = tuple(
            (rule, severity)
            for rule in RULES
            if kind in rule.kinds
            and rule.name not in _AFTERWARDS
            and (severity := settings.severity_of(rule.name, rule.severity)) is not None
        )
        cached = _active[(id(settings), kind)] = (settings, chosen)
    return cached[1]


def excluded(rel: str, settings: Settings) -> bool:
    """True when an `exclude` pattern matches the path relative to the memory directory."""
    return any(_pattern(p).fullmatch(rel) for p in settings.exclude)


@functools.lru_cache(256)
def _pattern(glob: str) -> re.Pattern[str]:
    """`*` and `?` stay inside a folder, `**` crosses folders; without a slash a pattern fits at any depth; a folder
    stands for all that is in it."""
    anchored = "/" in glob.rstrip("/")
    parts = [_part(p) for p in glob.strip("/").split("/")]
    inner = "/".join(parts).replace("/**/", "/(?:.*/)?")
    if inner.startswith("**/"):
        inner = "(?:.*/)?" + inner[3:]
    inner = inner.replace("**", ".*")
    return re.compile(("" if anchored else "(?:.*/)?") + inner + "(?:/.*)?")


def _part(part: str) -> str:
    return part if part == "**" else re.escape(part).replace(r"\*", "[^/]*").replace(r"\?", "[^/]")


def check_document(document: Document, context: Context) -> list[Diagnostic]:
    """Diagnostics of one document, by position. Never raises: a rule that fails becomes a diagnostic that names it."""
    settings = context.settings
    if settings.exclude and excluded(document.rel, settings):
        return []
    found: list[Diagnostic] = []
    for rule, severity in active_rules(settings, document.kind):
        try:
            first = len(found)
            for finding in rule.check(document, context):  # nearly always empty: what happens inside may cost
                if not _add(found, len(found) - first, rule, severity, document, finding, settings):
                    break
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
                for number, finding in enumerate(findings):
                    if not _add(found, number, TABLE[name], severity_of, document, finding, settings):
                        break
    if len(found) > 1:
        found.sort(key=lambda d: (d.span.start, d.span.end, d.rule))
    return found


def _add(
    found: list[Diagnostic],
    number: int,
    rule: Rule,
    severity: Severity,
    document: Document,
    finding: Finding,
    settings: Settings,
) -> bool:
    """Add the diagnostic of a finding, the `number`th (from 0) of its rule; False when the others are not shown."""
    if finding.severity is not None and rule.name not in settings.severity:
        severity = finding.severity  # what a person sets wins over the degrees of a rule
    if number == MAX_FINDINGS:
        message = msg(
            "More than {limit} findings of this rule in this file; those from here on are not shown.",
            limit=MAX_FINDINGS,
        )
        found.append(Diagnostic(rule.name, severity, document.path, finding.span, message))
        return False
    f = finding
    found.append(
        Diagnostic(rule.name, severity, document.path, f.span, f.message, f.fixes, f.related, f.data)
    )
    return True


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
