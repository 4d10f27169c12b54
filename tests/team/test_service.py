"""The service over real HTTP: the protocol's promises, who may do what, what is refused and how."""

from __future__ import annotations

import http.client
import json
import threading
import time
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import jsonschema
import pytest
import sqlalchemy as sa
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, RSAKey

from memdir.store.errors import StoreError
from memdir.team.protocol import Limits, Tag, parse_tag
from memdir.team.service import run
from memdir.team.service.accounts import Accounts
from memdir.team.service.app import create_app
from memdir.team.service.config import Issuer, ServiceConfig, from_environ
from memdir.team.service.database import Database
from memdir.team.service.errors import ServiceError
from memdir.team.service.middleware import JsonLines, log
from memdir.team.service.openapi import describe
from memdir.team.service.schema import MIGRATIONS, migrate
from memdir.team.service.storage import Storage
from memdir.team.service.throttle import Throttle
from tests.core.fake_secrets import Fakes
from tests.team.served import NOW, REPO, Service, running


def put(client, tag: str, **files: str):  # type: ignore[no-untyped-def]  # httpx in a test
    entries = {key.replace("_md", ".md"): {"content": text} for key, text in files.items()}
    return client.put("app/memory", json={"entries": entries}, headers={"If-Match": tag})


def schema_of(name: str) -> dict:
    document = describe(Limits())
    text = json.dumps(document["components"]["schemas"][name]).replace("#/components/schemas/", "#/$defs/")
    return {**json.loads(text), "$defs": document["components"]["schemas"]}


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


def test_who_may_do_what(any_service: Service) -> None:
    service = any_service
    reader, writer = service.client(service.token("rea", "read")), service.client(service.token("wri"))
    member, outsider = (
        service.client(service.token("mem", role="read")),
        service.client(service.token("out", repo="other/repo")),
    )
    nobody, wrong = service.client(None), service.client("mdt_" + "x" * 46)
    tag = writer.get("app").headers["etag"]
    assert [put(c, tag, a_md="x").status_code for c in (reader, member, outsider, nobody, wrong)] == [
        403,
        403,
        403,
        401,
        401,
    ]
    assert [c.get("app/memory").status_code for c in (reader, member, writer, outsider, nobody, wrong)] == [
        200,
        200,
        200,
        403,
        401,
        401,
    ]
    assert (
        outsider.get("nothing-here/memory").json() == outsider.get("app/memory").json()
    )  # existence is not told
    assert nobody.get("app/memory").headers["www-authenticate"].startswith("Bearer")
    for value in ("Basic eDp5", "Bearer", "Token abc", "Bearer a b"):
        assert nobody.get("app/memory", headers={"Authorization": value}).status_code == 401
    for c in (reader, writer, member, outsider, nobody, wrong):
        c.close()


def test_tokens_expire_and_are_revoked(tmp_path: Path) -> None:
    clock = [NOW]
    with running(ServiceConfig(str(tmp_path / "t.db")), now=lambda: clock[0]) as service:
        value = service.token("ann", expires=NOW + timedelta(days=1))
        client = service.client(value)
        assert client.get("app").status_code == 200
        clock[0] = NOW + timedelta(days=2)
        assert client.get("app").status_code == 401
        clock[0] = NOW
        (token,) = service.accounts.list_tokens()
        assert service.accounts.revoke(token.id, NOW) and not service.accounts.revoke(token.id, NOW)
        assert client.get("app").status_code == 401
        with service.database.read() as connection:
            stored = str(connection.execute(sa.text("SELECT * FROM tokens")).all())
        assert value not in stored and value[4:20] not in stored  # only the hash is kept
        client.close()


class Oidc:
    """An issuer without a network: its documents, and tokens signed by its keys."""

    url = "https://issuer.example"

    def __init__(self) -> None:
        self.rsa = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
        self.ec = ECKey.generate_key("P-256", {"kid": "two", "use": "sig"})
        self.fetched: list[str] = []
        self.fail = False
        self.published = [self.rsa, self.ec]

    def get(self, url: str) -> bytes:
        self.fetched.append(url)
        if self.fail:
            raise OSError("down")
        if url.endswith("/.well-known/openid-configuration"):
            return json.dumps({"issuer": self.url, "jwks_uri": self.url + "/keys"}).encode()
        oct_key = OctKey.import_key("weak" * 8, {"kid": "sym"}).as_dict()
        return json.dumps({"keys": [*(k.as_dict(private=False) for k in self.published), oct_key]}).encode()

    def sign(
        self, alg: str = "RS256", key=None, kid: str | None = "one", header=None, **claims: object
    ) -> str:  # type: ignore[no-untyped-def]
        body = {"iss": self.url, "sub": "ann", "aud": "memdir", "exp": int(NOW.timestamp()) + 300, **claims}
        body = {k: v for k, v in body.items() if v is not None}
        return jwt.encode(
            {"alg": alg, **({"kid": kid} if kid else {}), **(header or {})},
            body,
            key or self.rsa,
            algorithms=[alg],
        )


@pytest.fixture(scope="module")
def oidc() -> Oidc:
    return Oidc()


def _access(service: Service, token: str) -> int:
    client = service.client(token)
    try:
        return client.get("app").status_code
    finally:
        client.close()


def test_tokens_of_an_issuer(tmp_path: Path, oidc: Oidc) -> None:
    import base64

    config = ServiceConfig(
        str(tmp_path / "t.db"), issuers=(Issuer(oidc.url, "memdir"),), rate=1e6, burst=10**6
    )
    with running(config, now=lambda: NOW, get=oidc.get) as service:
        repository = service.accounts.create_repository(REPO, NOW)
        service.accounts.set_member(repository, f"{oidc.url}#ann", "write")
        now = int(NOW.timestamp())
        good = oidc.sign()
        head, body, signature = good.split(".")
        none = base64.urlsafe_b64encode(b'{"alg":"none"}').decode().rstrip("=")
        public = oidc.rsa.as_pem(private=False)
        confused = jwt.encode(
            {"alg": "HS256", "kid": "one"},
            {"iss": oidc.url, "sub": "ann", "aud": "memdir", "exp": now + 60},
            OctKey.import_key(b"k" * 32),
            algorithms=["HS256"],
        )
        other = RSAKey.generate_key(2048, {"kid": "one"})
        assert public
        table = {
            good: 200,
            oidc.sign("ES256", oidc.ec, "two"): 200,
            oidc.sign(kid=None): 200,
            oidc.sign(aud=["x", "memdir"]): 200,
            oidc.sign(exp=now - 30): 200,  # within the leeway for clocks that differ
            oidc.sign(exp=now - 120): 401,
            oidc.sign(nbf=now + 600): 401,
            oidc.sign(exp=None): 401,
            oidc.sign(aud="else"): 401,
            oidc.sign(aud=None): 401,
            oidc.sign(iss="https://evil.example"): 401,
            oidc.sign(sub=None): 401,
            oidc.sign(sub=""): 401,
            oidc.sign(sub="bob"): 403,
            oidc.sign("RS512"): 401,
            oidc.sign("PS256"): 401,
            oidc.sign(key=other): 401,
            oidc.sign(kid="unknown"): 401,
            f"{none}.{body}.": 401,
            f"{head}.{body}.{signature[:-4]}AAAA": 401,
            f"{head}.{body}": 401,
            confused: 401,
            "eyJ." * 3: 401,
            "a.b.c": 401,
        }
        assert {t: _access(service, t) for t in table} == table
        read_only = oidc.sign(scope="openid memdir:read")
        client = service.client(read_only)
        assert put(client, client.get("app").headers["etag"], a_md="x").status_code == 403
        client.close()


def test_keys_are_cached_and_the_issuer_is_not_hammered(tmp_path: Path) -> None:
    oidc = Oidc()
    clock = [0.0]
    config = ServiceConfig(
        str(tmp_path / "t.db"), issuers=(Issuer(oidc.url, "memdir"),), rate=1e6, burst=10**6
    )
    with running(config, now=lambda: NOW, clock=lambda: clock[0], get=oidc.get) as service:
        service.accounts.set_member(service.accounts.create_repository(REPO, NOW), f"{oidc.url}#ann", "read")
        oidc.fail = True
        assert _access(service, oidc.sign()) == 503
        assert _access(service, oidc.sign()) == 503 and len(oidc.fetched) == 1
        oidc.fail, clock[0] = False, 31.0
        assert [_access(service, oidc.sign()) for _ in range(5)] == [200] * 5 and len(oidc.fetched) == 3
        rotated = RSAKey.generate_key(2048, {"kid": "new", "use": "sig"})
        oidc.published = [rotated]
        assert _access(service, oidc.sign(key=rotated, kid="new")) == 401  # asked for a moment ago
        clock[0] += 31.0
        assert _access(service, oidc.sign(key=rotated, kid="new")) == 200
        for i in range(20):
            _access(service, oidc.sign(kid=f"invented{i}"))
        assert len(oidc.fetched) == 5
        oidc.fail, clock[0] = True, clock[0] + 700.0
        assert (
            _access(service, oidc.sign(key=rotated, kid="new")) == 200
        )  # an issuer that is away does not lock us out


def test_rate_limit(tmp_path: Path) -> None:
    clock = [0.0]
    with running(ServiceConfig(str(tmp_path / "t.db"), rate=1.0, burst=3), clock=lambda: clock[0]) as service:
        client = service.client(service.token("ann"))
        other = service.client(service.token("bob"))
        assert [client.get("app").status_code for _ in range(4)] == [200, 200, 200, 429]
        assert (
            client.get("app").headers["retry-after"] == "1" or client.get("app").headers["retry-after"] == "2"
        )
        assert other.get("app").status_code == 200
        clock[0] = 2.0
        assert [client.get("app").status_code for _ in range(3)] == [200, 200, 429]
        client.close(), other.close()


def test_throttle_forgets_the_oldest() -> None:
    throttle = Throttle(1.0, 1, lambda: 0.0)
    for i in range(10_050):
        throttle.wait(str(i))
    assert len(throttle._buckets) == 10_000


def test_plain_http_is_for_this_machine(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "t.db"))

    def ask(config: ServiceConfig, client: str | None, headers: dict[str, str], scheme: str = "http") -> int:
        import asyncio

        app, status = create_app(config, database=database), []

        async def receive() -> dict:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: dict) -> None:
            if message["type"] == "http.response.start":
                status.append(message["status"])

        scope = {
            "type": "http", "method": "GET", "path": "/healthz", "raw_path": b"/healthz", "query_string": b"", "root_path": "", "scheme": scheme,
            "headers": [(k.encode(), v.encode()) for k, v in headers.items()], "client": (client, 1) if client else None, "server": ("x", 1), "http_version": "1.1",
        }  # fmt: skip
        asyncio.run(app(scope, receive, send))
        return status[0]

    plain = ServiceConfig(str(tmp_path / "t.db"))
    proxied = ServiceConfig(str(tmp_path / "t.db"), proxies=("10.0.0.1",))
    assert ask(plain, "127.0.0.1", {}) == ask(plain, "::1", {}) == ask(plain, None, {}) == 200
    assert ask(plain, "10.0.0.9", {}) == 403
    assert ask(plain, "10.0.0.9", {"x-forwarded-proto": "https"}) == 403  # anybody can say so
    assert ask(plain, "127.0.0.1", {"x-forwarded-proto": "http"}) == 403  # a proxy nobody told us about
    assert ask(plain, "10.0.0.9", {}, "https") == 200
    assert ask(proxied, "10.0.0.1", {"x-forwarded-proto": "https"}) == 200
    assert ask(proxied, "10.0.0.1", {"x-forwarded-proto": "http"}) == ask(proxied, "10.0.0.1", {}) == 403
    assert ask(proxied, "10.0.0.1", {"x-forwarded-proto": "https, http"}) == 403
    for host, good in (
        ("127.0.0.1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("no.such.host.invalid", False),
    ):
        if good:
            run.check_listen(run.Listen(host), plain)
        else:
            with pytest.raises(StoreError, match="plain HTTP"):
                run.check_listen(run.Listen(host), plain)
    run.check_listen(run.Listen("0.0.0.0"), proxied)
    run.check_listen(run.Listen("0.0.0.0", certificate="c", key="k"), plain)
    database.close()


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


def test_many_writers_lose_nothing(any_service: Service) -> None:
    storage = Storage(any_service.database, Limits())
    repository = Accounts(any_service.database).create_repository(REPO, NOW)
    start, _ = storage.checksums(repository)
    won: list[tuple[int, str]] = []
    lock = threading.Lock()

    def writer(name: str) -> None:
        done = 0
        while done < 25:
            tag, _ = storage.checksums(repository)
            try:
                written = storage.write(
                    repository, {"same.md": f"{name} {done}".encode()}, base=tag, author=name, now=NOW
                )
            except ServiceError as error:
                assert error.status == 412
                continue
            with lock:
                won.append((written.tag.version, f"{name} {done}"))
            done += 1

    threads = [threading.Thread(target=writer, args=(f"w{i}",)) for i in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(v for v, _ in won) == list(range(start.version + 1, start.version + 151))
    for version, text in won:
        assert storage.version(repository, "same.md", version).content == text.encode()


def test_migrations_run_once_and_in_order(database_url: str) -> None:
    first = Database(database_url)
    assert first.migrated == len(MIGRATIONS)
    with first.write() as connection:
        assert migrate(connection) == 0
        extended = (*MIGRATIONS, ("CREATE TABLE extra (id {serial}, data {blob})",))
        assert migrate(connection, extended) == 1
    first.close()
    with pytest.raises(RuntimeError, match="update Memdir"):
        Database(database_url)


def test_workers_that_start_together_migrate_once(database_url: str) -> None:
    results: list[int] = []
    databases: list[Database] = []

    def start() -> None:
        databases.append(Database(database_url))
        results.append(databases[-1].migrated)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(results) == [0, 0, 0, len(MIGRATIONS)]
    for d in databases:
        d.close()


def test_a_database_that_is_away_is_a_503(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "t.db"))
    storage = Storage(database, Limits())
    database.engine.dispose()
    (tmp_path / "t.db").unlink()
    for extra in ("t.db-wal", "t.db-shm"):
        (tmp_path / extra).unlink(missing_ok=True)
    (tmp_path / "t.db").mkdir()
    with pytest.raises(ServiceError) as caught:
        storage.ping()
    assert caught.value.status == 503 and caught.value.headers["Retry-After"]


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
