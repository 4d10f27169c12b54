"""Patterns that compile when they are first used: hundreds of them would cost the command line its start-up."""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")


class _Lazy:
    """Stands for a compiled pattern; after the first use its methods are the compiled pattern's own."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._source = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(*self._source)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Like `re.compile`, later. An error in the pattern shows on first use."""
    return cast("re.Pattern[str]", _Lazy(pattern, int(flags)))
