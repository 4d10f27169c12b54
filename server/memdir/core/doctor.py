"""Which memory directories lie where no client looks for them, and where their memories belong. Pure judgement.

The store gathers the facts (`memdir.store.doctor`): directories, the working directories their sessions name, the
repositories that exist. Nothing is ever deleted; a case that can be mended names the directory to move or merge into.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from memdir.core.i18n import Message, msg
from memdir.core.slug import legacy_slug, slug

CaseKind: TypeAlias = Literal[
    "moved", "orphaned", "underscore", "letter-case", "worktree", "collision", "phantom", "scattered"
]
_DRIVE = re.compile(r"[A-Za-z]--")


@dataclass(frozen=True, slots=True)
class Identity:
    """What stays when a repository moves: its first commit and its remote (normalised); empty when unknown."""

    first_commit: str = ""
    remote: str = ""

    def likeness(self, other: Identity) -> int:
        """4: the same repository; 2: the same remote, nothing more known; 0: different or unknown."""
        if self.first_commit and other.first_commit:
            if self.first_commit != other.first_commit:
                return 0
            return 4 if self.remote == other.remote or not (self.remote and other.remote) else 0
        return 2 if self.remote and self.remote == other.remote else 0


@dataclass(frozen=True, slots=True)
class Repo:
    """A directory that exists and owns a memory."""

    path: str
    identity: Identity = Identity()

    @property
    def name(self) -> str:
        return slug(self.path)


@dataclass(frozen=True, slots=True)
class Place:
    """A memory directory under `projects/`. `memories` counts its Markdown files, `modified` is the newest's mtime.

    `cwds` are the working directories its sessions started in, `later` those they ended in.
    """

    name: str
    memory_dir: str
    memories: int
    modified: float = 0.0
    cwds: tuple[str, ...] = ()
    later: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """What was known about a directory name when its repository was last seen."""

    path: str
    identity: Identity


@dataclass(frozen=True, slots=True)
class World:
    """The facts. `owner_of`: existing directory -> its owner, for every working directory in sight (missing: gone).

    `guesses`: name -> owners of existing directories whose slug it is. `worktrees`: checkout, also a removed one ->
    owner. `records`: name -> what was known. `windows`: drive letters mean something here.
    """

    places: tuple[Place, ...]
    repos: Mapping[str, Repo]
    owner_of: Mapping[str, str] = field(default_factory=dict)
    guesses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    worktrees: Mapping[str, str] = field(default_factory=dict)
    records: Mapping[str, Record] = field(default_factory=dict)
    windows: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """One finding. `target` is the memory directory its memories belong in (None: nothing to propose), `owner` the
    repository they belong to. Only a `certain` case is mended without being asked for by name. `reason` is what this
    case rests on, where its kind alone does not say it (`memdir.core.doctor_words`)."""

    kind: CaseKind
    place: Place
    message: Message
    target: str | None = None
    owner: str | None = None
    certain: bool = False
    reason: Message | None = None


def named_path(name: str, paths: Iterable[str]) -> str | None:
    """The path that gave a directory its name: one of `paths` or an ancestor of one."""
    for path in paths:
        for ancestor in _ancestors(path):
            if name in (slug(ancestor), legacy_slug(ancestor)):
                return ancestor
    return None


def diagnose(world: World, memory_dir: Callable[[str], str]) -> list[Case]:
    """All cases, by directory name. `memory_dir` gives the memory directory of an owner (or of a directory name)."""
    cases = {case.place.name: case for case in _letter_cases(world)}
    for place in world.places:
        if place.name not in cases:
            case = _judge(place, world, memory_dir)
            if case is not None:
                cases[place.name] = case
    return [cases[name] for name in sorted(cases)]


def _judge(place: Place, world: World, memory_dir: Callable[[str], str]) -> Case | None:
    owners = list(dict.fromkeys(world.owner_of[cwd] for cwd in place.cwds if cwd in world.owner_of))
    guesses = world.guesses.get(place.name, ())
    at_home = [o for o in owners if slug(o) == place.name]
    if len(at_home) > 1:
        return _collision(place, at_home)
    if at_home or any(slug(o) == place.name for o in guesses):
        return None
    if not place.memories:
        return _phantom(place)
    for owner in (*owners, *guesses, *world.repos):
        if legacy_slug(owner) == place.name:
            message = msg(
                "{directory} is how an older client named the memory of {owner}; today's client reads another one.",
                directory=place.name, owner=owner,
            )  # fmt: skip
            return Case("underscore", place, message, memory_dir(owner), owner, certain=True)
    path = named_path(place.name, place.cwds)
    policy = next((o for o in (world.owner_of.get(path or ""), world.worktrees.get(path or "")) if o), None)
    if policy is None and path is None and len(set(guesses)) == 1:
        policy = guesses[0]  # a directory that exists, whose memory today's client keeps with its owner
    if policy is not None and slug(policy) != place.name:
        message = msg(
            "{directory} was kept for {path} alone; its memories belong to {owner}, which today's client shares.",
            directory=place.name, path=path or place.name, owner=policy,
        )  # fmt: skip
        return Case("worktree", place, message, memory_dir(policy), policy, certain=True)
    if not ((_DRIVE.match(place.name) and world.windows) or place.name.startswith("-")):
        return None  # a name made on another system, or given by hand: it leads to no path here
    return _moved(place, path, owners, world, memory_dir)


def _moved(
    place: Place, path: str | None, owners: list[str], world: World, memory_dir: Callable[[str], str]
) -> Case:
    """A directory whose repository is gone: where did it go?"""
    record = world.records.get(place.name)
    path = path or (record.path if record else None)
    followed = {world.owner_of[c] for c in place.later if c in world.owner_of} | set(owners)
    scores: dict[str, int] = {}
    for repo in world.repos.values():
        if repo.name == place.name:
            continue
        likeness = record.identity.likeness(repo.identity) if record else 0
        sessions = repo.path in followed or (path is not None and _began_in(repo, path, world))
        same_name = path is not None and _base(path) == _base(repo.path)
        # two different first commits are two repositories, whatever else they share
        if record and record.identity.first_commit and repo.identity.first_commit and not likeness:
            continue
        score = likeness + (2 if sessions else 0) + (1 if same_name else 0)
        if score:
            scores[repo.path] = score
    best = [p for p, s in scores.items() if s == max(scores.values())]
    shown = path or place.name
    if not best:
        message = msg(
            "The memories in {directory} belong to {path}, which is gone, and no repository in sight took its place.",
            directory=place.name, path=shown,
        )  # fmt: skip
        return Case("orphaned", place, message, reason=msg("no repository in sight took its place"))
    if len(best) > 1:
        message = msg(
            "The memories in {directory} belong to {path}, which is gone; it may be any of {candidates}.",
            directory=place.name, path=shown, candidates=", ".join(sorted(best)),
        )  # fmt: skip
        reason = msg("it may be any of {candidates}", candidates=", ".join(sorted(best)))
        return Case("orphaned", place, message, reason=reason)
    (owner,) = best
    reason = _reason(record, world.repos[owner], owner in followed)
    message = msg(
        "The memories in {directory} belong to {path}, which is gone; {owner} seems to be the same: {reason}.",
        directory=place.name, path=shown, owner=owner, reason=reason,
    )  # fmt: skip
    return Case("moved", place, message, memory_dir(owner), owner, scores[owner] >= 3, reason)


def _reason(record: Record | None, repo: Repo, followed: bool) -> Message:
    likeness = record.identity.likeness(repo.identity) if record else 0
    if likeness >= 4:
        return msg("it has the same first commit")
    if likeness:
        return msg("it has the same remote")
    if followed:
        return msg("a session of the old place went on there")
    return msg("it has the same name, or sessions of the old place")


def _began_in(repo: Repo, path: str, world: World) -> bool:
    """A session in the directory of `repo` began in `path` or below: sessions were taken along."""
    own = next((p for p in world.places if p.name == repo.name), None)
    return own is not None and any(c == path or c.startswith(path.rstrip("/\\") + "/") for c in own.cwds)


def _letter_cases(world: World) -> Iterator[Case]:
    """Directories of one Windows path, told apart only by the case of the drive letter."""
    groups: dict[str, list[Place]] = {}
    for place in world.places:
        if _DRIVE.match(place.name):
            groups.setdefault(place.name[0].lower() + place.name[1:], []).append(place)
    for group in groups.values():
        if len(group) < 2:
            continue
        existing = {slug(o) for o in (*world.repos, *world.owner_of.values())}
        best = max(group, key=lambda p: (p.name in existing, p.modified, p.name))
        for place in group:
            if place is not best and place.memories:
                message = msg(
                    "{directory} and {other} are one directory with the drive letter in either case.",
                    directory=place.name, other=best.name,
                )  # fmt: skip
                yield Case("letter-case", place, message, best.memory_dir, certain=True)


def _collision(place: Place, owners: list[str]) -> Case:
    message = msg(
        "{owners} share {directory}, because their paths differ only in characters that become dashes. Give one of them "
        "a directory of its own (autoMemoryDirectory in .claude/settings.local.json).",
        owners=", ".join(sorted(owners)), directory=place.name,
    )  # fmt: skip
    return Case("collision", place, message)


def _phantom(place: Place) -> Case:
    message = msg(
        "{directory} holds no memory, and no client looks for one there. It can be removed by hand.",
        directory=place.name,
    )
    return Case("phantom", place, message)


def _ancestors(path: str) -> Iterator[str]:
    separator = "\\" if "\\" in path and "/" not in path else "/"
    while path:
        yield path
        parent = path.rpartition(separator)[0]
        if not parent:
            if path != separator and path.startswith(separator):
                yield separator
            return
        path = parent


def _base(path: str) -> str:
    return re.split(r"[\\/]", path.rstrip("\\/"))[-1]
