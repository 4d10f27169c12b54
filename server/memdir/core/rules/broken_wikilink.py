"""`broken-wikilink`: `[[name]]` for a memory that is not written yet."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.directory import Directory, fold, link_name
from memdir.core.document import Document
from memdir.core.fixing import type_from_stem, unsafe
from memdir.core.i18n import msg
from memdir.core.lazy_re import lazy
from memdir.core.markdown import WikiLink
from memdir.core.model import CreateFile, Edit, Finding, Fix, Safety, Severity
from memdir.core.prose import plain, shorten
from memdir.core.rule import Context, Example, Reads, Rule
from memdir.core.text import printable

_MAX_COMPARED = 500
_CLOSE = 0.85
_UNFIT = lazy(r"[^\w.-]+")


def check(document: Document, context: Context) -> Iterator[Finding]:
    directory = context.directory
    wanted = directory.wanted(document)
    if not wanted:
        return
    seen: set[str] = set()
    for link in document.markdown.wikilinks:
        name = fold(link_name(link.name))
        if name not in wanted or name in seen or name == "memory":  # [[MEMORY]] is the index
            continue
        seen.add(name)
        yield Finding(
            link.name_span,
            msg(
                "No memory is called {name}. That is fine for one still to be written; else the name is wrong.",
                name=link.name,
            ),
            tuple(_fixes(document, directory, link)),
        )


def _fixes(document: Document, directory: Directory, link: WikiLink) -> Iterator[Fix]:
    from memdir.core.header_edit import new_header

    if len(directory) <= _MAX_COMPARED:
        import difflib

        stems = {fold(d.stem): d.stem for d in directory.topics()}
        close = difflib.get_close_matches(fold(link_name(link.name)), stems, n=1, cutoff=_CLOSE)
        if close:
            yield unsafe(
                msg("Change to [[{name}]]", name=stems[close[0]]),
                document.edit(Edit(link.name_span, stems[close[0]])),
            )
    stem = _UNFIT.sub("_", link_name(link.name)).strip("._")
    folder = "team/" if document.rel.startswith("team/") else ""
    rel = f"{folder}{stem}.md"
    if stem and rel not in directory:
        line = document.lines.line(document.lines.line_of(link.span.start))
        description = shorten(plain(line), 150) or link.name
        type_ = type_from_stem(stem) or document.type or "project"
        newline = document.newline
        content = new_header(link.name, description, type_, newline) + newline + plain(line) + newline
        yield unsafe(
            msg("Create {path}", path=rel),
            CreateFile(directory.path_of(rel), printable(content).encode()),
        )


RULE = Rule(
    name="broken-wikilink",
    severity=Severity.HINT,
    summary=msg("A `[[name]]` link means no memory."),
    rationale=msg(
        "Agents may link to a memory that does not exist yet, to mark something worth writing down, so this is a hint. "
        "About 7 % of real links are in this state, some of them misspelt. A link is looked up by file name first, then by "
        "name; case, `-`, `_` and blanks are not told apart. The fix creates the memory from the line that mentions it."
    ),
    check=check,
    kinds=frozenset({"topic", "index"}),
    reads=Reads.DIRECTORY,
    fix=Safety.UNSAFE,
    examples=(
        Example(
            "reference_port_codes.md",
            bad="---\nname: Port codes\ndescription: Port codes follow UN/LOCODE\ntype: reference\n---\nThe list is kept by the [[harbour-masters]].\n",
            good="---\nname: Port codes\ndescription: Port codes follow UN/LOCODE\ntype: reference\n---\nSee [[tide_tables]].\n",
            files={
                "project_tides.md": "---\nname: tide-tables\ndescription: Tide tables are bought from the hydrographic office\ntype: project\n---\nBought.\n"
            },
        ),
    ),
)
