"""The routes. Each handler: who asks, may they, is the request well-formed, one call to the storage, an answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from memdir.team.protocol import INVALID, NOT_FOUND, Tag, parse_tag
from memdir.team.service.auth import Authenticator, Caller
from memdir.team.service.config import ServiceConfig
from memdir.team.service.errors import ServiceError
from memdir.team.service.metrics import Metrics
from memdir.team.service.requests import (
    checked_entries,
    not_modified,
    number,
    precondition,
    read_body,
    too_fast,
)
from memdir.team.service.storage import Storage
from memdir.team.service.stored import Stored, Written
from memdir.team.service.throttle import Throttle

_MAX_PICK = 200  # keys in one request
_MAX_HISTORY = 200


class Handlers:
    """Everything a request may need; one per application."""

    def __init__(
        self,
        config: ServiceConfig,
        storage: Storage,
        auth: Authenticator,
        throttle: Throttle,
        metrics: Metrics,
        now: Callable[[], datetime],
    ) -> None:
        self.config, self.storage, self.auth = config, storage, auth
        self.throttle, self.metrics, self.now = throttle, metrics, now

    async def facts(self, request: Request) -> Response:
        """GET /v1/repos/{repo}: what the caller may do here, the caps, the present state."""
        caller = await self._caller(request)
        limits = self.config.limits
        return self._json(
            {
                "repository": request.path_params["repo"], "subject": caller.subject, "rights": sorted(caller.rights), "etag": str(caller.tag),
                "limits": {"file": limits.file, "entries": limits.entries, "body": limits.body},
            },
            caller.tag,
        )  # fmt: skip

    async def memory(self, request: Request) -> Response:
        """GET memory: what changed since a state, or the entries with the given keys; 304 when nothing did."""
        caller = await self._caller(request)
        keys = request.query_params.getlist("key")
        if keys:
            if len(keys) > _MAX_PICK:
                raise ServiceError(400, INVALID, f"At most {_MAX_PICK} keys at once.")
            page, full = await run_in_threadpool(self.storage.pick, caller.repository, keys), False
        else:
            if not_modified(request, caller.tag):
                return Response(status_code=304, headers={"ETag": caller.tag.etag})
            since = request.query_params.get("since")
            page, full = await run_in_threadpool(self.storage.changes, caller.repository, parse_tag(since))
        return self._json(
            {
                "etag": str(page.tag), "full": full, "more": page.more,
                "entries": {e.key: _entry(e) for e in page.entries if not e.removed},
                "removed": {e.key: e.version for e in page.entries if e.removed},
            },
            page.tag,
        )  # fmt: skip

    async def checksums(self, request: Request) -> Response:
        """GET checksums: the hash of every entry."""
        caller = await self._caller(request)
        if not_modified(request, caller.tag):
            return Response(status_code=304, headers={"ETag": caller.tag.etag})
        tag, hashes = await run_in_threadpool(self.storage.checksums, caller.repository)
        return self._json({"etag": str(tag), "checksums": hashes}, tag)

    async def put(self, request: Request) -> Response:
        """PUT memory: upsert entries on top of the state named by If-Match."""
        caller = await self._caller(request, write=True)
        base = precondition(request)
        data = await self._body(request)
        contents = await run_in_threadpool(checked_entries, data, scanning=self.config.scan)
        written = await run_in_threadpool(
            lambda: self.storage.write(
                caller.repository, contents, base=base, author=caller.subject, now=self.now()
            )
        )
        return self._written(written)

    async def prune(self, request: Request) -> Response:
        """POST prune: remove entries that still have the given hashes."""
        caller = await self._caller(request, write=True)
        base = precondition(request)
        keys = (await self._body(request)).get("keys")
        if not isinstance(keys, dict) or not all(isinstance(v, str) for v in keys.values()):
            raise ServiceError(400, INVALID, 'The body must be {"keys": {key: sha256}}.')
        written = await run_in_threadpool(
            lambda: self.storage.remove(
                caller.repository, keys, base=base, author=caller.subject, now=self.now()
            )
        )
        return self._written(written)

    async def history(self, request: Request) -> Response:
        """GET history: versions, the newest first; `before` continues."""
        caller = await self._caller(request)
        query = request.query_params
        limit = min(number(query.get("limit"), 50), _MAX_HISTORY)
        before = number(query.get("before"), 0) or None
        rows = await run_in_threadpool(
            self.storage.history, caller.repository, query.get("key"), before, limit
        )
        return self._json({"versions": [{"key": r.key, **_facts(r)} for r in rows]}, caller.tag)

    async def version(self, request: Request) -> Response:
        """GET history/{version}?key=: one version with its content."""
        caller = await self._caller(request)
        row = await self._stored(caller, request.query_params.get("key"), request.path_params["version"])
        return self._json({"key": row.key, **_entry(row)}, caller.tag)

    async def restore(self, request: Request) -> Response:
        """POST restore: make an old version current again, as a new version."""
        caller = await self._caller(request, write=True)
        base = precondition(request)
        data = await self._body(request)
        row = await self._stored(caller, data.get("key"), data.get("version"))
        if row.content is None:
            raise ServiceError(404, NOT_FOUND, "That version is a removal; there is nothing to restore.")
        contents = {row.key: row.content}
        written = await run_in_threadpool(
            lambda: self.storage.write(
                caller.repository, contents, base=base, author=caller.subject, now=self.now()
            )
        )
        return self._written(written)

    async def healthz(self, _: Request) -> Response:
        """GET /healthz: the process and its database answer."""
        await run_in_threadpool(self.storage.ping)
        return PlainTextResponse("ok\n")

    async def metrics_page(self, request: Request) -> Response:
        """GET /metrics: from this machine, or from anywhere when the configuration opens it."""
        from memdir.team.service.middleware import is_loopback

        if not self.config.open_metrics and not is_loopback(request.scope["state"]["peer"]):
            raise ServiceError(404, NOT_FOUND, "Not here.")
        return PlainTextResponse(self.metrics.render(), media_type="text/plain; version=0.0.4")

    async def _caller(self, request: Request, *, write: bool = False) -> Caller:
        peer = request.scope["state"]["peer"]
        try:
            caller = await run_in_threadpool(
                self.auth.caller, request.headers.get("authorization"), request.path_params["repo"]
            )
        except ServiceError as error:
            if error.status == 401 and self.throttle.wait(
                f"refused {peer}", 5.0
            ):  # guessing is slowed down more
                raise too_fast(5.0) from None
            raise
        request.scope["state"]["subject"] = caller.subject
        waiting = self.throttle.wait(caller.subject)
        if waiting:
            raise too_fast(waiting)
        caller.require("write" if write else "read")
        return caller

    async def _body(self, request: Request) -> dict[str, Any]:
        return await read_body(request, limit=self.config.limits.body, timeout=self.config.body_timeout)

    async def _stored(self, caller: Caller, key: object, version: object) -> Stored:
        if not isinstance(key, str) or isinstance(version, bool) or not isinstance(version, int):
            raise ServiceError(400, INVALID, "A key and a version number are needed.")
        return await run_in_threadpool(self.storage.version, caller.repository, key, version)

    def _written(self, written: Written) -> Response:
        return self._json(
            {"etag": str(written.tag), "changed": written.changed, "unchanged": written.unchanged},
            written.tag,
        )

    def _json(self, data: dict[str, Any], tag: Tag) -> Response:
        return JSONResponse(data, headers={"ETag": tag.etag})


Handler = Callable[[Request], Awaitable[Response]]


def _facts(row: Stored) -> dict[str, Any]:
    return {
        "sha256": row.sha256,
        "size": row.size,
        "version": row.version,
        "author": row.author,
        "time": row.created,
        "removed": row.removed,
    }


def _entry(row: Stored) -> dict[str, Any]:
    return {**_facts(row), "content": None if row.content is None else row.content.decode("utf-8")}
