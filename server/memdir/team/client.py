"""HTTP to the team service: one method per request, every failure a `TeamError` that says what to do about it.

Blocking; callers run it in a thread. Tokens go over HTTPS or to this machine only, redirects are not followed (they could carry the
token elsewhere), answers are read up to a cap and up to a deadline, however slowly they drip.
"""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from memdir import __version__
from memdir.core.i18n import msg
from memdir.core.model import content_hash
from memdir.team import protocol as p
from memdir.team import wire
from memdir.team.errors import TeamError
from memdir.team.failures import check_url, failure, offline
from memdir.team.protocol import Limits, Tag
from memdir.team.wire import Delta, Past, nonsense

if TYPE_CHECKING:
    import httpx

CONNECT_SECONDS = 5.0
READ_SECONDS = 15.0  # between two pieces of an answer
TOTAL_SECONDS = 60.0  # for a whole exchange
MAX_ANSWER = 16 * 1024 * 1024  # a page holds at most a few MiB


@dataclass(frozen=True, slots=True)
class Facts:
    """What the service says about this repository and the token's holder."""

    subject: str
    rights: tuple[str, ...]
    tag: Tag
    limits: Limits


@dataclass(frozen=True, slots=True)
class Done:
    """Outcome of a write."""

    tag: Tag
    changed: tuple[str, ...]


class TeamClient:
    """Requests for one repository. `transport` replaces the network in tests."""

    def __init__(
        self,
        url: str,
        repository: str,
        token: str,
        *,
        limits: Limits | None = None,
        transport: httpx.BaseTransport | None = None,
        timeouts: tuple[float, float, float] = (CONNECT_SECONDS, READ_SECONDS, TOTAL_SECONDS),
    ) -> None:
        base = check_url(url)
        if not p.REPOSITORY.fullmatch(repository):
            raise TeamError(
                "protocol",
                msg(
                    "“{name}” is no repository name (lower-case letters, digits and . _ - /).",
                    name=repository,
                ),
            )
        if not token.isascii() or not token.isprintable() or " " in token or not token:
            raise TeamError("auth", msg("The token for {url} is no usable token.", url=base))
        self.url, self.repository = base, repository
        self.limits = limits or Limits()
        self._root = f"{base}{p.API}/repos/{repository}"
        self._token, self._transport, self._timeouts = token, transport, timeouts
        self._socket: socket.socket | None = None
        self._http: httpx.Client | None = None

    def close(self) -> None:
        """Close the connections."""
        if self._http is not None:
            self._http.close()
            self._http = None

    def facts(self) -> Facts:
        """Rights, caps and state."""
        data = self._object("GET", "")
        limits = data.get("limits")
        caps = (
            {
                k: v
                for k, v in limits.items()
                if k in ("file", "entries", "body") and isinstance(v, int) and v > 0
            }
            if isinstance(limits, dict)
            else {}
        )
        return Facts(
            str(data.get("subject", "")), wire.strings(data.get("rights")), wire.tag_of(data), Limits(**caps)
        )

    def changes(self, since: Tag | None) -> Delta | None:
        """A page of what changed after `since`; None when nothing did (304)."""
        query = {} if since is None else {"since": str(since)}
        headers = {} if since is None else {"If-None-Match": since.etag}
        data = self._maybe("GET", "/memory", query=query, headers=headers)
        return None if data is None else wire.parse_delta(data, self.limits.file)

    def pick(self, keys: Sequence[str]) -> Delta:
        """Current entries with these keys; `more` when not all fitted."""
        return wire.parse_delta(self._object("GET", "/memory", query={"key": list(keys)}), self.limits.file)

    def checksums(self) -> tuple[Tag, dict[str, str]]:
        """State and hashes of all entries."""
        return wire.parse_checksums(self._object("GET", "/checksums"))

    def put(self, contents: Mapping[str, str], base: Tag) -> Done:
        """Upsert on top of `base`. TeamError `stale` when the state is another by now."""
        body = {
            "entries": {k: {"content": v, "sha256": content_hash(v.encode())} for k, v in contents.items()}
        }
        return self._write("PUT", "/memory", body, base)

    def prune(self, hashes: Mapping[str, str], base: Tag) -> Done:
        """Remove entries that still have these hashes."""
        return self._write("POST", "/prune", {"keys": dict(hashes)}, base)

    def restore(self, key: str, version: int, base: Tag) -> Done:
        """Make an old version current again."""
        return self._write("POST", "/restore", {"key": key, "version": version}, base)

    def history(self, key: str | None = None, *, before: int | None = None, limit: int = 50) -> list[Past]:
        """Versions, the newest first."""
        query: dict[str, Any] = {"limit": str(limit)}
        if key is not None:
            query["key"] = key
        if before is not None:
            query["before"] = str(before)
        rows = self._object("GET", "/history", query=query).get("versions")
        if not isinstance(rows, list):
            raise nonsense("no versions")
        return [wire.parse_past(row) for row in rows]

    def version(self, key: str, version: int) -> Past:
        """One version with its content."""
        return wire.parse_past(self._object("GET", f"/history/{version}", query={"key": key}))

    def _write(self, method: str, path: str, body: Mapping[str, Any], base: Tag) -> Done:
        data = self._object(method, path, body=body, headers={"If-Match": base.etag})
        return Done(wire.tag_of(data), wire.strings(data.get("changed")))

    def _object(self, method: str, path: str, **request: Any) -> dict[str, Any]:
        data = self._maybe(method, path, **request)
        if data is None:
            raise nonsense("304")
        return data

    def _maybe(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any] | None:
        """The answer's object, or None for 304; TeamError for everything else."""
        import httpx

        http = self._http = self._http or self._open()
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        sent = {**(headers or {}), **({"Content-Type": "application/json"} if content else {})}
        try:
            with (
                self._deadline(),
                http.stream(
                    method,
                    self._root + path,
                    params=dict(query or {}),
                    content=content,
                    headers=sent,
                    extensions={"trace": self._trace},
                ) as answer,
            ):
                text = self._read(answer)
        except httpx.HTTPError as error:
            raise offline(type(error).__name__) from error
        except (OSError, ValueError) as error:  # a header that is no header
            raise offline(type(error).__name__) from error
        if answer.status_code == 304:
            return None
        if answer.status_code == 200:
            return wire.parse_object(text)
        raise failure(answer.status_code, dict(answer.headers), text, self.url)

    def _open(self) -> httpx.Client:
        import httpx

        connect, read, _ = self._timeouts
        local = urlsplit(self.url).scheme == "http"
        return httpx.Client(
            headers={
                "User-Agent": f"memdir/{__version__}",
                "Accept": "application/json",
                "Accept-Encoding": "identity",
            },
            auth=_bearer(self._token),  # an explicit auth also keeps a .netrc out
            timeout=httpx.Timeout(read, connect=connect),
            follow_redirects=False,
            trust_env=not local,  # company proxies, but never for this machine
            transport=self._transport,
            limits=httpx.Limits(max_connections=1),
        )

    def _read(self, answer: httpx.Response) -> bytes:
        body = bytearray()
        for (
            part
        ) in answer.iter_raw():  # as it comes and unpacked: we asked for no compression, so none can blow up
            body += part
            if len(body) > MAX_ANSWER:
                raise nonsense(f"more than {MAX_ANSWER >> 20} MiB")
        return bytes(body)

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            stream = info.get("return_value")
            self._socket = stream.get_extra_info("socket") if stream is not None else None

    @contextmanager
    def _deadline(self) -> Iterator[None]:
        """Cuts the connection when a whole exchange takes too long, also one that drips a byte at a time."""
        timer = threading.Timer(self._timeouts[2], self._cut)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _cut(self) -> None:
        connection = self._socket
        if connection is None:
            return
        # through a second handle: the reading thread may be inside a TLS call on the first
        with suppress(OSError, ValueError), socket.socket(fileno=os.dup(connection.fileno())) as handle:
            handle.shutdown(socket.SHUT_RDWR)


def _bearer(token: str) -> Any:
    def authorize(request: httpx.Request) -> httpx.Request:
        request.headers["Authorization"] = f"Bearer {token}"
        return request

    return authorize
