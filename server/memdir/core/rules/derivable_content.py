"""`derivable-content`: a memory that repeats what the repository says."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.derivable import Passage, find_passage
from memdir.core.document import Document
from memdir.core.i18n import Message, msg
from memdir.core.model import Finding, Severity, Span
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    passage = find_passage(document)
    if passage is None:
        return
    first = document.lines.span(document.lines.line_of(passage.span.start))
    yield Finding(
        Span(passage.span.start, max(first.end, passage.span.start)),
        _message(passage),
        data={"kind": passage.kind},
    )


def _message(passage: Passage) -> Message:
    match passage.kind:
        case "tree" | "listing":
            return msg(
                "A directory listing of {rows} lines: the repository shows it, and it will change. Keep what can't be seen there.",
                rows=passage.rows,
            )
        case "inventory":
            return msg(
                "A list of {rows} files: the repository shows it, and it will change. Keep what can't be seen there.",
                rows=passage.rows,
            )
        case "code":
            return msg(
                "{percent} % of this memory is code: it is in the repository, or belongs there. Keep why it is so.",
                percent=passage.rows,
            )
        case "api":
            return msg(
                "A table of {rows} routes: the code says it better. Keep what surprised you about them.",
                rows=passage.rows,
            )
        case "commits":
            return msg(
                "A list of {rows} commits: `git log` has it. Keep what was surprising about them.",
                rows=passage.rows,
            )
        case "versions":
            return msg(
                "A list of {rows} versions: the lock file has it and stays right. Keep why one of them is held back.",
                rows=passage.rows,
            )


RULE = Rule(
    name="derivable-content",
    severity=Severity.INFORMATION,
    summary=msg("A memory repeats what the repository says."),
    rationale=msg(
        "One question decides what is memory: can it be derived from the project as it is now? Directory listings, file "
        "inventories, pasted code, tables of routes, commit lists and version lists can, and unlike the project they grow "
        "old. An agent trusts them nonetheless. Keep what the project does not show: the reason, the exception, the "
        "surprise. Reported is a passage that makes up a good part of the memory, not a file named in passing."
    ),
    check=check,
    examples=(
        Example(
            "project_structure.md",
            bad="---\nname: Project structure\ndescription: Where things are in the harbour repository\ntype: project\n---\n```\nsrc/harbour/\n├── __init__.py\n├── api.py\n├── berths.py\n└── tides.py\n```\n",
            good="---\nname: Generated tides\ndescription: src/harbour/tides.py is generated, never edit it by hand\ntype: project\n---\n`src/harbour/tides.py` is generated from the office's tables, though nothing in it says so.\n",
        ),
        Example(
            "project_release.md",
            bad="---\nname: Release\ndescription: Commits of release 4 of the harbour service\ntype: project\n---\n- 1f2e3d4 Add berth lengths\n- 2a3b4c5 Correct tide twelve\n- 3c4d5e6 Drop Python 3.8\n- 4d5e6f7 Route for ships\n- 5e6f7a8 Fix the import\n",
            good="---\nname: Release\ndescription: Release 4 dropped Python 3.8 against the plan\ntype: project\n---\nPython 3.8 was dropped early (3c4d5e6), because the tide client needs 3.11.\n",
        ),
    ),
)
