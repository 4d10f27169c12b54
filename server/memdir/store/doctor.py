"""The doctor's eyes and hands: gathers what `memdir.core.doctor` judges, and turns a case into a change set."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memdir.core.doctor import Case, Place, Repo, World, diagnose
from memdir.core.doctor_merge import merge_directories
from memdir.core.i18n import msg
from memdir.core.model import ChangeSet
from memdir.store.environment import LEGACY, Environment
from memdir.store.errors import RefusedError
from memdir.store.files import read_file
from memdir.store.gitfiles import find_checkout, worktrees
from memdir.store.identity import load_records, read_identity
from memdir.store.locate import locate
from memdir.store.memory_dirs import list_files, project_roots
from memdir.store.misplaced import scattered_agent_memory
from memdir.store.project_dirs import project_directories, session_cwds, session_ends
from memdir.store.unslug import existing_paths

SESSIONS = 40  # sessions looked at per project directory, newest first


@dataclass(frozen=True, slots=True)
class Examination:
    """What was found. `repos` are the repositories in sight, worth remembering (`store.identity.remember`)."""

    cases: tuple[Case, ...]
    repos: tuple[Repo, ...]


def examine(env: Environment, cwds: Sequence[str], state_dir: str | None = None) -> Examination:
    """Look at every memory directory. `cwds`: directories to consider besides those that sessions name.

    `state_dir`: where repositories seen earlier are remembered. Runs git per repository: call it in a thread.
    """
    world = gather(env, cwds, state_dir)
    found = [
        c
        for c in diagnose(world, lambda owner: memory_directory(owner, env))
        if c.target != c.place.memory_dir
    ]
    tops = dict.fromkeys(find_checkout(cwd).top for cwd in cwds)
    scattered = [case for top in tops for case in _scattered(top)]
    return Examination((*found, *scattered), tuple(world.repos.values()))


def _scattered(top: str) -> list[Case]:
    """Agent memory below sub-directories of a checkout, as cases."""
    return [
        Case(
            "scattered",
            Place(item.agent, item.path, sum(rel.endswith(".md") for rel, _ in list_files(item.path))),
            msg(
                "{path} holds memory of the agent {agent} that a start at the top of the repository never finds.",
                path=item.path,
                agent=item.agent,
            ),
            item.home,
            item.agent,
            certain=True,
        )
        for item in scattered_agent_memory(top)
        if not _done(item.path)
    ]


def _done(path: str) -> bool:
    """Only what an earlier merge left behind is there."""
    return all(rel.endswith(".merged") for rel, _ in list_files(path))


def gather(env: Environment, cwds: Sequence[str], state_dir: str | None = None) -> World:
    """The facts for `diagnose`."""
    places: list[Place] = []
    seen: dict[str, None] = dict.fromkeys(os.path.realpath(c) for c in cwds)
    for root in project_roots(env, cwds[0] if cwds else "/"):
        for name, project_dir in project_directories(root):
            starts = session_cwds(project_dir, SESSIONS)
            ends = session_ends(project_dir, SESSIONS)
            seen |= dict.fromkeys([*starts, *ends])
            memory = os.path.join(project_dir, "memory")
            if os.path.isdir(memory):
                files = [p for rel, p in list_files(memory) if rel.endswith(".md")]
                newest = max((os.stat(p).st_mtime for p in files if os.path.exists(p)), default=0.0)
                places.append(Place(name, memory, len(files), newest, tuple(starts), tuple(ends)))
    owner_of: dict[str, str] = {}
    for path in _with_ancestors(seen):
        if os.path.isdir(path):
            owner_of[path] = find_checkout(path).owner
    owners = dict.fromkeys(owner_of[p] for p in seen if p in owner_of)
    guesses: dict[str, tuple[str, ...]] = {}
    for place in places:
        if not any(c in owner_of for c in place.cwds):
            found = dict.fromkeys(find_checkout(p).owner for p in existing_paths(place.name))
            guesses[place.name] = tuple(found)
            owners |= found
    repos = {o: Repo(o, read_identity(o, env.environ)) for o in owners}
    return World(
        tuple(places),
        repos,
        owner_of,
        guesses,
        {tree: o for o in owners for tree in worktrees(o)},
        load_records(state_dir) if state_dir else {},
        env.platform == "win32",
    )


def memory_directory(owner: str, env: Environment) -> str:
    """Where today's client keeps the memory of `owner` (never the directory of an older client)."""
    location = locate(owner, env)
    if location.source != LEGACY:
        return location.memory_dir
    projects = os.path.dirname(os.path.dirname(location.memory_dir))
    return os.path.join(projects, location.slug, "memory")


def proposal(case: Case) -> ChangeSet | None:
    """The change set that mends a case; None when there is nothing to propose.

    Raises RefusedError for a file that is too large to be moved safely, OSError when one can't be read.
    """
    if case.target is None:
        return None
    return move_memories(case.place.memory_dir, case.target, case.owner or case.place.name)


def move_memories(source: str, target: str, owner: str) -> ChangeSet:
    """The change set that takes all memories of directory `source` into `target`, which belongs to `owner`."""
    return merge_directories(
        _contents(source),
        _contents(target),
        lambda rel, in_target: os.path.join(target if in_target else source, *rel.split("/")),
        title=msg("Move the memories in {source} to {owner}", source=source, owner=owner),
        origin_name=os.path.basename(os.path.dirname(source)),
    )


def roots_of(case: Case) -> list[str]:
    """The directories that the proposal of a case writes to, for `store.apply`."""
    return [case.place.memory_dir, *([case.target] if case.target else [])]


def _contents(root: str) -> dict[str, bytes]:
    found = {}
    for rel, path in list_files(root):
        if rel.endswith(".merged"):
            continue  # left behind by an earlier merge
        file = read_file(path, follow_links=False)
        if file.truncated:
            raise RefusedError(msg("{path} is too large to be moved; move it by hand.", path=path))
        found[rel] = file.content
    return found


def _with_ancestors(paths: Iterable[str]) -> list[str]:
    found: dict[str, None] = {}
    for path in paths:
        here = path
        while here not in found:
            found[here] = None
            here = os.path.dirname(here)
    return list(found)
