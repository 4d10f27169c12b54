"""Where the memory of a working directory is, whether it is on, and why: `locate(cwd, environment)`.

Follows what the agent's client was observed to do, with one deliberate difference: a project's own settings never move
the memory directory, unless the person opted in and the workspace is trusted. Reads a handful of small files; runs no
program.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memdir.core.directory_value import override_directory, project_name, settings_directory
from memdir.core.i18n import Message, msg
from memdir.core.slug import legacy_slug, slug
from memdir.store.client_settings import (
    PROJECT_DIRECTORY,
    UNREADABLE,
    ClientSettings,
    flag_client_settings,
    managed_paths,
    project_paths,
    read_client_settings,
)
from memdir.store.environment import (
    CONFIG_DIR,
    DEFAULT,
    LEGACY,
    OVERRIDE,
    PROJECT_NAME,
    REMOTE_DIR,
    Considered,
    Environment,
    config_directory,
)
from memdir.store.gitfiles import Checkout, find_checkout
from memdir.store.switch import decide_switch

__all__ = ["Considered", "Environment", "Location", "config_directory", "locate"]

if TYPE_CHECKING:
    from memdir.core.settings import Problem


@dataclass(frozen=True, slots=True)
class Location:
    """The answer. All paths are absolute; `memory_dir` is computed even when memory is off.

    `path` is the real path that was asked about, `top` its checkout, `owner` the directory whose slug names the memory
    (the main checkout for a worktree). `source` and `enabled_by` name what decided (a variable, a settings level,
    `default`, `legacy-slug`). `legacy_dir` is a directory with underscores in its slug, as older clients made them: used
    when there is nothing else (`source` says so), else only reported. `switches` explains on or off as `considered`
    explains the place. `trusted` repeats the environment's.
    """

    path: str
    top: str
    owner: str
    slug: str
    memory_dir: str
    exists: bool
    enabled: bool
    enabled_by: str
    source: str
    considered: tuple[Considered, ...]
    config_dir: str
    projects_dir: str
    problems: tuple[Problem, ...] = ()
    switches: tuple[Considered, ...] = ()
    legacy_dir: str | None = None
    is_repository: bool = False
    is_worktree: bool = False
    trusted: bool = False

    @property
    def transcript_dirs(self) -> tuple[str, ...]:
        """Directories with sessions of this repository; reads the disk each time (`store.project_dirs`)."""
        from memdir.store.project_dirs import transcript_directories

        return transcript_directories(self)

    @property
    def settings_readable(self) -> bool:
        """False when a settings file could not be used. Work that spends or sends waits until it can (fail closed)."""
        return all(p.rule != UNREADABLE for p in self.problems)


def locate(cwd: str, env: Environment) -> Location:
    """Where the memory of `cwd` is. `cwd` is absolute; it may be missing, or a file (its directory counts)."""
    checkout = find_checkout(cwd)
    config = config_directory(env, checkout.cwd)
    layers = _read_layers(checkout, env, config)
    problems = [p for layer in layers for p in layer.problems]
    name = slug(checkout.owner)
    places = _Places(env, checkout, config, name)
    considered, chosen = _choose(env, layers, places, problems)
    legacy = places.legacy(chosen)
    if legacy and os.path.isdir(chosen.path):
        why = msg(
            "today's client reads the directory without underscores in its name (memdir doctor merges both)"
        )
        considered.append(Considered(LEGACY, legacy, False, why))
    elif legacy:
        why = msg(
            "nothing is there yet, but a directory that an older client made for this repository exists"
        )
        considered = [
            *(c for c in considered if not c.used),
            Considered(chosen.source, chosen.path, False, why),
        ]
        used = msg(
            "it holds this repository's memories; underscores were kept in its name (memdir doctor moves it)"
        )
        considered.append(Considered(LEGACY, legacy, True, used))
        chosen = _Choice(legacy, LEGACY)
    switches, enabled = decide_switch(env, layers)
    return Location(
        path=checkout.cwd,
        top=checkout.top,
        owner=checkout.owner,
        slug=name,
        memory_dir=chosen.path,
        exists=os.path.isdir(chosen.path),
        enabled=enabled,
        enabled_by=next(s.source for s in switches if s.used),
        source=chosen.source,
        considered=tuple(considered),
        config_dir=config,
        projects_dir=os.path.join(config, "projects"),
        problems=tuple(problems),
        switches=tuple(switches),
        legacy_dir=legacy,
        is_repository=checkout.kind != "none",
        is_worktree=checkout.kind == "worktree",
        trusted=env.trusted,
    )


def _read_layers(checkout: Checkout, env: Environment, config: str) -> list[ClientSettings]:
    """Settings that exist, highest first."""
    user_path = os.path.join(config, "settings.json")
    local, project = project_paths(checkout.cwd, checkout.top, user_path)
    managed = (
        read_client_settings(p, "managed-settings")
        for p in managed_paths(env.system_root, env.platform, env.environ)
    )
    layers = (
        next((found for found in managed if found), None),
        flag_client_settings(env.flag_settings, checkout.cwd),
        read_client_settings(local, "local-settings") if local else None,
        read_client_settings(project, "project-settings") if project else None,
        read_client_settings(user_path, "user-settings"),
    )
    return [layer for layer in layers if layer]


@dataclass(frozen=True, slots=True)
class _Choice:
    path: str
    source: str


@dataclass(frozen=True, slots=True)
class _Places:
    """The directories that are computed rather than named."""

    env: Environment
    checkout: Checkout
    config: str
    slug: str
    remote: str = field(init=False)

    def __post_init__(self) -> None:
        value = self.env.environ.get(REMOTE_DIR)
        remote = os.path.normpath(os.path.join(self.checkout.cwd, value)) if value else ""
        object.__setattr__(self, "remote", remote)

    def below(self, base: str, name: str) -> str:
        return os.path.join(base, "projects", name, "memory")

    def legacy(self, chosen: _Choice) -> str | None:
        """The directory of an older client beside a computed one, if it exists."""
        if chosen.source not in (DEFAULT, REMOTE_DIR):
            return None
        old = legacy_slug(self.checkout.owner)
        if old == self.slug:
            return None
        path = self.below(self.remote or self.config, old)
        return path if os.path.isdir(path) else None


def _choose(
    env: Environment, layers: Iterable[ClientSettings], places: _Places, problems: list[Problem]
) -> tuple[list[Considered], _Choice]:
    """Everything that named a directory, highest first, and the one that counts. Adds to `problems`."""
    found: list[Considered] = []
    chosen: _Choice | None = None

    def offer(source: str, value: str, path: str | None, why: Message | None) -> None:
        nonlocal chosen
        if path is None:
            found.append(Considered(source, value, False, why or msg("it is not set")))
        elif chosen is not None:
            found.append(Considered(source, value, False, msg("{source} comes first", source=chosen.source)))
        else:
            chosen = _Choice(path, source)
            found.append(Considered(source, value, True, why or msg("nothing that comes before it is set")))

    override = env.environ.get(OVERRIDE)
    if override:
        path, why = override_directory(override, env.platform)
        offer(OVERRIDE, override, path, why or msg("it names the whole memory directory and comes first"))
    for layer in layers:
        value = layer.directory()
        if value is None:
            continue
        if layer.source == "project-settings":
            refusal = _project_refusal(env)
            if refusal is not None:
                offer(layer.source, value, None, refusal)
                problems.append(_project_problem(layer, refusal))
                continue
        path, why = settings_directory(value, env.home, env.platform)
        if why is not None:
            message = msg("This memory directory is not used: {why}.", why=why)
            problems.append(layer.problem(UNREADABLE, "autoMemoryDirectory", message))
        offer(layer.source, value, path, why or msg("{name} sets autoMemoryDirectory", name=layer.name))
    if places.remote:
        why = msg("it replaces the configuration directory for memory")
        offer(REMOTE_DIR, env.environ[REMOTE_DIR], places.below(places.remote, places.slug), why)
    name = env.environ.get(PROJECT_NAME)
    if name:
        why_not = project_name(name)
        if not env.environ.get(CONFIG_DIR):
            why_not = msg("it counts only together with {variable}", variable=CONFIG_DIR)
        path = None if why_not else places.below(places.config, name)
        offer(PROJECT_NAME, name, path, why_not or msg("it replaces the name made from the owner's path"))
    default = places.below(places.config, places.slug)
    offer(
        DEFAULT,
        default,
        default,
        msg("nothing else names a directory, so its name is made from the owner's path"),
    )
    if chosen is None:  # unreachable: the default always has a path
        raise AssertionError("no memory directory was chosen")
    return found, chosen


def _project_refusal(env: Environment) -> Message | None:
    if not env.allow_project_directory:
        return msg(
            "a repository may not move your memory; set allow-project-directory in your own Memdir settings to let it"
        )
    if not env.trusted:
        return msg("the workspace is not trusted")
    return None


def _project_problem(layer: ClientSettings, why: Message) -> Problem:
    message = msg("A project's settings don't move the memory directory here: {why}.", why=why)
    return layer.problem(PROJECT_DIRECTORY, "autoMemoryDirectory", message)
