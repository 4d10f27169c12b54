"""`relative-date`: words such as "Thursday" or "last week" whose day is lost once the memory is older."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memdir.core.dates.anchors import may_hold
from memdir.core.dates.passages import passages
from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.model import Edit, Finding, Fix, Safety, Severity
from memdir.core.rule import Context, Example, Reads, Rule
from memdir.core.staleness import DATE_KEYS
from memdir.core.words import look

if TYPE_CHECKING:
    from memdir.core.dates import DateHit
    from memdir.core.dates.reference import Reference


def check(document: Document, context: Context) -> Iterator[Finding]:
    if not may_hold(document.text):
        return
    from memdir.core.dates.finder import dated, mentions

    words = look(document.text).words
    reference = None
    for offset, text in passages(document):
        # Most texts hold no relative date; only then is the reference day looked up, for git may be asked.
        found = mentions(text, words=words)
        if not found:
            continue
        reference = reference or reference_of(document, context)
        if reference is None:
            return
        for hit in dated(found, reference.day):
            yield _finding(document, text, hit, reference, offset)


def _finding(document: Document, text: str, hit: DateHit, reference: Reference, offset: int) -> Finding:
    from memdir.core.dates.absolute import absolute, meaning

    words, day = _flat(hit.text), reference.day.isoformat()
    if hit.earliest is None:
        message = msg(
            "“{words}” names no day: it counts from the day of writing, {day} ({source}). Say when, or add that day.",
            words=words,
            day=day,
            source=reference.named,
        )
    else:
        message = msg(
            "“{words}” changes its meaning as time passes. Counted from {day} ({source}) it is {meaning}.",
            words=words,
            day=day,
            source=reference.named,
            meaning=meaning(hit),
        )
    edit = absolute(text, hit, reference.day)
    fixes = (_fix(document, text, hit, edit, reference, offset),) if edit is not None else ()
    data = {
        "earliest": hit.earliest.isoformat() if hit.earliest else None,
        "latest": hit.latest.isoformat() if hit.latest else None,
        "period": hit.period,
        "reference": reference.day.isoformat(),
        "source": reference.source,
    }
    return Finding(hit.span.shift(offset), message, fixes, data=data)


def _fix(document: Document, text: str, hit: DateHit, edit: Edit, reference: Reference, offset: int) -> Fix:
    from memdir.core.dates.absolute import meaning

    old = _flat(text[edit.span.start : edit.span.end])
    if hit.earliest is None or hit.period == "day":
        title = msg("Write “{new}” instead of “{words}”", new=edit.text.strip(), words=old)
    else:
        title = msg(
            "Write “{new}” instead of “{words}”: {meaning}",
            new=edit.text.strip(),
            words=old,
            meaning=meaning(hit),
        )
    exact_day = hit.exact and hit.period == "day"
    safety = Safety.SAFE if exact_day and reference.stated else Safety.UNSAFE
    return Fix(title, safety, (document.edit(Edit(edit.span.shift(offset), edit.text)),))


def reference_of(document: Document, context: Context) -> Reference | None:
    """The day that the memory's relative dates count from."""
    from memdir.core.dates.reference import reference_day

    header = document.frontmatter
    dates: dict[str, str] = {key: header.get(key) for key in DATE_KEYS} if header is not None else {}
    zone = context.now.tzinfo
    modified = None
    if document.mtime is not None:
        try:
            modified = datetime.fromtimestamp(document.mtime, zone or UTC)
        except (OverflowError, OSError, ValueError):
            modified = None  # a file time outside the calendar says nothing
    stated = reference_day(dates, document.rel, zone=zone)
    if stated is not None:
        return stated
    committed = context.project.commit_time(document.path)
    now = context.now if document.mtime is None else None
    return reference_day({}, document.rel, committed=committed, modified=modified, now=now, zone=zone)


def _flat(text: str) -> str:
    """Words on one line."""
    return " ".join(text.split())


RULE = Rule(
    name="relative-date",
    severity=Severity.WARNING,
    summary=msg("A memory says when in words that change their meaning."),
    rationale=msg(
        "“Thursday”, “last week” and “in 10 days” are clear on the day they are written and wrong ever after; models "
        "reason badly about such dates. The fix writes the date out. Words count from `modified`, `updated` or `created` "
        "in the header, else a date in the file name, the last commit of the file, or its time; the message says which. "
        "The fix is safe only if the words name one day and the memory itself states the day they count from. Standing "
        "rules (“every Monday”), quotations, code, links, dated lines (“2026-03-05: …”) and “as of 2026-03-05” are left "
        "alone. Vague words such as “recently” get the day of writing beside them. Languages: English, Chinese "
        "(simplified and traditional), Japanese, Korean, German, French, Spanish."
    ),
    check=check,
    reads=Reads.PROJECT | Reads.DISK,
    fix=Safety.SAFE,
    examples=(
        Example(
            "project_freeze.md",
            bad="---\nname: Merge freeze\ndescription: Merge freeze for the mobile release cut\ntype: project\nmodified: 2026-03-04\n---\nMerging is frozen until Thursday.\n",
            good="---\nname: Merge freeze\ndescription: Merge freeze for the mobile release cut\ntype: project\nmodified: 2026-03-04\n---\nMerging is frozen until 2026-03-05.\n",
        ),
        Example(
            "project_结算.md",
            bad="---\nname: 结算\ndescription: 结算接口由财务组维护\ntype: project\nmodified: 2026-03-04\n---\n用户昨天要求保留旧接口。\n",
            good="---\nname: 结算\ndescription: 结算接口由财务组维护\ntype: project\nmodified: 2026-03-04\n---\n用户 2026-03-03 要求保留旧接口。每周四对账。\n",
        ),
    ),
)
