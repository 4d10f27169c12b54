"""What client and service agree on: paths, limits, error codes, entity tags. Described in docs/team.md."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

API = "/v1"
TOKEN_PREFIX = "mdt_"
SUFFIX = ".md"  # only Markdown files travel
REPOSITORY = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}(?:/[a-z0-9][a-z0-9._-]{0,99}){0,5}")

Scope: TypeAlias = Literal["read", "write"]

# codes of `error.code` in answers; the client acts on these, never on the text
UNAUTHENTICATED = "unauthenticated"
FORBIDDEN = "forbidden"
INSECURE = "https_required"
STALE = "stale"
NO_PRECONDITION = "precondition_required"
FILE_TOO_LARGE = "file_too_large"
TOO_MANY_ENTRIES = "too_many_entries"
BODY_TOO_LARGE = "body_too_large"
INVALID_KEY = "invalid_key"
SECRET = "secret"
INVALID = "invalid_request"
NOT_FOUND = "not_found"
RATE_LIMITED = "rate_limited"
UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps, in bytes and counts. Memories are kilobytes; the caps leave two orders of magnitude."""

    file: int = 256 * 1024
    entries: int = 5000
    body: int = 4 * 1024 * 1024
    page: int = 2 * 1024 * 1024  # contents of one answer; the rest follows on the next page


@dataclass(frozen=True, slots=True)
class Tag:
    """State of a repository at the service: `epoch` names the store's life, `version` counts its writes.

    A store that was lost and restored from a backup gets another epoch, so that an old tag can't seem current.
    """

    epoch: str
    version: int

    def __str__(self) -> str:
        return f"{self.epoch}-{self.version}"

    @property
    def etag(self) -> str:
        """The tag as a strong HTTP entity tag."""
        return f'"{self}"'


_TAG = re.compile(r'"?(?P<epoch>[0-9a-f]{16})-(?P<version>\d{1,18})"?')


def parse_tag(text: str | None) -> Tag | None:
    """A tag from an ETag, If-Match or `since` value; None for anything else (weak tags count as well)."""
    m = _TAG.fullmatch((text or "").strip().removeprefix("W/"))
    return Tag(m["epoch"], int(m["version"])) if m else None
