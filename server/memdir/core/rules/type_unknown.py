"""`type-unknown`: a type outside the closed set."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.fixing import TYPE_PREFIXES, nearest, safe, set_key, type_from_stem, unsafe
from memdir.core.i18n import msg
from memdir.core.model import Finding, Fix, Safety, Severity
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    header, value = document.frontmatter, document.type
    if header is None or not value or value in TYPE_PREFIXES or value in context.settings.extend_types:
        return
    found = header.find("type")
    assert found is not None  # document.type came from it
    choices = (*TYPE_PREFIXES, *context.settings.extend_types)
    close = nearest(value, choices)
    if close:
        make = safe if close == value.casefold() else unsafe
        fixes: tuple[Fix, ...] = (
            make(
                msg("Change the type to {type}", type=close),
                document.edit(set_key(document, header, "type", close)),
            ),
        )
    else:
        likely = (
            type_from_stem(document.stem) or "project"
        )  # decisions, drafts and plans are project memories
        fixes = tuple(
            unsafe(
                msg("Change the type to {type}", type=t), document.edit(set_key(document, header, "type", t))
            )
            for t in sorted(TYPE_PREFIXES, key=lambda t: t != likely)
        )
    yield Finding(
        found.value_span,
        msg("Unknown type “{value}”: the types are {types}.", value=value, types=", ".join(choices)),
        fixes,
    )


RULE = Rule(
    name="type-unknown",
    severity=Severity.WARNING,
    summary=msg("A memory has a type outside the closed set."),
    rationale=msg(
        "Open types multiply until nobody knows which one to use; the agent's prompt knows four. Types such as "
        "`decision` are usually project memories. A team that wants one more lists it in `extend-types`."
    ),
    check=check,
    fix=Safety.UNSAFE,
    examples=(
        Example(
            "feedback_real_db.md",
            bad="---\nname: Real database\ndescription: Integration tests must hit a real database\ntype: feedbak\n---\nUse the real one.\n",
            good="---\nname: Real database\ndescription: Integration tests must hit a real database\ntype: feedback\n---\nUse the real one.\n",
        ),
    ),
)
