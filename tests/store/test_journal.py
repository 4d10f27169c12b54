"""The journal's files: what survives damage, what is kept, what may be told of it."""

from __future__ import annotations

import json
import os
from datetime import timedelta
from pathlib import Path

import pytest

from memdir.core.i18n import Message, msg
from memdir.core.model import content_hash
from memdir.store.errors import JournalError, LockedError
from memdir.store.journal import Journal, Limits, message_from_json, message_to_json
from memdir.store.transact import ABSENT, Item, State
from tests.conftest import NOW

OLD, NEW = State("file", b"old\xff\n", 0o640, 123), State("file", b"new\n", 0o640)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    journal = Journal(str(tmp_path / "state"))
    with journal.lock():
        pass
    return journal


def begin(journal: Journal, *items: Item, undoes: str | None = None, days: int = 0) -> str:
    entry_id = journal.next_id()
    journal.begin(
        entry_id,
        items or (Item("/m", "/m/a.md", OLD, NEW, ".tmp"),),
        time=NOW + timedelta(days=days),
        origin="save",
        title=msg("Save “{name}”", name="x"),
        roots=["/m"],
        dirs=["/m/d"],
        leaves=[],
        undoes=undoes,
    )
    return entry_id


def file(tmp_path: Path, entry_id: str) -> Path:
    return tmp_path / "state/journal" / f"{int(entry_id):08d}.jsonl"


def test_an_entry_comes_back_whole(journal: Journal) -> None:
    strange = "/m/\udcff\u4e2d.md"
    items = [Item("/m", "/m/a.md", OLD, NEW, ".a"), Item("/m", strange, ABSENT, State("link", b"a.md"), ".b")]
    entry_id = begin(journal, *items)
    entry, loaded = journal.load(entry_id)
    assert loaded == items
    assert (entry.id, entry.time, entry.outcome, entry.dirs, entry.in_force) == (
        "1",
        NOW,
        "pending",
        ("/m/d",),
        False,
    )
    assert [(t.path, t.before, t.after) for t in entry.touched] == [
        ("/m/a.md", content_hash(b"old\xff\n"), content_hash(b"new\n")),
        (strange, "", content_hash(b"a.md")),
    ]
    journal.mark(entry_id, "committed", NOW, [strange])
    assert journal.entries()[0].in_force and journal.entries()[0].kept == (strange,)
    assert journal.find([content_hash(b"old\xff\n"), "unknown"]) == {content_hash(b"old\xff\n"): b"old\xff\n"}


def test_every_cut_of_an_entry_is_read_as_what_is_complete(journal: Journal, tmp_path: Path) -> None:
    entry_id = begin(journal)
    whole = file(tmp_path, entry_id).read_bytes()
    journal.mark(entry_id, "committed", NOW)
    full = file(tmp_path, entry_id).read_bytes()
    for end in range(len(full) + 1):
        file(tmp_path, entry_id).write_bytes(full[:end])
        entry = journal.entry(entry_id)
        if end < len(whole):
            assert entry is None
        else:
            assert entry is not None and entry.outcome == ("committed" if end == len(full) else "pending")
        assert journal.unfinished() == ([] if end == len(full) else [entry_id])
        if len(whole) <= end < len(full):  # the next process appends behind the half-written line
            journal.mark(entry_id, "rolled-back", NOW)
            assert journal.entries()[0].outcome == "rolled-back" and journal.unfinished() == []


@pytest.mark.parametrize(
    "damage",
    [b"", b"\xff\xfe", b"[]\n", b"{}\n", b'{"version": 1}\n{"ready": true}\n', b'null\n{"ready": true}\n'],
)
def test_damaged_entries_are_left_out(journal: Journal, tmp_path: Path, damage: bytes) -> None:
    begin(journal)
    file(tmp_path, "7").write_bytes(damage)
    (tmp_path / "state/journal/notes.txt").write_text("x")
    assert [e.id for e in journal.entries()] == ["1"] and journal.next_id() == "8"
    with pytest.raises(JournalError):
        journal.load("7")


def test_a_damaged_content_is_told(journal: Journal, tmp_path: Path) -> None:
    entry_id = begin(journal)
    lines = file(tmp_path, entry_id).read_bytes().splitlines(keepends=True)
    del lines[1]
    file(tmp_path, entry_id).write_bytes(b"".join(lines))
    with pytest.raises(JournalError, match="damaged"):
        journal.load(entry_id)


def test_undone_and_redone(journal: Journal) -> None:
    for undoes in (None, "1", "2", "3"):
        journal.mark(begin(journal, undoes=undoes), "committed", NOW)
    assert [(e.id, e.undone_by) for e in journal.entries()] == [
        ("4", None),
        ("3", "4"),
        ("2", None),
        ("1", "2"),
    ]
    journal.mark(begin(journal, undoes="4"), "rolled-back", NOW)
    assert journal.entries()[1].undone_by is None


def test_pruning(journal: Journal, tmp_path: Path) -> None:
    for day in range(6):
        journal.mark(begin(journal, days=day), "committed", NOW)
    waiting = begin(journal)
    for entry_id in ("1", "2", "3", "4", "5", "6"):
        os.utime(file(tmp_path, entry_id), (NOW.timestamp(),) * 2)
    later = NOW + timedelta(days=92, hours=1)
    assert journal.prune(Limits(age=timedelta(days=90)), later) == 3
    assert [e.id for e in journal.entries()] == ["7", "6", "5", "4"]
    assert journal.prune(Limits(entries=0), later) == 3  # what waits for recovery stays
    assert journal.unfinished() == [waiting]
    journal.mark(waiting, "committed", NOW)
    assert journal.prune(Limits(size=0), later) == 0  # and so does the newest
    assert [e.id for e in journal.entries()] == ["7"]


def test_numbers_are_never_used_twice(journal: Journal) -> None:
    entry_id = begin(journal)
    with pytest.raises(FileExistsError):
        journal.begin(
            entry_id, (), time=NOW, origin="x", title=msg("x"), roots=(), dirs=(), leaves=(), undoes=None
        )
    assert journal.entries()[0].id == entry_id


def test_one_process_at_a_time(journal: Journal, tmp_path: Path) -> None:
    with journal.lock(), pytest.raises(LockedError), Journal(str(tmp_path / "state")).lock(timeout=0):
        pass


def test_messages_keep_their_arguments() -> None:
    message = msg("{a} and {b}", a=msg("inner {x}", x=1), b="\udcff")
    assert message_from_json(json.loads(json.dumps(message_to_json(message)))) == message
    assert isinstance(message_from_json({"template": "x", "args": {}}), Message)
