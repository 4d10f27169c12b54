"""`memdir/tree`: the rows of the sidebar."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from memdir.core.age import days_old
from memdir.core.document import Document
from memdir.core.i18n import Message, msg, render
from memdir.ide.card import recall_words
from memdir.lsp import ext
from memdir.lsp.memory import NONE, Counts, Memory

if TYPE_CHECKING:
    from memdir.lsp.folder import Folder
    from memdir.lsp.session import Session

TYPES = ("user", "feedback", "project", "reference")


class TreeBuilder:
    """Builds the rows of one session at one moment."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._locale = session.client.locale
        self._now: datetime = session.world.clock()

    def roots(self, uri: str | None = None) -> list[ext.Node]:
        """Rows of one workspace folder, or of all (each under a row of its own when there are several)."""
        folders = [
            f for f in self._session.folders.values() if not f.adopted and (uri is None or f.uri == uri)
        ]
        if len(folders) == 1:
            return self._folder(folders[0])
        return [self._folder_row(f) for f in folders]

    def _folder_row(self, folder: Folder) -> ext.Node:
        children = self._folder(folder)
        return _with_children(
            {
                "id": f"folder:{folder.uri}",
                "kind": "group",
                "label": os.path.basename(folder.path) or folder.path,
                "tooltip": folder.path,
                "uri": folder.uri,
                "contextValue": "folder",
            },
            children,
        )

    def _folder(self, folder: Folder) -> list[ext.Node]:
        rows: list[ext.Node] = []
        agents: list[ext.Node] = []
        for memory in folder.memories:
            if memory.agent is not None:
                agents.append(self._agent(memory))
                continue
            documents = list(memory.store.directory)
            private = [d for d in documents if d.scope != "team"]
            team = [d for d in documents if d.scope == "team"]
            if private:
                rows.append(self._scope(memory, "private", msg("Private"), private))
            if team:
                rows.append(self._scope(memory, "team", msg("Team"), team))
        if agents:
            ident = f"agents:{folder.path}"
            row: ext.Node = {
                "id": ident,
                "kind": "group",
                "label": self._text(msg("Agents")),
                "contextValue": "agents",
            }
            rows.append(_with_children(row, agents))
        return rows

    def _scope(self, memory: Memory, scope: str, label: Message, documents: list[Document]) -> ext.Node:
        base = f"{memory.root}|{scope}"
        topics = [d for d in documents if d.kind == "topic"]
        children = [self._index(memory, d) for d in documents if d.kind == "index"]
        known: dict[str, list[Document]] = {}
        for document in topics:
            known.setdefault(document.type, []).append(document)
        others = sorted(t for t in known if t and t not in TYPES)
        for kind in (*TYPES, *others, ""):
            if kind in known:
                children.append(self._type(memory, base, scope, kind, known[kind]))
        logs = sorted((d for d in documents if d.kind == "log"), key=lambda d: d.rel, reverse=True)
        if logs:
            group: ext.Node = {
                "id": f"{base}|logs",
                "kind": "group",
                "label": self._text(msg("Daily logs")),
                "contextValue": f"logs {scope}",
            }
            children.append(_with_children(group, [self._log(memory, d) for d in logs]))
        row: ext.Node = {
            "id": base,
            "kind": "scope",
            "label": self._text(label),
            "description": self._count(len(topics)),
            "tooltip": memory.root if scope == "private" else f"{memory.root}/team",
            "scope": scope,
            "contextValue": f"scope {scope}",
        }
        return _with_children(row, children)

    def _type(self, memory: Memory, base: str, scope: str, kind: str, documents: list[Document]) -> ext.Node:
        row: ext.Node = {
            "id": f"{base}|type:{kind}",
            "kind": "type",
            "label": self._text(type_label(kind)),
            "description": str(len(documents)),
            "scope": scope,
            "contextValue": f"type {scope}",
        }
        if kind:
            row["memoryType"] = kind
        return _with_children(row, self._memories(memory, documents))

    def _memories(self, memory: Memory, documents: Iterable[Document]) -> list[ext.Node]:
        rows = [self._memory(memory, d) for d in documents]
        rows.sort(key=lambda r: (r["label"].casefold(), r["id"]))
        return rows

    def _memory(self, memory: Memory, document: Document) -> ext.Node:
        row: ext.Node = {
            "id": document.path,
            "kind": "memory",
            "label": document.title,
            "uri": self._session.buffers.uri_of(document.path),
            "scope": document.scope,
            "contextValue": f"memory {document.scope}",
        }
        tooltip = [escape(document.description)] if document.description else []
        recalled = recall_words(memory.folder.workspace.recalls(memory.store).of(document.rel))
        if recalled is not None:
            tooltip.append(escape(self._text(recalled)))
        if tooltip:
            row["tooltip"] = "\n\n".join(tooltip)
        if document.type:
            row["memoryType"] = document.type
        if document.mtime is not None:
            row["age"] = days_old(document.mtime, self._now)
        return self._with_problems(row, memory, document.rel)

    def _index(self, memory: Memory, document: Document) -> ext.Node:
        settings = memory.folder.workspace.settings
        loaded = memory.store.directory.loaded(document, settings.index_lines, settings.index_size)
        row: ext.Node = {
            "id": document.path,
            "kind": "index",
            "label": "MEMORY.md",
            "description": self._text(
                msg(
                    "{lines}/{max} lines, {size}/{limit} KB",
                    lines=loaded.lines,
                    max=settings.index_lines,
                    size=f"{loaded.utf16 / 1000:.1f}",
                    limit=f"{settings.index_size / 1000:g}",
                )
            ),
            "uri": self._session.buffers.uri_of(document.path),
            "scope": document.scope,
            "contextValue": f"index {document.scope}",
        }
        return self._with_problems(row, memory, document.rel)

    def _log(self, memory: Memory, document: Document) -> ext.Node:
        row: ext.Node = {
            "id": document.path,
            "kind": "log",
            "label": document.stem,
            "uri": self._session.buffers.uri_of(document.path),
            "scope": document.scope,
            "contextValue": f"log {document.scope}",
        }
        return self._with_problems(row, memory, document.rel)

    def _agent(self, memory: Memory) -> ext.Node:
        documents = list(memory.store.directory)
        topics = [d for d in documents if d.kind != "index"]
        children = [self._index(memory, d) for d in documents if d.kind == "index"]
        row: ext.Node = {
            "id": f"agent:{memory.root}",
            "kind": "agent",
            "label": memory.agent or os.path.basename(memory.root),
            "description": self._count(len(topics)),
            "tooltip": memory.root,
            "scope": "agent",
            "contextValue": "agent",
        }
        return _with_children(row, [*children, *self._memories(memory, topics)])

    def _with_problems(self, row: ext.Node, memory: Memory, rel: str) -> ext.Node:
        counts = memory.counts.get(rel)
        if counts is not None:
            row["problems"] = counts.json()
        return row

    def _count(self, number: int) -> str:
        return self._text(msg("1 memory") if number == 1 else msg("{count} memories", count=number))

    def _text(self, message: Message) -> str:
        return render(message, self._locale)


def type_label(kind: str) -> Message:
    """Name of a memory type for people; unknown types as they are written."""
    known = {
        "user": msg("User"),
        "feedback": msg("Feedback"),
        "project": msg("Project"),
        "reference": msg("Reference"),
        "": msg("Without a type"),
    }
    return known.get(kind) or msg("{type}", type=kind)


def escape(text: str) -> str:
    """`text` as Markdown that shows it as it is."""
    return "".join("\\" + c if c in "\\`*_{}[]()#+-.!|<>~" else c for c in text)


def _with_children(row: ext.Node, children: list[ext.Node]) -> ext.Node:
    row["children"] = children
    total = NONE
    for child in children:
        if "problems" in child:
            p = child["problems"]
            total = total.plus(Counts(p["error"], p["warning"], p["information"], p["hint"]))
    if total:
        row["problems"] = total.json()
    return row
