"""Every source that can name a memory directory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memdir.core.slug import slug
from memdir.store.locate import Location, locate
from tests.store.layouts import environment, write_json


class World:
    """Every source that can name a directory, switched on by name."""

    SOURCES = (
        "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE",
        "managed-settings",
        "flag-settings",
        "local-settings",
        "project-settings",
        "user-settings",
        "CLAUDE_CODE_REMOTE_MEMORY_DIR",
        "CLAUDE_CODE_PROJECT_DIR_NAME",
        "default",
    )

    def __init__(self, repo: Path, home: Path) -> None:
        self.repo, self.home, self.system = repo, home, home / "sys"
        self.config = home / "config"
        self.fields: dict[str, Any] = {"CLAUDE_CONFIG_DIR": str(self.config), "system": self.system}

    def files(self) -> dict[str, Path]:
        return {
            "managed-settings": self.system / "etc/claude-code/managed-settings.json",
            "local-settings": self.repo / ".claude/settings.local.json",
            "project-settings": self.repo / ".claude/settings.json",
            "user-settings": self.config / "settings.json",
        }

    def expected(self, source: str) -> str:
        name = slug(str(self.repo))
        return {
            "CLAUDE_CODE_REMOTE_MEMORY_DIR": f"{self.home}/remote/projects/{name}/memory",
            "CLAUDE_CODE_PROJECT_DIR_NAME": f"{self.config}/projects/chosen/memory",
            "default": f"{self.config}/projects/{name}/memory",
        }.get(source, f"{self.home}/by/{source}")

    def switch_on(self, source: str, value: str | None = None) -> None:
        target = value or self.expected(source)
        if source in self.files():
            write_json(self.files()[source], {"autoMemoryDirectory": target})
            if source == "project-settings":
                self.fields |= {"trusted": True, "allow_project_directory": True}
        elif source == "flag-settings":
            self.fields["flag_settings"] = {"autoMemoryDirectory": target}
        elif source == "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE":
            self.fields[source] = target
        elif source == "CLAUDE_CODE_REMOTE_MEMORY_DIR":
            self.fields[source] = value or f"{self.home}/remote"
        elif source == "CLAUDE_CODE_PROJECT_DIR_NAME":
            self.fields[source] = value or "chosen"

    def locate(self) -> Location:
        return locate(str(self.repo), environment(self.home, **self.fields))
