"""Links that lead nowhere, and where they may have been meant to lead."""

from __future__ import annotations

from memdir.core.directory import Directory, fold
from memdir.core.document import Document
from memdir.core.facts import NoProject
from memdir.core.fixing import type_from_stem
from memdir.core.index import resolve
from memdir.core.lazy_re import lazy
from memdir.core.rule import Context

# Comparing a name with each of thousands of files would hold up the editor; beyond this only equal names are found.
_MAX_COMPARED = 500
_HOST = lazy(r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/")
_CLOSE = 0.75


def dead_target(context: Context, document: Document, path: str) -> str | None:
    """The path (relative to the memory directory) that a link of `document` means, when certainly nothing is there.

    Only Markdown files are known to a memory directory, so other targets are never dead; nor is a path of the
    repository, which agents write too, nor a link out of the directory.
    """
    rel = resolve(document.rel, path)
    if rel is None or not rel.lower().endswith(".md") or rel in context.directory or in_escape(context, rel):
        return None
    if "/" in path and _HOST.match(path):
        return None
    if not isinstance(context.project, NoProject) and context.project.exists(path):
        return None
    return rel


def in_escape(context: Context, rel: str) -> bool:
    """True when the path is, or lies behind, a symbolic link out of the memory directory."""
    if not context.escapes:
        return False
    return rel in context.escapes or any(rel.startswith(link + "/") for link in context.escapes)


def renamed(directory: Directory, rel: str) -> tuple[Document, bool] | None:
    """(the memory that a dead path may mean now, whether the names differ in case, `-`, `_` or folder only)."""
    stem = rel.rsplit("/", 1)[-1][:-3]
    same = directory.with_stem(stem)
    if same:
        return same[0], len(same) == 1
    candidates = directory.orphans()
    if not candidates and len(directory) <= _MAX_COMPARED:
        candidates = list(directory.topics())
    if not candidates or len(candidates) > _MAX_COMPARED:
        return None
    import difflib

    bare = {_bare(d.stem): d for d in candidates}
    found = difflib.get_close_matches(_bare(stem), bare, n=1, cutoff=_CLOSE)
    return (bare[found[0]], False) if found else None


def _bare(stem: str) -> str:
    """A stem without its type prefix, folded: a renamed memory keeps its subject more often than its type."""
    folded = fold(stem)
    return folded.split("-", 1)[1] if type_from_stem(stem) and "-" in folded else folded
