"""The sandbox of a background job: carries out a model's tool calls on a staged copy, denies the rest with a reason.

Reads are bounded; writes change the copy only, after the job's own `review`. Nothing a model sends can raise: every call is
answered, with a result or with an error that says what to do instead.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from memdir.agent.client_types import ToolCall, ToolResult
from memdir.agent.patterns import search_pattern
from memdir.agent.shell import DeniedError
from memdir.agent.staging import Stage
from memdir.agent.toolbox_files import MAX_LINES, Files, file_key
from memdir.agent.toolbox_sessions import MAX_RECORDS, ROOT, Sessions
from memdir.agent.toolbox_tools import NAMES
from memdir.core.i18n import Message, msg
from memdir.core.path_key import PathTraversalError
from memdir.core.text import decode, encode
from memdir.store.errors import StoreError

MAX_RESULT = 20_000  # characters of one result, about 5,000 tokens
MAX_OUTPUT = 600_000  # characters of all results of one job
MAX_CALLS = 500  # of one job
MAX_CALLS_AT_ONCE = 50
MAX_CONTENT = 64 * 1024  # characters of a file that a model may write: far above any useful memory
_MAX_REASON = 300

WriteKind: TypeAlias = Literal["write", "edit", "delete"]


@dataclass(frozen=True, slots=True)
class Quote:
    """What a model claims that a message said."""

    message: str
    quote: str


@dataclass(frozen=True, slots=True)
class Write:
    """A change that a model asks for. Texts are None where there is no file."""

    kind: WriteKind
    key: str
    before: str | None
    after: str | None
    reason: str
    evidence: tuple[Quote, ...] = ()


Review: TypeAlias = Callable[[Write], "str | None"]


def _no_objection(_: Write) -> None:
    return None


class Toolbox:
    """The tools of one job. `review` says why a write is denied, or None. `denied` collects (tool, reason)."""

    def __init__(
        self, stage: Stage, sessions: Sessions | None = None, *, review: Review = _no_objection
    ) -> None:
        self.stage = stage
        self.writes: list[Write] = []
        self.denied: list[tuple[str, str]] = []
        self._sessions = sessions or Sessions()
        self._stop = threading.Event()
        self._sessions.stopped = self._stop.is_set
        self._files = Files(stage, stopped=self._stop.is_set)
        self._review = review
        self._closed: dict[str, str] = {}
        self._output = 0
        self._calls = 0

    def close(self, names: Iterable[str], reason: str) -> None:
        """Deny these tools from now on."""
        self._closed.update(dict.fromkeys(names, reason))

    def open(self, names: Iterable[str]) -> None:
        """Allow them again."""
        for name in names:
            self._closed.pop(name, None)

    def reasons(self) -> dict[str, list[Message]]:
        """What the model said about each file it changed, in order."""
        found: dict[str, list[Message]] = {}
        for write in self.writes:
            if write.reason:
                found.setdefault(write.key, []).append(msg("{text}", text=write.reason))
        return found

    async def handle(self, calls: Sequence[ToolCall]) -> list[ToolResult]:
        """Answer the calls of one turn, in a thread. Cancelling waits for the step that is running, which is short."""
        work = asyncio.ensure_future(asyncio.to_thread(self.carry_out, calls))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            self._stop.set()
            await asyncio.wait({work})
            raise

    def carry_out(self, calls: Sequence[ToolCall]) -> list[ToolResult]:
        """The same, here and now."""
        found = []
        for number, call in enumerate(calls):
            if self._stop.is_set():
                break
            try:
                if number >= MAX_CALLS_AT_ONCE:
                    raise DeniedError(f"Denied: at most {MAX_CALLS_AT_ONCE} calls at once.")
                found.append(ToolResult(call.id, self._bounded(self._one(call))))
            except (DeniedError, PathTraversalError, StoreError) as error:
                found.append(self._deny(call, str(error)))
            except FileNotFoundError:
                found.append(self._deny(call, f"There is no file {_named(call)}. list shows what there is."))
            except (OSError, ValueError) as error:
                found.append(self._deny(call, f"It failed: {type(error).__name__}."))
        return found

    def _deny(self, call: ToolCall, reason: str) -> ToolResult:
        reason = reason.encode("utf-8", "replace").decode()[:1_000]
        self.denied.append((call.name[:40], reason))
        return ToolResult(call.id, reason, True)

    def _bounded(self, text: str) -> str:
        text = text.encode("utf-8", "replace").decode()  # undecodable bytes of a memory are no valid JSON
        if len(text) > MAX_RESULT:
            text = (
                f"{text[:MAX_RESULT]}\n({len(text) - MAX_RESULT} characters left out; read a part, or search)"
            )
        self._output += len(text)
        if self._output > MAX_OUTPUT:
            raise DeniedError("Denied: this job has read as much as it may. Finish with what you know.")
        return text

    def _one(self, call: ToolCall) -> str:
        self._calls += 1
        if self._calls > MAX_CALLS:
            raise DeniedError(f"Denied: this job has made {MAX_CALLS} calls. Finish now.")
        if call.name not in NAMES:
            raise DeniedError(f"Denied: there is no tool {call.name[:40]!r}. There are {', '.join(NAMES)}.")
        if call.name in self._closed:
            raise DeniedError(self._closed[call.name])
        given = call.input if isinstance(call.input, dict) else {}
        path = _text(given, "path", "")
        if call.name == "list":
            return self._sessions.listing() if path.rstrip("/") == ROOT else self._files.listing(path)
        if call.name == "read":
            limit = _number(given, "limit", None)
            if _in_sessions(path):
                return self._sessions.read(path, _number(given, "offset", None), limit or MAX_RECORDS // 2)
            return self._files.read(path, _number(given, "offset", 1) or 1, limit or MAX_LINES)
        if call.name == "search":
            folded = given.get("ignore_case", True) is not False
            pattern = search_pattern(_text(given, "pattern"), ignore_case=folded)
            return (
                self._sessions.search(pattern, path)
                if _in_sessions(path)
                else self._files.search(pattern, path)
            )
        if call.name == "shell":
            return self._files.shell(_text(given, "command"))
        return self._change(call.name, given)

    def _change(self, name: str, given: Mapping[str, Any]) -> str:
        key = file_key(_text(given, "path"))
        if key.startswith("@"):
            raise DeniedError("Denied: transcripts are never changed.")
        if not key.endswith(".md") or any(part.startswith(".") for part in key.split("/")):
            raise DeniedError("Denied: only Markdown files (.md) without a leading dot can be written.")
        before = self._present(key)
        reason = " ".join(_text(given, "reason", "").split())[:_MAX_REASON]
        evidence = _evidence(given.get("evidence"))
        if name == "delete":
            if before is None:
                raise FileNotFoundError(key)
            write = Write("delete", key, before, None, reason, evidence)
        elif name == "edit":
            if before is None:
                raise FileNotFoundError(key)
            after = _edited(before, _text(given, "old"), _text(given, "new"))
            write = Write("edit", key, before, after, reason, evidence)
        else:
            write = Write("write", key, before, _text(given, "content"), reason, evidence)
        if write.after is not None and len(write.after) > max(MAX_CONTENT, len(before or "")):
            raise DeniedError(f"Denied: a file may have at most {MAX_CONTENT} characters. Say it shorter.")
        objection = self._review(write)
        if objection is not None:
            raise DeniedError(objection)
        if write.after is None:
            self.stage.delete(key)
        else:
            self.stage.write(key, encode(write.after))
        self.writes.append(write)
        return "Deleted." if write.after is None else "Done."

    def _present(self, key: str) -> str | None:
        try:
            return decode(self.stage.read(key))[0]
        except FileNotFoundError:
            return None


def _edited(before: str, old: str, new: str) -> str:
    if not old:
        raise DeniedError("Denied: 'old' is empty. Copy the text to replace exactly.")
    count = before.count(old)
    if count != 1:
        what = "does not occur" if not count else f"occurs {count} times"
        raise DeniedError(
            f"The text to replace {what} in the file. Copy it exactly, with enough around it to be unique."
        )
    return before.replace(old, new)


def _in_sessions(path: str) -> bool:
    return path == ROOT or path.startswith(ROOT + "/")


def _text(given: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = given.get(name, default)
    if not isinstance(value, str):
        raise DeniedError(f"Denied: {name!r} must be given as text.")
    return value.encode("utf-8", "replace").decode()  # a lone surrogate would not survive the way back


def _number(given: Mapping[str, Any], name: str, default: int | None) -> int | None:
    value = given.get(name, default)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > 1 << 50:
        raise DeniedError(f"Denied: {name!r} must be a whole number.")
    return value


def _evidence(value: object) -> tuple[Quote, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(
        Quote(e["message"].strip(), e["quote"])
        for e in value[:10]
        if isinstance(e, dict) and isinstance(e.get("message"), str) and isinstance(e.get("quote"), str)
    )


def _named(call: ToolCall) -> str:
    path = call.input.get("path") if isinstance(call.input, dict) else None
    return repr(path[:100]) if isinstance(path, str) else "of this name"
