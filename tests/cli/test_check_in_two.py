"""A check in two processes prints what one process prints, whatever happens to the second one."""

from __future__ import annotations

import marshal
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from memdir.cli import check_run, second_process
from memdir.cli.reports import FORMS
from memdir.core import lint
from memdir.core.document import Document
from memdir.store import parts
from memdir.store.parts import LateDocument, hear, read_part, tell
from memdir.store.snapshot import MemoryStore, scan
from tests.cli.memory_cli import Cli, make_cli

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a second process is started by fork")

TEXT = (
    "The {n} import pipeline must run against a real database because mocked tests passed while the production migration "
    "failed and nobody noticed until the release was out; ask the platform team before the schema changes again.\n"
)


@pytest.fixture
def cli(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """A memory whose findings depend on documents of both halves."""
    cli = make_cli(tmp_path, home)
    cli.memory.mkdir(parents=True)
    (cli.memory / "team").mkdir()
    for n in range(24):
        name = "same name" if n in (2, 21) else f"memory {n}"
        twin = TEXT.format(n="nightly") if n in (3, 20) else f"Fact number {n} stands alone here.\n"
        link = f"See [[memory {23 - n}]] and [other](m{(n + 11) % 26:02}.md). We met yesterday.\n"
        (cli.memory / f"m{n:02}.md").write_text(
            f"---\nname: {name}\ndescription: Description of memory {n} in words\ntype: project\n---\n{twin}{link}"
        )
        os.utime(cli.memory / f"m{n:02}.md", (1_760_000_000, 1_760_000_000))
    (cli.memory / "MEMORY.md").write_text(
        "".join(f"- [Memory {n}](m{n:02}.md) — fact {n}\n" for n in range(20)) + "- [Gone](gone.md) — x\n"
    )
    (cli.memory / "team/MEMORY.md").write_text("- [T](t.md) — of the team\n")
    (cli.memory / "team/t.md").write_text("---\nname: t\ndescription: d\ntype: feedback\n---\nx\n")
    (cli.repo / "memdir.toml").write_text('[severity]\n"no-such-rule" = "error"\n')
    monkeypatch.setattr(check_run, "PAYS", 4)
    monkeypatch.setattr(check_run, "_can_fork", lambda: True)
    return cli


def outputs(cli: Cli, form: str, monkeypatch: pytest.MonkeyPatch) -> tuple[tuple[int, str], tuple[int, str]]:
    """(exit code, output) of one process and of two."""
    two = cli("check", "--format", form), cli.out
    monkeypatch.setattr(check_run, "PAYS", 10_000)
    one = cli("check", "--format", form), cli.out
    return one, two


@pytest.mark.parametrize("form", FORMS)
def test_the_output_is_the_same_byte_for_byte(cli: Cli, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    forks = []
    real = os.fork

    def fork() -> int:
        forks.append(1)
        return real()

    monkeypatch.setattr(os, "fork", fork)
    one, two = outputs(cli, form, monkeypatch)
    assert two == one
    assert one[0] == 1
    for rule in (
        "near-duplicate",
        "name-duplicate",
        "broken-link",
        "index-broken-link",
        "relative-date",
        "config-invalid",
    ):
        assert rule in one[1], rule
    assert forks == [1]


def dies(action: Callable[..., object]) -> Callable[..., object]:
    """`action`, but the process that is not this one ends instead."""
    first = os.getpid()

    def run(*args: object, **more: object) -> object:
        if os.getpid() != first:
            os._exit(7)
        return action(*args, **more)

    return run


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("where", ["reading", "checking", "telling the result"])
def test_a_second_process_that_dies_costs_time_only(
    cli: Cli, form: str, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if where == "reading":
        monkeypatch.setattr(check_run, "read_part", dies(read_part))
    elif where == "checking":
        monkeypatch.setattr(check_run, "check_document", dies(lint.check_document))
    else:
        monkeypatch.setattr(second_process, "marshal", _Dying())
    one, two = outputs(cli, form, monkeypatch)
    assert two == one
    assert "memory-stale" in one[1]


class _Dying:
    """`marshal` that ends any other process when it writes a piece."""

    def __init__(self) -> None:
        self.dump = dies(marshal.dump)
        self.dumps, self.loads, self.load = marshal.dumps, marshal.loads, marshal.load


def test_no_process_is_left_behind(cli: Cli) -> None:
    assert cli("check", "--format", "json") == 1
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_a_reader_that_has_seen_enough_ends_both(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(Exception):
        pass

    def refuse(self: object, pieces: object, tally: object) -> None:
        next(iter(pieces))  # type: ignore[call-overload]  # an iterator of pieces
        raise Full

    monkeypatch.setattr("memdir.cli.reports.json_report.JsonForm.write", refuse)
    with pytest.raises(Full):
        cli("check", "--format", "json")
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_one_process_where_two_do_not_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    assert check_run._can_fork() == (threading.active_count() == 1)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    assert not check_run._can_fork()
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not check_run._can_fork()
    monkeypatch.setattr(sys, "platform", "linux")
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert not check_run._can_fork()
    finally:
        stop.set()
        thread.join()


# documents that are read when they are asked for


@pytest.fixture
def store(tmp_path: Path) -> MemoryStore:
    for n in range(6):
        (tmp_path / f"m{n}.md").write_text(f"---\nname: n{n}\ndescription: d\n---\nSee [x](m{n + 1}.md).\n")
    return MemoryStore(str(tmp_path))


def test_what_is_told_makes_the_same_directory(store: MemoryStore) -> None:
    found = scan(store.root)
    rels = sorted(found.files)
    other = MemoryStore(store.root)
    hear(other, found, tell(store, read_part(store, found, rels)))
    for rel in rels:
        assert other.directory.facts(rel) == store.directory.facts(rel)
        assert other.directory.cited_by(rel) == [
            other.directory.get(d.rel) for d in store.directory.cited_by(rel)
        ]


def test_a_document_of_the_other_half_is_read_when_asked_for(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = scan(store.root)
    read = []

    def read_bytes(path: str) -> bytes:
        read.append(path)
        return b"---\nname: late\n---\nbody\n"

    monkeypatch.setattr(parts, "read_bytes", read_bytes)
    document = LateDocument(store, "m1.md", found.files["m1.md"])
    assert (document.rel, document.kind, document.scope) == ("m1.md", "topic", "private")
    assert read == []
    assert (document.name, document.body) == ("late", "body\n")
    assert read == [f"{store.root}/m1.md"]
    document.forget(content=False)
    assert document.name == "late"
    assert len(read) == 1
    document.forget(content=True)
    assert document.name == "late"
    assert len(read) == 2
    with pytest.raises(AttributeError):
        _ = document.no_such_thing


def test_a_file_that_has_gone_is_empty(store: MemoryStore) -> None:
    found = scan(store.root)
    (Path(store.root) / "m1.md").unlink()
    document = LateDocument(store, "m1.md", found.files["m1.md"])
    assert document.text == ""
    assert document.frontmatter is None


def test_few_documents_stay_in_memory(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "KEPT", 100)
    found = scan(store.root)
    read_part(store, found, sorted(found.files))
    made = [_is_made(document) for document in store.directory]
    assert made == [True, True, False, False, False, False]
    assert [d.name for d in store.directory] == [f"n{n}" for n in range(6)]


def _is_made(document: Document) -> bool:
    try:
        Document.__dict__["text"].__get__(document, type(document))
    except AttributeError:
        return False
    return True
