"""`log-rewritten`: a daily log that did not only grow."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.daily_log import kept_until
from memdir.core.document import Document
from memdir.core.fixing import header_span
from memdir.core.i18n import msg
from memdir.core.model import Finding, Severity
from memdir.core.rule import Context, Reads, Rule
from memdir.core.text import decode


def check(document: Document, context: Context) -> Iterator[Finding]:
    marks = context.logs.marks(document.rel)
    if not marks:
        return
    content = document.content
    kept = kept_until(content, marks)
    if kept is None:
        return
    if kept == 0:
        message = msg(
            "This log was rewritten: it no longer begins as it did. `memdir log --accept {path}` takes it as it is.",
            path=document.rel,
        )
        yield Finding(header_span(document), message)
        return
    offset = len(decode(content[:kept])[0])
    line = min(document.lines.line_of(offset), document.lines.count - 1)
    message = msg(
        "This log was rewritten after line {line}: only what stands before is as it was. `memdir log --accept {path}` takes it as it is.",
        line=line,
        path=document.rel,
    )
    yield Finding(document.lines.span(line), message)


RULE = Rule(
    name="log-rewritten",
    severity=Severity.WARNING,
    summary=msg("A daily log was changed instead of only added to."),
    rationale=msg(
        "Logs are evidence: consolidation draws memories from them and may be asked where a statement came from. So they "
        "are only ever added to, never rewritten or reordered. Memdir remembers size and hash of what it saw of a log, "
        "never its text, and reports a log that no longer begins the same way. `memdir undo` has earlier versions of what "
        "Memdir itself changed; `memdir log --accept PATH` takes the log as it is now."
    ),
    check=check,
    kinds=frozenset({"log"}),
    reads=Reads.DISK,
)
