"""Three layers that prove a path from outside to lie in the team directory; every doubt is an error.

Keys come from a server, from a model's tool call or from a link in a file that somebody else wrote. A key is a relative
path with `/` between components. `check_key` judges the characters (layer 1), `contained` the joined string (layer 2),
`resolve` the real links on disk (layer 3), and `open_inside` opens what was proved without following links,
so that a link planted after the check loses. All raise `PathTraversalError`; nothing is repaired or guessed.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import unquote_to_bytes

from memdir.core.i18n import Message, msg

MAX_COMPONENT = 240  # UTF-8 bytes; file systems allow 255, temporary names of atomic writes need a few
MAX_KEY = 1024  # UTF-8 bytes of a whole key
MAX_DEPTH = 12
MAX_DECODE = 5  # rounds of percent decoding; a name that still changes then is an attack

_FORBIDDEN = frozenset('\\:*?"<>|')  # separators, drives, streams and globs of some system a teammate may use
_LOOKALIKES = frozenset(
    "\u2044\u2215\u2216\u29f5\u29f8\u29f9\u27cb\u27cd\ufe68\uff0f\uff3c"
)  # slashes, also unnormalised
_REFUSED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"}
    | {f"{d}{n}" for d in ("com", "lpt") for n in range(10)}
)
_GIT_NAMES = re.compile(r"\.git.*|git~\d+", re.IGNORECASE | re.DOTALL)
_PERCENT = re.compile(r"%(?:[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})")


class PathTraversalError(ValueError):
    """A path that can't be proved to lie inside the team directory. `message` says which rule it broke."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


def _refuse(key: str, why: Message) -> PathTraversalError:
    shown = key if len(key) <= 80 else key[:77] + "..."
    return PathTraversalError(msg("Refused the path {path}: {why}.", path=ascii(shown), why=why))


def check_key(key: str) -> tuple[str, ...]:
    """Layer 1: the components of `key`, or PathTraversalError. Looks at characters only."""
    if not isinstance(key, str) or not key:
        raise _refuse(str(key), msg("it is empty"))
    if len(key) > MAX_KEY or len(key.encode("utf-8", "surrogatepass")) > MAX_KEY:
        raise _refuse(key, msg("it is longer than {limit} bytes", limit=MAX_KEY))
    _check_decoded(key)
    parts = tuple(key.split("/"))
    if len(parts) > MAX_DEPTH:
        raise _refuse(key, msg("it is deeper than {limit} folders", limit=MAX_DEPTH))
    for part in parts:
        why = _component_problem(part)
        if why is not None:
            raise _refuse(key, why)
    if parts[0].startswith("~"):
        raise _refuse(key, msg("it starts at a home directory"))
    return parts


def _component_problem(part: str) -> Message | None:
    if part in ("", ".", ".."):
        return msg("it is absolute or has an empty, '.' or '..' component")
    if not part.isascii() or not part.isprintable():
        for char in part:
            if unicodedata.category(char) in _REFUSED_CATEGORIES:
                return msg("it holds the invisible character {code}", code=f"U+{ord(char):04X}")
            if char in _LOOKALIKES or (
                char > "\x7f" and set(unicodedata.normalize("NFKC", char)) & set("./\\:%~\0")
            ):
                return msg("it holds {code}, which stands for a dot or a slash", code=f"U+{ord(char):04X}")
    if _FORBIDDEN & set(part):
        return msg("it holds a character that is a separator or a drive on some system")
    if part[-1] in ". " or part[0] == " " or part != part.strip():
        return msg("a name starts with a blank or ends with a dot or blank")
    if len(part.encode("utf-8")) > MAX_COMPONENT:
        return msg("a name is longer than {limit} bytes", limit=MAX_COMPONENT)
    folded = fold(part)
    if folded.split(".")[0].rstrip(" ") in _DEVICES:
        return msg("it is a device name on Windows")
    if _GIT_NAMES.fullmatch(folded):
        return msg("it belongs to git")
    return None


def _check_decoded(key: str) -> None:
    """Refuse a key whose percent-decoded forms, at any depth, are not as harmless as the key itself."""
    current = key if key.isascii() else unicodedata.normalize("NFKC", key)  # full-width digits decode as well
    for _ in range(MAX_DECODE):
        if not _PERCENT.search(current):
            return
        if re.search(r"%u[0-9A-Fa-f]{4}", current):
            raise _refuse(key, msg("it is percent-encoded"))
        try:
            decoded = unquote_to_bytes(current.encode("utf-8", "strict")).decode("utf-8", "strict")
        except UnicodeError:  # overlong UTF-8 such as %c0%ae
            raise _refuse(key, msg("it is percent-encoded")) from None
        if decoded.count("/") != current.count("/") or any(
            _component_problem(part) for part in decoded.split("/")
        ):
            raise _refuse(key, msg("it is percent-encoded"))
        current = decoded
    raise _refuse(key, msg("it is percent-encoded"))


def fold(name: str) -> str:
    """The form in which two names that some file system can't tell apart are equal (NFKC, case-folded)."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


class Names:
    """Keys already in use, to find names that collide on a case-insensitive or normalising file system."""

    __slots__ = ("_files", "_folders")

    def __init__(self, keys: Iterable[str] = ()) -> None:
        self._files: dict[str, str] = {}
        self._folders: dict[str, str] = {}
        for key in keys:
            self.add(key, check=False)

    def add(self, key: str, *, check: bool = True) -> None:
        """Take `key` in; PathTraversalError when it differs from a known one only by case or normal form."""
        if check:
            self.check(key)
        parts = key.split("/")
        for i in range(1, len(parts)):
            folder = "/".join(parts[:i])
            self._folders.setdefault(fold(folder), folder)
        self._files.setdefault(fold(key), key)

    def check(self, key: str) -> None:
        """PathTraversalError when `key` can't live beside the known keys."""
        folded, parts = fold(key), key.split("/")
        other = self._files.get(folded, key)
        if folded in self._folders:
            other = self._folders[folded] + "/"
        for i in range(1, len(parts)):
            folder = "/".join(parts[:i])
            known = self._folders.get(fold(folder), folder)
            if known != folder or fold(folder) in self._files:
                other = self._files.get(fold(folder), known)
        if other != key:
            raise _refuse(key, msg("it can't stand beside {other} on every file system", other=ascii(other)))


def contained(root: str, key: str) -> str:
    """Layers 1 and 2: the absolute path of `key` under `root`, compared with a trailing separator."""
    parts = check_key(key)
    base = os.path.abspath(root)
    path = os.path.normpath(os.path.join(base, *parts))
    if not path.startswith(base.rstrip(os.sep) + os.sep):
        raise _refuse(key, msg("it lies outside the team directory"))
    return path


def resolve(root: str, key: str) -> str:
    """All three layers: the real absolute path of `key`, whose deepest existing ancestor lies inside the real `root`.

    Links that stay inside are followed; dangling links and loops are refused. What does not exist yet is allowed
    below a real directory. OSError of an unreadable place is a PathTraversalError too: no proof, no path.
    """
    contained(root, key)
    try:
        current = os.path.realpath(root, strict=True)
    except OSError as error:
        raise _refuse(
            key, msg("the team directory can't be resolved ({error})", error=_strerror(error))
        ) from None
    prefix = current.rstrip(os.sep) + os.sep
    missing = False
    parts = key.split("/")
    for index, part in enumerate(parts):
        path = os.path.join(current, part)
        if missing:
            current = path
            continue
        try:
            os.lstat(path)
        except FileNotFoundError:
            missing, current = True, path
            continue
        except OSError as error:
            raise _refuse(key, msg("it can't be examined ({error})", error=_strerror(error))) from None
        try:
            current = os.path.realpath(path, strict=True)
        except OSError:
            raise _refuse(key, msg("a link in it leads nowhere or in a circle")) from None
        if not (current + os.sep).startswith(prefix) or current + os.sep == prefix:
            raise _refuse(key, msg("a link in it leads outside the team directory"))
        if index < len(parts) - 1 and not os.path.isdir(current):
            raise _refuse(key, msg("a file stands where a folder should be"))
    return current


def _strerror(error: OSError) -> str:
    return error.strerror or type(error).__name__
