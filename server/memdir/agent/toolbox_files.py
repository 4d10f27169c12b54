"""The read-only tools over a staged copy: listing, reading, searching, and the few shell commands in their terms.

Everything is plain text for a model: bounded in lines, characters and time. Nothing here opens a path of its own: keys go
to `Stage`, which guards them.
"""

from __future__ import annotations

import fnmatch
import re
import time
from collections.abc import Callable, Iterator

from memdir.agent.patterns import MAX_LINE, search_pattern
from memdir.agent.shell import Command, DeniedError, parse_command
from memdir.agent.staging import Stage
from memdir.core.path_key import check_key
from memdir.core.text import decode

MAX_LINES = 1_000  # lines of one read
MAX_HITS = 100
MAX_LISTED = 2_000
SEARCH_SECONDS = 5.0
_SHOWN = 400  # characters of a matching line


class Files:
    """Reading tools over `stage`. `stopped` is asked between steps: a cancelled job ends a search."""

    def __init__(
        self,
        stage: Stage,
        *,
        stopped: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stage = stage
        self._stopped = stopped
        self._clock = clock

    def listing(self, path: str = "") -> str:
        """Keys with sizes below a folder."""
        keys = self._below(folder_key(path))
        lines = [f"{key}  ({len(self._stage.read(key))} bytes)" for key in keys[:MAX_LISTED]]
        if len(keys) > MAX_LISTED:
            lines.append(f"(and {len(keys) - MAX_LISTED} more; name a folder)")
        return "\n".join(lines) or "(no files)"

    def read(self, path: str, offset: int = 1, limit: int = MAX_LINES) -> str:
        """Lines of a file with their numbers."""
        lines = self._lines(file_key(path))
        start = max(offset, 1) - 1
        part = lines[start : start + max(1, min(limit, MAX_LINES))]
        if not part:
            return f"(the file has {len(lines)} lines)" if lines else "(the file is empty)"
        shown = [f"{n}\t{line}" for n, line in enumerate(part, start + 1)]
        left = len(lines) - start - len(part)
        return "\n".join([*shown, f"({left} more lines)"] if left > 0 else shown)

    def search(
        self,
        pattern: re.Pattern[str],
        path: str = "",
        *,
        include: str = "",
        limit: int = MAX_HITS,
        context: tuple[int, int] = (0, 0),
    ) -> str:
        """Matching lines as `file:line: text`."""
        found: list[str] = []
        end = self._clock() + SEARCH_SECONDS
        for key in self._targets(path):
            if include and not fnmatch.fnmatchcase(key.rsplit("/", 1)[-1], include):
                continue
            lines = self._lines(key)
            for number in self._hits(pattern, lines, end):
                first, last = max(number - context[0], 0), min(number + context[1], len(lines) - 1)
                found += [f"{key}:{n + 1}: {_clip(lines[n])}" for n in range(first, last + 1)]
                if len(found) >= limit:
                    return "\n".join(
                        [*found[:limit], f"(the first {limit} lines; search more narrowly for the rest)"]
                    )
        return "\n".join(found) or "(nothing found)"

    def shell(self, text: str) -> str:
        """Answer one read-only command. DeniedError says why not."""
        command = parse_command(text)
        return getattr(self, f"_{command.name}")(command)  # type: ignore[no-any-return]  # names come from COMMANDS

    # commands

    def _pwd(self, command: Command) -> str:
        return "."

    def _ls(self, command: Command) -> str:
        found: list[str] = []
        for word in command.words or (".",):
            folder = folder_key(word)
            keys = self._below(folder)
            if not keys:
                raise FileNotFoundError(word)
            if command.has("-R", "--recursive") or folder in keys:
                found += keys
            else:
                cut = len(folder) + 1 if folder else 0
                names = (k[cut:] for k in keys)
                found += sorted({n.split("/")[0] + ("/" if "/" in n else "") for n in names})
        return "\n".join(found[:MAX_LISTED])

    def _cat(self, command: Command) -> str:
        return "\n".join(self._numbered(key, command.has("-n")) for key in self._operands(command))

    def _head(self, command: Command) -> str:
        count = command.number("-n", "--lines", default=10)
        return self._parts(command, lambda lines: lines[:count])

    def _tail(self, command: Command) -> str:
        count = command.number("-n", "--lines", default=10)
        return self._parts(command, lambda lines: lines[-count:] if count else [])

    def _wc(self, command: Command) -> str:
        rows = []
        for key in self._operands(command):
            content = self._stage.read(key)
            text, _ = decode(content)
            rows.append(f"{text.count(chr(10))} {len(text.split())} {len(content)} {key}")
        return "\n".join(rows)

    def _grep(self, command: Command) -> str:
        words = list(command.words)
        source = command.options.get("-e") or (words.pop(0) if words else "")
        pattern = search_pattern(
            rf"\b(?:{source})\b" if command.has("-w") and not command.has("-F") else source,
            ignore_case=command.has("-i", "--ignore-case"),
            literal=command.has("-F"),
        )
        around = command.number("-C", "--context", default=0)
        context = (command.number("-B", default=around), command.number("-A", default=around))
        limit = min(command.number("-m", "--max-count", default=MAX_HITS), MAX_HITS)
        found = [
            self.search(
                pattern, word, include=command.options.get("--include", ""), limit=limit, context=context
            )
            for word in words or ["."]
        ]
        text = "\n".join(f for f in found if f != "(nothing found)") or "(nothing found)"
        if command.has("-l", "-c") and text != "(nothing found)":
            counts: dict[str, int] = {}
            for line in text.split("\n"):
                if ": " in line:
                    key = line.split(":", 1)[0]
                    counts[key] = counts.get(key, 0) + 1
            return "\n".join(f"{k}:{n}" if command.has("-c") else k for k, n in counts.items())
        return text

    def _find(self, command: Command) -> str:
        kind = command.options.get("-type", "f")
        if kind not in ("f", "d"):
            raise DeniedError("Denied: find -type knows f and d here.")
        names = command.options.get("-name", ""), command.options.get("-iname", "")
        found: list[str] = []
        for word in command.words or (".",):
            for key in self._below(folder_key(word)):
                path = key if kind == "f" else key.rpartition("/")[0]
                name = path.rsplit("/", 1)[-1]
                if names[0] and not fnmatch.fnmatchcase(name, names[0]):
                    continue
                if names[1] and not fnmatch.fnmatchcase(name.casefold(), names[1].casefold()):
                    continue
                if path and path not in found:
                    found.append(path)
        return "\n".join(found[:MAX_LISTED]) or "(nothing found)"

    # helpers

    def _parts(self, command: Command, cut: Callable[[list[str]], list[str]]) -> str:
        keys = self._operands(command)
        found = []
        for key in keys:
            body = "\n".join(cut(self._lines(key)))
            found.append(f"==> {key} <==\n{body}" if len(keys) > 1 else body)
        return "\n".join(found)

    def _operands(self, command: Command) -> list[str]:
        if not command.words:
            raise DeniedError(f"Denied: {command.name} needs the name of a file.")
        found: list[str] = []
        for word in command.words:
            if any(c in word for c in "*?["):
                glob = word.removeprefix("./")
                matches = [k for k in self._stage.files() if _matches(k, glob)]
                if not matches:
                    raise FileNotFoundError(word)
                found += matches
            else:
                found.append(file_key(word))
        return found

    def _targets(self, path: str) -> list[str]:
        folder = folder_key(path)
        keys = self._below(folder)
        if not keys and folder:
            raise FileNotFoundError(path)
        return keys

    def _below(self, folder: str) -> list[str]:
        keys = self._stage.files()
        return [k for k in keys if k == folder or k.startswith(folder + "/")] if folder else keys

    def _lines(self, key: str) -> list[str]:
        text, _ = decode(self._stage.read(key))
        lines = text.replace("\r\n", "\n").split("\n")
        return lines[:-1] if lines[-1] == "" else lines

    def _numbered(self, key: str, numbers: bool) -> str:
        lines = self._lines(key)
        return "\n".join(f"{n}\t{line}" for n, line in enumerate(lines, 1)) if numbers else "\n".join(lines)

    def _hits(self, pattern: re.Pattern[str], lines: list[str], end: float) -> Iterator[int]:
        for number, line in enumerate(lines):
            if self._stopped() or self._clock() > end:
                raise DeniedError(
                    "The search took too long and was stopped. Search for plain words, or in one file."
                )
            if pattern.search(line[:MAX_LINE]):
                yield number


def folder_key(path: str) -> str:
    """A path from a model as a key; '' for the directory itself. PathTraversalError for a path that leads out."""
    path = _bare(path)
    if path in ("", "."):
        return ""
    check_key(path)
    return path


def file_key(path: str) -> str:
    """A path from a model as the key of a file. PathTraversalError for the directory itself and paths that lead out."""
    path = _bare(path)
    check_key(path)
    return path


def _bare(path: str) -> str:
    while path.startswith("./"):
        path = path[2:].lstrip("/") if path != "./" else "."
    return path[:-1] if path.endswith("/") and len(path) > 1 and not path.endswith("//") else path


def _matches(key: str, glob: str) -> bool:
    """A shell's pattern: a star does not cross a slash."""
    parts, patterns = key.split("/"), glob.split("/")
    return len(parts) == len(patterns) and all(map(fnmatch.fnmatchcase, parts, patterns))


def _clip(line: str) -> str:
    return line if len(line) <= _SHOWN else line[:_SHOWN] + " …"
