"""What a command may see of the outside world, so that tests pin all of it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TextIO

from memdir.core.i18n import Message, normalise_locale, render


def _system_now() -> datetime:
    return datetime.now().astimezone()


@dataclass(slots=True)
class CliEnv:
    """Environment of one invocation. `system_root` prefixes system places such as /etc (tests move it)."""

    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    cwd: str = field(default_factory=os.getcwd)
    stdin: TextIO = field(default_factory=lambda: sys.stdin)
    stdout: TextIO = field(default_factory=lambda: sys.stdout)
    stderr: TextIO = field(default_factory=lambda: sys.stderr)
    now: Callable[[], datetime] = _system_now
    system_root: str = "/"
    clock_ns: Callable[[], int] = time.time_ns  # what files are dated by, in ns since 1970
    _locale: str | None = field(default=None, init=False, repr=False)

    @property
    def locale(self) -> str:
        """Supported locale from MEMDIR_LANG, LC_ALL, LC_MESSAGES or LANG, in this order."""
        names = ("MEMDIR_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
        return normalise_locale(next((v for n in names if (v := self.environ.get(n))), None))

    @property
    def colour(self) -> bool:
        """Colour on a terminal only; NO_COLOR (any value) switches it off, FORCE_COLOR on."""
        if self.environ.get("NO_COLOR"):
            return False
        return bool(self.environ.get("FORCE_COLOR")) or self.stdout.isatty()

    @property
    def home(self) -> str:
        """Home directory: HOME, else USERPROFILE, else what the system says."""
        return self.environ.get("HOME") or self.environ.get("USERPROFILE") or os.path.expanduser("~")

    @property
    def state_dir(self) -> str:
        """Memdir's own state directory: journal, locks, records."""
        from memdir.store.state import state_dir

        return state_dir(self.environ, home=self.home)

    def text(self, message: Message) -> str:
        """`message` in the locale of this run."""
        if self._locale is None:
            self._locale = self.locale
        return render(message, self._locale)

    def out(self, text: str = "") -> None:
        """Print one line of result."""
        print(text, file=self.stdout)

    def error(self, message: Message) -> int:
        """Say on stderr why the command could not run; gives its exit code, 2."""
        print("memdir: " + self.text(message), file=self.stderr)
        return 2
