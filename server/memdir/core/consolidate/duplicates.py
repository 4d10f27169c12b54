"""Exact and near duplicates merged: one memory is kept and takes over every statement that only the other one has.

Only memories of one scope and type are merged, and none that differ in numbers, dates or identifiers: those are a series,
each a fact of its own. Nothing is lost word for word; whether the merged text reads well is for a person to see, so the
deletion needs consent.
"""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.consolidate.redirect import redirect
from memdir.core.consolidate.work import Work, only_rules, topics
from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.lint import check_document
from memdir.core.model import Edit, Span
from memdir.core.preservation import normalised, statements
from memdir.core.rule import Context
from memdir.core.shingles import compare, content_of
from memdir.core.similarity import prepare
from memdir.core.staleness import written


def merge_duplicates(work: Work) -> None:
    """Merge what is the same or nearly so. Pairs that a person must judge become notes."""
    if not work.context.settings.runs("near-duplicate"):
        return
    directory = work.directory
    prepare(directory)
    context = only_rules(work.context, ("near-duplicate",))
    into: dict[str, str] = {}
    for first, second in _pairs(work, context):
        rel, other = _now(first, into), _now(second, into)
        one, two = directory.get(rel), directory.get(other)
        if one is None or two is None or one is two:
            continue
        likeness = compare(content_of(one), content_of(two))
        percent = round(likeness.score * 100)
        if _same(one, two):
            percent = 100
        elif likeness.series:
            work.notes.append(
                msg("{first} and {second} are {percent} % the same but differ in numbers; look whether each is a fact of its own.", first=rel, second=other, percent=percent)
            )  # fmt: skip
            continue
        if one.scope != two.scope or (one.type and two.type and one.type != two.type):
            work.notes.append(
                msg("{first} and {second} are {percent} % the same, but of different scope or type; decide which one stays.", first=rel, second=other, percent=percent)
            )  # fmt: skip
            continue
        keep, drop = sorted((one, two), key=lambda d: _rank(work, d))
        _merge(work, keep, drop, percent)
        into[drop.rel] = keep.rel


def _now(rel: str, into: dict[str, str]) -> str:
    """Where the memory `rel` went."""
    while rel in into:
        rel = into[rel]
    return rel


def _pairs(work: Work, context: Context) -> Iterator[tuple[str, str]]:
    """Pairs worth a look, each once: the same text first, then what the rule finds (and nobody suppressed)."""
    by_text: dict[str, list[str]] = {}
    documents = topics(work)
    for document in documents:
        text = normalised(document.description + "\n" + document.body)
        if text and not ("memdir:" in document.text and "near-duplicate" in document.text):  # suppressed
            by_text.setdefault(text, []).append(document.rel)
    seen: set[tuple[str, str]] = set()
    for rels in by_text.values():
        for other in rels[1:]:
            seen.add((rels[0], other))
            yield rels[0], other
    prefix = work.directory.root + "/"
    for document in documents:
        present = work.directory.get(document.rel)
        if present is None:
            continue
        for diagnostic in check_document(present, context):
            data = diagnostic.data or {}
            found = data.get("duplicates")
            for path in found if isinstance(found, list) else ():
                first, second = sorted((document.rel, str(path).removeprefix(prefix)))
                pair = (first, second)
                if pair not in seen and (second, first) not in seen:
                    seen.add(pair)
                    yield pair


def _same(one: Document, two: Document) -> bool:
    return normalised(one.description + "\n" + one.body) == normalised(two.description + "\n" + two.body)


def _rank(work: Work, document: Document) -> tuple[bool, int, float, str]:
    """The one to keep sorts first: listed, often cited, lately written."""
    when = written(document)
    cited = len(work.directory.cited_by(document.rel))
    return (
        document.rel not in work.directory.reachable,
        -cited,
        -(when.at.timestamp() if when else 0.0),
        document.rel,
    )


def _merge(work: Work, keep: Document, drop: Document, percent: int) -> None:
    known = {normalised(s) for s in statements(keep)}
    whole = f" {normalised(keep.description + ' ' + keep.body)} "
    extra = [line for line in _only_in(drop) if not _known(line, known, whole)]
    if extra and (drop.markdown.tables or any(c.kind != "span" for c in drop.markdown.code)):
        # lines of a table or of code mean nothing alone
        extra = [e for e in extra[:1] if e == drop.description] + ["", *drop.body.strip("\r\n").splitlines()]
    newline = keep.newline
    if extra:
        end = len(keep.text)
        lead = "" if keep.text.endswith(("\n", "\r")) else newline
        text = lead + newline + newline.join(extra) + newline
        reason = msg(
            "takes over what only {file} says ({percent} % the same)", file=drop.rel, percent=percent
        )
        work.edit(keep, [Edit(Span(end, end), text)], reason)
    touched = redirect(work, drop, keep)
    work.delete(drop.rel, msg("merged into {file} ({percent} % the same)", file=keep.rel, percent=percent))
    work.groups.append(frozenset({keep.rel, drop.rel, *touched}))


def _only_in(document: Document) -> Iterator[str]:
    """What may be taken over: the description, then the lines of the body as they are written."""
    yield document.description
    for line in document.body.splitlines():
        yield line.rstrip()


def _known(line: str, known: set[str], whole: str) -> bool:
    """Nothing in the line would be new."""
    text = normalised(line)
    if not text or line.lstrip().startswith(("#", "```", "~~~", "---", "<!--")):
        return True
    if text in known or f" {text} " in whole:
        return True
    probe = Document("/x.md", "x.md", line)
    parts = [normalised(s) for s in statements(probe)]
    return bool(parts) and all(p in known or f" {p} " in whole for p in parts)
