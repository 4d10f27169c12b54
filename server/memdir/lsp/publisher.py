"""Getting findings to the client: pushed or kept for its questions, and only when they changed.

Open memory files of a client that pulls are answered on request (`memdir.lsp.handlers.diagnostics`); everything else is
pushed. VS Code forgets pulled findings when a tab closes, so closed files are always pushed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memdir.core.model import Diagnostic
from memdir.lsp.capabilities import Client
from memdir.lsp.convert import Json, Lookup, Text, diagnostic_json


@dataclass(frozen=True, slots=True)
class Pulled:
    """Findings kept for the client's next question; `id` changes with the content."""

    id: str
    items: list[Json]


class Publisher:
    """`send` takes a method and its parameters as JSON text; `refresh` asks the client to pull again."""

    def __init__(
        self, client: Client, lookup: Lookup, send: Callable[[str, str], None], refresh: Callable[[], None]
    ) -> None:
        self._client, self._lookup, self._send, self._refresh = client, lookup, send, refresh
        self._pushed: dict[str, int] = {}  # URI -> hash of what the client shows; absent: nothing
        self._pulled: dict[str, Pulled] = {}
        self._serial = 0

    def show(
        self, text: Text, findings: Sequence[Diagnostic], *, pull: bool, own: bool, is_open: bool = False
    ) -> None:
        """Make `findings` those of a file.

        `pull`: the client asks for this file; `own`: because of its own change; `is_open`: the editor shows it, so that
        "nothing found" is said once, too.
        """
        items = [diagnostic_json(d, text, self._client, self._lookup) for d in findings]
        if not pull:
            self._push(text.uri, items, text.version, always=is_open)
            return
        old = self._pulled.get(text.uri)
        if old is None or old.items != items:
            self._serial += 1
            self._pulled[text.uri] = Pulled(str(self._serial), items)
            if not own:
                self._refresh()
        self._push(text.uri, [], text.version)

    def pulled(self, uri: str) -> Pulled | None:
        """What to answer for an open file."""
        return self._pulled.get(uri)

    def silent(self, uri: str) -> bool:
        """True when the client shows nothing of ours for this file."""
        return uri not in self._pushed and uri not in self._pulled

    def closed(self, uri: str) -> None:
        """The client forgot what it pulled for this file."""
        self._pulled.pop(uri, None)

    def clear(self, uri: str) -> None:
        """The file is gone, or none of ours any more."""
        if self._pulled.pop(uri, None) is not None:
            self._refresh()
        self._push(uri, [], None)

    def _push(self, uri: str, items: list[Json], version: int | None, *, always: bool = False) -> None:
        body = json.dumps(items) if items else "[]"
        digest = hash(body)
        old = self._pushed.get(uri)
        if digest == old or (old is None and not items and not always):
            return
        if items or always:
            self._pushed[uri] = digest
        else:
            del self._pushed[uri]
        numbered = "" if version is None else f'"version":{version},'
        params = f'{{"uri":{json.dumps(uri)},{numbered}"diagnostics":{body}}}'
        self._send("textDocument/publishDiagnostics", params)
