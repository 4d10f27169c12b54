"""The team directory as it is now: hashes of its files, read again only when their size or time changed."""

from __future__ import annotations

from dataclasses import dataclass, field

from memdir.core.i18n import Message, msg
from memdir.core.model import content_hash
from memdir.team.guard import PathTraversalError
from memdir.team.inside import FileTooLargeError, list_inside, read_inside
from memdir.team.state import SyncState

# A file written in the same tick of a coarse clock as our look could change again without a new time.
SETTLE_NS = 2_500_000_000  # the coarsest clock (FAT) ticks every two seconds


@dataclass(slots=True)
class Local:
    """`hashes` by key. `unusable`: files that can't be read as memories, and why."""

    root: str
    hashes: dict[str, str] = field(default_factory=dict)
    unusable: dict[str, Message] = field(default_factory=dict)

    def read(self, key: str, limit: int) -> bytes:
        """The file's bytes now. Errors as `inside.read_inside`."""
        return read_inside(self.root, key, limit)


def look(root: str, state: SyncState, clock_ns: int, limit: int) -> Local:
    """The directory's files; `state.seen` is used and brought up to date. `limit`: bytes of the largest file that is read.

    clock_ns: the time of a file written just now, so that the file system's clock is compared with itself.
    """
    local = Local(root)
    seen: dict[str, list[object]] = {}
    for found in list_inside(root):
        known = state.seen.get(found.key)
        if known is not None and known[:2] == [found.size, found.mtime_ns]:
            local.hashes[found.key], seen[found.key] = str(known[2]), known
            continue
        try:
            sha = content_hash(read_inside(root, found.key, limit))
        except FileTooLargeError as error:
            local.unusable[found.key] = msg(
                "it has {size} bytes; at most {limit} are shared", size=error.size, limit=limit
            )
            continue
        except PathTraversalError as error:
            local.unusable[found.key] = error.message
            continue
        except OSError as error:
            if not isinstance(error, FileNotFoundError):  # gone between listing and reading: as if never seen
                local.unusable[found.key] = msg(
                    "it can't be read ({error})", error=error.strerror or str(error)
                )
            continue
        local.hashes[found.key] = sha
        if clock_ns - found.mtime_ns > SETTLE_NS:
            seen[found.key] = [found.size, found.mtime_ns, sha]
    state.seen = seen
    return local
