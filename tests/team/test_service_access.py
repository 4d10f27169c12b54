"""Who may use the service: tokens, issuers, rate limits, plain HTTP."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, RSAKey

from memdir.store.errors import StoreError
from memdir.team.service import run
from memdir.team.service.app import create_app
from memdir.team.service.config import Issuer, ServiceConfig
from memdir.team.service.database import Database
from memdir.team.service.throttle import Throttle
from tests.team.asked import put
from tests.team.served import NOW, REPO, Service, running


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
