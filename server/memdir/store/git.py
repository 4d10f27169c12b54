"""Asking the git program: read-only questions, for facts that git's small files don't hold. Never on the locate path.

A repository's own configuration may name programs (a signature checker, a diff driver, a transport). Questions are asked
so that none of them runs: no signatures, no external diffs, no network, no hooks; and not through the environment's
GIT_DIR. Whatever goes wrong, the answer is None.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence

TIMEOUT = 15.0  # seconds; a history walk of a large repository takes a few
_SAFE = (
    "-c", "core.fsmonitor=false",
    "-c", "core.hooksPath=" + os.devnull,
    "-c", "log.showSignature=false",
    "-c", "protocol.allow=never",
    "-c", "core.quotePath=false",
    "--no-pager", "--no-optional-locks", "--literal-pathspecs",
)  # fmt: skip


def ask_git(
    cwd: str, args: Sequence[str], *, environ: Mapping[str, str] | None = None, timeout: float = TIMEOUT
) -> bytes | None:
    """What `git <args>` prints in `cwd`; None when there is no git, it fails, or it takes longer than `timeout` seconds.

    `environ` None: the process's own. Its GIT_* variables and what gives access to the model
    service are left out either way: a repository may name programs that git starts.
    """
    source = os.environ if environ is None else environ
    env = {k: v for k, v in source.items() if not k.startswith(("GIT_", "ANTHROPIC_"))}
    env |= {
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        "LC_ALL": "C.UTF-8",
    }
    try:
        done = subprocess.run(
            ["git", *_SAFE, *args],
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=timeout,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def ask_git_text(cwd: str, args: Sequence[str], *, environ: Mapping[str, str] | None = None) -> str | None:
    """The same as stripped text; undecodable bytes as in file names."""
    found = ask_git(cwd, args, environ=environ)
    return None if found is None else os.fsdecode(found).strip()
