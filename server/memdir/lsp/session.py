"""The server's state: open texts, workspace folders, memory directories, and how a change runs through them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from memdir.core.document import Document
from memdir.core.model import Diagnostic
from memdir.core.rule import Context
from memdir.lsp.buffers import Buffer, Buffers, path_of
from memdir.lsp.capabilities import Client
from memdir.lsp.convert import Text
from memdir.lsp.folder import Folder, memory_dir_around
from memdir.lsp.intake import Intake
from memdir.lsp.lifecycle import Lifecycle
from memdir.lsp.memory import Memory
from memdir.lsp.pruning import Pruning
from memdir.lsp.publisher import Publisher
from memdir.lsp.scheduler import Scheduler
from memdir.lsp.views import Views
from memdir.store.snapshot import read_bytes

if TYPE_CHECKING:
    from lsprotocol import types

    from memdir.lsp.server import MemdirServer
    from memdir.lsp.world import World


class HasPosition(Protocol):
    """Parameters of a request about a place in a document."""

    @property
    def text_document(self) -> types.TextDocumentIdentifier: ...
    @property
    def position(self) -> types.Position: ...


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in a memory file, with all that answers need."""

    memory: Memory
    document: Document
    text: Text
    context: Context
    offset: int


class Session:
    """Everything between `initialize` and `shutdown`. Methods run on the event loop and don't block it."""

    def __init__(self, server: MemdirServer, world: World, client: Client) -> None:
        self.server, self.world, self.client = server, world, client
        self.buffers = Buffers()
        self.folders: dict[str, Folder] = {}
        self.memories: dict[str, Memory] = {}
        self.findings: dict[str, list[Diagnostic]] = {}  # of open memory files, by path
        self.scheduler = Scheduler()
        self.publisher = Publisher(client, self.text_at, server.protocol.send_text, self._ask_for_pull)
        self.views = Views(self)
        self.lifecycle = Lifecycle(self)
        # Who follows along: a folder was opened, changed or (None) closed; files changed on disk
        self.on_folder: list[Callable[[Folder | None], None]] = []
        self.on_disk: list[Callable[[frozenset[str]], None]] = []
        self.elsewhere: dict[str, list[Diagnostic]] = {}  # findings about where a file lies, by path
        self.pruning = Pruning(self)
        self.intake = Intake(self)
        self._affected: dict[str, set[str]] = {}

    def _ask_for_pull(self) -> None:
        self.scheduler.later("pull", self.server.refresh.diagnostics, 0.01)

    # looking things up

    def find(self, path: str | None) -> tuple[Memory, str] | None:
        """The memory directory that holds a file, and the file's path in it."""
        if path is None or not path.endswith(".md"):
            return None
        for memory in self.memories.values():
            rel = memory.store.rel_of(path)
            if rel is not None:
                return memory, rel
        return None

    def locate(self, uri: str) -> tuple[Memory, Document] | None:
        """The memory file behind a URI, in its newest state."""
        buffer = self.buffers.get(uri)
        path = buffer.path if buffer is not None else path_of(uri)
        place = self.find(path)
        if place is None:
            return None
        memory, rel = place
        self.scheduler.settle(("own", memory.root, rel))
        self._freshen(memory, rel)
        document = memory.get(rel)
        return (memory, document) if document is not None else None

    def _freshen(self, memory: Memory, rel: str) -> None:
        """Look at the disk once more before something is built on a file that is not open."""
        if rel in memory.store.overlay or not memory.loaded:
            return
        changed = memory.store.refresh_file(rel)
        if changed:
            self.views.touched(memory, disk=True)
            self.recheck(memory, changed)

    def cursor(self, params: HasPosition) -> Cursor | None:
        """The memory file and the place in it that a request is about."""
        located = self.locate(params.text_document.uri)
        if located is None:
            return None
        memory, document = located
        text = self.text(document)
        return Cursor(
            memory, document, text, memory.context(self.world.clock()), text.offset(params.position)
        )

    def text(self, document: Document) -> Text:
        """Positions of a memory file, as the editor sees it."""
        buffer = self.buffers.at(document.path)
        if buffer is None:
            return Text.of(document, self.buffers.uri_of(document.path), self.client.encoding)
        lead = 1 if buffer.text.startswith("\ufeff") else 0
        return Text.of(document, buffer.uri, self.client.encoding, buffer.version, lead=lead)

    def text_at(self, path: str) -> Text | None:
        """Positions of any file: a memory, an open buffer, else what is on disk."""
        place = self.find(path)
        if place is not None:
            self._freshen(*place)
            document = place[0].get(place[1])
            if document is not None:
                return self.text(document)
        buffer = self.buffers.at(path)
        if buffer is not None:
            return Text.of(
                Document(path, path, buffer.text), buffer.uri, self.client.encoding, buffer.version
            )
        try:
            content = read_bytes(path)
        except OSError:
            return None
        return Text.of_bytes(content, self.buffers.uri_of(path), self.client.encoding)

    def overlay(self, path: str) -> str | None:
        """Text of an open buffer."""
        buffer = self.buffers.at(path)
        return buffer.text if buffer is not None else None

    # the editor's texts

    def did_open(self, uri: str, version: int | None, text: str, language: str) -> None:
        self._entered(self.buffers.open(uri, version, text, language))

    def did_change(self, uri: str, version: int | None, text: str) -> None:
        buffer = self.buffers.change(uri, version, text)
        if buffer is not None:
            self._entered(buffer)

    def _entered(self, buffer: Buffer) -> None:
        place = self.find(buffer.path)
        if place is not None:
            memory, rel = place
            self.scheduler.soon(("own", memory.root, rel), lambda: self._absorb(memory, rel, buffer))
        elif buffer.path is not None:
            self.lifecycle.file_touched(buffer.path)
            root = memory_dir_around(buffer.path)
            if root is not None and buffer.path.endswith(".md"):
                self.lifecycle.adopt(root)

    def did_close(self, uri: str) -> None:
        buffer = self.buffers.close(uri)
        if buffer is None or buffer.path is None:
            return
        self.findings.pop(buffer.path, None)
        self.publisher.closed(uri)
        place = self.find(buffer.path)
        if place is None:
            self.lifecycle.file_touched(buffer.path)
            return
        memory, rel = place
        self.scheduler.settle(("own", memory.root, rel))
        changed = memory.store.close(rel)
        self.views.touched(memory, disk=True)
        self.recheck(memory, changed | {rel})

    def did_save(self, uri: str) -> None:
        """The file's time of change follows; so does what depends on it."""
        buffer = self.buffers.get(uri)
        place = self.find(buffer.path) if buffer is not None else None
        if place is None or buffer is None:
            return
        memory, rel = place
        memory.store.refresh_file(rel)
        self.scheduler.soon(("own", memory.root, rel), lambda: self._absorb(memory, rel, buffer))
        self.views.touched(memory, disk=True)  # the watcher will find nothing new

    def _absorb(self, memory: Memory, rel: str, buffer: Buffer) -> None:
        """Take over the newest text of a buffer, check it at once, the files it affects a little later."""
        if self.buffers.get(buffer.uri) is not buffer or self.memories.get(memory.root) is not memory:
            return
        before, alike = memory.row(rel), _alike(self.findings.get(memory.store.directory.path_of(rel), ()))
        shared = memory.store.directory.facts(rel)
        changed = memory.store.open(rel, buffer.text)
        found = self.show(memory, rel, own=True)
        linked = memory.store.directory.facts(rel) != shared  # others are referred to or listed by it
        if linked or memory.row(rel) != before:
            self.views.touched(memory, disk=linked)
        partners = {memory.store.rel_of(path) for path in alike | _alike(found)}
        self._affect(memory, {*changed, *(p for p in partners if p is not None)} - {rel})

    # checking

    def show(self, memory: Memory, rel: str, *, own: bool = False) -> list[Diagnostic]:
        """Check one file and bring the result to the client; gives the findings."""
        document = memory.get(rel)
        if document is None:
            if memory.note(rel, ()):
                self.views.touched(memory)
            self.publisher.clear(self.buffers.uri_of(memory.store.directory.path_of(rel)))
            return []
        found = [*self.elsewhere.get(document.path, ()), *memory.check(rel, self.world.clock())]
        if memory.note(rel, found):
            self.views.touched(memory)
        is_open = self.buffers.at(document.path) is not None
        if is_open:
            self.findings[document.path] = found
        if found or is_open or not self.publisher.silent(self.buffers.uri_of(document.path)):
            pull = is_open and self.client.pull
            self.publisher.show(self.text(document), found, pull=pull, own=own, is_open=is_open)
        return found

    def _affect(self, memory: Memory, rels: Iterable[str]) -> None:
        waiting = self._affected.setdefault(memory.root, set())
        waiting.update(rels)
        if waiting:
            self.scheduler.later(("affected", memory.root), lambda: self._check_affected(memory))

    def _check_affected(self, memory: Memory) -> None:
        self.recheck(memory, self._affected.pop(memory.root, set()))

    def recheck(self, memory: Memory, rels: Iterable[str]) -> None:
        """Check files in the background, those that are open first."""
        ordered = self.open_first(memory, rels)
        if ordered:
            self.scheduler.background(self.recheck_steps(memory, ordered))

    def recheck_steps(self, memory: Memory, rels: list[str]) -> Iterator[None]:
        """The same, a file at a time."""
        for rel in rels:
            if self.memories.get(memory.root) is not memory:
                return
            self.show(memory, rel)
            self.release(memory, rel)
            yield

    def recheck_all(self, memory: Memory) -> None:
        """Check everything again: settings, the day or the repository changed."""
        known = set(memory.store.directory.documents) | set(memory.counts)
        self.recheck(memory, known)

    # memory directories and the disk

    def add(self, memory: Memory) -> None:
        """Start to look after a memory directory; its open files at once, the rest behind them."""
        self.memories[memory.root] = memory
        for buffer in self.buffers:
            place = self.find(buffer.path)
            if place is not None and place[0] is memory:
                self._entered(buffer)
        self.rescan(memory)

    def drop(self, memory: Memory) -> None:
        """Stop looking after a memory directory."""
        if self.memories.get(memory.root) is not memory:
            return
        del self.memories[memory.root]
        for rel in {*memory.store.directory.documents, *memory.counts}:
            path = memory.store.directory.path_of(rel)
            self.findings.pop(path, None)
            self.publisher.clear(self.buffers.uri_of(path))
        self.views.touched(None)

    def rescan(self, memory: Memory) -> None:
        """Bring a memory directory in step with the disk."""
        self.intake.rescan(memory)

    def disk_changed(self, paths: Iterable[str]) -> None:
        """Files or folders were added, changed or removed on disk."""
        self.intake.disk_changed(frozenset(paths))

    def is_open(self, memory: Memory, rel: str) -> bool:
        """The editor shows this file."""
        return self.buffers.at(memory.store.directory.path_of(rel)) is not None

    def release(self, memory: Memory, rel: str) -> None:
        """Let a file that nobody looks at take less memory."""
        document = memory.get(rel)
        if document is not None and document.kind == "topic" and not self.is_open(memory, rel):
            document.release()

    def open_first(self, memory: Memory, rels: Iterable[str]) -> list[str]:
        """In the order in which people wait for them."""
        return sorted(rels, key=lambda rel: (not self.is_open(memory, rel), rel))


def _alike(found: Iterable[Diagnostic]) -> set[str]:
    """Paths of the files that near-duplicate findings name: theirs change with this file."""
    paths: set[str] = set()
    for diagnostic in found:
        if diagnostic.rule == "near-duplicate":
            paths.update(related.path for related in diagnostic.related)
    return paths
