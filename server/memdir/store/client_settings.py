"""The settings files of the agent's client: where they are, what they say about memory, and what is wrong with them.

Only `autoMemoryDirectory` and `autoMemoryEnabled` are read. A file or value that can't be used counts as not set
(fail closed) and gives a problem at its place.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from memdir.core.i18n import Message, msg

if TYPE_CHECKING:
    from memdir.core.model import Span
    from memdir.core.settings import Problem

Source: TypeAlias = Literal[
    "managed-settings", "flag-settings", "local-settings", "project-settings", "user-settings"
]
UNREADABLE = "settings-unreadable"
PROJECT_DIRECTORY = "settings-project-directory"
CAP = 1 << 20  # settings are a few kilobytes
SETTLED_NS = 2_000_000_000  # coarsest clock of a file system in use (FAT)
KNOWN = 256  # files remembered


_known: dict[tuple[str, str], tuple[tuple[int, ...], ClientSettings]] = {}


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """One settings file (or the flag). `path` is empty for settings given as text."""

    source: Source
    path: str
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    @property
    def name(self) -> str:
        """What to call it in a sentence: the file, or the flag."""
        return self.path or "--settings"

    def directory(self) -> str | None:
        """`autoMemoryDirectory` as written, if it is a string."""
        value = self.data.get("autoMemoryDirectory")
        return value if isinstance(value, str) else None

    def enabled(self) -> bool | None:
        """`autoMemoryEnabled`, if it is true or false."""
        value = self.data.get("autoMemoryEnabled")
        return value if isinstance(value, bool) else None

    def problem(self, rule: str, key: str, message: Message) -> Problem:
        """A problem at the value of `key`."""
        return _problem(rule, self.path, _value_span(self.text, key), message)


def managed_paths(system_root: str, platform: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Where an administrator's settings may be; the first that exists counts. `system_root` is / or C:\\ (or a test's)."""
    if platform == "darwin":
        return (
            os.path.join(
                system_root, "Library", "Application Support", "ClaudeCode", "managed-settings.json"
            ),
        )
    if platform == "win32":
        root = environ.get("SystemDrive", "C:") + "\\" if system_root == "/" else system_root
        return tuple(
            os.path.join(root, place, "ClaudeCode", "managed-settings.json")
            for place in ("Program Files", "ProgramData")
        )
    return (os.path.join(system_root, "etc", "claude-code", "managed-settings.json"),)


def project_paths(cwd: str, top: str, user_path: str) -> tuple[str | None, str | None]:
    """(local, project) settings file of a checkout: the nearest from `cwd` up to `top`.

    The client reads those of the directory it was started in, which for a sub-directory we are asked about is most
    likely the top; looking upwards finds both. The user's own file never counts as a project's (a repository may be
    rooted in the home directory).
    """
    local = project = None
    if not _nameable(cwd):
        return None, None
    for here in _upwards(cwd, top):
        folder = os.path.join(here, ".claude")
        if not os.access(folder, os.F_OK):
            continue
        if local is None and os.access(path := os.path.join(folder, "settings.local.json"), os.F_OK):
            local = path
        path = os.path.join(folder, "settings.json")
        if project is None and path != user_path and os.access(path, os.F_OK):
            project = path
        if local and project:
            break
    return local, project


def _nameable(path: str) -> bool:
    """False for text that no path on disk can be: a NUL, or code points that can't be encoded."""
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def _upwards(cwd: str, top: str) -> Iterator[str]:
    here = cwd
    while True:
        yield here
        parent = os.path.dirname(here)
        if here in (top, parent):
            return
        here = parent


def read_client_settings(path: str, source: Source) -> ClientSettings | None:
    """The settings in a file; None when there is none. Never raises: what is wrong with it is in `problems`.

    A file that did not change since the last question is not read again.
    """
    try:
        info = os.stat(path)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    except OSError as error:
        return _broken(
            source,
            path,
            msg("{path} can't be read: {reason}.", path=path, reason=error.strerror or str(error)),
        )
    stamp = (info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino)
    known = _known.get((path, source))
    if known is not None and known[0] == stamp:
        return known[1]
    found = _read(path, source)
    # a file written this moment may change again within the same tick of its clock
    if time.time_ns() - info.st_ctime_ns > SETTLED_NS and not found.problems:
        if len(_known) >= KNOWN:
            _known.clear()
        _known[path, source] = (stamp, found)
    return found


def _read(path: str, source: Source) -> ClientSettings:
    from memdir.core.text import decode
    from memdir.store.errors import StoreError
    from memdir.store.files import read_file

    try:
        found = read_file(path, cap=CAP)
    except StoreError as error:
        return _broken(source, path, error.message)
    except OSError as error:
        return _broken(
            source,
            path,
            msg("{path} can't be read: {reason}.", path=path, reason=error.strerror or str(error)),
        )
    if found.truncated:
        return _broken(
            source, path, msg("{path} is larger than {size} bytes and is not read.", path=path, size=CAP)
        )
    return parse_client_settings(decode(found.content)[0], source, path)


def parse_client_settings(text: str, source: Source, path: str = "") -> ClientSettings:
    """The settings in a JSON text."""
    import json

    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        message = msg("This is not valid JSON ({reason}), so none of its settings count.", reason=error.msg)
        return _broken(source, path, message, text, error.pos)
    except ValueError as error:  # a number of thousands of digits
        message = msg("This is not valid JSON ({reason}), so none of its settings count.", reason=str(error))
        return _broken(source, path, message, text)
    except RecursionError:
        return _broken(
            source, path, msg("This JSON is nested too deeply, so none of its settings count."), text
        )
    if not isinstance(data, dict):
        return _broken(
            source, path, msg("Settings must be one JSON object ({{...}}), so none of them count."), text
        )
    found = ClientSettings(source, path, text, data)
    problems = []
    for key, kind, wanted in (
        ("autoMemoryDirectory", str, msg("a string")),
        ("autoMemoryEnabled", bool, msg("true or false")),
    ):
        if data.get(key) is not None and not isinstance(data[key], kind):
            problems.append(
                found.problem(UNREADABLE, key, msg("{key} must be {wanted}.", key=key, wanted=wanted))
            )
    return ClientSettings(source, path, text, data, tuple(problems)) if problems else found


def flag_client_settings(value: str | Mapping[str, Any] | None, cwd: str) -> ClientSettings | None:
    """What was given as `--settings`: JSON text, the path of a file, or the object itself."""
    if value is None:
        return None
    if isinstance(value, str):
        if value.lstrip().startswith("{"):
            return parse_client_settings(value, "flag-settings")
        path = os.path.join(cwd, value)
        found = read_client_settings(path, "flag-settings")
        return found or _broken("flag-settings", path, msg("{path} does not exist.", path=path))
    import json

    return parse_client_settings(json.dumps(value), "flag-settings")


def _broken(
    source: Source, path: str, message: Message, text: str = "", at: int | None = None
) -> ClientSettings:
    from memdir.core.model import Span

    start = 0 if at is None else min(at, len(text))
    end = len(text) if at is None else text.find("\n", start)
    if end < start:
        end = len(text)
    if start == end and start:  # at the very end: mark the last character, so that something shows
        start -= 1
    return ClientSettings(source, path, text, {}, (_problem(UNREADABLE, path, Span(start, end), message),))


def _value_span(text: str, key: str) -> Span:
    from memdir.core.json_positions import json_positions
    from memdir.core.model import Span

    place = json_positions(text).get((key,))
    return place.value if place else Span(0, 0)


def _problem(rule: str, path: str, span: Span, message: Message) -> Problem:
    from memdir.core.settings import Problem

    return Problem(rule, path, span, message)
