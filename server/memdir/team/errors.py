"""What can go wrong between a client and its team, sorted by what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from memdir.core.i18n import Message

# offline, busy: wait and try again. stale: somebody was faster. files: some files are refused, the others may go on.
# The rest is permanent: nothing helps but a change of settings, token or content.
Kind: TypeAlias = Literal[
    "offline",
    "busy",
    "stale",
    "files",
    "body",
    "auth",
    "forbidden",
    "full",
    "gone",
    "protocol",
    "insecure",
    "git",
]
PASSING: frozenset[Kind] = frozenset({"offline", "busy", "stale"})


class TeamError(Exception):
    """A failed exchange. `retry_after` in seconds if the service named it; `keys` says which files and why."""

    def __init__(
        self,
        kind: Kind,
        message: Message,
        *,
        retry_after: float | None = None,
        keys: Mapping[str, Message] | None = None,
        limit: int = 0,
    ) -> None:
        super().__init__(str(message))
        self.kind: Kind = kind
        self.message = message
        self.retry_after = retry_after
        self.keys = dict(keys or {})
        self.limit = limit

    @property
    def passing(self) -> bool:
        """True when trying again later can help."""
        return self.kind in PASSING
