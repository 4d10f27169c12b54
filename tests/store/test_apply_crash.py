"""Kill -9 at every step and at random moments: the directory is before or after, and the journal knows which."""

from __future__ import annotations

import os
import random
import select
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memdir.core.i18n import msg
from memdir.core.model import (
    ChangeSet,
    CreateFile,
    DeleteFile,
    Edit,
    EditFile,
    RenameFile,
    Span,
    content_hash,
)
from memdir.store import exchange
from memdir.store.apply import Applied, apply, list_entries, undo
from memdir.store.errors import ConflictError
from memdir.store.journal import Limits
from memdir.store.recovery import recover
from memdir.store.transact import Step
from tests.conftest import NOW
from tests.store.applying import OLD, picture, put

pytestmark = pytest.mark.crash

INDEX, A, B, C = b"- [A](a.md)\n- [B](b.md)\n", b"alpha\n", b"beta\n", b"gamma\n"
BASIC = ["journal", "journaled"]


def fill(root: Path) -> None:
    put(root / "MEMORY.md", INDEX)
    put(root / "a.md", A, 0o600)
    put(root / "b.md", B, 0o644, OLD + 7)
    put(root / "c.md", C, 0o644, OLD + 9)


def proposal(root: Path) -> ChangeSet:
    """An edit, a creation in new directories, a deletion and a rename."""
    return ChangeSet(
        msg("A test"),
        (
            EditFile(str(root / "MEMORY.md"), (Edit(Span(12, 24), "- [D](d.md)\n"),), content_hash(INDEX)),
            CreateFile(str(root / "logs/2026/d.md"), b"delta\n"),
            DeleteFile(str(root / "b.md"), content_hash(B)),
            RenameFile(str(root / "c.md"), str(root / "e.md"), content_hash(C)),
            EditFile(str(root / "a.md"), (Edit(Span(0, 5), "ALPHA"),), content_hash(A)),
        ),
        "consolidate",
    )


def texts(root: Path) -> dict[str, object]:
    """A directory without the times of files that an apply writes anew."""
    return {k: v[:2] if isinstance(v, tuple) else v for k, v in picture(root).items()}


def in_child(work: Callable[[], object]) -> int:
    """Run `work` in a forked process; gives its PID."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        finally:
            os._exit(0)
    return pid


def killed_at(number: int) -> Step:
    left = number

    def step(_: str) -> None:
        nonlocal left
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1

    return step


def steps(work: Callable[[Step], Applied]) -> list[str]:
    names: list[str] = []
    work(names.append)
    return names


def do(root: Path, state: Path, step: Step) -> Applied:
    return apply(proposal(root), roots=[str(root)], state_dir=str(state), now=NOW, step=step)


def back(state: Path, step: Step) -> Applied:
    return undo("1", state_dir=str(state), now=NOW, step=step)


@pytest.mark.parametrize(("what", "swap"), [("apply", True), ("apply", False), ("undo", True)])
def test_killed_at_every_step(tmp_path: Path, what: str, swap: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not swap:  # a system or file system that can only rename
        monkeypatch.setattr(exchange, "_found", [None])
    trial = tmp_path / "trial"
    fill(trial)
    before = picture(trial)
    names = steps(lambda step: do(trial, tmp_path / "state-trial", step))
    after = texts(trial)
    if what == "undo":
        names = steps(lambda step: back(tmp_path / "state-trial", step))
        assert picture(trial) == before
    assert names[:2] == ["journal", "journaled"] and names[-1] == "commit" and {"mark", "marked"} < set(names)
    assert len(names) >= 30 - 2 * (not swap)

    seen = set()
    for number, name in enumerate(names):
        root, state = tmp_path / f"r{number}", tmp_path / f"s{number}"
        fill(root)
        if what == "undo":
            do(root, state, lambda _: None)

        def work(root: Path = root, state: Path = state, number: int = number) -> None:
            if what == "undo":
                back(state, killed_at(number))
            else:
                do(root, state, killed_at(number))

        _, status = os.waitpid(in_child(work), 0)
        assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, name
        recover(str(state), now=NOW)
        entries = list_entries(str(state))
        applied = any(e.id == "1" and e.in_force for e in entries)
        seen.add(applied)
        assert texts(root) == after if applied else picture(root) == before, (name, texts(root))
        assert all(e.outcome in ("committed", "rolled-back") and e.kept == () for e in entries)
        assert recover(str(state), now=NOW) == ()
        if applied:
            back(state, lambda _: None)
            assert picture(root) == before
    assert seen == {True, False}


def test_a_foreign_change_after_the_crash_is_kept(tmp_path: Path) -> None:
    trial = tmp_path / "trial"
    fill(trial)
    names = steps(lambda step: do(trial, tmp_path / "state-trial", step))
    for number in range(names.index("staged"), names.index("mark") + 1):
        root, state = tmp_path / f"r{number}", tmp_path / f"s{number}"
        fill(root)
        before = picture(root)
        os.waitpid(
            in_child(lambda root=root, state=state, number=number: do(root, state, killed_at(number))), 0
        )  # type: ignore[misc]
        (root / "MEMORY.md").write_bytes(b"from the agent\n")
        (result,) = recover(str(state), now=NOW)
        assert result.kept == (str(root / "MEMORY.md"),) and not result.done and result.failed is None
        left = picture(root)
        assert left.pop("MEMORY.md")[0] == b"from the agent\n"  # type: ignore[index]
        assert left == {k: v for k, v in before.items() if k != "MEMORY.md"}, names[number]


def test_what_cannot_be_recovered_now_is_recovered_later(tmp_path: Path) -> None:
    root, state = tmp_path / "m", tmp_path / "s"
    fill(root)
    before = picture(root)
    number = steps(
        lambda step: do(Path(tmp_path / "x"), tmp_path / "y", step) if fill(tmp_path / "x") is None else None
    ).index("mark")  # type: ignore[arg-type,return-value]
    os.waitpid(in_child(lambda: do(root, state, killed_at(number - 3))), 0)
    root.rename(tmp_path / "hidden")
    (tmp_path / "elsewhere").mkdir()
    root.symlink_to(tmp_path / "elsewhere")
    (result,) = recover(str(state), now=NOW)
    assert result.failed is not None and list((tmp_path / "elsewhere").iterdir()) == []
    root.unlink()
    (tmp_path / "hidden").rename(root)
    (result,) = recover(str(state), now=NOW)
    assert result.failed is None and picture(root) == before


def add_one(root: Path, state: Path, limits: Limits | None = None) -> None:
    """One step of a counter that two files and a chain of renames must agree on."""
    index = (root / "MEMORY.md").read_bytes()
    number = int(index)
    topic = root / f"t{number}.md"
    text = topic.read_bytes()
    changes = (
        EditFile(str(root / "MEMORY.md"), (Edit(Span(0, len(index)), f"{number + 1}"),), content_hash(index)),
        EditFile(str(topic), (Edit(Span(0, len(text)), f"{number + 1}"),), content_hash(text)),
        RenameFile(str(topic), str(root / f"t{number + 1}.md"), content_hash(text)),
    )
    changed = ChangeSet(msg("A test"), changes, "save")
    apply(changed, roots=[str(root)], state_dir=str(state), now=NOW, limits=limits)


def test_killed_at_random_hundreds_of_times(tmp_path: Path) -> None:
    root, state = tmp_path / "m", tmp_path / "s"
    put(root / "MEMORY.md", b"0")
    put(root / "t0.md", b"0")
    chance = random.Random(20260311)

    told, tell = os.pipe()

    def work() -> None:
        while True:
            os.write(tell, b".")
            add_one(root, state, Limits(entries=30))

    def check() -> int:
        number = int((root / "MEMORY.md").read_bytes())
        assert [p.name for p in sorted(root.iterdir())] == ["MEMORY.md", f"t{number}.md"]
        assert int((root / f"t{number}.md").read_bytes()) == number
        newest = next((e for e in list_entries(str(state)) if e.outcome == "committed"), None)
        wanted = {str(root / f"t{number}.md"): content_hash(f"{number}".encode())}
        assert newest is None or wanted.items() <= {t.path: t.after for t in newest.touched}.items()
        return number

    reached = set()
    for _ in range(300):
        pid = in_child(work)
        for _ in range(chance.randint(1, 3)):  # it is inside its first, second or third change
            os.read(told, 1)
        time.sleep(chance.random() * 0.006)  # the random moment is what is tested
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        while select.select([told], [], [], 0)[0]:
            os.read(told, 64)
        if chance.random() < 0.5:  # kill a recovery, too
            pid = in_child(lambda: recover(str(state), now=NOW))
            time.sleep(chance.random() * 0.003)
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        recover(str(state), now=NOW)
        reached.add(check())
    assert len(reached) > 30
    outcomes = {e.outcome for e in list_entries(str(state))}
    assert outcomes == {"committed", "rolled-back"}, "no kill struck inside a change"


def test_processes_race_and_lose_nothing(tmp_path: Path) -> None:
    root, state = tmp_path / "m", tmp_path / "s"
    put(root / "MEMORY.md", b"0")
    put(root / "t0.md", b"0")

    def work() -> None:
        done = 0
        while done < 15:
            try:
                add_one(root, state)
                done += 1
            except (ConflictError, FileNotFoundError):
                pass  # another process was first: look again

    for pid in [in_child(work) for _ in range(5)]:
        assert os.waitpid(pid, 0)[1] == 0
    assert (root / "MEMORY.md").read_bytes() == b"75"
    assert sum(e.in_force for e in list_entries(str(state))) == 75
