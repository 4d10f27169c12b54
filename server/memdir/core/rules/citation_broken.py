"""`citation-broken`: a place in the repository that is not there any more."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdir.core.citations import Citation, citations
from memdir.core.document import Document
from memdir.core.facts import NoProject, ProjectFacts
from memdir.core.fixing import unsafe
from memdir.core.i18n import msg
from memdir.core.lazy_re import lazy
from memdir.core.model import Edit, Finding, Safety, Severity
from memdir.core.rule import Context, Example, Reads, Rule

# A line that itself says the file is gone, moved or still to be made is no false claim.
_TOLD = lazy(
    r"\b(?:remov\w+|delet\w+|gone|renam\w+|moved?|former\w*|old|legacy|no longer|used to|replac\w+|deprecat\w+|obsolete\w*|dropped|retired"
    r"|creat\w+|add(?:ed|s|ing)?|new|plan\w*|todo|will|should|missing|doesn't exist|does not exist|not exist|generated?|ignored?|optional)\b"
    r"|已?删除|移除|重命名|废弃|不存在|新建|创建|计划|削除|廃止|삭제|gelöscht|entfernt|supprimé|eliminad",
    re.I,
)


def check(document: Document, context: Context) -> Iterator[Finding]:
    project = context.project
    if isinstance(project, NoProject):
        return
    for citation in citations(document):
        if project.exists(citation.path):
            if citation.lines is not None:
                yield from _past_end(document, project, citation)
        elif _was_there(document, context, citation):
            yield Finding(
                citation.span,
                msg(
                    "{path} is not in the repository any more. Find what became of it and correct the memory.",
                    path=citation.path,
                ),
                data={"path": citation.path},
            )


def _past_end(document: Document, project: ProjectFacts, citation: Citation) -> Iterator[Finding]:
    assert citation.lines is not None and citation.line_span is not None
    last = citation.lines[1]
    count = project.line_count(citation.path)
    if count is None or last <= count:
        return
    glued = citation.line_span.start == citation.path_span.end
    fixes = (
        (unsafe(msg("Remove the line number"), document.edit(Edit(citation.line_span, ""))),) if glued else ()
    )
    yield Finding(
        citation.line_span,
        msg(
            "{path} has {count} lines, so there is no line {line}. Find the place again, or name the function instead.",
            path=citation.path,
            count=count,
            line=last,
        ),
        fixes,
        data={"path": citation.path, "lines": count},
    )


def _was_there(document: Document, context: Context, citation: Citation) -> bool:
    """True when the path must mean this repository: git knew it, or its first folder is there and it names a file."""
    path = citation.path
    if path in context.directory or _in_memory(document, context, path):
        return False
    if citation.lines is None:
        line = document.lines.line(document.lines.line_of(citation.span.start))
        if _TOLD.search(line.replace(document.slice(citation.span), "")):
            return False
    if context.project.changed_at(path) is not None:
        return True
    first, slash, _ = path.partition("/")
    name = path.rstrip("/").rsplit("/", 1)[-1]
    return (
        bool(slash)
        and context.project.exists(first)
        and (citation.lines is not None or "." in name[1:] or path.endswith("/"))
    )


def _in_memory(document: Document, context: Context, path: str) -> bool:
    folder = document.rel.rpartition("/")[0]
    return path.endswith(".md") and (f"{folder}/{path}" if folder else path) in context.directory


RULE = Rule(
    name="citation-broken",
    severity=Severity.WARNING,
    summary=msg("A place in the repository is not there any more."),
    rationale=msg(
        "A file and a line make a claim look certain, and go out of date faster than anything else in a memory. An agent "
        "that recommends from memory repeats them. Reported are paths that the repository had, or whose first folder it "
        "has, and lines beyond the end of a file. A path counts when it stands in back-ticks or is followed by a line "
        "number; addresses, globs, commands, placeholders and paths elsewhere are left alone, and so is a path in a line "
        "that says itself that the file was removed or is still to be written."
    ),
    check=check,
    reads=Reads.PROJECT,
    fix=Safety.UNSAFE,
    examples=(
        Example(
            "project_auth.md",
            bad="---\nname: Auth rewrite\ndescription: Session tokens are rewritten for legal reasons\ntype: project\n---\nThe tokens are made in `src/harbour/session.py:40`.\n",
            good="---\nname: Auth rewrite\ndescription: Session tokens are rewritten for legal reasons\ntype: project\n---\nThe tokens are made in `src/harbour/tokens.py:40`.\n",
            repo={"src": (0, ""), "src/harbour": (0, ""), "src/harbour/tokens.py": (120, "2026-02-01")},
        ),
        Example(
            "project_tides.md",
            bad="---\nname: Tides\ndescription: Tide twelve is corrected by hand\ntype: project\n---\nSee `src/harbour/tides.py:412`.\n",
            good="---\nname: Tides\ndescription: Tide twelve is corrected by hand\ntype: project\n---\nSee `TIDE_12` in `src/harbour/tides.py`.\n",
            repo={"src": (0, ""), "src/harbour/tides.py": (59, "2026-02-01")},
        ),
    ),
)
