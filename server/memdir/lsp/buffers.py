"""The texts that the editor has open. They win over the disk."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit


@dataclass(slots=True)
class Buffer:
    """An open document. `uri` is spelled as the client spelled it; `path` is the file's, None for other schemes."""

    uri: str
    path: str | None
    version: int | None
    text: str
    language: str


class Buffers:
    """Open documents by URI, and by path."""

    def __init__(self) -> None:
        self._by_uri: dict[str, Buffer] = {}
        self._by_path: dict[str, Buffer] = {}

    def __iter__(self) -> Iterator[Buffer]:
        return iter(list(self._by_uri.values()))

    def open(self, uri: str, version: int | None, text: str, language: str) -> Buffer:
        """Add a document; opening one twice replaces it."""
        buffer = Buffer(uri, path_of(uri), version, text, language)
        self._by_uri[uri] = buffer
        if buffer.path is not None:
            self._by_path[buffer.path] = buffer
        return buffer

    def change(self, uri: str, version: int | None, text: str) -> Buffer | None:
        """Give a document its new text; None when it is not open."""
        buffer = self._by_uri.get(uri)
        if buffer is not None:
            buffer.text, buffer.version = text, version
        return buffer

    def close(self, uri: str) -> Buffer | None:
        """Remove a document; None when it was not open."""
        buffer = self._by_uri.pop(uri, None)
        if buffer is not None and buffer.path is not None and self._by_path.get(buffer.path) is buffer:
            del self._by_path[buffer.path]
        return buffer

    def get(self, uri: str) -> Buffer | None:
        return self._by_uri.get(uri)

    def at(self, path: str) -> Buffer | None:
        """The open document of a file."""
        return self._by_path.get(path)

    def uri_of(self, path: str) -> str:
        """URI of a file, spelled as the client spells it where it is open."""
        buffer = self._by_path.get(path)
        return buffer.uri if buffer is not None else uri_of(path)


def path_of(uri: str) -> str | None:
    """Path of a file URI in the form of this platform; None for other schemes and for nonsense."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file":
        return None
    # '?' and '#' in a name are escaped by every client we know; an unescaped one belongs to no file URI
    path = unquote(parts.path, errors="surrogateescape")
    if "\0" in path or not path:
        return None
    if sys.platform == "win32":
        if parts.netloc:
            path = f"//{parts.netloc}{path}"
        elif len(path) > 2 and path[0] == "/" and path[2] == ":":
            path = path[1].lower() + path[2:]
        path = path.replace("/", "\\")
    return os.path.normpath(path)


def uri_of(path: str) -> str:
    """File URI of an absolute path."""
    if os.sep != "/":
        path = path.replace(os.sep, "/")
        if not path.startswith("/"):
            return "file:///" + quote(path, safe="/:")
        if path.startswith("//"):
            return "file:" + quote(path, safe="/")
    return "file://" + quote(path, safe="/~", errors="surrogateescape")
