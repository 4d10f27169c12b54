"""Where Memdir keeps its own state: the journal, locks, records. Never inside a memory directory.

Follows the rules of platformdirs (`user_state_dir`), but with the environment as an argument, so that tests and
remote set-ups pin it. A test compares both.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping

from memdir.core.i18n import msg
from memdir.store.errors import RefusedError

APP = "memdir"


def state_dir(environ: Mapping[str, str], *, home: str, platform: str = sys.platform) -> str:
    """Absolute path of the state directory; nothing is created.

    `MEMDIR_STATE_DIR` (absolute) wins. Else Linux and other Unixes: `$XDG_STATE_HOME/memdir`, by default
    `~/.local/state/memdir` (a relative XDG value is ignored, as the XDG specification asks); macOS:
    `~/Library/Application Support/memdir`, unless XDG_STATE_HOME is set; Windows: `%LOCALAPPDATA%\\memdir`.
    """
    own = environ.get("MEMDIR_STATE_DIR", "")
    if _absolute(own, platform):
        return own
    if platform == "win32":
        local = environ.get("LOCALAPPDATA", "")
        return (local if _absolute(local, platform) else home + "\\AppData\\Local").rstrip("\\/") + "\\" + APP
    xdg = environ.get("XDG_STATE_HOME", "").strip()
    if _absolute(xdg, platform):
        return os.path.join(xdg, APP)
    if platform == "darwin":
        return os.path.join(home, "Library", "Application Support", APP)
    return os.path.join(home, ".local", "state", APP)


def _absolute(path: str, platform: str) -> bool:
    if "\0" in path:
        return False
    if platform == "win32":
        return len(path) > 2 and (path[1] == ":" or path.startswith("\\\\"))
    return path.startswith("/")


def private_dir(path: str) -> str:
    """Make `path` and what is missing above it for this user only (0700); gives it back.

    A directory that exists keeps its mode: a person may have named any. One that somebody else owns or may write to is
    refused (files in it are 0600, but they could be replaced).
    """
    os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        info = os.stat(path)
        if not stat.S_ISDIR(info.st_mode):
            raise RefusedError(
                msg("{path} is in the way: Memdir needs a directory of this name for its state.", path=path)
            ) from None
        if os.name == "posix" and (info.st_uid != os.geteuid() or stat.S_IMODE(info.st_mode) & 0o022):
            raise RefusedError(
                msg("Others may write to {path}; set MEMDIR_STATE_DIR to a directory of your own.", path=path)
            ) from None
    return path
