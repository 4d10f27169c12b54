"""`near-duplicate`: two memories of one directory say almost the same."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.fixing import header_span
from memdir.core.i18n import Message, msg
from memdir.core.model import Finding, Related, Severity, Span
from memdir.core.rule import Context, Example, Reads, Rule
from memdir.core.shingles import Likeness
from memdir.core.similarity import finder_of


def check(document: Document, context: Context) -> Iterator[Finding]:
    finder = finder_of(context.directory)
    if finder is None:
        return
    found = finder.like(document.rel, context.settings.near_duplicate)
    if not found:
        return
    header = document.frontmatter
    field = header.find("description") if header else None
    span = field.value_span if field and document.description else header_span(document)
    other, likeness = found[0]
    related = tuple(Related(d.path, Span(0, 0), _how_alike(x)) for d, x in found)
    yield Finding(span, _message(other, likeness), (), related, {"duplicates": [d.path for d, _ in found]})


def _message(other: Document, likeness: Likeness) -> Message:
    percent = round(likeness.score * 100)
    if likeness.series:
        return msg(
            "{percent} % the same as {file}, but {mine} stands here and {theirs} there: keep both if each is a fact of its own.",
            percent=percent,
            file=other.rel,
            mine=_list(likeness.mine),
            theirs=_list(likeness.theirs),
        )
    return msg(
        "{percent} % the same as {file}: merge them, so that one place is kept right.",
        percent=percent,
        file=other.rel,
    )


def _how_alike(likeness: Likeness) -> Message:
    return msg("{percent} % the same", percent=round(likeness.score * 100))


def _list(values: tuple[str, ...]) -> str:
    return ", ".join(values[:3]) + (" …" if len(values) > 3 else "") if values else "–"


_TEXT = (
    "---\nname: {name}\ndescription: Integration tests must hit a real PostgreSQL, burned by mocks in the autumn\ntype: reference\n---\n"
    "Integration tests run against PostgreSQL in a container and never against mocks, because mocked tests passed while "
    "the migration failed.\n"
)

RULE = Rule(
    name="near-duplicate",
    severity=Severity.INFORMATION,
    summary=msg("Two memories say almost the same."),
    rationale=msg(
        "An agent that saves a memory does not always look for the one it has. Duplicates drift apart, and then recall "
        "brings whichever matches better, not whichever is right. Likeness is the part of three-word runs that both texts "
        "share (numbers aside); texts of a series, such as release notes, are alike by nature, so the numbers in which "
        "they differ are named. `near-duplicate` in the settings moves the limit."
    ),
    check=check,
    reads=Reads.DIRECTORY,
    examples=(
        Example(
            "reference_real_db.md",
            bad=_TEXT.format(name="Real database"),
            good="---\nname: Real database\ndescription: Where the database container of the tests is defined\ntype: reference\n---\nSee the compose file.\n",
            files={"reference_no_mocks.md": _TEXT.format(name="No mocks")},
        ),
    ),
)
