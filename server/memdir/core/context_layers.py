"""The layers of instructions an agent's client loads for a working directory, in order, and what repeats between them.

Order and rules: docs/facts/client-behaviour.md, "What reaches the model". The disk is read by `memdir.store.context`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memdir.core.lazy_re import lazy
from memdir.core.markdown import parse_markdown
from memdir.core.text import units
from memdir.core.tokens import estimate_tokens

LayerKind: TypeAlias = Literal[
    "managed", "user", "user-rule", "ancestor", "project", "import", "project-dot-claude", "rule", "local", "nested",
    "memory-index", "team-index", "agent-index",
]  # fmt: skip
State: TypeAlias = Literal["loaded", "conditional", "cut", "not-loaded"]
# Hops of @imports the client follows (its documentation; deeper ones are left out without a word).
MAX_IMPORT_DEPTH = 5


@dataclass(frozen=True, slots=True)
class ContextLayer:
    """One file of the context. `text` is what reaches the model, `globs` gate a path-scoped rule, `chain` are the files
    that led to an import (outermost first), `why` says why it is cut or not loaded (plain key, see `REASONS`)."""

    kind: LayerKind
    path: str
    text: str
    state: State = "loaded"
    globs: tuple[str, ...] = ()
    chain: tuple[str, ...] = ()
    why: str = ""
    size: int = 0  # UTF-16 units of the whole file, before any cut

    @property
    def characters(self) -> int:
        """Size of the loaded text in UTF-16 units."""
        return units(self.text)

    @property
    def tokens(self) -> int:
        return estimate_tokens(self.text)


@dataclass(frozen=True, slots=True)
class Repeat:
    """A line that stands in several layers."""

    text: str
    paths: tuple[str, ...]


_IMPORT = lazy(r"(?<![\w`@./])@(?P<path>(?:~/|\.{1,2}/|/)?[\w.][^\s`'\",;()<>]*)")
_NAME = lazy(r"\.\w+$|/")


def find_imports(text: str) -> list[str]:
    """Paths of `@imports` in `text`, in order: not in code, not e-mail addresses, not @mentions without a path."""
    if "@" not in text:
        return []
    markdown = parse_markdown(text)
    found = []
    for m in _IMPORT.finditer(text):
        path = m["path"].rstrip(".:!?")
        if _NAME.search(path) and not markdown.in_code(m.start()):
            found.append(path)
    return found


_SPACE = lazy(r"\s+")
_MARKS = lazy(r"^(?:[-*+#>]|\d+[.)])+\s*")
_WORTH = 24  # shorter lines ("## Testing") repeat without meaning anything


def find_repeats(layers: Sequence[ContextLayer]) -> list[Repeat]:
    """Lines of some length that stand in more than one loaded layer, white space, case and list marks aside."""
    seen: dict[str, tuple[str, dict[str, None]]] = {}
    for layer in layers:
        if layer.state == "not-loaded":
            continue
        for line in layer.text.splitlines():
            plain = _MARKS.sub("", _SPACE.sub(" ", line).strip())
            if len(plain) >= _WORTH and not plain.startswith(("|", "```", "http")):
                seen.setdefault(plain.casefold(), (plain, {}))[1][layer.path] = None
    return [Repeat(text, tuple(paths)) for text, paths in seen.values() if len(paths) > 1]


def without_front(text: str) -> tuple[str, tuple[str, ...]]:
    """(text without frontmatter, globs of its `paths:` key), as the client reads a rule file."""
    from memdir.core.frontmatter import find_frontmatter

    header = find_frontmatter(text)
    if header is None or not header.closed:
        return text, ()
    return text[header.span.end :], tuple(split_globs(header.get("paths")))


def split_globs(value: str) -> Iterable[str]:
    """Globs of a `paths:` value: a scalar, a comma list, or a YAML list as source text. Braces keep their commas."""
    value = value.strip()
    if value.startswith("[") and value.endswith("]"):
        value = value[1:-1]
    parts: list[str] = []
    for line in re.split(r"\n|^- |(?<=\s)- ", value):
        depth, at = 0, 0
        for i, c in enumerate(line + ","):
            depth += (c == "{") - (c == "}")
            if c == "," and depth <= 0:
                parts.append(line[at:i])
                at = i + 1
    for part in parts:
        glob = part.strip().removeprefix("- ").strip().strip("\"'")
        if glob:
            yield glob


def strip_comments(text: str) -> str:
    """`text` without block-level HTML comments, trimmed: what the client keeps of an instruction file."""
    if "<!--" not in text:
        return text.strip()
    parts, pos = [], 0
    for comment in parse_markdown(text).comments:
        if comment.block and comment.span.start >= pos:
            parts.append(text[pos : comment.span.start])
            pos = comment.span.end
    return "".join([*parts, text[pos:]]).strip()
