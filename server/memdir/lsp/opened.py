"""The memory file that a request is about, once the server knows its folders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memdir.core.directory import Directory
    from memdir.core.document import Document
    from memdir.core.rule import Context
    from memdir.lsp.convert import Text
    from memdir.lsp.memory import Memory
    from memdir.lsp.server import MemdirServer


@dataclass(frozen=True, slots=True)
class Opened:
    """A memory file in its newest state, with its positions."""

    server: MemdirServer
    memory: Memory
    document: Document
    text: Text

    @property
    def directory(self) -> Directory:
        return self.memory.store.directory

    @property
    def context(self) -> Context:
        """What there is to know at this moment."""
        return self.memory.context(self.server.session.world.clock())


async def opened(server: MemdirServer, uri: str) -> Opened | None:
    """The memory file behind `uri`; None when it is none.

    Editors ask for outline and folding once, right after they opened a file, and that may be before the workspace
    folders are known: this waits for them instead of answering "nothing".
    """
    await server.lifecycle.started()
    located = server.session.locate(uri)
    if located is None:
        await server.lifecycle.ready()
        located = server.session.locate(uri)
    if located is None:
        return None
    memory, document = located
    return Opened(server, memory, document, server.session.text(document))
