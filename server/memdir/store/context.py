"""Reads the layers of instructions that the agent's client would load for a working directory.

Nothing is executed and nothing outside the named places is read: an import may point anywhere on the disk, as it may
for the client, but only regular text files up to a cap are opened.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memdir.core.context_layers import (
    MAX_IMPORT_DEPTH,
    ContextLayer,
    LayerKind,
    State,
    find_imports,
    strip_comments,
    without_front,
)
from memdir.core.document import INDEX_NAME, Document
from memdir.core.index import load
from memdir.core.settings import Settings
from memdir.core.text import decode, units
from memdir.store.agents import agent_directories
from memdir.store.client_settings import managed_paths
from memdir.store.environment import Environment
from memdir.store.locate import Location
from memdir.store.snapshot import read_bytes

CAP = 4_000_000
INSTRUCTIONS = "CLAUDE.md"


@dataclass(slots=True)
class _Reader:
    """Reads instruction files once each; `overlay` gives the text of open buffers."""

    home: str
    overlay: Callable[[str], str | None]
    seen: set[str]

    def text(self, path: str) -> str | None:
        open_text = self.overlay(path)
        if open_text is not None:
            return open_text
        try:
            return decode(read_bytes(path, CAP))[0] if os.path.isfile(path) else None
        except OSError:
            return None

    def layers(self, kind: LayerKind, path: str, chain: tuple[str, ...] = ()) -> Iterator[ContextLayer]:
        """The layer of one file, its imports before it as the client inlines them where they stand, in order."""
        real = os.path.realpath(path)
        if real in self.seen:
            return
        text = self.text(path)
        if text is None:
            return
        self.seen.add(real)
        body, globs = without_front(text)
        body = strip_comments(body)
        state: State = "conditional" if globs and kind in ("rule", "user-rule") else "loaded"
        yield ContextLayer(
            kind, path, body, state, globs, chain, "paths" if state == "conditional" else "", units(text)
        )
        for target in find_imports(body):
            full = self.resolve(path, target)
            inner = (*chain, path)
            if not os.path.isfile(full):
                if "/" in target or target.endswith(".md"):
                    yield ContextLayer("import", full, "", "not-loaded", (), inner, "missing")
            elif len(inner) > MAX_IMPORT_DEPTH:
                yield ContextLayer("import", full, "", "not-loaded", (), inner, "too-deep")
            elif os.path.realpath(full) in self.seen:
                yield ContextLayer("import", full, "", "not-loaded", (), inner, "already-loaded")
            else:
                yield from self.layers("import", full, inner)

    def resolve(self, source: str, target: str) -> str:
        if target.startswith("~/"):
            return os.path.join(self.home, target[2:])
        return os.path.normpath(os.path.join(os.path.dirname(source), target))

    def rules(self, kind: LayerKind, folder: str) -> Iterator[ContextLayer]:
        for base, folders, files in os.walk(folder):
            folders.sort()
            for name in sorted(files):
                if name.endswith(".md"):
                    yield from self.layers(kind, os.path.join(base, name))


def context_layers(
    location: Location,
    environment: Environment,
    settings: Settings,
    cwd: str | None = None,
    overlay: Callable[[str], str | None] = lambda path: None,
) -> list[ContextLayer]:
    """Every layer for `cwd` (default: the location's own path), in the order in which the client loads them."""
    cwd = cwd or location.path
    read = _Reader(environment.home, overlay, set())
    return [
        *_instructions(location, environment, cwd, read),
        *_indexes(location, environment, settings, cwd, read),
    ]


def instruction_files(location: Location, environment: Environment) -> list[ContextLayer]:
    """The layers that are instructions and load at the start: no memory indexes, nothing missing or on demand."""
    layers = _instructions(location, environment, location.path, _Reader(environment.home, _from_disk, set()))
    return [layer for layer in layers if layer.state == "loaded"]


def _from_disk(_: str) -> None:
    return None


def _instructions(
    location: Location, environment: Environment, cwd: str, read: _Reader
) -> list[ContextLayer]:
    found: list[ContextLayer] = []
    for managed in managed_paths(environment.system_root, environment.platform, environment.environ):
        found += read.layers("managed", os.path.join(os.path.dirname(managed), INSTRUCTIONS))
    found += read.layers("user", os.path.join(location.config_dir, INSTRUCTIONS))
    found += read.rules("user-rule", os.path.join(location.config_dir, "rules"))
    top = location.top
    for folder in _ancestors(top):
        found += read.layers("ancestor", os.path.join(folder, INSTRUCTIONS))
    found += read.layers("project", os.path.join(top, INSTRUCTIONS))
    found += read.layers("project-dot-claude", os.path.join(top, ".claude", INSTRUCTIONS))
    found += read.rules("rule", os.path.join(top, ".claude", "rules"))
    found += read.layers("local", os.path.join(top, "CLAUDE.local.md"))
    for folder in _below(top, cwd):
        found += read.layers("nested", os.path.join(folder, INSTRUCTIONS))
        found += read.layers("local", os.path.join(folder, "CLAUDE.local.md"))
    return found


def _ancestors(top: str) -> list[str]:
    """Directories above `top`, outermost first."""
    found, at = [], os.path.dirname(top)
    while at not in found:
        found.append(at)
        at = os.path.dirname(at)
    return [] if found == [top] else found[::-1]


def _below(top: str, cwd: str) -> list[str]:
    """Directories between `top` (excluded) and `cwd` (included), outermost first."""
    if not cwd.startswith(top.rstrip(os.sep) + os.sep):
        return []
    found, at = [], cwd
    while at != top:
        found.append(at)
        at = os.path.dirname(at)
    return found[::-1]


def _indexes(
    location: Location, environment: Environment, settings: Settings, cwd: str, read: _Reader
) -> Iterator[ContextLayer]:
    places: list[tuple[LayerKind, str]] = [
        ("memory-index", os.path.join(location.memory_dir, INDEX_NAME)),
        ("team-index", os.path.join(location.memory_dir, "team", INDEX_NAME)),
    ]
    if location.enabled:
        places += [
            ("agent-index", os.path.join(a.path, INDEX_NAME))
            for a in agent_directories(cwd, environment)
            if a.exists and a.definition is not None
        ]
    for kind, path in places:
        text = read.text(path)
        if text is None:
            continue
        if not location.enabled:
            yield ContextLayer(kind, path, "", "not-loaded", (), (), "memory-off", units(text))
            continue
        loaded = load(Document(path, INDEX_NAME, text), settings.index_lines, settings.index_size)
        why = {"lines": "line-limit", "size": "size-limit", "both": "both-limits"}.get(
            loaded.truncated or "", ""
        )
        yield ContextLayer(kind, path, loaded.text, "cut" if why else "loaded", (), (), why, units(text))
