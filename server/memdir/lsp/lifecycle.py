"""Folders come and go, settings change: what makes the session's memories what they are."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from memdir.lsp.buffers import path_of
from memdir.lsp.folder import Folder, open_folder
from memdir.lsp.memory import Memory
from memdir.lsp.passing import HISTORY_QUIET, Passing
from memdir.lsp.settings_files import settings_findings
from memdir.store.watch import Watcher

if TYPE_CHECKING:
    from memdir.lsp.session import Session
    from memdir.store.workspace import Workspace

logger = logging.getLogger(__name__)

# seconds to wait for the client's settings before the files are checked with what is known
CONFIG_WAIT = 0.15


class Lifecycle:
    """`start` runs after `initialized`; the other methods are called by handlers, the watcher and timers.

    `initializationOptions` may be `{trusted?: bool, settings?: object}`; anything else in them is ignored.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.server = session.server
        options = self.server.options if isinstance(self.server.options, Mapping) else {}
        trusted = options.get("trusted")
        self.trusted: bool | None = trusted if isinstance(trusted, bool) else None
        # of the editor, for folders without settings of their own
        self.settings: object = options.get("settings")
        self._own_settings: dict[str, object] = {}
        self._lock = asyncio.Lock()
        self._passing = Passing(session)
        self._watcher = Watcher(self._disk_changed)
        self._adopted: set[str] = set()
        self._findings_shown: set[str] = set()
        self._started = asyncio.Event()

    # start and folders

    async def start(self, folders: Iterable[str]) -> None:
        """Open the workspace folders (URIs) and begin to watch."""
        try:
            await asyncio.to_thread(_warm_up)
            uris = list(folders)
            asked = self.server.spawn(self._ask_settings(uris))
            if self.settings is None and self.session.client.configuration:
                await asyncio.wait([asked], timeout=CONFIG_WAIT)
            for uri in uris:
                await self.open(uri)
        finally:
            self._started.set()
        self.server.spawn(self._watcher.run())
        self._watch()
        self.server.spawn(self._passing.midnights())

    async def started(self) -> None:
        """Wait until the workspace folders are known: before, every answer would be "nothing"."""
        await self._started.wait()

    async def ready(self) -> None:
        """Wait until the folders that were asked for so far are open, those of single files too."""
        await self._started.wait()
        async with self._lock:
            pass

    async def folders_changed(self, added: Iterable[str], removed: Iterable[str]) -> None:
        """Workspace folders came and went."""
        for uri in removed:
            self._own_settings.pop(uri, None)
            folder = self.session.folders.pop(uri, None)
            if folder is not None:
                self._release(folder, ())
                self._tell(None)
        fresh = list(added)
        await self._ask_settings(fresh)
        for uri in fresh:
            await self.open(uri)
        self._show_settings_findings()
        self._watch()
        self.session.views.touched(None)

    async def open(self, uri: str) -> None:
        """Open a workspace folder, or read its settings again."""
        path = path_of(uri)
        if path is None:
            logger.warning("%s is not on this machine's disk; its memory can't be shown", uri)
            return
        await self._open(uri, path)

    async def _open(self, key: str, path: str) -> None:
        async with self._lock:
            editor = self._own_settings.get(key, self.settings)
            try:
                workspace = await asyncio.to_thread(
                    open_folder,
                    path,
                    self.session.world,
                    editor,
                    trusted=self.trusted,
                    overlay=self.session.overlay,
                )
            except OSError as error:
                logger.warning("The memory of %s can't be located: %s", path, error)
                return
            self._install(key, path, workspace)
        self._show_settings_findings()

    def _install(self, key: str, path: str, workspace: Workspace) -> None:
        session = self.session
        folder = session.folders.get(key)
        known: list[Memory] = []
        changed = True
        if folder is None:
            folder = session.folders[key] = Folder(key, path, workspace)
        else:
            old, known = folder.workspace, folder.memories
            same_place = (old.location.owner, old.location.top) == (
                workspace.location.owner,
                workspace.location.top,
            )
            if same_place:
                workspace.project = old.project  # it knows the history already
            changed = old.settings != workspace.settings or old.instructions != workspace.instructions
            folder.workspace = workspace
        folder.memories = []
        for store in workspace.stores:
            memory = session.memories.get(store.root)
            (memory.store if memory else store).directory.orphan_group = workspace.settings.orphan_group
            if memory is None:
                memory = Memory(store, folder, workspace.agent_of(store))
                folder.memories.append(memory)
                session.add(memory)
                continue
            folder.memories.append(memory)
            if memory.folder is folder and changed:
                session.recheck_all(memory)
        self._release(Folder(key, path, workspace, known), folder.memories)
        if not folder.project.loaded:
            self.server.spawn(self._passing.load_history(folder))
        self.session.views.touched(None)
        self._tell(folder)

    def _tell(self, folder: Folder | None) -> None:
        for hear in self.session.on_folder:
            hear(folder)

    def _release(self, folder: Folder, kept: Iterable[Memory]) -> None:
        """Drop the memories of `folder` that nobody needs any more; another folder may take them over."""
        staying = set(kept)
        for memory in folder.memories:
            if memory in staying:
                continue
            heir = next((f for f in self.session.folders.values() if memory in f.memories), None)
            if heir is None:
                self.session.drop(memory)
            else:
                memory.folder = heir
                self.session.recheck_all(memory)

    def adopt(self, root: str) -> None:
        """A file of a memory directory was opened that belongs to no folder of the window."""
        if root not in self._adopted and root not in self.session.memories:
            self._adopted.add(root)
            self.server.spawn(self._adopt(root))

    async def _adopt(self, root: str) -> None:
        await self._started.wait()
        if root in self.session.memories:  # it belongs to a folder that was not open yet
            self._adopted.discard(root)
            return
        await self._open(f"adopted:{root}", root)
        self._watch()

    # settings

    async def _ask_settings(self, uris: list[str]) -> None:
        if not self.session.client.configuration or not uris:
            return
        answers = await self.server.ask_settings(uris)
        changed = []
        for uri, answer in zip(uris, answers, strict=False):
            if isinstance(answer, Mapping) and answer != self._own_settings.get(uri, self.settings or {}):
                self._own_settings[uri] = answer
                changed.append(uri)
        for uri in changed:
            if uri in self.session.folders:
                await self.open(uri)

    async def settings_changed(self, pushed: object) -> None:
        """The client says that its settings changed; `pushed` is what it sent along, if anything."""
        if isinstance(pushed, Mapping) and isinstance(pushed.get("memdir"), Mapping):
            pushed = pushed["memdir"]
        if self.session.client.configuration:
            await self._ask_settings(
                [k for k in self.session.folders if k in self._own_settings or path_of(k)]
            )
        elif isinstance(pushed, Mapping) and pushed != self.settings:
            self.settings = pushed
            for key in list(self.session.folders):
                await self._open(key, self.session.folders[key].path)

    def file_touched(self, path: str) -> None:
        """A file outside memory changed, in a buffer or on disk: settings, or the state of a repository."""
        later = self.session.scheduler.later
        for key, folder in self.session.folders.items():
            if path in folder.settings_files:
                later(("settings", key), partial(self._reload, key))
            elif path in folder.instruction_files:
                later(("instructions", key), partial(self._instructions_touched, folder))
            elif path.startswith(folder.workspace.location.top + os.sep + ".git" + os.sep):
                later(("history", key), partial(self._passing.history_touched, folder), HISTORY_QUIET)

    def _instructions_touched(self, folder: Folder) -> None:
        self.server.spawn(self._read_instructions(folder))

    async def _read_instructions(self, folder: Folder) -> None:
        async with self._lock:  # an older reading must not come last
            workspace = folder.workspace
            before = workspace.instructions
            after = await asyncio.to_thread(workspace.read_instructions)
        if after != before:
            for memory in folder.memories:
                self.session.recheck_all(memory)
            self._watch()

    def _reload(self, key: str) -> None:
        folder = self.session.folders.get(key)
        if folder is not None:
            self.server.spawn(self._reopen(key, folder.path))

    async def _reopen(self, key: str, path: str) -> None:
        await self._open(key, path)
        self._watch()

    def show_problems(self) -> None:
        """What is wrong with settings files, or with where files lie, changed."""
        self._show_settings_findings()

    def _show_settings_findings(self) -> None:
        found = settings_findings(self.session)
        for text, findings in found.values():
            self.session.publisher.show(text, findings, pull=False, own=False)
        for uri in self._findings_shown - set(found):
            self.session.publisher.clear(uri)
        self._findings_shown = set(found)

    # disk

    def _watch(self) -> None:
        session = self.session
        trees = [m.root for m in session.memories.values()]
        files = {p for f in session.folders.values() for p in (*f.settings_files, *f.instruction_files)}
        files |= {os.path.join(f.workspace.location.top, ".git", "HEAD") for f in session.folders.values()}
        files |= {os.path.join(f.workspace.location.top, ".git", "index") for f in session.folders.values()}
        self._watcher.watch(trees, files)

    def _disk_changed(self, paths: frozenset[str]) -> None:
        self.session.disk_changed(paths)


def _warm_up() -> None:
    """Import what the first check needs, off the loop and before anybody waits for it."""
    import memdir.core.lint
    import memdir.store.workspace  # noqa: F401
