"""Session files: every shape of record, any size, half-written ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir.core.transcript import MAX_TEXT, Record, parse_record, since_compaction
from memdir.store import transcripts
from memdir.store.transcripts import Reader, Tail, line_number, read_end


def line(**fields: Any) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def user(text: object, **fields: Any) -> bytes:
    return line(
        type="user", message={"role": "user", "content": text}, uuid=fields.pop("uuid", "u1"), **fields
    )


def parse(data: bytes) -> Record:
    record = parse_record(data)
    assert record is not None
    return record


def test_the_envelope_and_a_prompt() -> None:
    record = parse(
        user(
            "use tabs",
            uuid="u2",
            parentUuid="u1",
            sessionId="s",
            timestamp="2026-03-05T09:12:00.123Z",
            cwd="/w",
            gitBranch="main",
            version="2.1.332",
            isSidechain=False,
        )
    )
    assert (
        record.type,
        record.uuid,
        record.parent,
        record.session,
        record.cwd,
        record.branch,
        record.version,
    ) == (
        "user",
        "u2",
        "u1",
        "s",
        "/w",
        "main",
        "2.1.332",
    )
    assert record.time == datetime(2026, 3, 5, 9, 12, 0, 123000, tzinfo=UTC)
    assert record.text == "use tabs" and record.spoken and record.prompt


def test_an_answer_with_tools_and_usage() -> None:
    content = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "I write it."},
        {"type": "tool_use", "id": "t1", "name": "Write", "input": {"file_path": "/m/a.md", "content": "x"}},
        {"type": "tool_use", "id": "t2", "name": "Bash", "input": {"command": "ls"}},
        {"type": "from the future"},
        "not a block",
    ]
    usage = {
        "input_tokens": 3,
        "output_tokens": 5,
        "cache_read_input_tokens": 100,
        "cache_creation_input_tokens": 20,
        "x": None,
    }
    record = parse(
        line(
            type="assistant",
            message={
                "role": "assistant",
                "content": content,
                "usage": usage,
                "model": "m",
                "stop_reason": "tool_use",
                "id": "msg",
            },
        )
    )
    assert record.text == "I write it." and record.spoken and not record.prompt
    assert [(t.name, t.written_path) for t in record.tool_uses] == [("Write", "/m/a.md"), ("Bash", None)]
    assert record.usage is not None and record.usage.context == 128 and record.stop_reason == "tool_use"


@pytest.mark.parametrize(
    ("block", "aside", "text"),
    [
        ({"content": "plain"}, None, "plain"),
        (
            {"content": [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]},
            None,
            "a\nb",
        ),
        ({}, "a string", "a string"),
        ({}, {"stdout": "out", "stderr": "err", "interrupted": False}, "out\nerr"),
        ({}, {"file": {"content": "x"}}, ""),
        ({"content": 7}, [1], ""),
    ],
)
def test_tool_results(block: dict[str, Any], aside: object, text: str) -> None:
    record = parse(
        user([{"type": "tool_result", "tool_use_id": "t1", "is_error": True, **block}], toolUseResult=aside)
    )
    (result,) = record.tool_results
    assert (result.id, result.text, result.error) == ("t1", text, True)
    assert not record.spoken


def test_what_is_not_said_in_the_main_conversation() -> None:
    assert not parse(user("x", isSidechain=True, agentId="a1")).spoken
    assert not parse(user("x", isMeta=True)).spoken
    assert not parse(user("Summary so far", isCompactSummary=True)).spoken
    assert not parse(line(type="system", subtype="local_command", content="x")).spoken
    assert parse(line(type="summary", summary="x", leafUuid="y")).role == ""


def test_compaction() -> None:
    records = [
        parse(user("old", uuid="u1")),
        parse(
            line(type="system", subtype="compact_boundary", uuid="b", parentUuid=None, logicalParentUuid="u1")
        ),
        parse(user("Summary", uuid="u2", isCompactSummary=True)),
        parse(user("side", uuid="u3", isSidechain=True)),
        parse(user("new", uuid="u4")),
    ]
    assert records[1].boundary and records[1].parent is None and records[1].logical_parent == "u1"
    assert [r.uuid for r in since_compaction(records)] == ["b", "u2", "u4"]
    assert [r.uuid for r in since_compaction(records[:1])] == ["u1"]


@pytest.mark.parametrize(
    "kind",
    [
        "progress",
        "queue-operation",
        "file-history-snapshot",
        "attachment",
        "last-prompt",
        "ai-title",
        "mode",
        "never-seen-before",
    ],
)
def test_unknown_types_are_records_too(kind: str) -> None:
    record = parse(line(type=kind, whatever=[1]))
    assert record.type == kind and record.uuid == "" and record.time is None and not record.spoken


@pytest.mark.parametrize(
    "data", [b"", b"  ", b"{", b"[]", b"null", b'{"a": 1', b"\xff", b"[" * 100_000, b"1" * 5000, b'"x"']
)
def test_what_is_no_record(data: bytes) -> None:
    assert parse_record(data) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)
KEYS = st.sampled_from(
    [
        "type",
        "subtype",
        "uuid",
        "parentUuid",
        "timestamp",
        "cwd",
        "isSidechain",
        "message",
        "content",
        "toolUseResult",
    ]
)
BLOCK = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "tool_use", "tool_result"])},
    optional=dict.fromkeys(("text", "id", "name", "input", "content", "tool_use_id"), JSON),
)
MESSAGE = JSON | st.fixed_dictionaries(
    {}, optional={"role": JSON, "content": JSON | st.lists(BLOCK | JSON, max_size=4), "usage": JSON}
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(KEYS, JSON, max_size=8), MESSAGE)
def test_parsing_is_total(fields: dict[str, Any], message: object) -> None:
    record = parse(json.dumps({**fields, "message": message}).encode())
    assert isinstance(record.text, str) and all(isinstance(t.input, dict) for t in record.tool_uses)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_survived(data: bytes) -> None:
    parse_record(data)


def test_long_texts_are_cut() -> None:
    assert len(parse(user("x" * (MAX_TEXT + 5))).text) == MAX_TEXT


# files


def texts(records: Any) -> list[str]:
    return [r.text for r in records]


def test_offsets_and_line_numbers(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(user("a") + b"\n" + b"damaged {\n" + user("b\u4e2d") + user("c"))
    reader = Reader(str(path))
    records = list(reader.read())
    assert (
        texts(records) == ["a", "b\u4e2d", "c"]
        and reader.skipped == 1
        and reader.offset == path.stat().st_size
    )
    data = path.read_bytes()
    assert [json.loads(data[r.start : r.end])["message"]["content"] for r in records] == ["a", "b\u4e2d", "c"]
    assert [line_number(str(path), r.start) for r in records] == [1, 4, 5]
    again = Reader(str(path), records[1].start)
    assert texts(again.read()) == ["b\u4e2d", "c"]
    assert texts(Reader(str(path)).read(limit=records[1].end)) == ["a", "b\u4e2d"]


def test_a_half_written_last_line_waits(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    tail = Tail(str(path))
    assert tail.poll() == []
    whole = user("one") + user("\u4e8c")
    for end in range(len(whole) + 1):
        path.write_bytes(whole[:end])
        seen = tail.poll()
        if end == len(user("one")) - 1:
            assert texts(seen) == ["one"]  # only its break is missing
        elif end == len(whole) - 1:
            assert texts(seen) == ["\u4e8c"]
        else:
            assert seen == []
    assert tail.restarts == 0 and tail.offset == len(whole)


def test_following_a_file_that_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(user("a" * 50) + user("b"))
    tail = Tail(str(path))
    assert texts(tail.poll()) == ["a" * 50, "b"] and tail.poll() == []
    path.write_bytes(user("new"))
    assert texts(tail.poll()) == ["new"] and tail.restarts == 1
    (tmp_path / "t").write_bytes(user("other") + user("file"))
    os.replace(tmp_path / "t", path)
    assert texts(tail.poll()) == ["other", "file"] and tail.restarts == 2
    path.unlink()
    assert tail.poll() == []


def test_from_now_on(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(user("old") + user("half")[:20])
    tail = Tail.at_end(str(path))
    assert tail.poll() == []
    with path.open("ab") as file:
        file.write(user("half")[20:] + user("new"))
    assert texts(tail.poll()) == ["half", "new"]
    assert Tail.at_end(str(tmp_path / "none")).offset == 0


def test_a_poll_is_bounded_and_continues(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"".join(user(f"{n} " + "x" * 500) for n in range(200)))
    tail = Tail(str(path))
    parts = []
    while part := tail.poll(10_000):
        parts.append(part)
    assert len(parts) > 8 and max(len(p) for p in parts) < 30
    assert [r.text.split()[0] for p in parts for r in p] == [str(n) for n in range(200)]


def test_the_end_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"".join(user(f"{n}") for n in range(1000)))
    size = len(user("999"))
    assert texts(read_end(str(path), size * 3 + 5)) == ["997", "998", "999"]
    assert len(list(read_end(str(path)))) == 1000


def test_lines_that_are_too_long_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "MAX_LINE", 10_000)
    monkeypatch.setattr(transcripts, "_PIECE", 1000)
    path = tmp_path / "s.jsonl"
    path.write_bytes(user("a") + user("x" * 50_000) + user("b") + user("y" * 20_000)[:-1])
    reader = Reader(str(path))
    records = list(reader.read())
    assert texts(records) == ["a", "b"] and reader.oversized == 1
    assert reader.offset == records[-1].end  # the last, unfinished one may still grow
    tail = Tail(str(path))
    assert texts(tail.poll(100)) == ["a"] and texts(tail.poll(100)) == ["b"] and tail.poll(100) == []
    with path.open("ab") as file:
        file.write(b"\n" + user("c"))
    assert texts(tail.poll(100)) == ["c"]


MEASURE = """
import resource, sys
from memdir.store.transcripts import Reader
count = sum(1 for _ in Reader(sys.argv[1]).read())
print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def measure(path: Path) -> tuple[int, int]:
    """(records, peak memory in KiB) of reading a file in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path)], capture_output=True, text=True, check=True
    )
    count, peak = done.stdout.split()
    return int(count), int(peak)


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    piece = b"".join(user("x" * 2000, uuid=f"{n}") for n in range(500))
    small, large = tmp_path / "small.jsonl", tmp_path / "large.jsonl"
    small.write_bytes(piece)
    with large.open("wb") as file:
        for _ in range(40):
            file.write(piece)
        hole = file.tell() + 500 * 1024 * 1024  # a sparse line of half a gigabyte
        file.truncate(hole)
        file.seek(hole)
        file.write(b"\n" + user("last"))
    records, base = measure(small)
    many, peak = measure(large)
    assert (records, many) == (500, 20_001)
    assert peak - base < 24 * 1024, f"{peak - base} KiB more for a file of half a gigabyte"
