"""`name-duplicate`: two memories with one name."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.directory import fold
from memdir.core.document import Document
from memdir.core.fixing import set_key, unsafe, words_from_stem
from memdir.core.i18n import msg
from memdir.core.model import Finding, Fix, Related, Safety, Severity
from memdir.core.rule import Context, Example, Reads, Rule

_MAX_RELATED = 10


def check(document: Document, context: Context) -> Iterator[Finding]:
    header, directory = document.frontmatter, context.directory
    if header is None:
        return
    field = header.find("name")
    if field is None or not directory.shares_name(document):
        return
    others = [d for d in directory.named(field.value) if d.rel != document.rel and d.scope == document.scope]
    if not others:
        return
    related = tuple(
        Related(d.path, f.value_span, msg("the same name"))
        for d in others[:_MAX_RELATED]
        if d.frontmatter and (f := d.frontmatter.find("name"))
    )
    name = words_from_stem(document.stem)
    fixes: tuple[Fix, ...] = ()
    if name and fold(name) != fold(field.value) and not directory.named(name):
        fixes = (
            unsafe(
                msg("Call it “{name}”, after its file", name=name),
                document.edit(set_key(document, header, "name", name)),
            ),
        )
    yield Finding(
        field.value_span,
        msg(
            "{other} has the same name; a link [[{name}]] can't tell them apart. Rename one, or merge them.",
            other=others[0].rel,
            name=document.name,
        ),
        fixes,
        related,
    )


RULE = Rule(
    name="name-duplicate",
    severity=Severity.WARNING,
    summary=msg("Two memories have the same name."),
    rationale=msg(
        "The name identifies a memory in links and in lists. Two memories of one name are usually one memory written "
        "twice: an agent that can't find the first one writes a second, and from then on they drift apart. Merge them, or "
        "name what makes them different. Case, `-`, `_` and blanks are not told apart. Private and team memories are "
        "compared among themselves."
    ),
    check=check,
    reads=Reads.DIRECTORY,
    fix=Safety.UNSAFE,
    examples=(
        Example(
            "feedback_berth_names.md",
            bad="---\nname: Dashboards\ndescription: Names of berths are written out in full\ntype: feedback\n---\nNo abbreviations.\n",
            good="---\nname: Berth names\ndescription: Names of berths are written out in full\ntype: feedback\n---\nNo abbreviations.\n",
            files={
                "reference_dashboards.md": "---\nname: Dashboards\ndescription: Board for API latency that on-call watches\ntype: reference\n---\nSee the board.\n"
            },
        ),
    ),
)
