"""Arithmetic about candidate secrets: entropy, checksums of token formats, and signs of a placeholder."""

from __future__ import annotations

import base64
import binascii
import math
import re
import zlib
from collections import Counter

from memdir.core.lazy_re import lazy

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def entropy(text: str) -> float:
    """Shannon entropy in bits per character; 0 for empty text."""
    if not text:
        return 0.0
    size = len(text)
    return -sum(n / size * math.log2(n / size) for n in Counter(text).values())


def base62(number: int, width: int) -> str:
    """`number` in base 62 (digits, upper, lower case), padded with zeros to `width`."""
    digits = ""
    while number:
        number, rest = divmod(number, 62)
        digits = _BASE62[rest] + digits
    return digits.rjust(width, "0")


def crc32_base62_tail(token: str) -> bool | None:
    """Tokens that end in six base-62 digits of the CRC-32 of their random part (GitHub, npm, Memdir).

    True proves the token genuine. A mismatch proves nothing (None): a mistyped token is still worth hiding.
    """
    body = token.rsplit("_", 1)[-1]
    crc = base62(zlib.crc32(body[:-6].encode()), 6)
    return True if body[-6:] == crc else None


def crc32_hex_tail(token: str) -> bool | None:
    """Tokens `glsa_<random>_<crc>` that end in the CRC-32 of what stands before, in hexadecimal (Grafana)."""
    head, _, tail = token.rpartition("_")
    random = head.rpartition("_")[2]
    genuine = tail.lower() in (f"{zlib.crc32(random.encode()):08x}", f"{zlib.crc32(head.encode()):08x}")
    return True if genuine else None


def jwt_header(token: str) -> bool | None:
    """A JWT's first part must decode to a JSON object; else it only looks like one."""
    head = token.split(".", 1)[0]
    decoded = _b64(head)
    if decoded is None:
        return False
    text = decoded.strip()
    return bool(text.startswith(b"{") and (b'"alg"' in text or b'"typ"' in text or b'"enc"' in text))


def basic_credentials(token: str) -> bool | None:
    """Base64 of `user:password` in printable characters."""
    decoded = _b64(token)
    if decoded is None or b":" not in decoded or not decoded.isascii():
        return False
    user, _, password = decoded.decode().partition(":")
    return None if user.isprintable() and len(password) > 3 and password.isprintable() else False


def json_object(token: str) -> bool | None:
    """Base64 that starts with a JSON object, as several service tokens do after their mark."""
    body = token[token.find("eyJ") :]
    decoded = _b64(body[: len(body) // 4 * 4])
    return None if decoded is not None and decoded.startswith(b"{") else False


def _b64(text: str) -> bytes | None:
    try:
        return base64.b64decode(
            text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4), validate=True
        )
    except (binascii.Error, ValueError):
        return None


_PLACEHOLDER = lazy(
    r"example|change[-_ ]?me|your|placeholder|redacted|dummy|sample|insert[-_]|replace|fixme|xxxx|\*\*\*|\.\.\.|____|----"
    r"|<[^>]*>|\$\{|\$\(|\{\{|%\(|#\{|^\$|^%[A-Za-z_]+%$|^\{|^op://|^vault:|^ref\+|^arn:|^env[.:]|process\.env|os\.environ|getenv"
    r"|secrets?\.|^secret$|^keyring:|^file:|^ssm:|^gsm:|^sm://|^akv:|^keychain:|^!secret|123456789|abcdefgh|0{8}|deadbeef|not[-_]a[-_]?real"
    r"|fake|^test[-_]?(?:key|token|secret|password)?$|^none$|^null$|^undefined$|^todo|^…|^•|^\[",
    re.IGNORECASE,
)


def is_placeholder(value: str) -> bool:
    """True for values that stand for a secret instead of being one: examples, variables, references, masks."""
    return len(set(value)) < 5 or is_template(value)


def is_template(value: str) -> bool:
    """True when `value` is written as an example, a variable, a reference to a vault, or a mask."""
    return _PLACEHOLDER.search(value) is not None
