"""From an address, a status and a body to the `TeamError` that says what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from memdir.core.i18n import Message, msg
from memdir.team import protocol as p
from memdir.team import wire
from memdir.team.errors import Kind, TeamError
from memdir.team.wire import nonsense


def check_url(url: str) -> str:
    """The service's address without a trailing slash. TeamError unless it is https, or http to this machine."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        parts, host = urlsplit(""), None
    if not host or parts.username or parts.password or parts.query or parts.fragment:
        raise TeamError("insecure", msg("“{url}” is no address of a team service.", url=_public(url)))
    if parts.scheme == "https" or (parts.scheme == "http" and host in ("127.0.0.1", "::1", "localhost")):
        return url.rstrip("/")
    raise TeamError(
        "insecure",
        msg("{url} would send the token unencrypted; use https (http only to this machine).", url=url),
    )


def _public(url: str) -> str:
    return url.rpartition("@")[2]


def offline(why: str) -> TeamError:
    """The exchange did not come to an end."""
    return TeamError(
        "offline", msg("The team service can't be reached ({why}). Changes are kept and sent later.", why=why)
    )


_PERMANENT: dict[int, tuple[Kind, Message]] = {
    401: (
        "auth",
        msg(
            "The team service does not accept the token. Get a new one and run `memdir team login`, or in VS Code “Memory: Team Sign In”."
        ),
    ),
    403: (
        "forbidden",
        msg("The team service refuses: you are no member of this repository, or may only read."),
    ),
    404: ("gone", msg("There is no team service at this address.")),
    410: ("gone", msg("There is no team service at this address.")),
}


def failure(status: int, headers: Mapping[str, str], text: bytes, url: str) -> TeamError:
    """The error for an answer other than 200 and 304. `headers` have lower-case names."""
    try:
        error = wire.parse_object(text).get("error")
    except TeamError:
        error = None
    detail: dict[str, Any] = error if isinstance(error, dict) else {}
    code, keys, limit = detail.get("code"), detail.get("keys"), detail.get("limit")
    limit = limit if isinstance(limit, int) else 0
    if status == 412:
        return TeamError("stale", msg("Somebody else was faster; trying again."))
    if status == 413 and code == p.FILE_TOO_LARGE and isinstance(keys, list):
        why = msg("it is larger than {limit} bytes, the most the team service takes", limit=limit)
        return TeamError(
            "files",
            msg("Some files are too large for the team service."),
            keys=dict.fromkeys(wire.strings(keys), why),
            limit=limit,
        )
    if status == 413 and code == p.TOO_MANY_ENTRIES:
        return TeamError(
            "full",
            msg("Team memory is full ({limit} files). Consolidate it, then push again.", limit=limit),
            limit=limit,
        )
    if status == 413:
        return TeamError("body", msg("The request is larger than the team service takes."), limit=limit)
    if status == 422 and isinstance(keys, dict):
        return TeamError(
            "files",
            msg("The team service refuses some files."),
            keys={str(k): _why(code, v) for k, v in keys.items()},
        )
    if status in (408, 425, 429) or status >= 500:
        return TeamError(
            "busy",
            msg("The team service is busy (status {status}); trying again later.", status=status),
            retry_after=_retry_after(headers),
        )
    if 300 <= status < 400:
        return TeamError("gone", msg("{url} answers with a redirect; set the address it leads to.", url=url))
    if status in _PERMANENT:
        return TeamError(*_PERMANENT[status])
    return nonsense(f"status {status}")


def _why(code: object, detail: object) -> Message:
    if code == p.SECRET:
        return msg("it holds a secret ({kinds})", kinds=", ".join(wire.strings(detail)))
    return msg(
        "its name can't be used by everybody ({why})",
        why="".join(c for c in str(detail)[:160] if c.isprintable()),
    )


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds from a Retry-After header in either form; a date is read against the answer's own Date, so a wrong clock here does no harm."""
    value = headers.get("retry-after", "").strip()
    if value.isdecimal() and len(value) < 10:
        return float(value)
    try:
        return max(
            0.0, (parsedate_to_datetime(value) - parsedate_to_datetime(headers["date"])).total_seconds()
        )
    except (ValueError, TypeError, KeyError):
        return None
