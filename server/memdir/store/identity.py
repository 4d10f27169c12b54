"""What a repository is known by when it moves: its first commit and its remote, remembered in the state directory.

A memory directory carries no trace of its repository but the path in its name. So the doctor (and the server, when it
opens a repository) writes down what it sees; after a move the record of the old name matches the repository at its new
place. Credentials in a remote's address are never written.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping

from memdir.core.doctor import Identity, Record, Repo
from memdir.store.errors import StoreError
from memdir.store.files import MAX_BYTES, atomic_write, read_file
from memdir.store.git import ask_git_text
from memdir.store.gitfiles import find_checkout

FILE = "repositories.json"
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^@/]*@)?([^/:]+)(?::\d+)?/(.+)")
_SCP = re.compile(r"(?:[^@/]*@)?([^/:@]+):(?!/)(.+)")


def read_identity(owner: str, environ: Mapping[str, str] | None = None) -> Identity:
    """The identity of a repository; empty for a directory that is none, or where git is missing."""
    if find_checkout(owner).kind == "none" and not os.path.isfile(os.path.join(owner, "HEAD")):
        return Identity()
    shallow = ask_git_text(owner, ["rev-parse", "--is-shallow-repository"], environ=environ)
    first = None
    if shallow == "false":  # the first commit of a shallow clone is not the repository's
        first = ask_git_text(owner, ["rev-list", "--max-parents=0", "HEAD"], environ=environ)
    remotes = ask_git_text(owner, ["config", "--get-regexp", r"^remote\..*\.url$"], environ=environ)
    urls = dict(line.split(" ", 1) for line in (remotes or "").split("\n") if " " in line)
    url = urls.get("remote.origin.url") or next(iter(urls.values()), "")
    return Identity((first or "").rsplit("\n", 1)[-1], normalise_remote(url))


def normalise_remote(url: str) -> str:
    """'host/path' of a remote: the same for https, ssh and scp spellings; without user, password, port and `.git`."""
    url = url.strip()
    match = _URL.fullmatch(url) or _SCP.fullmatch(url)
    if match:
        url = match[1].lower() + "/" + match[2].lstrip("/")
    return url.rstrip("/").removesuffix(".git").rstrip("/")


def load_records(state_dir: str) -> dict[str, Record]:
    """What is remembered: name of the project directory -> record. Empty when there is nothing readable."""
    try:
        data = json.loads(read_file(os.path.join(state_dir, FILE), cap=MAX_BYTES).content)
    except (OSError, StoreError, ValueError, RecursionError):
        return {}
    entries = data.get("repositories") if isinstance(data, dict) else None
    found: dict[str, Record] = {}
    for name, entry in entries.items() if isinstance(entries, dict) else ():
        values = [
            entry.get(k) if isinstance(entry, dict) else None for k in ("path", "first_commit", "remote")
        ]
        if all(isinstance(v, str) for v in values):
            path, first, remote = (str(v) for v in values)
            found[name] = Record(path, Identity(first, remote))
    return found


def remember(state_dir: str, repos: Iterable[Repo]) -> None:
    """Add repositories to what is remembered. Writes only when something is new; raises OSError or StoreError."""
    from memdir.store.state import private_dir

    records = load_records(state_dir)
    known = dict(records)
    for repo in repos:
        if repo.identity != Identity():
            records[repo.name] = Record(repo.path, repo.identity)
    if records == known:
        return
    entries = {
        name: {"path": r.path, "first_commit": r.identity.first_commit, "remote": r.identity.remote}
        for name, r in sorted(records.items())
    }
    text = json.dumps({"version": 1, "repositories": entries}, indent=1)
    atomic_write(
        os.path.join(private_dir(state_dir), FILE), text.encode("utf-8", "surrogateescape"), mode=0o600
    )
