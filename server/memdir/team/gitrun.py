"""Running git for team memory: nothing interactive, nothing inherited that could send it elsewhere, bounded in time."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence

from memdir.core.i18n import msg
from memdir.team.errors import TeamError

SECONDS = 60.0
_OPTIONS = ("-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "-c", "protocol.ext.allow=never", "-c", "submodule.recurse=false", "-c", "advice.detachedHead=false")  # fmt: skip
_NETWORK = ("fetch", "push", "ls-remote")


class Git:
    """git in one directory. Output is text; errors are TeamError of kind `git`, or `offline` for the network's."""

    def __init__(self, cwd: str, environ: Mapping[str, str], *, seconds: float = SECONDS) -> None:
        self.cwd = cwd
        self._seconds = seconds
        kept = {
            k: v
            for k, v in environ.items()
            if not k.startswith(("GIT_", "ANTHROPIC_"))
            or k in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_SSH_COMMAND", "GIT_SSL_CAINFO")
        }
        self._environ = {
            **kept, "LC_ALL": "C.UTF-8", "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "SSH_ASKPASS": "", "GIT_OPTIONAL_LOCKS": "0",
            "GIT_SSH_COMMAND": kept.get("GIT_SSH_COMMAND", "ssh -o BatchMode=yes"),
        }  # fmt: skip

    def run(self, *args: str, stdin: bytes | None = None, env: Mapping[str, str] | None = None) -> bytes:
        """stdout of `git args`."""
        code, out, err = self.attempt(args, stdin=stdin, env=env)
        if code != 0:
            raise self.failure(args, err)
        return out

    def text(self, *args: str) -> str:
        """stdout as stripped text."""
        return self.run(*args).decode("utf-8", "replace").strip()

    def maybe(self, *args: str) -> str | None:
        """stdout as stripped text, None when git says no."""
        code, out, _ = self.attempt(args)
        return out.decode("utf-8", "replace").strip() if code == 0 else None

    def attempt(
        self, args: Sequence[str], *, stdin: bytes | None = None, env: Mapping[str, str] | None = None
    ) -> tuple[int, bytes, bytes]:
        """(exit code, stdout, stderr)."""
        try:
            done = subprocess.run(
                ["git", *_OPTIONS, *args],
                cwd=self.cwd,
                env={**self._environ, **(env or {})},
                input=stdin if stdin is not None else b"",
                capture_output=True,
                timeout=self._seconds,
                check=False,
            )
        except FileNotFoundError as error:
            if not os.path.isdir(self.cwd):
                raise TeamError(
                    "git", msg("{path} does not exist; run `memdir team init --git`.", path=self.cwd)
                ) from error
            raise TeamError("git", msg("git is not installed, and the git transport needs it.")) from error
        except subprocess.TimeoutExpired as error:
            raise TeamError(
                "offline",
                msg(
                    "git {command} took longer than {seconds} seconds.",
                    command=args[0],
                    seconds=round(self._seconds),
                ),
            ) from error
        return done.returncode, done.stdout, done.stderr

    def failure(self, args: Sequence[str], stderr: bytes) -> TeamError:
        """The error for a git that failed; addresses in its text lose their credentials."""
        lines = [line for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
        why = "".join(c for c in (lines[-1] if lines else "?") if c.isprintable())[:200]
        if "://" in why and "@" in why:
            why = "fatal: ..."
        kind = "offline" if args[0] in _NETWORK else "git"
        return TeamError(kind, msg("git {command} failed: {why}", command=args[0], why=why))  # type: ignore[arg-type]  # one of two literals
