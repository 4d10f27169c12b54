"""Secrets without a provider's mark: private keys, web tokens, credentials in URLs, headers and command lines.

Here precision is the difficulty: memory files talk *about* tokens and passwords far more often than they hold them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from memdir.core.lazy_re import lazy
from memdir.core.secrets.assigned import assignments, password_like, random_like
from memdir.core.secrets.checks import basic_credentials, entropy, is_placeholder, is_template, jwt_header
from memdir.core.words import look, words_of

# (kind, label, start, end, verified)
Hit = tuple[str, str, int, int, bool]

_PEM = lazy(r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = lazy(r"(?:[A-Za-z0-9+/=:,. \r\n\t>|\"'-]|\\[nr])*")
_JWT = lazy(
    r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,4000}\.(?:eyJ[A-Za-z0-9_-]{6,8000}\.[A-Za-z0-9_-]{16,1400}"
    r"|[A-Za-z0-9_-]{0,1400}\.[A-Za-z0-9_-]{8,64}\.[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{16,64})(?![A-Za-z0-9_-])"
)
_URL = lazy(
    r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,30}://(?P<u>[^\s:/@?#\"'<>`]{0,80}):(?P<s>[^\s@\"'<>`/]{1,200})@[^\s/@\"'<>`]"
)
_URL_TOKEN = lazy(r"(?<![A-Za-z0-9])https?://(?P<s>[A-Za-z0-9_-]{20,120})@[^\s/@]")
_HEADER = lazy(
    r"\b(?:bearer\s+(?P<b>[A-Za-z0-9._~+/=-]{20,4000})|basic\s+(?P<a>[A-Za-z0-9+/]{12,400}={0,2}))(?![A-Za-z0-9])",
    re.I,
)
_CURL = lazy(r"(?<![\w-])(?:-u|--user|--proxy-user)[ =]+[\"']?[\w.@+-]{1,60}:(?P<s>[^\s\"'`]{6,120})")
_FLAG = lazy(
    r"--(?<![\w-]--)(?:[a-z]{1,20}-)?(?:password|passwd|passphrase|token|secret|api-?key|access-?key)\s+[\"']?(?P<s>[^\s\"'`<$-][^\s\"'`]{7,200})",
    re.I,
)
_NETRC = lazy(
    r"\bmachine\s+[\w-]{1,60}(?:\.[\w-]{1,60}){1,6}\s+login\s+\S{1,100}\s+password\s+(?P<s>\S{4,200})"
)
_SQL = lazy(r"\bidentified\s+by\s+'(?P<s>[^'\n]{6,120})'", re.I)
_PUTTY = lazy(r"PuTTY-User-Key-File-[23]:[^\0]{0,4000}?Private-Lines: \d+\s+(?P<s>[A-Za-z0-9+/=\s]{60,4000})")
_AWS_SECRET = lazy(r"(?<![A-Za-z0-9/+])(?P<s>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])")


def find(text: str, long: list[bytes]) -> Iterator[Hit]:
    """Hits in `text`; `long` are its words that are long enough for a key. Order and overlaps are the caller's to sort out."""
    seen = look(text)
    words = seen.words
    if b"private" in words and "PRIVATE KEY" in text:
        yield from _pem(text)
    if "eyJ" in text:
        for m in _JWT.finditer(text):
            if jwt_header(m[0]):
                yield "json-web-token", "JSON web token", m.start(), m.end(), True
    if "@" in text and "://" in text:
        yield from _urls(text)
    if b"bearer" in words or b"basic" in words:
        yield from _headers(text)
    if not _COMMANDS.isdisjoint(words):
        yield from _commands(text, text.lower())
    if any(len(word) >= 40 for word in long) and (b"aws" in seen.flat or b"secret" in seen.flat):
        yield from _aws(text)
    for kind, start, end in assignments(text):
        yield kind, "password" if kind == "password" else "secret value", start, end, False


# Words of which every pattern of `_commands` needs one.
_COMMANDS = words_of(
    "u user password passwd passphrase token secret apikey accesskey key machine identified putty"
)


def _commands(text: str, lowered: str) -> Iterator[Hit]:
    """Passwords in command lines and in the files of programs."""
    if "-u " in text or "--user" in text or "--proxy-user" in text:
        for m in _CURL.finditer(text):
            if not is_placeholder(m["s"]):
                yield "password", "password", m.start("s"), m.end("s"), False
    if "--" in text and ("pass" in lowered or "token" in lowered or "secret" in lowered or "key " in lowered):
        for m in _FLAG.finditer(text):
            if not is_placeholder(m["s"]) and (
                password_like(m["s"], quoted=False) or random_like(m["s"], 16)
            ):
                yield "password", "password", m.start("s"), m.end("s"), False
    if "machine " in lowered:
        for m in _NETRC.finditer(text):
            if not is_placeholder(m["s"]):
                yield "password", "password", m.start("s"), m.end("s"), False
    if "identified by" in lowered:
        for m in _SQL.finditer(text):
            if not is_placeholder(m["s"]) and password_like(m["s"], quoted=True):
                yield "password", "password", m.start("s"), m.end("s"), False
    if "PuTTY-User-Key-File" in text:
        for m in _PUTTY.finditer(text):
            yield "private-key", "private key", m.start("s"), m.end("s"), False


def _pem(text: str) -> Iterator[Hit]:
    for m in _PEM.finditer(text):
        stop = text.find("-----", m.end(), m.end() + 20_000)
        body = _PEM_BODY.match(text, m.end(), stop if stop >= 0 else min(len(text), m.end() + 20_000))
        end = body.end() if body else m.end()
        material = re.sub(r"\\[nr]|[^A-Za-z0-9+/=]", "", text[m.end() : end])
        if len(material) < 64 or is_placeholder(material[:64]):
            continue
        closing = re.match(r"-----END [A-Z0-9 ]{0,40}-----", text[stop : stop + 60]) if stop >= 0 else None
        yield "private-key", "private key", m.start(), (stop + closing.end()) if closing else end, False


def _urls(text: str) -> Iterator[Hit]:
    for m in _URL.finditer(text):
        password = unquote(m["s"])
        if (
            is_placeholder(password)
            or is_template(m["u"])
            or len(password) < 4
            or _weak_url_password(m["u"], password)
        ):
            continue
        yield "password-in-url", "password in a URL", m.start("s"), m.end("s"), False
    for m in _URL_TOKEN.finditer(text):
        if text.find("sentry", m.end(), m.end() + 60) >= 0:
            continue  # the key in a Sentry address is public: it is in every page that reports errors
        if entropy(m["s"]) >= 3.3 and any(c.isdigit() for c in m["s"]) and not is_placeholder(m["s"]):
            yield "password-in-url", "token in a URL", m.start("s"), m.end("s"), False


def _weak_url_password(user: str, password: str) -> bool:
    """Local set-ups use the user's name or a stock word; that is documentation, not a secret."""
    stock = {
        "password",
        "pass",
        "postgres",
        "root",
        "admin",
        "guest",
        "user",
        "secret",
        "test",
        "mysql",
        "redis",
        "minio",
        "minioadmin",
        "passwd",
        "pw",
        "pwd",
        "tiger",
        "bar",
        "word",
    }
    return password.lower() in stock or password == user or password.startswith(("$", "%24"))


def _headers(text: str) -> Iterator[Hit]:
    for m in _HEADER.finditer(text):
        if m["b"]:
            if random_like(m["b"], 20) and not is_placeholder(m["b"]):
                yield "bearer-token", "bearer token", m.start("b"), m.end("b"), False
        elif basic_credentials(m["a"]) is not False and not is_placeholder(m["a"]):
            yield (
                "basic-credentials",
                "user and password (basic authentication)",
                m.start("a"),
                m.end("a"),
                False,
            )


def _aws(text: str) -> Iterator[Hit]:
    for m in _AWS_SECRET.finditer(text):
        before = text[max(0, m.start() - 60) : m.start()].lower()
        named = "aws" in before or "secret" in before
        value = m["s"]
        mixed = (
            any(c.islower() for c in value)
            and any(c.isupper() for c in value)
            and any(c.isdigit() for c in value)
        )
        if named and mixed and entropy(value) >= 4.0 and not is_placeholder(value):
            yield "aws-secret-key", "AWS secret key", m.start(), m.end(), False
