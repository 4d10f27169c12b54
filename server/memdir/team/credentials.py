"""Where a person's token for a team service is kept: given by the editor, in the environment, the system's keyring, or a private file.

A token belongs to one address. A repository that names another address therefore gets no token at all.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from typing import Protocol

from memdir.core.i18n import msg
from memdir.store.errors import RefusedError
from memdir.store.files import atomic_write
from memdir.store.state import private_dir

VARIABLE = "MEMDIR_TEAM_TOKEN"
FILE = "team-tokens.json"
SERVICE = "memdir-team"  # name of our entries in the keyring


class TokenStore(Protocol):
    """Keeps tokens by address of the service."""

    def get(self, url: str) -> str | None:
        """The token for `url`, or None."""
        ...

    def set(self, url: str, token: str | None) -> None:
        """Keep a token, or forget it (None). StoreError or OSError when that fails."""
        ...


class EnvironmentTokens:
    """The variable MEMDIR_TEAM_TOKEN, for CI. Counts only together with MEMDIR_TEAM_URL, which says whom it is for."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def get(self, url: str) -> str | None:
        if self._environ.get("MEMDIR_TEAM_URL", "").rstrip("/") != url:
            return None
        return self._environ.get(VARIABLE) or None

    def set(self, url: str, token: str | None) -> None:
        raise RefusedError(
            msg("The environment can't be written to; set {variable} yourself.", variable=VARIABLE)
        )


class FileTokens:
    """A file that only its owner can read (0600 in a directory with 0700)."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._path = os.path.join(folder, FILE)

    def get(self, url: str) -> str | None:
        token = self._read().get(url)
        return token or None

    def set(self, url: str, token: str | None) -> None:
        tokens = self._read()
        tokens.pop(url, None)
        if token is not None:
            tokens[url] = token
        private_dir(self._folder)
        atomic_write(self._path, json.dumps(tokens, indent=1).encode(), mode=0o600)

    def _read(self) -> dict[str, str]:
        try:
            with open(self._path, "rb") as file:
                info = os.fstat(file.fileno())
                if os.name == "posix" and (info.st_uid != os.geteuid() or stat.S_IMODE(info.st_mode) & 0o077):
                    raise RefusedError(
                        msg(
                            "{path} can be read by others; run `chmod 600` on it and get a new token.",
                            path=self._path,
                        )
                    )
                data = json.loads(file.read(1 << 20))
        except FileNotFoundError:
            return {}
        except ValueError as error:
            raise RefusedError(
                msg("{path} is no JSON; remove it and log in again.", path=self._path)
            ) from error
        return {k: v for k, v in data.items() if isinstance(v, str)} if isinstance(data, dict) else {}


class KeyringTokens:
    """The system's keyring, where Python's `keyring` is installed and has a real backend."""

    def __init__(self) -> None:
        import importlib

        self._keyring = importlib.import_module("keyring")
        backend = self._keyring.get_keyring()
        if getattr(backend, "priority", 0) < 1:  # its null and plain-text stand-ins
            raise ImportError("no keyring backend")

    def get(self, url: str) -> str | None:
        token = self._keyring.get_password(SERVICE, url)
        return token if isinstance(token, str) and token else None

    def set(self, url: str, token: str | None) -> None:
        if token is not None:
            self._keyring.set_password(SERVICE, url, token)
        elif self.get(url) is not None:
            self._keyring.delete_password(SERVICE, url)


def person_store(folder: str) -> TokenStore:
    """Where `memdir team login` puts a token: the keyring if there is one, else the private file in `folder`."""
    try:
        return KeyringTokens()
    except ImportError:
        return FileTokens(folder)


def find_token(url: str, environ: Mapping[str, str], folder: str, given: str | None = None) -> str | None:
    """The token for `url`: the editor's (`given`), the environment's, the keyring's, the file's. StoreError for an unsafe file."""
    if given:
        return given
    return EnvironmentTokens(environ).get(url) or person_store(folder).get(url) or FileTokens(folder).get(url)
