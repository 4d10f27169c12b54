"""The language server: puts protocol, state and handlers together."""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from memdir import __version__
from memdir.core.i18n import Message, render
from memdir.lsp.capabilities import Client
from memdir.lsp.protocol import MemdirProtocol, converter
from memdir.lsp.world import World

if TYPE_CHECKING:
    from memdir.lsp.jobs.jobs import Jobs
    from memdir.lsp.lifecycle import Lifecycle
    from memdir.lsp.session import Session
    from memdir.lsp.views import Views

logger = logging.getLogger(__name__)

# One module per feature; each has register(server).
HANDLERS = (
    "lifecycle",
    "diagnostics",
    "code_actions",
    "commands",
    "hover",
    "completion",
    "navigation",
    "document_links",
    "rename",
    "symbols",
    "inlay_hints",
    "code_lens",
    "formatting",
    "on_type",
    "folding",
    "selection",
    "tree",
    "status",
    "memory_types",
    "projects",
    "jobs",
)
ANSWER = 5.0  # seconds to wait for the client's answer to a question


class MemdirServer(LanguageServer):
    """One connection to one client.

    Everything that knows memories is imported with the first use of `session`, so that `initialize` is answered without
    waiting for it; `client`, `options` and `roots` are what the client said there.
    """

    protocol: MemdirProtocol

    def __init__(self, world: World) -> None:
        super().__init__(
            "memdir",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Full,
            protocol_cls=MemdirProtocol,
            converter_factory=converter,
        )
        self.world = world
        self.client = Client()
        self.options: object = None
        self.roots: list[str] = []
        self.refresh = Refresh(self)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._session: Session | None = None
        self._jobs: Jobs | None = None

    @property
    def session(self) -> Session:
        """State of this connection; made when first asked for."""
        if self._session is None:
            from memdir.lsp.session import Session

            self._session = Session(self, self.world, self.client)
        return self._session

    @property
    def jobs(self) -> Jobs:
        """What the memory jobs keep; made when the first one is asked for."""
        if self._jobs is None:
            from memdir.lsp.jobs.jobs import Jobs

            self._jobs = Jobs(self)
        return self._jobs

    @property
    def lifecycle(self) -> Lifecycle:
        return self.session.lifecycle

    @property
    def views(self) -> Views:
        return self.session.views

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run `work` beside the messages; what goes wrong is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("Background task failed", exc_info=error)

    async def ask_settings(self, uris: list[str]) -> list[Any]:
        """The client's section "memdir" for each of these scopes; [] when it does not answer."""
        items = [
            types.ConfigurationItem(scope_uri=None if uri.startswith("adopted:") else uri, section="memdir")
            for uri in uris
        ]
        try:
            answer = await asyncio.wait_for(
                self.workspace_configuration_async(types.ConfigurationParams(items=items)), ANSWER
            )
        except (RuntimeError, TimeoutError) as error:
            logger.warning("The client gave no settings: %s", error)
            return []
        return list(answer)

    def say(self, kind: types.MessageType, text: str) -> None:
        """Write into the client's log."""
        if self.protocol.writer is not None:
            self.protocol.tell("window/logMessage", {"type": int(kind), "message": text})

    def log_message(self, message: Message) -> None:
        """Tell a warning through the client's log, in its language."""
        self.say(types.MessageType.Warning, render(message, self.client.locale))

    def show_message(self, message: Message, kind: types.MessageType = types.MessageType.Info) -> None:
        """Show a message to the person."""
        text = render(message, self.client.locale)
        self.protocol.tell("window/showMessage", {"type": int(kind), "message": text})

    def report_server_error(self, error: Exception, source: type[Exception]) -> None:
        """Errors go to the logs; a pop-up for each would help nobody."""
        logger.error("%s: %s", source.__name__, error)

    def stop(self) -> None:
        """Drop all work; the connection ends."""
        if self._jobs is not None:
            self._jobs.stop()
        if self._session is not None:
            self._session.scheduler.stop()
        for task in list(self._tasks):
            task.cancel()


class Refresh:
    """Asks the client to ask again, where it can be asked."""

    def __init__(self, server: MemdirServer) -> None:
        self._server = server

    def diagnostics(self) -> None:
        if self._server.client.diagnostic_refresh:
            self._server.protocol.ask(types.WORKSPACE_DIAGNOSTIC_REFRESH)

    def lenses(self) -> None:
        if self._server.client.lens_refresh:
            self._server.protocol.ask(types.WORKSPACE_CODE_LENS_REFRESH)

    def hints(self) -> None:
        if self._server.client.hint_refresh:
            self._server.protocol.ask(types.WORKSPACE_INLAY_HINT_REFRESH)


def create_server(world: World) -> MemdirServer:
    """A server with all handlers, not yet connected."""
    server = MemdirServer(world)
    for name in HANDLERS:
        importlib.import_module(f"memdir.lsp.handlers.{name}").register(server)
    return server
