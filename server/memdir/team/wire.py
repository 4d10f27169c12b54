"""Reading the service's answers with suspicion: the service, or whoever stands in its place, may be hostile."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memdir.core.i18n import Message, msg
from memdir.core.model import content_hash
from memdir.team.errors import TeamError
from memdir.team.guard import PathTraversalError, check_key
from memdir.team.protocol import SUFFIX, Tag, parse_tag

_SHA = re.compile(r"[0-9a-f]{64}")
_MOST_KEYS = 100_000


@dataclass(frozen=True, slots=True)
class Incoming:
    """One entry from the team, its hash proved."""

    key: str
    content: bytes
    sha256: str
    author: str
    time: str


@dataclass(frozen=True, slots=True)
class Delta:
    """A page of changes. `refused`: entries that must not be used, and why."""

    tag: Tag
    full: bool
    more: bool
    entries: tuple[Incoming, ...]
    removed: tuple[str, ...]
    refused: dict[str, Message]


@dataclass(frozen=True, slots=True)
class Past:
    """One version in the history; `content` None when not asked for, or when it is a removal."""

    key: str
    version: int
    sha256: str
    author: str
    time: str
    removed: bool
    content: bytes | None = None


def nonsense(what: str) -> TeamError:
    """The answer is not what the protocol says."""
    return TeamError(
        "protocol",
        msg("The team service gave an answer that makes no sense ({what}). Is the address right?", what=what),
    )


def parse_object(body: bytes) -> dict[str, Any]:
    """A JSON object without duplicate keys."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(pairs)
        if len(data) != len(pairs):
            raise ValueError("duplicate key")
        return data

    try:
        data = json.loads(body, object_pairs_hook=unique)
    except (ValueError, RecursionError):
        raise nonsense("no JSON") from None
    if not isinstance(data, dict):
        raise nonsense("no JSON object")
    return data


def good_key(key: object) -> str:
    """A key as the guard wants it, and a visible Markdown file. PathTraversalError otherwise."""
    if not isinstance(key, str):
        raise PathTraversalError(msg("A key is no text."))
    parts = check_key(key)
    if not key.endswith(SUFFIX) or any(part.startswith(".") for part in parts):
        raise PathTraversalError(
            msg("Refused the path {path}: only visible Markdown files are shared.", path=ascii(key))
        )
    return key


def tag_of(data: Mapping[str, Any]) -> Tag:
    tag = parse_tag(data.get("etag")) if isinstance(data.get("etag"), str) else None
    if tag is None:
        raise nonsense("no state")
    return tag


def parse_delta(data: Mapping[str, Any], limit: int) -> Delta:
    """A page of changes; entries with a bad name, a wrong hash, no text or more than `limit` bytes are refused singly."""
    entries, removed = data.get("entries"), data.get("removed")
    if (
        not isinstance(entries, dict)
        or not isinstance(removed, dict)
        or len(entries) + len(removed) > _MOST_KEYS
    ):
        raise nonsense("no entries")
    good: list[Incoming] = []
    refused: dict[str, Message] = {}
    for key, entry in entries.items():
        try:
            good.append(_incoming(good_key(key), entry, limit))
        except PathTraversalError as error:
            refused[key] = error.message
    gone = []
    for key in removed:
        try:
            gone.append(good_key(key))
        except PathTraversalError as error:
            refused[key] = error.message
    return Delta(
        tag_of(data), data.get("full") is True, data.get("more") is True, tuple(good), tuple(gone), refused
    )


def _incoming(key: str, entry: Any, limit: int) -> Incoming:
    if not isinstance(entry, dict) or not isinstance(entry.get("content"), str):
        raise PathTraversalError(msg("{path} came without text.", path=ascii(key)))
    try:
        content = entry["content"].encode("utf-8", "strict")
    except UnicodeEncodeError:
        raise PathTraversalError(
            msg("{path} came with text that is no valid Unicode.", path=ascii(key))
        ) from None
    if len(content) > limit:
        raise PathTraversalError(
            msg(
                "{path} came with {size} bytes; at most {limit} are taken.",
                path=ascii(key),
                size=len(content),
                limit=limit,
            )
        )
    sha = content_hash(content)
    if entry.get("sha256") != sha:
        raise PathTraversalError(msg("{path} came with a hash that is not its own.", path=ascii(key)))
    return Incoming(key, content, sha, _short(entry.get("author")), _short(entry.get("time")))


def parse_checksums(data: Mapping[str, Any]) -> tuple[Tag, dict[str, str]]:
    """State and hashes; keys that the guard refuses are left out (they could not be ours)."""
    sums = data.get("checksums")
    if not isinstance(sums, dict) or len(sums) > _MOST_KEYS:
        raise nonsense("no checksums")
    good: dict[str, str] = {}
    for key, sha in sums.items():
        if not isinstance(sha, str) or not _SHA.fullmatch(sha):
            raise nonsense("a checksum is malformed")
        try:
            good[good_key(key)] = sha
        except PathTraversalError:
            continue
    return tag_of(data), good


def parse_past(row: Any) -> Past:
    """One version; TeamError when it is malformed."""
    if (
        not isinstance(row, dict)
        or not isinstance(row.get("version"), int)
        or not isinstance(row.get("key"), str)
    ):
        raise nonsense("no version")
    content = row.get("content")
    try:
        raw = content.encode("utf-8", "strict") if isinstance(content, str) else None
    except UnicodeEncodeError:
        raise nonsense("no text") from None
    sha = row.get("sha256") if isinstance(row.get("sha256"), str) else ""
    if raw is not None and content_hash(raw) != sha:
        raise nonsense("a hash is wrong")
    return Past(
        row["key"],
        row["version"],
        str(sha),
        _short(row.get("author")),
        _short(row.get("time")),
        row.get("removed") is True,
        raw,
    )


def _short(value: object) -> str:
    """A label for people from a foreign text: printable, bounded."""
    return "".join(c for c in value[:200] if c.isprintable()) if isinstance(value, str) else ""


def strings(value: object) -> tuple[str, ...]:
    """The texts of a JSON list."""
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()
