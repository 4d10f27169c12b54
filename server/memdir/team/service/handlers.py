"""The routes. Each handler: who asks, may they, is the request well-formed, one call to the storage, an answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from memdir.core.model import content_hash
from memdir.core.secrets import scan
from memdir.team.guard import PathTraversalError, check_key
from memdir.team.protocol import (
    BODY_TOO_LARGE,
    INVALID,
    INVALID_KEY,
    NO_PRECONDITION,
    NOT_FOUND,
    RATE_LIMITED,
    SECRET,
    SUFFIX,
    Tag,
    parse_tag,
)  # fmt: skip
from memdir.team.service.auth import Authenticator, Caller
from memdir.team.service.config import ServiceConfig
from memdir.team.service.errors import ServiceError
from memdir.team.service.metrics import Metrics
from memdir.team.service.storage import Storage, Stored, Written
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
            if _not_modified(request, caller.tag):
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
        if _not_modified(request, caller.tag):
            return Response(status_code=304, headers={"ETag": caller.tag.etag})
        tag, hashes = await run_in_threadpool(self.storage.checksums, caller.repository)
        return self._json({"etag": str(tag), "checksums": hashes}, tag)

    async def put(self, request: Request) -> Response:
        """PUT memory: upsert entries on top of the state named by If-Match."""
        caller = await self._caller(request, write=True)
        base = _precondition(request)
        data = await self._body(request)
        contents = await run_in_threadpool(self._check_entries, data)
        written = await run_in_threadpool(
            lambda: self.storage.write(
                caller.repository, contents, base=base, author=caller.subject, now=self.now()
            )
        )
        return self._written(written)

    async def prune(self, request: Request) -> Response:
        """POST prune: remove entries that still have the given hashes."""
        caller = await self._caller(request, write=True)
        base = _precondition(request)
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
        limit = min(_number(query.get("limit"), 50), _MAX_HISTORY)
        before = _number(query.get("before"), 0) or None
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
        base = _precondition(request)
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
                raise _too_fast(5.0) from None
            raise
        request.scope["state"]["subject"] = caller.subject
        waiting = self.throttle.wait(caller.subject)
        if waiting:
            raise _too_fast(waiting)
        caller.require("write" if write else "read")
        return caller

    async def _body(self, request: Request) -> dict[str, Any]:
        limit = self.config.limits.body
        too_large = ServiceError(413, BODY_TOO_LARGE, "The request is too large.", limit=limit)
        announced = request.headers.get("content-length", "0")
        if announced.isdecimal() and int(announced) > limit:
            raise too_large
        parts: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(self.config.body_timeout):
                async for part in request.stream():
                    size += len(part)
                    if size > limit:
                        raise too_large
                    parts.append(part)
        except TimeoutError:
            raise ServiceError(408, INVALID, "The request took too long to arrive.") from None
        except ClientDisconnect:
            raise ServiceError(400, INVALID, "The request ended early.") from None
        try:
            data = json.loads(b"".join(parts), object_pairs_hook=_no_duplicates)
        except (ValueError, RecursionError):
            raise ServiceError(400, INVALID, "The body is no JSON object.") from None
        if not isinstance(data, dict):
            raise ServiceError(400, INVALID, "The body is no JSON object.")
        return data

    def _check_entries(self, data: dict[str, Any]) -> dict[str, bytes]:
        entries = data.get("entries")
        if not isinstance(entries, dict) or not entries:
            raise ServiceError(400, INVALID, 'The body must be {"entries": {key: {"content": text}}}.')
        contents: dict[str, bytes] = {}
        bad: dict[str, str] = {}
        leaks: dict[str, list[str]] = {}
        for key, entry in entries.items():
            content = entry.get("content") if isinstance(entry, dict) else None
            try:
                check_key(key)
                if not key.endswith(SUFFIX) or any(part.startswith(".") for part in key.split("/")):
                    bad[key] = "only visible Markdown files are shared"
                    continue
                if not isinstance(content, str):
                    raise ServiceError(400, INVALID, "Every entry needs its content as text.")
                contents[key] = content.encode("utf-8")
            except PathTraversalError as error:
                bad[key] = str(error)
                continue
            except UnicodeEncodeError:
                raise ServiceError(400, INVALID, "A content is no valid Unicode.") from None
            if "sha256" in entry and entry["sha256"] != content_hash(contents[key]):
                raise ServiceError(400, INVALID, "A hash does not belong to its content.")
            found = sorted({s.kind for s in scan(content)}) if self.config.scan else []
            if found:
                leaks[key] = found
        if bad:
            raise ServiceError(422, INVALID_KEY, "A name can't be used.", keys=bad)
        if leaks:
            raise ServiceError(422, SECRET, "A file holds a secret.", keys=leaks)
        return contents

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


def _not_modified(request: Request, tag: Tag) -> bool:
    given = request.headers.get("if-none-match")
    return given is not None and any(parse_tag(part) == tag for part in given.split(","))


def _precondition(request: Request) -> Tag:
    """The state a write was made against. ServiceError 428 without one: a blind write could lose somebody's."""
    tag = parse_tag(request.headers.get("if-match"))
    if tag is None:
        raise ServiceError(
            428, NO_PRECONDITION, "A write needs If-Match with the entity tag it was made against."
        )
    return tag


def _too_fast(seconds: float) -> ServiceError:
    return ServiceError(
        429, RATE_LIMITED, "Too many requests.", headers={"Retry-After": str(max(1, round(seconds + 0.5)))}
    )


def _number(text: str | None, default: int) -> int:
    if text is None:
        return default
    if not text.isdecimal() or len(text) > 18:
        raise ServiceError(400, INVALID, "A number is malformed.")
    return int(text)


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError("a key is given twice")
    return data
