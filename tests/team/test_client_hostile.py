"""The client against a service that lies or attacks."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir.team import client as client_module
from memdir.team import wire
from memdir.team.client import TeamClient
from memdir.team.errors import TeamError
from memdir.team.guard import PathTraversalError
from tests.team.fake_service import Fake, entry, page
from tests.team.served import REPO
from tests.team.test_sync import FACT

HOSTILE_KEYS = [
    "../evil.md", "/etc/evil.md", "..\\evil.md", "a/../../evil.md", "%2e%2e/evil.md", "\uff0e\uff0e/evil.md", "C:/evil.md", ".git/evil.md", ".hidden.md",
    "nul.md", "a\u0000.md", "evil.sh", "x" * 300 + ".md", "~/evil.md", "sub/.ssh/evil.md", "a\u202e.md",
]  # fmt: skip


def test_hostile_names_write_nothing(tmp_path: Path) -> None:
    entries = {key: entry("evil") for key in HOSTILE_KEYS} | {"good.md": entry(FACT.format("g", "g"))}
    fake = Fake(
        lambda r: (
            httpx.Response(200, json=page(entries)) if r.method == "GET" else httpx.Response(200, json={})
        )
    )
    ann = fake.machine(tmp_path / "ann")
    before = {p for p in tmp_path.rglob("*") if "state" not in p.parts}
    report = ann.team.pull()
    assert report.outcome == "ok" and report.pulled == ["good.md"]
    assert len(ann.team.status().refused) == len(HOSTILE_KEYS)
    made = {p for p in tmp_path.rglob("*") if "state" not in p.parts and p.is_file()} - before
    assert made == {ann.root / "good.md"}
    assert all(str(m).isprintable() for m in ann.team.status().refused.values())


@pytest.mark.parametrize(
    "bad",
    [
        {"a.md": {**entry("x"), "sha256": "0" * 64}}, {"a.md": {**entry("x"), "content": 5}}, {"a.md": 3}, {"a.md": {"content": "\ud800", "sha256": ""}},
        {"a.md": entry("x" * (300 * 1024))}, {"a.md": {"content": "x"}},
    ],
)  # fmt: skip
def test_bad_entries_are_refused_one_by_one(tmp_path: Path, bad: dict) -> None:
    body = json.dumps(page({**bad, "b.md": entry(FACT.format("b", "b"))})).encode()
    ann = Fake(lambda r: httpx.Response(200, content=body)).machine(tmp_path)
    report = ann.team.pull()
    assert (
        report.pulled == ["b.md"]
        and list(ann.team.status().refused) == ["a.md"]
        and sorted(ann.files()) == ["b.md"]
    )


@pytest.mark.parametrize(
    "body",
    [
        b"", b"null", b"[]", b"<html>login</html>", b'{"etag": 5}', b'{"etag":"x","entries":{},"removed":{}}', b"{" * 5000, b'{"entries": {}, "removed": []}',
        b'{"a":1,"a":2}', b"\xff\xfe", b'{"etag":"0123456789abcdef-1","entries":[],"removed":{}}', b"[" * 100_000,
    ],
)  # fmt: skip
def test_nonsense_is_a_permanent_failure(tmp_path: Path, body: bytes) -> None:
    ann = Fake(lambda r: httpx.Response(200, content=body)).machine(tmp_path)
    ann.write("a.md", FACT.format("a", "a"))
    report = ann.team.sync(force=True)
    assert report.outcome == "failed" and sorted(ann.files()) == ["a.md"]


@settings(max_examples=80, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda c: (
            st.lists(c, max_size=3)
            | st.dictionaries(
                st.text(max_size=8)
                | st.sampled_from(
                    ["etag", "entries", "removed", "a.md", "content", "sha256", "checksums", "versions"]
                ),
                c,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_parsing_answers_raises_only_team_errors(data: object) -> None:
    if not isinstance(data, dict):
        return
    for parse in (lambda d: wire.parse_delta(d, 1000), wire.parse_checksums, wire.parse_past, wire.tag_of):
        try:
            parse(data)
        except (TeamError, PathTraversalError):
            continue


def test_case_collisions_are_refused(tmp_path: Path) -> None:
    entries = {
        "Notes.md": entry("one\n"),
        "notes.md": entry("two\n"),
        "NOTES/x.md": entry("three\n"),
        "notes/y.md": entry("four\n"),
    }
    ann = Fake(lambda r: httpx.Response(200, json=page(entries))).machine(tmp_path)
    report = ann.team.pull()
    folded = [k.casefold() for k in report.pulled]
    assert (
        len(set(folded)) == len(folded) and "Notes.md" in ann.team.status().refused
    ) or "notes.md" in ann.team.status().refused


def test_a_link_in_the_team_directory_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.md").write_text("mine, not the team's")
    entries = {"sub/a.md": entry("evil\n"), "link.md": entry("evil\n"), "new/b.md": entry("fine\n")}
    ann = Fake(lambda r: httpx.Response(200, json=page(entries))).machine(tmp_path / "ann")
    ann.root.mkdir()
    (ann.root / "sub").symlink_to(outside)
    (ann.root / "link.md").symlink_to(outside / "a.md")
    report = ann.team.pull()
    assert (outside / "a.md").read_text() == "mine, not the team's" and [
        p.name for p in outside.iterdir()
    ] == ["a.md"]
    assert "sub/a.md" not in report.pulled and "link.md" not in report.pulled
    assert report.pulled == ["new/b.md"], (report, ann.team.status().refused)


def test_a_folder_that_turns_into_a_link_never_takes_a_write_outside(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    counter = [0]

    def answer(request: httpx.Request) -> httpx.Response:
        counter[0] += 1
        return httpx.Response(
            200, json=page({f"sub/f{counter[0]}.md": entry(f"text {counter[0]}\n")}, counter[0])
        )

    ann = Fake(answer).machine(tmp_path / "ann")
    (ann.root / "sub").mkdir(parents=True)
    stop = threading.Event()

    def attack() -> None:
        sub, away = ann.root / "sub", ann.root / "away"
        while not stop.is_set():
            try:
                sub.rename(away)
                sub.symlink_to(outside)
                sub.unlink()
                away.rename(sub)
            except OSError:
                continue

    thread = threading.Thread(target=attack)
    thread.start()
    try:
        for _ in range(40):
            ann.team.pull()
    finally:
        stop.set()
        thread.join()
    assert list(outside.iterdir()) == []


def test_endless_pages_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from memdir.team import incoming

    monkeypatch.setattr(incoming, "_PAGES", 20)
    version = [0]

    def more(_: httpx.Request) -> httpx.Response:
        version[0] += 1
        return httpx.Response(200, json=page({}, version[0], more=True, full=False))

    fake = Fake(more)
    assert fake.machine(tmp_path / "a").team.pull().outcome == "failed" and len(fake.asked) == 20
    stuck = Fake(lambda _: httpx.Response(200, json=page({}, 1, more=True, full=False)))
    assert stuck.machine(tmp_path / "b").team.pull().outcome == "failed" and len(stuck.asked) <= 3


def test_giant_answers_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "MAX_ANSWER", 100_000)
    sent = [0]

    def flood() -> Iterator[bytes]:
        while True:
            sent[0] += 1
            yield b" " * 10_000

    client = TeamClient(
        "https://t.example",
        REPO,
        "tok",
        transport=Fake(lambda _: httpx.Response(200, content=flood())).transport,
    )
    with pytest.raises(TeamError, match="makes no sense"):
        client.checksums()
    assert sent[0] < 20
