"""The checking half of `memdir check`: reads, checks and prints file by file, in two processes when that pays.

Both processes do the same with one half of the files each (in path order, so that the output is the one of a single
process, byte for byte), after telling each other what rules ask of other documents. A second process that fails costs
time only: its half is checked here.
"""

from __future__ import annotations

import gc
import marshal
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import itemgetter
from typing import TYPE_CHECKING

from memdir.cli.check_target import Target
from memdir.cli.reports import FileReport, Form, Tally
from memdir.core.lint import check_document, excluded
from memdir.core.rule import Context
from memdir.store.asked import Asked, Dependencies
from memdir.store.parts import LateDocument, hear, read_part, tell
from memdir.store.project import Repository

if TYPE_CHECKING:
    from memdir.cli.second_process import SecondProcess

# Files from which on a second process pays: starting it takes as long as checking some thirty.
PAYS = 300
_OVERHEAD = 700  # bytes that cost as much as what every file costs

Job = tuple[str, int, str]  # path, number of the target, relative path


@dataclass(frozen=True, slots=True)
class Outcome:
    """Numbers of a run; when it recorded them, what the findings of each target depended on beside the memory."""

    tally: Tally
    dependencies: list[Dependencies]


def check_targets(
    targets: Sequence[Target],
    problems: Sequence[FileReport],
    now: datetime,
    form: Form,
    *,
    processes: int | None = None,
    record: bool = False,
) -> Outcome:
    """Check `targets` and print them in `form`, among them `problems` of other files, all by path.

    `processes`: one or two; by default two when there is enough to do, a second processor and a cheap way to start one.
    `record`: tell what the findings depended on.
    """
    run = _Run(targets, problems, now, form, record)
    if processes is None:
        processes = 2 if len(run.jobs) >= PAYS and _can_fork() else 1
    collecting = gc.isenabled()
    gc.disable()  # the objects of a check are no cycles, and there are hundreds of thousands
    try:
        pieces = run.in_two() if processes == 2 else run.alone()
        form.write(pieces, run.tally)
    finally:
        gc.unfreeze()
        if collecting:
            gc.enable()
    return Outcome(run.tally, [asked.dependencies for asked in run.asked])


def _can_fork() -> bool:
    threading = sys.modules.get("threading")
    if sys.platform != "linux" or (threading is not None and threading.active_count() > 1):
        return False
    return len(os.sched_getaffinity(0)) > 1


class _Run:
    def __init__(
        self,
        targets: Sequence[Target],
        problems: Sequence[FileReport],
        now: datetime,
        form: Form,
        record: bool,
    ) -> None:
        self.targets, self.form, self.tally = targets, form, Tally()
        self.problems = sorted(problems, key=lambda f: f.path)
        self.contexts: list[Context] = []
        self.asked: list[Asked] = []
        self.jobs: list[Job] = []
        for number, target in enumerate(targets):
            store, settings = target.store, target.workspace.settings
            target.prepare()
            context = target.workspace.context(store, now)
            if record and isinstance(context.project, Repository):
                self.asked.append(Asked(context.project))
                context = replace(context, project=self.asked[-1])
            self.contexts.append(context)
            wanted = target.found.files if target.only is None else target.only & target.found.files.keys()
            self.jobs += [
                (f"{store.root}/{rel}", number, rel)
                for rel in wanted
                if not (settings.exclude and excluded(rel, settings))
            ]
        self.jobs.sort(key=itemgetter(0))

    # one process

    def alone(self) -> Iterator[str]:
        for target in self.targets:
            target.read()
        yield from self._pieces(self.jobs, self.problems, self.tally)

    def _pieces(self, jobs: Sequence[Job], problems: Sequence[FileReport], tally: Tally) -> Iterator[str]:
        """The text of `jobs` and `problems`, by path."""
        waiting = list(reversed(problems))
        for path, number, rel in jobs:
            while waiting and waiting[-1].path <= path:
                yield self._piece(waiting.pop(), tally)
            document = self.targets[number].store.directory.get(rel)
            if document is None:
                continue  # it could not be read
            tally.checked += 1
            found = check_document(document, self.contexts[number])
            if found:
                yield self._piece(
                    FileReport(document.path, document.text, document.lines, tuple(found)), tally
                )
            if isinstance(document, LateDocument):
                document.forget(content=True)
        while waiting:
            yield self._piece(waiting.pop(), tally)

    def _piece(self, file: FileReport, tally: Tally) -> str:
        tally.add(file)
        return self.form.piece(file)

    # two processes

    def in_two(self) -> Iterator[str]:
        from memdir.cli.second_process import SecondProcess

        half = self._middle()
        mine, theirs = self.jobs[:half], self.jobs[half:]
        border = theirs[0][0]
        before = [p for p in self.problems if p.path < border]
        after = [p for p in self.problems if p.path >= border]
        first, second = self._split(border)
        gc.freeze()  # a collection would touch, and so copy, all pages that both share
        with SecondProcess() as other:
            if other.is_second:
                self._read_and_swap(second, first, other)
                tally = Tally()
                other.leave(
                    self._pieces(theirs, after, tally),
                    lambda: (tally.told(), [asked.dependencies.told() for asked in self.asked]),
                )
            self._read_and_swap(first, second, other)
            yield from self._pieces(mine, before, self.tally)
            done = other.result()
            if done is None:
                yield from self._pieces(theirs, after, self.tally)
            else:
                told, dependencies = done[1]
                self.tally.merge(Tally(*told))
                for asked, theirs_too in zip(self.asked, dependencies, strict=True):
                    asked.dependencies.merge(*theirs_too)
                yield from other.pieces(done[0])

    def _middle(self) -> int:
        """The number of the job before which half of the work lies."""
        sizes = [self.targets[number].found.files[rel].size + _OVERHEAD for _, number, rel in self.jobs]
        left = sum(sizes) / 2
        for index, size in enumerate(sizes):
            left -= size
            if left <= 0:
                return index
        return len(sizes) - 1

    def _split(self, border: str) -> tuple[list[list[str]], list[list[str]]]:
        """All files of each target, also those that are not reported on: before the border, and from there on."""
        first: list[list[str]] = []
        second: list[list[str]] = []
        for target in self.targets:
            root, paths = target.store.root, sorted(target.found.files)
            first.append([rel for rel in paths if f"{root}/{rel}" < border])
            second.append([rel for rel in paths if f"{root}/{rel}" >= border])
        return first, second

    def _read_and_swap(self, own: list[list[str]], others: list[list[str]], other: SecondProcess) -> None:
        """Read the own files and get to know the others; from the disk as well when the other process is gone."""
        told = [
            tell(target.store, read_part(target.store, target.found, rels))
            for target, rels in zip(self.targets, own, strict=True)
        ]
        answer = other.swap(marshal.dumps(told))
        heard: list[list[bytes]] | None = None if answer is None else marshal.loads(answer)
        for number, target in enumerate(self.targets):
            if heard is None:
                read_part(target.store, target.found, others[number])
            else:
                hear(target.store, target.found, heard[number])
            target.store.directory.sort()
