"""Which values a setting or variable may give for the memory directory, and why the others are refused.

The agent writes to the memory directory without asking, so a value that could widen it to a home or root directory is
ignored (client-behaviour: "Overrides"). Strings only; nothing is looked up on disk.
"""

from __future__ import annotations

import ntpath
import posixpath

from memdir.core.i18n import Message, msg
from memdir.core.lazy_re import lazy

_DRIVE = lazy(r"[A-Za-z]:(?:[\\/]|$)")
_PROJECT_NAME = lazy(r"[A-Za-z0-9_-]{1,64}")


def override_directory(value: str, platform: str) -> tuple[str | None, Message | None]:
    """(normalised directory, None) or (None, why not) for an environment variable: absolute, not a root, no `~`."""
    return _absolute(value, platform, one_component=True)


def settings_directory(value: str, home: str, platform: str) -> tuple[str | None, Message | None]:
    """The same for `autoMemoryDirectory`: `~/x` is expanded, at least two components are needed.

    `home` is absolute. `platform` is a `sys.platform` value and decides what a path looks like.
    """
    windows = platform == "win32"
    flavour = ntpath if windows else posixpath
    if value == "~" or value.startswith(("~/", "~\\") if windows else "~/"):
        if flavour.normpath(value[2:] or ".") in (".", ".."):
            return None, msg(
                "it is your home directory, or the one above; name a directory of its own below it"
            )
        value = flavour.join(home, value[2:])
    elif value.startswith("~"):
        return None, msg("only ~/ is expanded, no other user's home directory")
    return _absolute(value, platform, one_component=False)


def project_name(value: str) -> Message | None:
    """Why a value of CLAUDE_CODE_PROJECT_DIR_NAME can't be a directory name; None when it can."""
    if _PROJECT_NAME.fullmatch(value):
        return None
    return msg("it must be 1 to 64 letters, digits, dashes or underscores")


def _absolute(value: str, platform: str, *, one_component: bool) -> tuple[str | None, Message | None]:
    if not value.strip():
        return None, msg("it is empty")
    if "\0" in value:
        return None, msg("it contains a NUL character")
    try:
        value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return None, msg("it contains characters that no file name can have")
    if platform == "win32":
        return _absolute_windows(value, one_component)
    if not value.startswith("/"):
        if _DRIVE.match(value):
            return None, msg("it starts with a drive letter, which means nothing on this system")
        return None, msg("it is not an absolute path")
    path = "/" + posixpath.normpath(value).lstrip("/")
    return _deep_enough(path, path.count("/") if path != "/" else 0, one_component)


def _absolute_windows(value: str, one_component: bool) -> tuple[str | None, Message | None]:
    path = ntpath.normpath(value)
    if path.startswith("\\\\"):
        return None, msg("it is a network or device path")
    if not _DRIVE.match(path) or not ntpath.isabs(path):
        return None, msg("it is not an absolute path with a drive letter")
    return _deep_enough(path, len(path[3:].split("\\")) if path[3:] else 0, one_component)


def _deep_enough(path: str, parts: int, one_component: bool) -> tuple[str | None, Message | None]:
    if parts == 0:
        return None, msg("it is the root of the file system")
    if parts == 1 and not one_component:
        return None, msg("it lies directly below the root; name a directory further down")
    return path, None
