"""Records of recalls: what is written, what is not, damage, size, and what the numbers say."""

from __future__ import annotations

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.agent.client_types import Usage
from memdir.agent.recall_types import Choice, Recall
from memdir.agent.records import RecallRecords
from memdir.core.i18n import msg
from memdir.core.recall_stats import MemoryStats, stats
from memdir.store import recalls as module
from tests.conftest import NOW

OFFERED = ("a.md", "b.md", "c.md")


def recall(*chosen: str, offered: tuple[str, ...] = OFFERED, **more: object) -> Recall:
    choices = tuple(Choice(rel, f"/m/{rel}", rel, "project", 3, 0.5, msg("nothing")) for rel in chosen)
    return Recall(choices, (), more.pop("method", "lexical"), offered, 12.34, **more)  # type: ignore[arg-type]


@pytest.fixture
def records(tmp_path: Path) -> RecallRecords:
    return RecallRecords(str(tmp_path / "state"), str(tmp_path / "projects/-x-y/memory"))


def test_every_recall_is_recorded_also_an_empty_one(records: RecallRecords) -> None:
    first = records.add(recall("a.md", method="model", usage=Usage(10, 20, 30, 4, 1)), now=NOW, session="s1")
    second = records.add(
        recall(fallback=msg("The model service failed (HTTP {status}).", status=500)), now=NOW
    )
    assert first and second and first != second
    offer, one, two = records.read()
    assert offer == {"kind": "offer", "id": one["offer"], "files": ["a.md", "b.md", "c.md"]}
    assert one == {
        "kind": "recall", "id": first, "time": "2026-03-11T12:00:00+00:00", "method": "model", "offer": offer["id"], "offered": 3,
        "chosen": ["a.md"], "delivered": True, "ms": 12.3, "session": "s1", "tokens": [10, 20, 30, 4],
    }  # fmt: skip
    assert (two["chosen"], two["offer"], two["fallback"]) == (
        [],
        offer["id"],
        "The model service failed (HTTP {status}).",
    )


def test_the_offered_set_is_written_once_also_by_another_process(
    records: RecallRecords, tmp_path: Path
) -> None:
    for owner in (records, RecallRecords(str(tmp_path / "state"), str(tmp_path / "projects/-x-y/memory"))):
        owner.add(recall(), now=NOW)
        owner.add(recall(offered=("b.md", "a.md", "c.md")), now=NOW)
    records.add(recall(offered=("a.md",)), now=NOW)
    assert [r["kind"] for r in records.read()].count("offer") == 2


def test_nothing_is_written_when_switched_off(tmp_path: Path) -> None:
    off = RecallRecords(str(tmp_path / "state"), str(tmp_path / "memory"), enabled=False)
    assert off.add(recall("a.md"), now=NOW) == ""
    assert not off.mark("x", "a.md", right=True, now=NOW)
    assert not off.late(now=NOW)
    assert not (tmp_path / "state").exists()


def test_files_are_private_and_directories_apart(records: RecallRecords, tmp_path: Path) -> None:
    other = RecallRecords(str(tmp_path / "state"), str(tmp_path / "projects/-x-z/memory"))
    records.add(recall("a.md"), now=NOW)
    assert stat.S_IMODE(os.stat(records.path).st_mode) == 0o600
    assert other.path != records.path
    assert list(other.read()) == []


def test_unwritable_state_disturbs_nothing(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file is in the way")
    blocked = RecallRecords(str(tmp_path / "state"), str(tmp_path / "memory"))
    assert blocked.add(recall("a.md"), now=NOW) == ""


def test_damaged_lines_are_skipped_and_a_half_line_is_closed(records: RecallRecords) -> None:
    records.add(recall("a.md"), now=NOW)
    with open(records.path, "ab") as file:
        file.write(b'\xff\xfe\n[1]\n{"kind": 3}\n{"kind":"recall","chosen":["b')
    records.add(recall("c.md"), now=NOW)
    assert [r["chosen"] for r in records.read() if r["kind"] == "recall"] == [["a.md"], ["c.md"]]


def test_shown_is_what_the_session_was_given(records: RecallRecords) -> None:
    records.add(recall("a.md"), now=NOW, session="s1")
    records.add(recall("b.md"), now=NOW, session="s2")
    records.add(recall("c.md"), now=NOW, session="s1", delivered=False)
    assert records.shown("s1") == {"a.md"}
    assert records.shown("") == records.shown("unknown") == frozenset()


def test_the_file_keeps_its_newer_half(records: RecallRecords, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", 20_000)
    for n in range(200):
        records.add(recall(f"m{n}.md", offered=(f"m{n // 50}.md",)), now=NOW)
    assert os.path.getsize(records.path) <= 21_000
    kept = [r for r in records.read() if r["kind"] == "recall"]
    assert kept[-1]["chosen"] == ["m199.md"]
    assert 50 < len(kept) < 200
    offers = {r["id"] for r in records.read() if r["kind"] == "offer"}
    assert {r["offer"] for r in kept} <= offers


def test_parallel_writers_lose_nothing(records: RecallRecords, tmp_path: Path) -> None:
    def write(n: int) -> None:
        own = RecallRecords(str(tmp_path / "state"), str(tmp_path / "projects/-x-y/memory"))
        for m in range(25):
            own.add(recall(f"m{n}-{m}.md"), now=NOW)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    chosen = [r["chosen"][0] for r in records.read() if r["kind"] == "recall"]
    assert sorted(chosen) == sorted(f"m{n}-{m}.md" for n in range(4) for m in range(25))


def test_numbers(records: RecallRecords) -> None:
    assert stats(records.read()).coverage is None
    for n in range(20):
        found = records.add(recall("a.md", *(["b.md"] if n == 0 else [])), now=NOW)
    records.add(recall(offered=("d.md",), method="model", fallback=None, usage=Usage(1, 2, 3, 4, 1)), now=NOW)
    records.add(recall(fallback=msg("The model did not answer in time.")), now=NOW)
    records.mark(found, "a.md", right=False, now=NOW)
    records.mark(found, "a.md", right=True, now=NOW)
    records.mark(found, "b.md", right=False, now=NOW)
    records.late(now=NOW, session="s")
    got = stats(records.read())
    assert (got.recalls, got.answered, got.by_model, got.late, got.chosen) == (22, 20, 1, 1, 21)
    assert (got.right, got.wrong, got.precision) == (1, 1, 0.5)
    assert got.coverage == pytest.approx(20 / 22)
    assert got.fallbacks == {"The model did not answer in time.": 1}
    assert got.tokens == (1, 2, 3, 4)
    assert (got.median_ms, got.p95_ms) == (12.3, 12.3)
    assert got.memories["a.md"] == MemoryStats(21, 20, 1, 0)
    assert got.never(["a.md", "b.md", "c.md", "d.md", "new.md"]) == ["c.md"]
    assert got.always(["a.md", "b.md", "c.md"]) == ["a.md"]


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["kind", "offer", "chosen", "tokens", "ms", "files", "id"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["kind", "offer", "chosen", "tokens", "ms", "files", "id", "offered", "right"]),
            _JSON | st.sampled_from(["recall", "offer", "mark"]),
            max_size=6,
        ),
        max_size=6,
    )
)
def test_any_records_give_numbers(lines: list[dict[str, object]]) -> None:
    got = stats(json.loads(json.dumps(lines)))
    assert got.recalls >= got.answered >= 0


def test_large_directories_do_not_fill_the_records(records: RecallRecords) -> None:
    names = tuple(f"memory_{n}.md" for n in range(10_000))
    records.add(recall("memory_3.md", offered=names), now=NOW)
    assert os.path.getsize(records.path) < 20_000
    line = next(r for r in records.read() if r["kind"] == "recall")
    assert line["offered"] == 10_000
