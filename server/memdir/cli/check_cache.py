"""What `memdir check` printed last time, printed again when nothing has changed that it depended on.

Whatever is cheap to find out is found out anew in every run: where memory is, settings, instruction files, the date, which
files there are. Only the look into the files themselves is saved. An answer is kept with a digest of all that, with the
stamps of the repository's files that rules asked for, and with the commit that git's times came from. Any doubt means
checking again: a file that changed within the last seconds (its next change might not show), a repository whose
history can't be told, an answer of another version or of changed program files.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, TextIO

import memdir
from memdir.store.asked import Dependencies
from memdir.store.project import Repository
from memdir.store.results import Draft, Results

if TYPE_CHECKING:
    from memdir.cli.check_target import Target
    from memdir.cli.env import CliEnv
    from memdir.cli.reports import FileReport

LEAST = 100  # files from which on keeping an answer pays
SETTLED_NS = 3_000_000_000  # file systems count time in steps of up to two seconds
_PACKAGE = os.path.dirname(os.path.abspath(memdir.__file__))
_LAYERS = ("core", "store", "cli")  # whose program files an answer depends on


@dataclass(slots=True)
class Question:
    """One run: `name` tells it from others (what is checked, how it is shown), `digest` holds all that it depends on."""

    name: str
    digest: str
    newest_ns: int  # the latest change of a memory file

    def settled(self, now_ns: int) -> bool:
        """Every memory file is old enough that another change of it would show."""
        return self.newest_ns < now_ns - SETTLED_NS


def ask(
    targets: Sequence[Target], problems: Sequence[FileReport], now: datetime, form: str, env: CliEnv
) -> Question | None:
    """The question of this run; None when its answer is not worth keeping or can't be trusted."""
    if sum(len(target.found.files) for target in targets) < LEAST:
        return None
    code = _program_files()
    if code is None:
        return None
    name = hashlib.blake2b(digest_size=16)
    for part in (
        form,
        env.locale,
        env.colour,
        env.cwd,
        env.home,
        *((t.store.root, t.only and sorted(t.only)) for t in targets),
    ):
        name.update(repr(part).encode("utf-8", "surrogatepass") + b"\n")
    digest = hashlib.blake2b(name.digest())
    newest = 0
    facts: list[object] = [memdir.__version__, code, now.date(), now.utcoffset(), problems_of(problems)]
    for target in targets:
        facts += _facts(target)
        for stamp in target.found.files.values():
            newest = max(newest, stamp.mtime_ns, stamp.ctime_ns)
    for fact in facts:
        digest.update(repr(fact).encode("utf-8", "surrogatepass") + b"\n")
    return Question(name.hexdigest(), digest.hexdigest(), newest)


def problems_of(problems: Iterable[FileReport]) -> list[tuple[object, ...]]:
    """What is reported of settings files, as plain values."""
    return [(p.path, p.text, p.diagnostics) for p in problems]


def _facts(target: Target) -> list[object]:
    workspace, store, found = target.workspace, target.store, target.found
    files = "\n".join(
        [f"{rel}\0{s.size} {s.mtime_ns} {s.ctime_ns} {s.inode}" for rel, s in sorted(found.files.items())]
    )
    logs = [rel for rel in found.files if rel.startswith(("logs/", "team/logs/"))]
    return [
        store.scope,
        workspace.location,
        workspace.settings,
        workspace.instruction_texts(),
        sorted(found.escapes.items()),
        sorted(found.skipped.items()),
        workspace.log_marks(store, logs),
        workspace.recalls_stamp(store),
        files,
    ]


def _program_files() -> str | None:
    """A digest of names, sizes and times of our own program files; None where they are no files (an archive)."""
    found: list[str] = []
    todo = [os.path.join(_PACKAGE, layer) for layer in _LAYERS]
    try:
        while todo:
            with os.scandir(todo.pop()) as entries:
                for entry in entries:
                    if entry.name.endswith(".py"):
                        info = entry.stat()
                        found.append(f"{entry.path} {info.st_size} {info.st_mtime_ns}")
                    elif entry.name != "__pycache__" and entry.is_dir():
                        todo.append(entry.path)
    except OSError:
        return None
    return hashlib.blake2b("\n".join(sorted(found)).encode("utf-8", "surrogatepass")).hexdigest()


def repeat(question: Question, targets: Sequence[Target], env: CliEnv) -> bool | None:
    """Print the kept answer to `question` and say whether it has findings; None, and nothing printed, when there is none
    that holds."""
    kept = Results(env.state_dir).get(question.name)
    if kept is None:
        return None
    head, text = kept
    if head.get("digest") != question.digest or len(head.get("dependencies", ())) != len(targets):
        return None
    for target, row in zip(targets, head["dependencies"], strict=True):
        project = target.workspace.project
        if not isinstance(project, Repository) or not Dependencies(*row).hold(project):
            return None
    _print(text, env)
    return bool(head["found"])


def draft(question: Question, env: CliEnv) -> Draft | None:
    """Where to write the answer while it is printed; None when it would not be kept."""
    return Results(env.state_dir).draft(question.name) if question.settled(env.clock_ns()) else None


def keep(question: Question, written: Draft, found: bool, dependencies: Sequence[Dependencies]) -> bool:
    """Keep the answer, unless something it depended on can't be told."""
    if any(d.unsure for d in dependencies):
        written.drop()
        return False
    head = {"digest": question.digest, "found": found, "dependencies": [d.told() for d in dependencies]}
    return written.keep(head)


class Copied:
    """A stream that also writes to a draft."""

    def __init__(self, stream: TextIO, draft: Draft) -> None:
        self._stream, self._draft = stream, draft

    def write(self, text: str) -> int:
        self._draft.write(text)
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _print(text: bytes, env: CliEnv) -> None:
    out = env.stdout
    encoding = (getattr(out, "encoding", None) or "").lower().replace("-", "")
    buffer = getattr(out, "buffer", None)
    if buffer is not None and encoding == "utf8" and os.linesep == "\n":
        out.flush()
        buffer.write(text)
    else:
        out.write(text.decode())
