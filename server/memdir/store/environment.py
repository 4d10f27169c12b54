"""The outside world of one question about memory, as an argument: environment, home, system root, flags, trust."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memdir.core.i18n import Message

OVERRIDE = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"
REMOTE_DIR = "CLAUDE_CODE_REMOTE_MEMORY_DIR"
PROJECT_NAME = "CLAUDE_CODE_PROJECT_DIR_NAME"
CONFIG_DIR = "CLAUDE_CONFIG_DIR"
DISABLE = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"
LEGACY = "legacy-slug"
DEFAULT = "default"
TRUE = frozenset(("1", "true", "yes", "on"))
FALSE = frozenset(("0", "false", "no", "off"))


@dataclass(frozen=True, slots=True)
class Environment:
    """The outside world of one question. `platform` is a `sys.platform` value.

    `flag_settings`: what the client gets as `--settings` (JSON text, the path of a file, or the object). `trusted`: the
    workspace is trusted. `allow_project_directory`: the person's own opt-in. `bare` and `safe_mode`: the client's flags.
    """

    environ: Mapping[str, str]
    home: str
    system_root: str = "/"
    platform: str = sys.platform
    flag_settings: str | Mapping[str, Any] | None = None
    trusted: bool = False
    allow_project_directory: bool = False
    bare: bool = False
    safe_mode: bool = False

    def truthy(self, name: str) -> bool:
        """The variable says 1, true, yes or on."""
        return self.environ.get(name, "").strip().lower() in TRUE


@dataclass(frozen=True, slots=True)
class Considered:
    """One source that had a say, highest first. `value` is as written; `why` is a part of a sentence."""

    source: str
    value: str
    used: bool
    why: Message


def config_directory(env: Environment, cwd: str = "/") -> str:
    """`$CLAUDE_CONFIG_DIR` (a relative one means below `cwd`), or `~/.claude`."""
    value = env.environ.get(CONFIG_DIR)
    return os.path.normpath(os.path.join(cwd, value)) if value else os.path.join(env.home, ".claude")
