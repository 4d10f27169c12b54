"""The texts that tell a model its job: Markdown files beside this module, so that they read as prose and diff as prose."""

from __future__ import annotations

import pkgutil
from functools import cache


@cache
def prompt(name: str) -> str:
    """The text of `prompts/<name>.md`, trimmed. Raises FileNotFoundError for a name that does not exist."""
    data = pkgutil.get_data("memdir.agent", f"prompts/{name}.md")
    if data is None:
        raise FileNotFoundError(name)
    return data.decode("utf-8").strip()
