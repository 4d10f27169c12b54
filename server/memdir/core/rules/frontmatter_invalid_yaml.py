"""`frontmatter-invalid-yaml`: a header that a strict YAML reader refuses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memdir.core.document import Document
from memdir.core.fixing import safe
from memdir.core.frontmatter import Field, Frontmatter, HeaderProblem, find_frontmatter
from memdir.core.i18n import msg
from memdir.core.model import Edit, Finding, Fix, Safety, Severity
from memdir.core.rule import Context, Example, Rule
from memdir.core.text import apply_edits


def check(document: Document, context: Context) -> Iterator[Finding]:
    header = document.frontmatter
    if header is None or not header.problems:
        return
    for problem in header.problems:
        if problem.code != "invalid-yaml":
            continue
        suspects = _suspects(document, header, problem)
        fix = _quoting(document, suspects)
        span = suspects[0].value_span if suspects and fix else problem.span
        message = (
            msg(
                "The header is not valid YAML ({detail}): strict readers drop all of it. Put the value of {key} in quotes.",
                detail=problem.detail,
                key=suspects[0].key,
            )
            if suspects and fix
            else msg(
                "The header is not valid YAML ({detail}): strict readers drop all of it. Write one `key: value` per line.",
                detail=problem.detail,
            )
        )
        yield Finding(span, message, (fix,) if fix else ())


def _suspects(document: Document, header: Frontmatter, problem: HeaderProblem) -> list[Field]:
    """Fields whose value needs quotes, the one on the reported line first (YAML often notices a line too late)."""
    from memdir.core.header_edit import quote

    odd = [
        f
        for f in header.fields
        if f.style in ("plain", "block") and f.value and quote(f.value).startswith('"')
    ]
    return sorted(odd, key=lambda f: not f.value_span.overlaps(problem.span))


def _quoting(document: Document, suspects: Sequence[Field]) -> Fix | None:
    """Quotes around the first suspect, or around all, whichever makes the header valid."""
    from memdir.core.header_edit import quote

    for chosen in (suspects[:1], suspects) if len(suspects) > 1 else (suspects,):
        if not chosen:
            return None
        edits = [Edit(f.value_span, quote(f.value)) for f in chosen]
        header = find_frontmatter(apply_edits(document.text, edits))
        if header is not None and not any(p.code == "invalid-yaml" for p in header.problems):
            keys = ", ".join(dict.fromkeys(f.key for f in chosen))
            return safe(msg("Put the value of {key} in quotes", key=keys), document.edit(*edits))
    return None


RULE = Rule(
    name="frontmatter-invalid-yaml",
    severity=Severity.ERROR,
    summary=msg("The header of a memory is not valid YAML."),
    rationale=msg(
        "About one header in 27 is refused by a strict YAML reader, nine times out of ten for a colon followed by a "
        "blank inside an unquoted description. Other causes: a value that begins with a quoted word, a backtick or "
        "`@`, a list that is never closed. Tools that read leniently still find the keys, strict ones find nothing, "
        "so the memory works in one place and is lost in the next. Quotes around the value settle it."
    ),
    check=check,
    fix=Safety.SAFE,
    examples=(
        Example(
            "project_auth.md",
            bad="---\nname: Auth rewrite\ndescription: Auth rewrite: driven by legal, not by tech debt\ntype: project\n---\nSession tokens move.\n",
            good='---\nname: Auth rewrite\ndescription: "Auth rewrite: driven by legal, not by tech debt"\ntype: project\n---\nSession tokens move.\n',
        ),
        Example(
            "feedback_retry.md",
            bad="---\nname: Retries\ndescription: `retry` is for network calls only\ntype: feedback\n---\nOnly there.\n",
            good='---\nname: Retries\ndescription: "`retry` is for network calls only"\ntype: feedback\n---\nOnly there.\n',
        ),
    ),
)
