"""What a request says: its body, its conditions and its numbers, checked before the storage hears of them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from starlette.requests import ClientDisconnect, Request

from memdir.core.model import content_hash
from memdir.core.secrets import scan
from memdir.team.guard import PathTraversalError, check_key
from memdir.team.protocol import (
    BODY_TOO_LARGE,
    INVALID,
    INVALID_KEY,
    NO_PRECONDITION,
    RATE_LIMITED,
    SECRET,
    SUFFIX,
    Tag,
    parse_tag,
)
from memdir.team.service.errors import ServiceError


async def read_body(request: Request, *, limit: int, timeout: float) -> dict[str, Any]:
    """The JSON object a request carries, at most `limit` bytes within `timeout` seconds. ServiceError 400, 408 or 413."""
    too_large = ServiceError(413, BODY_TOO_LARGE, "The request is too large.", limit=limit)
    announced = request.headers.get("content-length", "0")
    if announced.isdecimal() and int(announced) > limit:
        raise too_large
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(timeout):
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


def checked_entries(data: dict[str, Any], *, scanning: bool) -> dict[str, bytes]:
    """The contents of a write by key. `scanning`: look for secrets. ServiceError 400 or 422, naming the keys."""
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
        found = sorted({s.kind for s in scan(content)}) if scanning else []
        if found:
            leaks[key] = found
    if bad:
        raise ServiceError(422, INVALID_KEY, "A name can't be used.", keys=bad)
    if leaks:
        raise ServiceError(422, SECRET, "A file holds a secret.", keys=leaks)
    return contents


def not_modified(request: Request, tag: Tag) -> bool:
    given = request.headers.get("if-none-match")
    return given is not None and any(parse_tag(part) == tag for part in given.split(","))


def precondition(request: Request) -> Tag:
    """The state a write was made against. ServiceError 428 without one: a blind write could lose somebody's."""
    tag = parse_tag(request.headers.get("if-match"))
    if tag is None:
        raise ServiceError(
            428, NO_PRECONDITION, "A write needs If-Match with the entity tag it was made against."
        )
    return tag


def too_fast(seconds: float) -> ServiceError:
    return ServiceError(
        429, RATE_LIMITED, "Too many requests.", headers={"Retry-After": str(max(1, round(seconds + 0.5)))}
    )


def number(text: str | None, default: int) -> int:
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
