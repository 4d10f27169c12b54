"""Values that a text assigns to the name of a secret: `api_key = ...`, "the password is ...", 密码是 ...

A name is found by a literal mark, which is cheap; only from there a pattern looks for an operator and a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from memdir.core.lazy_re import lazy
from memdir.core.secrets.checks import entropy, is_placeholder
from memdir.core.words import look

# lower-case marks of names; those with other letters are looked for in such texts only
_PASSWORD_HINTS = ("pass", "pwd", "kennwort", "contrase", "senha", "heslo", "jelsz")
_KEY_HINTS = ("secret", "token", "key", "credential", "auth")
_FOREIGN_PASSWORD_HINTS = ("парол", "密码", "密碼", "口令", "パスワード", "비밀번호", "암호")
_FOREIGN_KEY_HINTS = ("密钥", "密鑰", "令牌")
_PLAIN = _PASSWORD_HINTS + _KEY_HINTS
_FOREIGN = _FOREIGN_PASSWORD_HINTS + _FOREIGN_KEY_HINTS
_PASSWORDS = frozenset(_PASSWORD_HINTS + _FOREIGN_PASSWORD_HINTS)

_OPERATOR = r"[\"'`*_\])]{0,4}\s{0,3}(?::=|=>|->|==?|[:：=]|\bis\b|\bwas\b|\bist\b|\best\b|\bes\b|(?:[是为為]|は、?|는|은)\s?[:：]?)\s{0,3}"
_TAIL = lazy(
    r"(?P<rest>[A-Za-z0-9_ñóьяю-]{0,40}+)"
    r"(?:\s(?:for|of|to|on|in|at)\s[\w ./@'’-]{1,40}?)?"
    + _OPERATOR
    + r"(?:\*\*|__)?\s?(?P<q>[\"'`“「]|\*\*)?(?P<s>[^\s\"'`“”「」<>，。；、（）]{6,300})",
    re.IGNORECASE,
)

_PASS_NAME = lazy(r"pass(?:words?|wd|phrases?|codes?|wor(?:t|te))?(?![a-z])", re.IGNORECASE)
_NOT_SECRET = lazy(
    r"(?:^|[_-])(?:name|ids?|arn|path|dir|url|uri|type|hash|file|ref|version|ttl|count|length|len|policy|manager|rotation|store|field"
    r"|expiry|expires|env|var|format|prefix|header|scopes?|bucket|limit|cost|class|source|column|index|table|label|title|min|max)$"
    r"|(?:Name|Id|Arn|Path|Url|Type|Hash|File|Ref|Version|Ttl|Count|Length|Policy|Prefix|Header)$"
)
_KEY_OF = lazy(
    r"(?:api|app|secret|access|private|signing|signature|encrypt(?:ion)?|master|account|shared|service|licen[cs]e|client|auth|session|webhook"
    r"|storage|deploy|admin|integration|jwt|hmac|consumer|subscription|write|ingest|publish)[ _.-]?$",
    re.IGNORECASE,
)
_OTHER_KEY = lazy(
    r"(?:public|pub|primary|foreign|cache|sort|partition|row|map|dict|hot|short|object|s3|lookup|unique|composite|host|group|idempotency|query"
    r"|translation|i18n|locale|react|index|ssh|gpg|pgp|registry|config|setting|routing|dedup\w*|trace|parent|issue|project|ticket)$",
    re.IGNORECASE,
)
_OTHER_TOKEN = lazy(
    r"(?:page|next|continuation|cursor|csrf|xsrf|dedup|fencing|sync|watch)[ _.-]?$", re.IGNORECASE
)
_UUID = lazy(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_SHAPES = lazy(  # what a value may be instead: address, path, date, version, identifier, call, hash
    r"https?:|\.{0,2}/|[\w.-]+/[\w./-]*$|\d{4}-\d\d-\d\d|v?\d+(?:\.\d+)+|[\w.+-]+@[\w-]+\.|#|\(|[a-z]+(?:[A-Z][a-z]+)+\d?$"
    r"|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|[a-z0-9]+(?:[-_.][a-z]+)+\d{0,3}$|[A-Za-z_][\w.]*\[|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$"
    r"|[A-Za-z_]\w*(?:\.\w+)*\(|sha\d*[-:]|\[|@|&|--"
)


def assignments(text: str) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of values assigned to a secret's name; kind is `password` or `secret-value`."""
    seen = look(text)
    for hint in _PLAIN:
        sought = hint.encode()
        place = seen.flat.find(sought)
        while 0 <= place < len(seen.raw):  # what comes after is the same text again
            hit = _assigned(text, seen.offset(place), hint)
            if hit is not None:
                yield hit
            place = seen.flat.find(sought, place + len(hint))
    for hint in _FOREIGN if seen.foreign else ():
        at = text.find(hint)
        while at >= 0:
            hit = _assigned(text, at, hint)
            if hit is not None:
                yield hit
            at = text.find(hint, at + len(hint))


def _assigned(text: str, at: int, hint: str) -> tuple[str, int, int] | None:
    tail = at + len(hint)
    m = _TAIL.match(text, tail)
    if m is None or _NOT_SECRET.search(m["rest"]):
        return None
    start = at
    while (
        start > 0
        and at - start < 40
        and (text[start - 1].isalnum() or text[start - 1] in "_-")
        and text[start - 1].isascii()
    ):
        start -= 1
    value, quoted = m["s"], m["q"] is not None
    value = value.rstrip(",;*") if quoted else value.rstrip(".,;:!?*_)]}|\\")
    if not value or text[m.end("s") : m.end("s") + 1] == "<":
        return None
    if hint in _PASSWORDS:
        named = _password_name(text, start, at, hint)
        good = named and password_like(value, quoted=quoted)
        kind = "password"
    else:
        named = _key_name(text, start, at, hint, m["rest"])
        good = named and _key_like(value, text[start : m.end("rest")])
        kind = "secret-value"
    return (kind, m.start("s"), m.start("s") + len(value)) if good and not is_placeholder(value) else None


def _password_name(text: str, start: int, at: int, hint: str) -> bool:
    if hint != "pass":
        return True
    m = _PASS_NAME.match(text, at)
    if m is None:
        return False
    bare = m[0].lower() == "pass"  # "PASS: 12 tests" is no password; DB_PASS and userPass are
    return not bare or (
        start < at and (text[at - 1] in "_-" or (text[at].isupper() and text[at - 1].islower()))
    )


def _key_name(text: str, start: int, at: int, hint: str, rest: str) -> bool:
    before = text[start:at]
    if hint == "auth":
        return (
            before.rstrip("_-") == ""
            and rest.lower() in ("", "key", "_key", "orization")
            and rest != "orization"
        )
    if hint == "token" and _OTHER_TOKEN.search(text[max(0, at - 16) : at]):
        return False
    if hint == "token" and rest.lower() not in ("", "s") and not rest.startswith(("_", "-")):
        return False  # tokenizer, tokenization
    if hint != "key":
        return True
    if rest and not rest.startswith(("s", "_", "-")):
        return False  # keyboard, keystroke
    word = before.rstrip("_-.")
    if word:
        return _KEY_OF.search(before) is not None or (
            len(word) >= 2 and word != before and not _OTHER_KEY.search(word)
        )
    return _KEY_OF.search(text[max(0, start - 16) : start]) is not None


def _kinds(value: str) -> int:
    """Number of character classes in `value`: lower, upper, digit, symbol."""
    return (
        any(c.islower() for c in value)
        + any(c.isupper() for c in value)
        + any(c.isdigit() for c in value)
        + any(not c.isalnum() for c in value)
    )


def password_like(value: str, *, quoted: bool) -> bool:
    """Whether `value` looks made up to be hard to guess, rather than being a word, number, path or date."""
    if not 7 <= len(value) <= 128 or _SHAPES.match(value) or not value.isascii():
        return False
    if not any(c.isalpha() for c in value):
        return quoted and len(value) >= 8 and len(set(value)) > 4
    digits = any(c.isdigit() for c in value)
    kinds = _kinds(value)
    if kinds >= 3:
        return digits or (quoted and len(value) >= 8)
    return kinds == 2 and digits and len(value) >= (8 if quoted else 10) and entropy(value) >= 2.8


def _key_like(value: str, name: str) -> bool:
    if len(value) < 16 or not value.isascii():
        return False
    if _UUID.fullmatch(value):
        return re.search(r"secret|token|api", name, re.IGNORECASE) is not None
    return random_like(value, 16) and not _SHAPES.match(value)


def random_like(value: str, least: int) -> bool:
    """Letters and digits mixed as a generator mixes them: no words, no path, no sequence of short parts."""
    if len(value) < least or not re.fullmatch(r"[A-Za-z0-9+/=_.~!@#$%^&*-]+", value):
        return False
    digits = sum(c.isdigit() for c in value)
    letters = sum(c.isalpha() for c in value)
    if (digits < 2 and not _shuffled(value)) or letters < 4 or value.count("/") > 3 or value.count(".") > 3:
        return False
    longest = max((len(part) for part in re.split(r"[-_./]", value)), default=0)
    return longest >= 10 and entropy(value) >= (3.0 if len(value) < 24 else 3.2)


def _shuffled(value: str) -> bool:
    """Upper and lower case follow each other as by chance: more often than in words run together (camelCase)."""
    changes = sum(a.isupper() != b.isupper() for a, b in pairwise(value) if a.isalpha() and b.isalpha())
    words = re.findall(r"[A-Z]+[a-z]*", value)
    if len(value) >= 4.6 * len(words):  # as long as words are: an identifier
        return False
    return len(value) >= 24 and changes >= 0.33 * len(value) and entropy(value) >= 3.8
