"""The client against a service that fails, lies or attacks."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir.core.model import content_hash
from memdir.team import client as client_module
from memdir.team import wire
from memdir.team.client import TeamClient
from memdir.team.errors import TeamError
from memdir.team.failures import check_url
from memdir.team.guard import PathTraversalError
from memdir.team.protocol import Limits, Tag
from tests.team.machines import Machine
from tests.team.served import NOW, REPO, wait_for
from tests.team.test_sync import FACT

EPOCH = "0123456789abcdef"


def entry(content: str) -> dict:
    return {
        "content": content,
        "sha256": content_hash(content.encode()),
        "version": 1,
        "author": "x",
        "time": "t",
    }


def page(entries: dict, version: int = 1, **more: object) -> dict:
    return {
        "etag": f"{EPOCH}-{version}",
        "full": True,
        "more": False,
        "entries": entries,
        "removed": {},
        **more,
    }


class Fake:
    """A service that answers what it is told and remembers what it was asked."""

    def __init__(self, answer: Callable[[httpx.Request], httpx.Response]) -> None:
        self.asked: list[httpx.Request] = []
        self.answer = answer
        self.transport = httpx.MockTransport(self._handle)

    def _handle(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self.answer(request)
        if not answer.is_closed:  # a stream, sent as it comes
            return answer
        return httpx.Response(
            answer.status_code, headers=answer.headers, stream=httpx.ByteStream(answer.content)
        )

    def machine(self, base: Path, **options: object) -> Machine:
        return Machine(base, "https://team.example", "tok", transport=self.transport, **options)


def always(status: int, body: object = None, **headers: str) -> Callable[[httpx.Request], httpx.Response]:
    return lambda _: httpx.Response(
        status,
        json={} if body is None else body,
        headers={k.replace("_", "-"): v for k, v in headers.items()},
    )


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (401, None, "auth"), (403, None, "forbidden"), (404, None, "gone"), (410, None, "gone"), (301, None, "gone"), (308, None, "gone"),
        (412, None, "stale"), (413, None, "body"), (429, None, "busy"), (500, None, "busy"), (502, None, "busy"), (503, None, "busy"), (408, None, "busy"),
        (418, None, "protocol"), (201, None, "protocol"), (204, None, "protocol"),
        (413, {"error": {"code": "file_too_large", "limit": 9, "keys": ["a.md"]}}, "files"),
        (413, {"error": {"code": "too_many_entries", "limit": 9}}, "full"), (413, {"error": {"code": "body_too_large", "limit": 9}}, "body"),
        (422, {"error": {"code": "secret", "keys": {"a.md": ["github-token"]}}}, "files"), (422, {"error": {"code": "invalid_key", "keys": {"a.md": "x"}}}, "files"),
        (422, {"error": "odd"}, "protocol"), (413, {"error": {"code": "file_too_large", "keys": 3}}, "body"), (401, [1], "auth"),
    ],
)  # fmt: skip
def test_every_status_has_a_meaning(status: int, body: object, kind: str) -> None:
    client = TeamClient("https://t.example", REPO, "tok", transport=Fake(always(status, body)).transport)
    with pytest.raises(TeamError) as caught:
        client.put({"a.md": "x"}, Tag(EPOCH, 1))
    assert caught.value.kind == kind
    assert "tok" not in str(caught.value).split()


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "7"}, 7.0), ({"retry_after": "soon"}, None), ({}, None), ({"retry_after": "-5"}, None), ({"retry_after": "9" * 40}, None),
        ({"retry_after": "Wed, 11 Mar 2026 12:01:00 GMT", "date": "Wed, 11 Mar 2026 12:00:00 GMT"}, 60.0),
        ({"retry_after": "Wed, 11 Mar 2026 12:01:00 GMT"}, None),
    ],
)  # fmt: skip
def test_retry_after_in_both_forms(headers: dict[str, str], seconds: float | None) -> None:
    client = TeamClient(
        "https://t.example", REPO, "tok", transport=Fake(always(429, None, **headers)).transport
    )
    with pytest.raises(TeamError) as caught:
        client.checksums()
    assert caught.value.retry_after == seconds


@pytest.mark.parametrize(
    "url",
    ["http://team.example", "ftp://x", "", "team.example", "https://", "https://u:p@h", "https://h?x=1", "http://127.0.0.1.evil.example", "http://[::1", "https://h:port"],
)  # fmt: skip
def test_tokens_go_over_https_or_to_this_machine(url: str) -> None:
    with pytest.raises(TeamError) as caught:
        TeamClient(url, REPO, "tok")
    assert caught.value.kind == "insecure" and "u:p" not in str(caught.value)


def test_good_addresses() -> None:
    for url in (
        "https://team.example/",
        "https://team.example:8443/base/",
        "http://127.0.0.1:1",
        "http://localhost:1",
        "http://[::1]:1",
    ):
        assert check_url(url) == url.rstrip("/")


@pytest.mark.parametrize("token", ["", "a b", "a\nb", "a\r\nX: y", "tökén"])
def test_unusable_tokens(token: str) -> None:
    with pytest.raises(TeamError):
        TeamClient("https://t.example", REPO, token)


def test_redirects_never_see_the_token(tmp_path: Path) -> None:
    fake = Fake(always(307, None, location="https://evil.example/"))
    report = fake.machine(tmp_path).team.sync(force=True)
    assert report.outcome == "failed" and len(fake.asked) == 1


def test_netrc_does_not_replace_the_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine team.example login x password y\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    fake = Fake(always(401))
    fake.machine(tmp_path).team.sync(force=True)
    assert fake.asked[0].headers["authorization"] == "Bearer tok"


def test_permanent_failure_is_not_repeated_until_something_changes(tmp_path: Path) -> None:
    fake = Fake(always(401))
    ann = fake.machine(tmp_path)
    ann.write("a.md", FACT.format("a", "a"))
    assert ann.team.sync().outcome == "failed"
    again = fake.machine(tmp_path)  # also after a restart
    assert [again.team.sync().outcome for _ in range(3)] == ["suppressed"] * 3 and len(fake.asked) == 1
    assert again.team.status().suppressed and again.team.status().failure
    ann.write("b.md", FACT.format("b", "b"))
    assert ann.team.sync().outcome == "failed" and len(fake.asked) == 2
    other = Machine(tmp_path, "https://team.example", "new-token", transport=fake.transport)
    assert other.team.sync().outcome == "failed" and len(fake.asked) == 3
    assert other.team.sync(force=True).outcome == "failed" and len(fake.asked) == 4
    fake.answer = always(200, page({}))
    assert other.team.sync().outcome == "suppressed"  # nothing changed here yet
    assert other.team.pull().outcome == "ok"  # a person asks
    assert other.team.status().failure is None


def test_passing_failure_waits_longer_each_time(tmp_path: Path) -> None:
    clock = [NOW]
    fake = Fake(always(503, None, retry_after="30"))
    ann = fake.machine(tmp_path, now=lambda: clock[0])
    waits = []
    for _ in range(8):
        report = ann.team.sync()
        assert report.outcome == "waiting"
        waits.append(report.wait)
        asked = len(fake.asked)
        assert ann.team.sync().outcome == "waiting" and len(fake.asked) == asked  # not before its time
        clock[0] += timedelta(seconds=report.wait + 1)
    assert all(w >= 30 for w in waits) and waits[-1] > waits[0] and max(waits) <= 300
    clock[0] = NOW - timedelta(days=3)  # a clock set back by days must not keep us away for days
    asked = len(fake.asked)
    ann.team.sync()
    assert len(fake.asked) == asked + 1


def test_offline_keeps_and_sends_later(tmp_path: Path) -> None:
    def down(_: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("no route")

    fake = Fake(down)
    ann = fake.machine(tmp_path)
    ann.write("a.md", FACT.format("a", "a"))
    report = ann.team.sync()
    assert report.outcome == "waiting" and ann.team.status().pending == ("a.md",)


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


def test_files_the_service_refuses_do_not_hold_up_the_rest(tmp_path: Path) -> None:
    seen: list[list[str]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return httpx.Response(200, json=page({}, 1))
        keys = sorted(json.loads(request.content)["entries"])
        seen.append(keys)
        if "b.md" in keys:
            return httpx.Response(
                413, json={"error": {"code": "file_too_large", "limit": 10, "keys": ["b.md"]}}
            )
        return httpx.Response(200, json={"etag": f"{EPOCH}-2", "changed": keys, "unchanged": []})

    ann = Fake(answer).machine(tmp_path)
    for name in "abc":
        ann.write(f"{name}.md", FACT.format(name, name))
    assert ann.sync().pushed == ["a.md", "c.md"] and seen == [["a.md", "b.md", "c.md"], ["a.md", "c.md"]]
    assert list(ann.team.status().blocked) == ["b.md"]


def test_a_body_that_is_too_large_is_halved(tmp_path: Path) -> None:
    version = [1]

    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return httpx.Response(200, json=page({}, 1))
        entries = json.loads(request.content)["entries"]
        if len(entries) > 2:
            return httpx.Response(413, json={"error": {"code": "body_too_large", "limit": 1}})
        assert request.headers["if-match"] == f'"{EPOCH}-{version[0]}"'
        version[0] += 1
        return httpx.Response(
            200, json={"etag": f"{EPOCH}-{version[0]}", "changed": sorted(entries), "unchanged": []}
        )

    ann = Fake(answer).machine(tmp_path)
    for i in range(7):
        ann.write(f"f{i}.md", FACT.format(i, i))
    assert sorted(ann.sync().pushed) == [f"f{i}.md" for i in range(7)]


def test_stale_is_retried_then_waits(tmp_path: Path) -> None:
    fake = Fake(
        lambda r: httpx.Response(200, json=page({}, 1)) if r.method == "GET" else httpx.Response(412, json={})
    )
    ann = fake.machine(tmp_path)
    ann.write("a.md", FACT.format("a", "a"))
    report = ann.team.sync(force=True)
    assert report.outcome == "waiting" and sum(r.method == "PUT" for r in fake.asked) == 8
    fake.asked.clear()
    fake.answer = lambda r: (
        httpx.Response(200, json={"etag": f"{EPOCH}-1", "checksums": {}})
        if r.method == "GET"
        else httpx.Response(412, json={})
    )
    assert ann.team.push().outcome == "waiting"
    assert {r.url.path.rsplit("/", 1)[1] for r in fake.asked if r.method == "GET"} == {
        "checksums"
    }  # hashes again, not contents


@contextmanager
def raw_server(serve: Callable[[socket.socket], None]) -> Iterator[str]:
    """A TCP server that treats each connection as it likes."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(16)
        stop = threading.Event()

        def accept() -> None:
            listener.settimeout(0.05)
            while not stop.is_set():
                try:
                    connection, _ = listener.accept()
                except OSError:
                    continue
                threading.Thread(target=_quietly, args=(serve, connection), daemon=True).start()

        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            stop.set()
            thread.join()


def _quietly(serve: Callable[[socket.socket], None], connection: socket.socket) -> None:
    with connection:
        try:
            connection.recv(65536)
            serve(connection)
        except OSError:
            return


def drip(text: bytes) -> Callable[[socket.socket], None]:
    def serve(connection: socket.socket) -> None:
        for byte in text:
            connection.sendall(bytes([byte]))
            threading.Event().wait(0.05)

    return serve


HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n"


@pytest.mark.parametrize(
    "serve",
    [
        lambda c: None,
        lambda c: c.sendall(HEAD),
        lambda c: c.sendall(HEAD + b'\r\n{"etag":'),
        lambda c: c.sendall(b"\x00\x01garbage\r\n\r\n"),
        lambda c: c.sendall(b"HTTP/1.1 200 OK\r\nX: " + b"a" * 200_000),
        lambda c: c.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
        lambda c: threading.Event().wait(3),
        drip(HEAD + b"X-Slow: " + b"x" * 400),
        drip(HEAD + b"\r\n" + b" " * 400),
    ],
    ids=[
        "closed",
        "cut in head",
        "cut in body",
        "garbage",
        "endless header",
        "bad chunk",
        "silent",
        "dripping head",
        "dripping body",
    ],
)
def test_cut_slow_and_garbled_connections_end_soon(
    serve: Callable[[socket.socket], None], tmp_path: Path
) -> None:
    with raw_server(serve) as url:
        ann = Machine(tmp_path, url, "tok", timeouts=(1.0, 0.5, 1.0))
        ann.write("a.md", FACT.format("a", "a"))
        started = time.monotonic()
        report = ann.team.sync(force=True)
        assert time.monotonic() - started < 5
        assert report.outcome == "waiting" and ann.team.status().pending == ("a.md",)
        ann.close()


def test_an_answer_lost_on_the_way_back_is_found_out(tmp_path: Path) -> None:
    """The service took the write, the connection died before its answer: the next run sees that and sends nothing twice."""
    stored: dict[str, dict] = {}
    version, puts = [1], [0]

    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return httpx.Response(200, json=page(stored, version[0]))
        puts[0] += 1
        for key, value in json.loads(request.content)["entries"].items():
            stored[key] = entry(value["content"])
        version[0] += 1
        raise httpx.ReadError("cut")

    ann = Fake(answer).machine(tmp_path)
    ann.write("a.md", FACT.format("a", "a"))
    assert ann.team.sync(force=True).outcome == "waiting"
    report = ann.team.sync(force=True)
    assert report.outcome == "ok" and puts[0] == 1 and not report.conflicts and not report.pulled


def test_limits_of_the_service_are_learnt() -> None:
    body = {
        "subject": "ann",
        "rights": ["read", 5],
        "etag": f"{EPOCH}-3",
        "limits": {"file": 10, "entries": -1, "body": "x", "odd": 1},
    }
    facts = TeamClient("https://t.example", REPO, "tok", transport=Fake(always(200, body)).transport).facts()
    assert facts.limits == Limits(file=10) and facts.rights == ("read",)


def test_wait_for_gives_up() -> None:
    with pytest.raises(AssertionError):
        wait_for(lambda: False, 0.02)
