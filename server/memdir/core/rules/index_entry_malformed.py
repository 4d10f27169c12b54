"""`index-entry-malformed`: a line that means to be an entry and is no link."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.fixing import safe, words_from_stem
from memdir.core.i18n import msg
from memdir.core.index import resolve
from memdir.core.lazy_re import lazy
from memdir.core.model import Edit, Finding, Safety, Severity, Span
from memdir.core.rule import Context, Example, Rule

_MD = r"[^()\[\]<>\n]{1,200}?\.md"
# each shape with the replacement that makes it a link; bounded, without nested repetition
_SPACED = lazy(rf"\[(?P<title>[^\[\]\n]{{1,200}})\][ \t]+\((?P<path>{_MD})\)")
_SWAPPED = lazy(rf"\((?P<title>[^()\[\]\n]{{1,200}})\)\[(?P<path>{_MD})\]")
_OPEN = lazy(r"\[(?P<title>[^\[\]\n]{1,200})\]\((?P<path>[^()\[\]<>\s]{1,200}\.md)(?![)\w#?]|[ \t]+[\"'(])")
_BLANKS = lazy(rf"\[(?P<title>[^\[\]\n]{{1,200}})\]\((?P<path>{_MD})\)")
_NO_TARGET = lazy(r"\[(?P<title>[^\[\]\n]{1,200})\]\([ \t]*\)")
_NO_TITLE = lazy(rf"\[[ \t]*\]\((?P<path>{_MD})\)")


def check(document: Document, context: Context) -> Iterator[Finding]:
    text, lines = document.text, document.lines
    if "]" not in text:
        return
    for number in range(lines.line_of(document.body_start), lines.count):
        span = lines.span(number)
        raw = text[span.start : span.end]
        if "]" not in raw or (".md" not in raw and "](" not in raw):
            continue
        if document.markdown.in_code(span.start + raw.find("]")):
            continue
        found = _untitled(document, context.directory, raw, span) or _broken(
            document, context.directory, raw, span
        )
        if found is not None:
            yield found


def _untitled(document: Document, directory: Directory, raw: str, line: Span) -> Finding | None:
    m = _NO_TITLE.search(raw)
    if m is None:
        return None
    rel = resolve(document.rel, m["path"])
    target = directory.get(rel) if rel else None
    title = target.title if target else words_from_stem(m["path"].rsplit("/", 1)[-1].removesuffix(".md"))
    edit = Edit(Span(line.start + m.start(), line.start + m.end()), f"[{title}]({m['path']})")
    message = msg(
        "The link has no title, so the agent sees no name for {path}. Write one between the brackets.",
        path=m["path"],
    )
    return Finding(edit.span, message, (safe(msg("Title it “{title}”", title=title), document.edit(edit)),))


def _broken(document: Document, directory: Directory, raw: str, line: Span) -> Finding | None:
    for pattern in (_SPACED, _SWAPPED, _BLANKS, _OPEN):
        m = pattern.search(raw)
        if m is None:
            continue
        path = m["path"].strip()
        target = f"<{path}>" if " " in path else path
        edit = Edit(Span(line.start + m.start(), line.start + m.end()), f"[{m['title']}]({target})")
        if edit.text == document.slice(edit.span):
            continue
        return Finding(
            edit.span,
            msg("This is no link; the form of an entry is `- [Title](file.md) — hook`."),
            (safe(msg("Write it as {link}", link=edit.text), document.edit(edit)),),
        )
    m = _NO_TARGET.search(raw)
    if m is None:
        return None
    where = Span(line.start + m.start(), line.start + m.end())
    message = msg(
        "The entry “{title}” names no file. Write one between the parentheses, or remove the line.",
        title=m["title"],
    )
    choices = directory.with_stem(m["title"]) or directory.named(m["title"])
    fixes = tuple(
        safe(msg("Point to {path}", path=d.rel), document.edit(Edit(where, f"[{m['title']}]({d.rel})")))
        for d in choices[:1]
    )
    return Finding(where, message, fixes)


RULE = Rule(
    name="index-entry-malformed",
    severity=Severity.WARNING,
    summary=msg("An index entry is no link."),
    rationale=msg(
        "An entry leads to its file through a Markdown link. A blank between the brackets, a file name with blanks and no "
        "angle brackets around it, or a parenthesis that is never closed, and no editor can follow it, nor does a check "
        "for dead entries see it. The many shapes in use (tables, bold links, bare file names, any separator) are all fine."
    ),
    check=check,
    kinds=frozenset({"index"}),
    fix=Safety.SAFE,
    examples=(
        Example(
            "MEMORY.md",
            bad="- [Logging] (feedback_logging.md) — structured logs only\n",
            good="- [Logging](feedback_logging.md) — structured logs only\n",
            files={
                "feedback_logging.md": "---\nname: Logging\ndescription: Structured logs only, the collector drops free text\ntype: feedback\n---\nNo print.\n"
            },
        ),
        Example(
            "MEMORY.md",
            bad="- [Port codes](port codes.md) — UN/LOCODE\n",
            good="- [Port codes](<port codes.md>) — UN/LOCODE\n",
            files={
                "port codes.md": "---\nname: Port codes\ndescription: Port codes follow UN/LOCODE\ntype: reference\n---\nBought.\n"
            },
        ),
    ),
)
