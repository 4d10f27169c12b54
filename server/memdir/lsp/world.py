"""The outside of a server, as an argument."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class World:
    """`clock` gives aware datetimes; `system_root` prefixes system places such as /etc (tests move it)."""

    environ: Mapping[str, str]
    home: str
    clock: Callable[[], datetime]
    system_root: str = "/"
