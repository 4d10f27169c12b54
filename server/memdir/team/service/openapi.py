"""The OpenAPI description of the service, built here so that it always says what this version does."""

from __future__ import annotations

from typing import Any

from memdir import __version__
from memdir.team import protocol as p
from memdir.team.protocol import Limits


def describe(limits: Limits) -> dict[str, Any]:
    """The document served at /openapi.json."""
    repo = p.API + "/repos/{repo}"
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Memdir team memory",
            "version": __version__,
            "description": "Shared memory files of a repository. Reading is conditional (ETag), writing needs If-Match. See docs/team.md.",
        },
        "security": [{"bearer": []}],
        "paths": {
            repo: {"get": _op("What the caller may do here, and the caps.", "Facts", params=[_REPO])},
            repo + "/memory": {
                "get": _op(
                    "Entries changed after a state, or entries by key. Answers come in pages: while `more` is true, ask again with `since` = `etag`.",
                    "Changes",
                    params=[_REPO, _query("since", "State after which changes are wanted."), _query("key", "Key wanted; may be repeated.", many=True), _header("If-None-Match")],
                    also={"304": "Nothing changed."},
                ),
                "put": _op("Upsert entries on top of a state.", "Written", body="Entries", params=[_REPO, _header("If-Match", True)], also=_WRITE),
            },
            repo + "/checksums": {
                "get": _op("SHA-256 of every entry.", "Checksums", params=[_REPO, _header("If-None-Match")], also={"304": "Nothing changed."})
            },
            repo + "/prune": {
                "post": _op("Remove entries that still have the given hashes; history keeps them.", "Written", body="Prune", params=[_REPO, _header("If-Match", True)], also=_WRITE)
            },
            repo + "/history": {
                "get": _op("Versions, the newest first.", "History", params=[_REPO, _query("key", "Only this key."), _query("before", "Versions before this one."), _query("limit", "At most this many (200).")])
            },
            repo + "/history/{version}": {
                "get": _op("One version with its content.", "Version", params=[_REPO, _path("version", "integer"), _query("key", "The key.", required=True)], also={"404": "No such version."})
            },
            repo + "/restore": {
                "post": _op("Make an old version current again, as a new version.", "Written", body="Restore", params=[_REPO, _header("If-Match", True)], also=_WRITE)
            },
            "/healthz": {"get": _plain("The service and its database answer.")},
            "/metrics": {"get": _plain("Counters for Prometheus.")},
            "/openapi.json": {"get": {**_plain("This document."), "responses": {"200": {"description": "OpenAPI", "content": {"application/json": {}}}}}},
        },
        "components": {"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}, "schemas": _schemas(limits)},
    }  # fmt: skip


_REPO = {
    "name": "repo",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": f"^{p.REPOSITORY.pattern}$"},
}
_WRITE = {
    "412": "The state moved on; fetch the checksums, compute again, retry.",
    "413": "Too large; `error.code` says what: "
    + ", ".join((p.FILE_TOO_LARGE, p.TOO_MANY_ENTRIES, p.BODY_TOO_LARGE))
    + ".",
    "422": f"Refused entries; `error.code` is {p.INVALID_KEY} or {p.SECRET}, `error.keys` names them.",
    "428": "If-Match is missing.",
}
_COMMON = {
    "401": "No good token.",
    "403": "No right to do this, or plain HTTP from another machine.",
    "429": "Too many requests; see Retry-After.",
    "503": "Try again later; see Retry-After.",
}


def _op(
    summary: str,
    schema: str,
    *,
    params: list[dict[str, Any]],
    body: str | None = None,
    also: dict[str, str] | None = None,
) -> dict[str, Any]:
    responses: dict[str, Any] = {
        "200": {
            "description": "Done.",
            "headers": {"ETag": {"schema": {"type": "string"}}},
            "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}},
        }
    }
    for status, text in {**_COMMON, **(also or {})}.items():
        answer: dict[str, Any] = {"description": text}
        if status != "304":
            answer["content"] = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
        responses[status] = answer
    operation: dict[str, Any] = {"summary": summary, "parameters": params, "responses": responses}
    if body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{body}"}}},
        }
    return operation


def _plain(summary: str) -> dict[str, Any]:
    return {
        "summary": summary,
        "security": [],
        "responses": {"200": {"description": "Text.", "content": {"text/plain": {}}}},
    }


def _query(name: str, text: str, *, many: bool = False, required: bool = False) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "array", "items": {"type": "string"}} if many else {"type": "string"}
    return {"name": name, "in": "query", "required": required, "description": text, "schema": schema}


def _path(name: str, kind: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": kind}}


def _header(name: str, required: bool = False) -> dict[str, Any]:
    return {"name": name, "in": "header", "required": required, "schema": {"type": "string"}}


def _schemas(limits: Limits) -> dict[str, Any]:
    text, number = {"type": "string"}, {"type": "integer"}
    tag = {"type": "string", "pattern": "^[0-9a-f]{16}-[0-9]+$"}
    facts: dict[str, Any] = {
        "sha256": text, "size": {"type": "integer", "maximum": limits.file}, "version": number, "author": text, "time": text, "removed": {"type": "boolean"},
    }  # fmt: skip
    entry = _object({**facts, "content": {"type": ["string", "null"]}}, ["sha256", "version", "content"])
    return {
        "Error": _object({"error": _object({"code": text, "message": text}, ["code", "message"])}, ["error"]),
        "Facts": _object({"repository": text, "subject": text, "rights": {"type": "array", "items": text}, "etag": tag, "limits": {"type": "object", "additionalProperties": number}}, ["etag", "rights", "limits"]),
        "Changes": _object(
            {"etag": tag, "full": {"type": "boolean"}, "more": {"type": "boolean"}, "entries": _map(entry), "removed": _map(number)},
            ["etag", "full", "more", "entries", "removed"],
        ),
        "Checksums": _object({"etag": tag, "checksums": _map(text)}, ["etag", "checksums"]),
        "Entries": _object(
            {"entries": {**_map(_object({"content": text, "sha256": text}, ["content"])), "maxProperties": limits.entries}}, ["entries"]
        ),
        "Prune": _object({"keys": _map(text)}, ["keys"]),
        "Restore": _object({"key": text, "version": number}, ["key", "version"]),
        "Written": _object({"etag": tag, "changed": {"type": "array", "items": text}, "unchanged": {"type": "array", "items": text}}, ["etag", "changed", "unchanged"]),
        "History": _object({"versions": {"type": "array", "items": _object({"key": text, **facts}, ["key", "version", "sha256"])}}, ["versions"]),
        "Version": _object({"key": text, **facts, "content": {"type": ["string", "null"]}}, ["key", "version"]),
    }  # fmt: skip


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required}


def _map(values: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": values}
