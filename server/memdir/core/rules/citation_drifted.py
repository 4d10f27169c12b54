"""`citation-drifted`: a cited file that changed after the memory was written."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache

from memdir.core.age import age_words, days_old
from memdir.core.citations import citations
from memdir.core.document import Document
from memdir.core.facts import NoProject
from memdir.core.i18n import Message, msg
from memdir.core.model import Finding, Severity
from memdir.core.rule import Context, Example, Reads, Rule
from memdir.core.staleness import Written, written


def check(document: Document, context: Context) -> Iterator[Finding]:
    project = context.project
    if isinstance(project, NoProject):
        return
    when: Written | None = None
    age: Message | None = None
    seen: set[str] = set()
    for citation in citations(document):
        path = citation.path
        if citation.lines is None or path in seen:
            continue
        if when is None and (when := written(document, context.now.tzinfo)) is None:
            return
        seen.add(path)
        changed = project.changed_at(path)
        if changed is None or not _after(changed, when) or not project.exists(path):
            continue
        age = age or age_words(days_old(when.at, context.now))
        yield Finding(
            citation.span,
            msg(
                "{path} changed {changed}, after this memory was written ({written}): line {line} may be elsewhere now. Check before relying on it.",
                path=path,
                changed=_ago(changed, context.now),
                written=age,
                line=citation.lines[0],
            ),
            data={"path": path},
        )


@lru_cache(1024)  # many memories cite the same files
def _ago(changed: datetime, now: datetime) -> Message:
    return age_words(days_old(changed, now))


def _after(changed: datetime, when: Written) -> bool:
    if when.day_only:
        return changed.astimezone(when.at.tzinfo).date() > when.at.date()
    return changed > when.at


RULE = Rule(
    name="citation-drifted",
    severity=Severity.HINT,
    summary=msg("A cited file changed after the memory was written."),
    rationale=msg(
        "A line number holds until somebody edits the file above it. Git knows when a file last changed; when that is "
        "later than the memory, the line may be another one by now. Only citations with a line are looked at: that a "
        "file changes does not make it wrong to name it."
    ),
    check=check,
    reads=Reads.PROJECT | Reads.CLOCK | Reads.DISK,
    examples=(
        Example(
            "project_tides.md",
            bad="---\nname: Tides\ndescription: Tide twelve is corrected by hand\ntype: project\nmodified: 2026-02-02\n---\nSee `src/harbour/tides.py:12`.\n",
            good="---\nname: Tides\ndescription: Tide twelve is corrected by hand\ntype: project\nmodified: 2026-02-21\n---\nSee `src/harbour/tides.py:12`.\n",
            repo={"src": (0, ""), "src/harbour/tides.py": (59, "2026-02-20")},
        ),
    ),
)
