"""Where a job works: the workspace folder that a command means, its memory, and how changes are written there."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memdir.core.changes import paths_of
from memdir.core.i18n import Message, msg, render
from memdir.core.model import ChangeSet
from memdir.core.text import decode
from memdir.lsp.buffers import path_of
from memdir.lsp.failure import JobError
from memdir.lsp.params import text_of
from memdir.store.errors import ConflictError, StoreError

if TYPE_CHECKING:
    from memdir.core.rule import Context
    from memdir.core.settings import Settings
    from memdir.lsp import ext_jobs
    from memdir.lsp.folder import Folder
    from memdir.lsp.memory import Memory
    from memdir.lsp.server import MemdirServer
    from memdir.store.apply import Applied
    from memdir.store.environment import Environment

LOAD_SECONDS = 60.0  # the longest a job waits for a directory that is still being read
_LOOK_AGAIN = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A folder as jobs see it; cheap to make, not to be kept."""

    server: MemdirServer
    folder: Folder

    @property
    def memory(self) -> Memory:
        """The folder's own memory (private and team)."""
        return self.folder.memories[0]

    @property
    def root(self) -> str:
        return self.memory.root

    @property
    def settings(self) -> Settings:
        return self.folder.workspace.settings

    @property
    def state_dir(self) -> str:
        return self.folder.workspace.state_dir

    @property
    def environment(self) -> Environment:
        environment = self.folder.workspace.environment
        assert environment is not None  # every folder of the server is opened with one
        return environment

    @property
    def now(self) -> datetime:
        return self.server.world.clock()

    def text(self, message: Message) -> str:
        """`message` in the client's language."""
        return render(message, self.server.client.locale)

    def uri(self, path: str) -> str:
        return self.server.session.buffers.uri_of(path)

    def context(self) -> Context:
        """What rules see of the memory now, with the newest text of every open file."""
        self.server.session.scheduler.flush()
        return self.memory.context(self.now)

    async def loaded(self) -> Memory:
        """The folder's memory once its directory has been read. JobError when that takes too long."""
        end = asyncio.get_running_loop().time() + LOAD_SECONDS
        while not self.memory.loaded:
            if asyncio.get_running_loop().time() > end:
                raise JobError(msg("{path} is still being read; try again in a moment.", path=self.root))
            await asyncio.sleep(_LOOK_AGAIN)
        return self.memory

    def require_memory(self) -> None:
        """JobError when the client's on/off switch says off, or can't be read: then no job runs."""
        from memdir.store.jobs import job_off

        off = job_off(self.folder.workspace.location)
        if off is not None:
            raise JobError(off)

    async def apply(
        self,
        change_set: ChangeSet,
        roots: Sequence[str] = (),
        bases: Mapping[str, bytes] | None = None,
    ) -> ext_jobs.Done:
        """Write `change_set`: through the journal, or through the editor where a file has unsaved changes.

        roots: directories that may be written to; by default the folder's memory. bases: texts it was made against, by
        hash. JobError says why nothing was written; for a clash its data holds the three texts of each file.
        """
        if not change_set:
            return {"id": None, "created": [], "changed": [], "deleted": []}
        if self._unsaved(change_set):
            return await self._through_editor(change_set)
        try:
            applied = await asyncio.to_thread(self._write, change_set, list(roots) or [self.root], bases)
        except ConflictError as error:
            raise JobError(error.message, {"clashes": clashes(self, error)}) from None
        except StoreError as error:
            raise JobError(error.message) from None
        except OSError as error:
            raise JobError(could_not_write(error)) from None
        except ValueError as error:
            raise JobError(msg("{error}", error=str(error))) from None
        self.server.session.disk_changed({*applied.changed, *applied.created, *applied.deleted})
        return self.done(applied)

    def done(self, applied: Applied) -> ext_jobs.Done:
        """What was applied, for the client."""
        return {
            "id": applied.id,
            "created": [self.uri(p) for p in applied.created],
            "changed": [self.uri(p) for p in applied.changed],
            "deleted": [self.uri(p) for p in applied.deleted],
        }

    def _write(
        self, change_set: ChangeSet, roots: Sequence[str], bases: Mapping[str, bytes] | None
    ) -> Applied:
        from memdir.store.apply import apply
        from memdir.store.journal import Limits

        return apply(
            change_set,
            roots=roots,
            state_dir=self.state_dir,
            now=self.now,
            bases=bases,
            limits=Limits.of(self.settings),
        )

    def _unsaved(self, change_set: ChangeSet) -> str | None:
        """A file of the set whose text in the editor is not what the disk has."""
        from memdir.store.snapshot import read_bytes

        for path in paths_of(change_set):
            buffer = self.server.session.buffers.at(path)
            if buffer is None:
                continue
            try:
                text = decode(read_bytes(path))[0]
            except OSError:
                return path
            if text != buffer.text.removeprefix("\ufeff"):
                return path
        return None

    async def _through_editor(self, change_set: ChangeSet) -> ext_jobs.Done:
        from memdir.core.model import CreateFile, DeleteFile
        from memdir.lsp.carry_out import carry_out

        path = self._unsaved(change_set) or ""
        unsaved = JobError(msg("{path} has unsaved changes; save it first.", path=path))
        if not self.server.client.apply_edit:
            raise unsaved
        if not await carry_out(self.server, change_set):
            raise unsaved
        created = {c.path for c in change_set.changes if isinstance(c, CreateFile)}
        deleted = {c.path for c in change_set.changes if isinstance(c, DeleteFile)}
        changed = [p for p in paths_of(change_set) if p not in created | deleted]
        return {
            "id": None,
            "created": [self.uri(p) for p in sorted(created)],
            "changed": [self.uri(p) for p in changed],
            "deleted": [self.uri(p) for p in sorted(deleted)],
        }


async def site_of(server: MemdirServer, argument: Mapping[str, Any]) -> Site:
    """The folder that a command's argument means: `folder` (its URI), `uri` (a file of it or of its memory), or the only one.

    JobError when there is none, or several and nothing says which.
    """
    await server.lifecycle.started()
    folders = [f for f in server.session.folders.values() if f.memories]
    wanted, uri = text_of(argument, "folder"), text_of(argument, "uri")
    if wanted:
        for folder in folders:
            if folder.uri == wanted or (path_of(wanted) or "") == folder.path:
                return Site(server, folder)
        raise JobError(msg("{uri} is no folder of this window.", uri=wanted))
    if uri:
        found = folder_around(server, path_of(uri))
        if found is not None:
            return Site(server, found)
    own = [f for f in folders if not f.adopted]
    if len(own) == 1:
        return Site(server, own[0])
    if not folders:
        raise JobError(msg("Open a folder first: memory belongs to a repository."))
    names = ", ".join(f.path for f in own or folders)
    raise JobError(msg("Say which folder is meant: {folders}.", folders=names))


def folder_around(server: MemdirServer, path: str | None) -> Folder | None:
    """The folder whose memory or repository holds a file, the innermost one."""
    if path is None:
        return None
    place = server.session.find(path)
    if place is not None:
        return place[0].folder
    inside = [
        f
        for f in server.session.folders.values()
        if f.memories and f"{path}/".startswith(f.path.rstrip("/") + "/")
    ]
    return max(inside, key=lambda f: len(f.path), default=None)


def clashes(site: Site, error: ConflictError) -> list[ext_jobs.ClashInfo]:
    """The three texts of every file that clashes."""
    return [
        {
            "uri": site.uri(c.path),
            "base": shown_text(c.base),
            "mine": shown_text(c.mine),
            "theirs": shown_text(c.theirs),
        }
        for c in error.conflicts
    ]


def shown_text(content: bytes | None) -> str | None:
    """The text of a file as a client shows it, None for no file; what is no UTF-8 is replaced."""
    return None if content is None else decode(content)[0].encode("utf-8", "replace").decode()


def could_not_write(error: OSError) -> Message:
    """The sentence for an error of the operating system."""
    return msg(
        "{path} could not be written: {reason}.",
        path=str(error.filename or ""),
        reason=error.strerror or str(error),
    )
