"""The client against a service that fails: what is repeated, what waits, what is given up."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from memdir.team.client import TeamClient
from memdir.team.errors import TeamError
from memdir.team.failures import check_url
from memdir.team.protocol import Limits, Tag
from tests.team.fake_service import EPOCH, Fake, always, page
from tests.team.machines import Machine
from tests.team.served import NOW, REPO
from tests.team.test_sync import FACT


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


def test_limits_of_the_service_are_learnt() -> None:
    body = {
        "subject": "ann",
        "rights": ["read", 5],
        "etag": f"{EPOCH}-3",
        "limits": {"file": 10, "entries": -1, "body": "x", "odd": 1},
    }
    facts = TeamClient("https://t.example", REPO, "tok", transport=Fake(always(200, body)).transport).facts()
    assert facts.limits == Limits(file=10) and facts.rights == ("read",)
