"""The service over real HTTP: the protocol's promises, what is refused and how."""

from __future__ import annotations

import http.client
import json
import time
from pathlib import Path
from urllib.parse import urlsplit

import jsonschema
import pytest

from memdir.team.protocol import Limits, Tag, parse_tag
from memdir.team.service.app import create_app
from memdir.team.service.config import Issuer, ServiceConfig, from_environ
from memdir.team.service.middleware import JsonLines, log
from tests.core.fake_secrets import Fakes
from tests.team.asked import put, schema_of
from tests.team.served import NOW, REPO, Service, running


def test_write_read_history_restore(any_service: Service) -> None:
    client = any_service.client(any_service.token("ann"))
    facts = client.get("app")
    jsonschema.validate(facts.json(), schema_of("Facts"))
    tag = facts.headers["etag"]
    first = put(client, tag, a_md="eins", b_md="zwei")
    jsonschema.validate(first.json(), schema_of("Written"))
    assert first.json()["changed"] == ["a.md", "b.md"] and first.headers["etag"] != tag
    stale = put(client, tag, a_md="other")
    assert stale.status_code == 412 and stale.headers["etag"] == first.headers["etag"]
    jsonschema.validate(stale.json(), schema_of("Error"))
    same = put(client, first.headers["etag"], a_md="eins")
    assert same.json()["unchanged"] == ["a.md"] and same.headers["etag"] == first.headers["etag"]
    second = put(client, first.headers["etag"], a_md="drei")
    since = client.get("app/memory", params={"since": first.headers["etag"].strip('"')}).json()
    jsonschema.validate(since, schema_of("Changes"))
    assert (
        list(since["entries"]) == ["a.md"]
        and since["entries"]["a.md"]["content"] == "drei"
        and not since["full"]
    )
    assert client.get("app/memory", headers={"If-None-Match": second.headers["etag"]}).status_code == 304
    assert client.get("app/checksums", headers={"If-None-Match": second.headers["etag"]}).status_code == 304
    sums = client.get("app/checksums").json()
    jsonschema.validate(sums, schema_of("Checksums"))
    assert sorted(sums["checksums"]) == ["a.md", "b.md"]
    history = client.get("app/history", params={"key": "a.md"}).json()
    jsonschema.validate(history, schema_of("History"))
    assert [v["version"] for v in history["versions"]] == [2, 1]
    assert {v["author"] for v in history["versions"]} == {"ann"}
    old = client.get("app/history/1", params={"key": "a.md"}).json()
    jsonschema.validate(old, schema_of("Version"))
    assert old["content"] == "eins"
    back = client.post(
        "app/restore", json={"key": "a.md", "version": 1}, headers={"If-Match": second.headers["etag"]}
    )
    assert back.json()["changed"] == ["a.md"]
    assert client.get("app/memory", params={"key": "a.md"}).json()["entries"]["a.md"]["content"] == "eins"
    gone = client.post(
        "app/prune",
        json={"keys": {"b.md": sums["checksums"]["b.md"], "a.md": "0" * 64}},
        headers={"If-Match": back.headers["etag"]},
    )
    assert gone.json() == {
        "etag": gone.headers["etag"].strip('"'),
        "changed": ["b.md"],
        "unchanged": ["a.md"],
    }
    assert client.get("app/memory", params={"since": back.headers["etag"].strip('"')}).json()["removed"] == {
        "b.md": 4
    }
    assert client.get("app/memory").json()["removed"] == {}
    assert (
        client.post(
            "app/restore", json={"key": "b.md", "version": 1}, headers={"If-Match": gone.headers["etag"]}
        ).status_code
        == 200
    )
    client.close()


def test_history_pages_hold_whole_versions(any_service: Service) -> None:
    client = any_service.client(any_service.token("ann"))
    tag = client.get("app").headers["etag"]
    for i in range(4):
        tag = put(client, tag, a_md=str(i), b_md=str(i), c_md=str(i)).headers["etag"]
    seen, before = [], None
    while True:
        rows = client.get(
            "app/history", params={"limit": 1, **({"before": before} if before else {})}
        ).json()["versions"]
        if not rows:
            break
        seen += [(r["version"], r["key"]) for r in rows]
        before = rows[-1]["version"]
    assert seen == [(v, k) for v in (4, 3, 2, 1) for k in ("a.md", "b.md", "c.md")]
    client.close()


def test_pages_of_a_large_repository(tmp_path: Path) -> None:
    with running(
        ServiceConfig(str(tmp_path / "t.db"), limits=Limits(page=1000), rate=1e6, burst=10**6)
    ) as service:
        client = service.client(service.token("ann"))
        tag = client.get("app").headers["etag"]
        for i in range(6):
            tag = put(client, tag, **{f"f{i}_md": "x" * 400, f"g{i}_md": "y" * 400}).headers["etag"]
        seen: dict[str, str] = {}
        since, pages = None, 0
        while True:
            page = client.get("app/memory", params={"since": since} if since else {}).json()
            seen |= {k: e["content"] for k, e in page["entries"].items()}
            since, pages = page["etag"], pages + 1
            if not page["more"]:
                break
        assert len(seen) == 12 and pages == 6 and f'"{since}"' == tag
        picked = client.get("app/memory", params={"key": list(seen)}).json()
        assert picked["more"] and len(picked["entries"]) == 2
        client.close()


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "invalid_request"), (b"[]", 400, "invalid_request"), (b"{", 400, "invalid_request"), (b"[" * 20000, 400, "invalid_request"),
        (b'{"entries": {}}', 400, "invalid_request"), (b'{"entries": {"a.md": {"content": 1}}}', 400, "invalid_request"),
        (b'{"entries": {"a.md": "x"}}', 400, "invalid_request"), (b'{"entries": {"a.md": {"content": "\\ud800"}}}', 400, "invalid_request"),
        (b'{"entries": {"a.md": {"content": "x"}, "a.md": {"content": "y"}}}', 400, "invalid_request"),
        (b'{"entries": {"a.md": {"content": "x", "sha256": "00"}}}', 400, "invalid_request"),
        (b'{"entries": {"../a.md": {"content": "x"}}}', 422, "invalid_key"), (b'{"entries": {"a.txt": {"content": "x"}}}', 422, "invalid_key"),
        (b'{"entries": {".git/a.md": {"content": "x"}}}', 422, "invalid_key"), (b'{"entries": {"A.md": {"content": "x"}, "a.md": {"content": "y"}}}', 422, "invalid_key"),
        (b'{"entries": {"%2e%2e/a.md": {"content": "x"}}}', 422, "invalid_key"),
    ],
)  # fmt: skip
def test_bad_writes(service: Service, body: bytes, status: int, code: str) -> None:
    client = service.client(service.token("ann"))
    tag = client.get("app").headers["etag"]
    answer = client.put("app/memory", content=body, headers={"If-Match": tag})
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert client.get("app").headers["etag"] == tag  # nothing moved
    client.close()


def test_a_write_must_name_its_base(service: Service) -> None:
    client = service.client(service.token("ann"))
    for value in (None, "*", '"abc"', "W/x"):
        headers = {} if value is None else {"If-Match": value}
        answer = client.put("app/memory", json={"entries": {"a.md": {"content": "x"}}}, headers=headers)
        assert answer.status_code == 428 and answer.json()["error"]["code"] == "precondition_required"
    client.close()


def test_limits_say_which(tmp_path: Path) -> None:
    limits = Limits(file=100, entries=2, body=2000)
    with running(
        ServiceConfig(str(tmp_path / "t.db"), limits=limits, scan=False, rate=1e6, burst=10**6)
    ) as service:
        client = service.client(service.token("ann"))
        tag = client.get("app").headers["etag"]
        big = put(client, tag, big_md="x" * 101, a_md="x")
        assert big.status_code == 413
        assert big.json()["error"] | {"message": ""} == {
            "code": "file_too_large",
            "message": "",
            "limit": 100,
            "keys": ["big.md"],
        }
        many = put(client, tag, a_md="1", b_md="2", c_md="3")
        assert (
            many.status_code == 413
            and many.json()["error"]["code"] == "too_many_entries"
            and many.json()["error"]["limit"] == 2
        )
        body = put(client, tag, a_md="x" * 3000)
        assert body.status_code == 413 and body.json()["error"]["code"] == "body_too_large"

        def endless():  # type: ignore[no-untyped-def]  # a generator of chunks without a length
            for _ in range(100):
                yield b" " * 1000

        chunked = client.put("app/memory", content=endless(), headers={"If-Match": tag})
        assert chunked.status_code == 413
        assert put(client, tag, a_md="x", b_md="y").status_code == 200
        client.close()


def test_secrets_do_not_enter_and_are_not_repeated(service: Service) -> None:
    client = service.client(service.token("ann"))
    token = Fakes(2).crc("ghp_")
    answer = put(client, client.get("app").headers["etag"], a_md=f"use {token}", b_md="fine")
    assert answer.status_code == 422 and answer.json()["error"]["keys"] == {"a.md": ["github-token"]}
    assert token not in answer.text
    client.close()


def test_logs_and_metrics_tell_no_content(service: Service) -> None:
    import io
    import logging

    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    log.addHandler(handler)
    level, log.level = log.level, logging.INFO
    try:
        token = service.token("ann")
        client = service.client(token)
        put(client, client.get("app").headers["etag"], topsecretname_md="content nobody may see")
        client.get("app/history", params={"key": "topsecretname.md"})
        client.get(service.url + "/nowhere/private-path")
        text = stream.getvalue()
        metrics = client.get(service.url + "/metrics").text
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
    lines = [json.loads(line) for line in text.splitlines()]
    assert {line["status"] for line in lines} == {200, 404} and all(line["request"] for line in lines)
    for leak in ("topsecretname", "content nobody", token, REPO, "private-path"):
        assert leak not in text and leak not in metrics
    assert 'route="/v1/repos/{repo:path}/memory",method="PUT",status="200"} 1' in metrics
    assert client.get(service.url + "/healthz").text == "ok\n"
    client.close()


def test_openapi_names_exactly_the_routes(service: Service) -> None:
    client = service.client(None)
    document = client.get(service.url + "/openapi.json").json()
    client.close()
    app = create_app(ServiceConfig("x"), database=service.database)
    routes = {
        (r.path.replace(":path", "").replace(":int", ""), m.lower())
        for r in app.routes
        for m in r.methods - {"HEAD"}
    }
    described = {(path, method) for path, item in document["paths"].items() for method in item}
    assert routes == described
    for reference in json.dumps(document).split('"#/components/schemas/')[1:]:
        assert reference.split('"')[0] in document["components"]["schemas"]


def test_slow_body_is_cut_off(tmp_path: Path) -> None:
    with running(ServiceConfig(str(tmp_path / "t.db"), body_timeout=0.2)) as service:
        token, address = service.token("ann"), urlsplit(service.url)
        connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=20)
        connection.putrequest("PUT", f"/v1/repos/{REPO}/memory")
        tag = service.accounts.access("ann", REPO).tag
        assert tag is not None
        for name, value in (
            ("Authorization", f"Bearer {token}"),
            ("If-Match", tag.etag),
            ("Content-Length", "1000"),
        ):
            connection.putheader(name, value)
        connection.endheaders(b"{")
        started = time.monotonic()
        assert connection.getresponse().status == 408
        assert time.monotonic() - started < 10
        connection.close()


def test_configuration_travels_to_workers() -> None:
    config = ServiceConfig(
        "x",
        issuers=(Issuer("https://i", "a", ("ES256",)),),
        limits=Limits(file=5),
        proxies=("unix",),
        rate=2.5,
    )
    assert from_environ({"MEMDIR_TEAM_SERVICE": config.to_json()}) == config


def test_tags() -> None:
    tag = Tag("0123456789abcdef", 7)
    assert parse_tag(tag.etag) == parse_tag(str(tag)) == parse_tag("W/" + tag.etag) == tag
    for bad in (
        None,
        "",
        "*",
        '"x"',
        "0123456789abcdef-",
        "0123456789abcdef--1",
        "0123456789ABCDEF-1",
        "0123456789abcdef-" + "9" * 30,
    ):
        assert parse_tag(bad) is None


def test_names_of_repositories(service: Service) -> None:
    for bad in ("", "A", "a//b", "/a", "a/", "../a", "a b", "a" * 101, "a/" * 6 + "a"):
        with pytest.raises(ValueError):
            service.accounts.create_repository(bad, NOW)
    assert service.accounts.create_repository("a", NOW) == service.accounts.create_repository("a", NOW)
