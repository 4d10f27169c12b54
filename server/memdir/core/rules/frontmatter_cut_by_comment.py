"""`frontmatter-cut-by-comment`: an unquoted ` #` silently ends a name or description."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.fixing import safe
from memdir.core.i18n import msg
from memdir.core.model import Edit, Finding, Safety, Severity, Span
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    header = document.frontmatter
    if header is None or not header.problems:
        return
    from memdir.core.header_edit import quote

    for problem in header.problems:
        if problem.code != "cut-by-comment":
            continue
        field = header.find(problem.key)
        if field is None:
            continue
        whole = Span(min(field.value_span.start, problem.span.start), problem.span.end)
        if field.style == "null":
            whole = problem.span
        edit = Edit(whole, quote(document.slice(whole).strip()))
        yield Finding(
            problem.span,
            msg(
                "YAML takes “{comment}” for a comment: what is read of {key} is “{value}”. Put the value in quotes.",
                comment=problem.detail,
                key=problem.key,
                value=field.value,
            ),
            (safe(msg("Put the whole value of {key} in quotes", key=problem.key), document.edit(edit)),),
        )


RULE = Rule(
    name="frontmatter-cut-by-comment",
    severity=Severity.WARNING,
    summary=msg("An unquoted ` #` cuts a name or description short."),
    rationale=msg(
        "In YAML a blank followed by `#` starts a comment, without any error. `description: Issue #482 came from legal` "
        "is read as `Issue`; eleven files of the directories we looked at have a description of that single word."
    ),
    check=check,
    fix=Safety.SAFE,
    examples=(
        Example(
            "project_auth.md",
            bad="---\nname: Auth rewrite\ndescription: Issue #482, session tokens are rewritten for legal reasons\ntype: project\n---\nSession tokens move.\n",
            good='---\nname: Auth rewrite\ndescription: "Issue #482, session tokens are rewritten for legal reasons"\ntype: project\n---\nSession tokens move.\n',
        ),
    ),
)
