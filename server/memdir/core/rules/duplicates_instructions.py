"""`duplicates-instructions`: a memory repeats what CLAUDE.md or a rule file says."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.model import Finding, Related, Severity, Span
from memdir.core.rule import Context, Example, Reads, Rule
from memdir.core.shingles import shingles_of
from memdir.core.words import word_set


def check(document: Document, context: Context) -> Iterator[Finding]:
    instructions = context.instructions
    if not instructions or not instructions.may_be_in(word_set(document.text)):
        return
    if not instructions.contained(shingles_of(document)):
        return
    lines = document.lines
    for number in range(lines.line_of(document.body_start), lines.count):
        span = lines.span(number)
        if span.end - span.start < 20:
            continue
        found = instructions.repeated_in(document.text[span.start : span.end])
        if not found:
            continue
        statement = found[0][0]
        name = statement.path.replace("\\", "/").rsplit("/", 1)[-1]
        text = document.text[span.start : span.end]
        marked = Span(span.start + len(text) - len(text.lstrip()), span.start + len(text.rstrip()))
        yield Finding(
            marked,
            msg(
                "{file} says this already (line {line}) and loads in every session. Keep here only what it does not say: the why.",
                file=name,
                line=statement.line + 1,
            ),
            (),
            (
                Related(
                    statement.path,
                    Span(0, 0),
                    msg("Line {line}: {text}", line=statement.line + 1, text=statement.text),
                ),
            ),
        )
        return  # one finding says enough about a memory


_BODY = "Always run the whole linter before a commit reaches the review.\n"

RULE = Rule(
    name="duplicates-instructions",
    severity=Severity.INFORMATION,
    summary=msg("A memory repeats what the instructions say."),
    rationale=msg(
        "Instruction files are loaded in every session anyway. What is written there needn't be remembered: the memory "
        "costs a second reading, and when the instruction changes, it keeps the old one alive. What belongs here is the "
        "reason behind it."
    ),
    check=check,
    reads=Reads.PROJECT,
    examples=(
        Example(
            "feedback_linter.md",
            bad="---\nname: Linter\ndescription: The linter runs before every commit\ntype: feedback\n---\n"
            + _BODY,
            good="---\nname: Linter\ndescription: The linter runs before every commit\ntype: feedback\n---\nIt was skipped once and the release broke.\n",
            instructions={"CLAUDE.md": "# Rules\n\n- " + _BODY},
        ),
    ),
)
