"""Three layers that prove a path from outside to lie in the team directory; every doubt is an error.

Keys come from a server, from a model's tool call or from a link in a file that somebody else wrote. A key is a relative
path with `/` between components. `check_key` judges the characters (layer 1), `contained` the joined string (layer 2),
`resolve` the real links on disk (layer 3), and `open_inside` opens what was proved without following links,
so that a link planted after the check loses. All raise `PathTraversalError`; nothing is repaired or guessed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from memdir.core.i18n import msg
from memdir.core.path_key import (
    MAX_COMPONENT,
    MAX_DECODE,
    MAX_DEPTH,
    MAX_KEY,
    PathTraversalError,
    check_key,
    fold,
    refusal,
)

__all__ = [
    "MAX_COMPONENT",
    "MAX_DECODE",
    "MAX_DEPTH",
    "MAX_KEY",
    "Names",
    "PathTraversalError",
    "check_key",
    "contained",
    "fold",
    "resolve",
]


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
            raise refusal(key, msg("it can't stand beside {other} on every file system", other=ascii(other)))


def contained(root: str, key: str) -> str:
    """Layers 1 and 2: the absolute path of `key` under `root`, compared with a trailing separator."""
    parts = check_key(key)
    base = os.path.abspath(root)
    path = os.path.normpath(os.path.join(base, *parts))
    if not path.startswith(base.rstrip(os.sep) + os.sep):
        raise refusal(key, msg("it lies outside the team directory"))
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
        raise refusal(
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
            raise refusal(key, msg("it can't be examined ({error})", error=_strerror(error))) from None
        try:
            current = os.path.realpath(path, strict=True)
        except OSError:
            raise refusal(key, msg("a link in it leads nowhere or in a circle")) from None
        if not (current + os.sep).startswith(prefix) or current + os.sep == prefix:
            raise refusal(key, msg("a link in it leads outside the team directory"))
        if index < len(parts) - 1 and not os.path.isdir(current):
            raise refusal(key, msg("a file stands where a folder should be"))
    return current


def _strerror(error: OSError) -> str:
    return error.strerror or type(error).__name__
