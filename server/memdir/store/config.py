"""Memdir's own configuration from the disk: the person's file, the project's file, then editor and flags on top.

Environment, home and platform are arguments. A mistake never stops anything; it is a problem at its place. The heavy
parts are imported only when a file exists, because `memdir where` asks for the person's two trust settings.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from memdir.core.i18n import msg
from memdir.store.environment import Environment
from memdir.store.gitfiles import find_checkout

if TYPE_CHECKING:
    from memdir.core.settings import Layer, Level, Problem, Settings

FILE = "memdir.toml"
PYPROJECT = "pyproject.toml"
CAP = 1 << 20
Overlay: TypeAlias = Callable[[str], "str | None"]  # text of an open editor buffer, by absolute path


@dataclass(frozen=True, slots=True)
class Configuration:
    """Merged settings. `files` are those that were read or would be if they existed (to be watched).

    `withheld` are keys of the project's file that do nothing because the workspace is not trusted.
    """

    settings: Settings
    problems: tuple[Problem, ...]
    files: tuple[str, ...]
    trusted: bool
    withheld: tuple[str, ...] = ()


def user_config_path(environ: Mapping[str, str], home: str, platform: str = sys.platform) -> str:
    """The person's own file. `MEMDIR_CONFIG_DIR` wins; relative XDG values are ignored, as XDG asks."""
    own = environ.get("MEMDIR_CONFIG_DIR", "")
    if own and os.path.isabs(own):
        return os.path.join(own, FILE)
    if platform == "win32":
        return os.path.join(
            environ.get("APPDATA") or os.path.join(home, "AppData", "Roaming"), "memdir", FILE
        )
    xdg = environ.get("XDG_CONFIG_HOME", "")
    if os.path.isabs(xdg):
        base = xdg
    elif platform == "darwin":
        base = os.path.join(home, "Library", "Application Support")
    else:
        base = os.path.join(home, ".config")
    return os.path.join(base, "memdir", FILE)


def make_environment(
    environ: Mapping[str, str],
    home: str,
    cwd: str,
    *,
    system_root: str = "/",
    platform: str = sys.platform,
    flag_settings: str | Mapping[str, Any] | None = None,
    trusted: bool | None = None,
    bare: bool = False,
    safe_mode: bool = False,
) -> Environment:
    """The environment to locate the memory of `cwd` with: the person's opt-in and trusted directories are read.

    `trusted` None: trusted when the owner of `cwd` lies in a directory that the person's file lists.
    """
    layer, _ = _layer(user_config_path(environ, home, platform), "user", None, None)
    values = layer.values if layer else {}
    return Environment(
        environ,
        home,
        system_root,
        platform,
        flag_settings,
        trusts(values.get("trusted", ()), find_checkout(cwd).owner, home) if trusted is None else trusted,
        bool(values.get("allow-project-directory")),
        bare,
        safe_mode,
    )


def load_configuration(
    owner: str,
    environ: Mapping[str, str],
    home: str,
    *,
    top: str | None = None,
    platform: str = sys.platform,
    rules: Collection[str] | None = None,
    editor: object = None,
    flags: object = None,
    trusted: bool | None = None,
    overlay: Overlay | None = None,
) -> Configuration:
    """The settings for the repository `owner` (checkout `top`, where a worktree's owner has no file, as a bare one).

    `rules`: names of the rules that exist, for checking; None checks no names. `editor` and `flags` are nested mappings
    (see `parse_mapping`). `trusted` as for `make_environment`.
    """
    from memdir.core.settings import merge, withheld_keys
    from memdir.core.settings_parse import parse_mapping

    user_path = user_config_path(environ, home, platform)
    user, problems = _layer(user_path, "user", rules, overlay)
    layers = [user] if user else []
    files = [user_path]
    project: Layer | None = None
    for root in dict.fromkeys((owner, top or owner)):
        paths = [os.path.join(root, FILE), os.path.join(root, PYPROJECT)]
        files += paths
        for path in paths:
            if project is None and path != user_path:
                project, found = _layer(path, "project", rules, overlay)
                problems += found
    if project:
        layers.append(project)
    for data, level in ((editor, "editor"), (flags, "flag")):
        layer, found = parse_mapping(data, level, rules=rules)  # type: ignore[arg-type]  # a loop widens the literals
        layers.append(layer)
        problems += found
    if trusted is None:
        listed = tuple(
            d for layer in layers if layer.level != "project" for d in layer.values.get("trusted", ())
        )
        trusted = trusts(listed, owner, home)
    withheld = withheld_keys(project) if project and not trusted else ()
    return Configuration(
        merge(layers, trusted=trusted), tuple(problems), tuple(files), trusted, tuple(withheld)
    )


def rule_names() -> list[str]:
    """Names of all rules, in their order."""
    from memdir.core.rules import NAMES

    return list(NAMES)


def _layer(
    path: str, level: Level, rules: Collection[str] | None, overlay: Overlay | None
) -> tuple[Layer | None, list[Problem]]:
    """The settings of one file; None when it does not exist (or is a pyproject.toml without our table)."""
    text = overlay(path) if overlay else None
    bom = False
    if text is None:
        if not os.access(path, os.F_OK):
            return None, []
        from memdir.core.text import decode
        from memdir.store.errors import StoreError
        from memdir.store.files import read_file

        try:
            content = read_file(path, cap=CAP)
        except StoreError as error:
            return _unreadable(path, level, error.message)
        except OSError as error:
            why = msg("{path} can't be read: {reason}.", path=path, reason=error.strerror or str(error))
            return _unreadable(path, level, why)
        if content.truncated:
            return _unreadable(
                path, level, msg("{path} is larger than {size} bytes and is not read.", path=path, size=CAP)
            )
        text, bom = decode(content.content)
    from memdir.core.settings_parse import parse_toml

    table = ("tool", "memdir") if os.path.basename(path) == PYPROJECT else ()
    layer, problems = parse_toml(text, path, level, rules=rules, table=table, bom=bom)
    return (layer if layer.values or problems or not table else None), problems


def _unreadable(path: str, level: Level, message: Any) -> tuple[Layer, list[Problem]]:
    from memdir.core.model import Span
    from memdir.core.settings import Layer, Problem

    return Layer(level, path), [Problem("config-invalid", path, Span(0, 0), message)]


def trusts(directories: Collection[str], owner: str, home: str) -> bool:
    for directory in directories:
        expanded = os.path.join(home, directory[2:]) if directory.startswith("~/") else directory
        if not os.path.isabs(expanded):
            continue
        real = os.path.realpath(expanded)
        if owner == real or owner.startswith(real.rstrip(os.sep) + os.sep):
            return True
    return False
