"""Reading the parameters of custom messages, which come from anybody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def folder_of(params: Any) -> str | None:
    """`folder` of the parameters; None for all folders, also when parameters are missing or of another shape."""
    value = params.get("folder") if isinstance(params, Mapping) else None
    return value if isinstance(value, str) and value else None


def argument(arguments: Any, index: int = 0) -> Mapping[str, Any]:
    """The object among a command's arguments at `index`; empty when there is none."""
    value: Any = arguments[index] if isinstance(arguments, list | tuple) and len(arguments) > index else None
    return value if isinstance(value, Mapping) else {}


def text_of(value: Mapping[str, Any], key: str) -> str:
    """A string among an object's values; '' when it is absent or something else."""
    found = value.get(key)
    return found if isinstance(found, str) else ""
