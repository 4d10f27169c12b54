"""Relative paths that come from outside, as text: whether one is harmless in every reading of it.

Such a key comes from a server, a model's tool call or a link in a file that somebody else wrote. It is a relative path with
`/` between its components. Nothing is repaired or guessed: what could be read as something else on some system is
refused. This is the first of three layers; the string and the links on disk are judged by whoever opens the path.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote_to_bytes

from memdir.core.i18n import Message, msg

MAX_COMPONENT = 240  # UTF-8 bytes; file systems allow 255, temporary names of atomic writes need a few
MAX_KEY = 1024  # UTF-8 bytes of a whole key
MAX_DEPTH = 12
MAX_DECODE = 5  # rounds of percent decoding; a name that still changes then is an attack

_FORBIDDEN = frozenset('\\:*?"<>|')  # separators, drives, streams and globs of some system a teammate may use
_LOOKALIKES = frozenset(
    "\u2044\u2215\u2216\u29f5\u29f8\u29f9\u27cb\u27cd\ufe68\uff0f\uff3c"
)  # slashes, also unnormalised
_REFUSED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"}
    | {f"{d}{n}" for d in ("com", "lpt") for n in range(10)}
)
_GIT_NAMES = re.compile(r"\.git.*|git~\d+", re.IGNORECASE | re.DOTALL)
_PERCENT = re.compile(r"%(?:[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})")


class PathTraversalError(ValueError):
    """A path that can't be proved to lie inside its directory. `message` says which rule it broke."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


def refusal(key: str, why: Message) -> PathTraversalError:
    """The error that names `key`, shortened and in ASCII, and why it is refused."""
    shown = key if len(key) <= 80 else key[:77] + "..."
    return PathTraversalError(msg("Refused the path {path}: {why}.", path=ascii(shown), why=why))


def check_key(key: str) -> tuple[str, ...]:
    """The components of `key`, or PathTraversalError. Looks at characters only."""
    if not isinstance(key, str) or not key:
        raise refusal(str(key), msg("it is empty"))
    if len(key) > MAX_KEY or len(key.encode("utf-8", "surrogatepass")) > MAX_KEY:
        raise refusal(key, msg("it is longer than {limit} bytes", limit=MAX_KEY))
    _check_decoded(key)
    parts = tuple(key.split("/"))
    if len(parts) > MAX_DEPTH:
        raise refusal(key, msg("it is deeper than {limit} folders", limit=MAX_DEPTH))
    for part in parts:
        why = _component_problem(part)
        if why is not None:
            raise refusal(key, why)
    if parts[0].startswith("~"):
        raise refusal(key, msg("it starts at a home directory"))
    return parts


def _component_problem(part: str) -> Message | None:
    if part in ("", ".", ".."):
        return msg("it is absolute or has an empty, '.' or '..' component")
    if not part.isascii() or not part.isprintable():
        for char in part:
            if unicodedata.category(char) in _REFUSED_CATEGORIES:
                return msg("it holds the invisible character {code}", code=f"U+{ord(char):04X}")
            if char in _LOOKALIKES or (
                char > "\x7f" and set(unicodedata.normalize("NFKC", char)) & set("./\\:%~\0")
            ):
                return msg("it holds {code}, which stands for a dot or a slash", code=f"U+{ord(char):04X}")
    if _FORBIDDEN & set(part):
        return msg("it holds a character that is a separator or a drive on some system")
    if part[-1] in ". " or part[0] == " " or part != part.strip():
        return msg("a name starts with a blank or ends with a dot or blank")
    if len(part.encode("utf-8")) > MAX_COMPONENT:
        return msg("a name is longer than {limit} bytes", limit=MAX_COMPONENT)
    folded = fold(part)
    if folded.split(".")[0].rstrip(" ") in _DEVICES:
        return msg("it is a device name on Windows")
    if _GIT_NAMES.fullmatch(folded):
        return msg("it belongs to git")
    return None


def _check_decoded(key: str) -> None:
    """Refuse a key whose percent-decoded forms, at any depth, are not as harmless as the key itself."""
    current = key if key.isascii() else unicodedata.normalize("NFKC", key)  # full-width digits decode as well
    for _ in range(MAX_DECODE):
        if not _PERCENT.search(current):
            return
        if re.search(r"%u[0-9A-Fa-f]{4}", current):
            raise refusal(key, msg("it is percent-encoded"))
        try:
            decoded = unquote_to_bytes(current.encode("utf-8", "strict")).decode("utf-8", "strict")
        except UnicodeError:  # overlong UTF-8 such as %c0%ae
            raise refusal(key, msg("it is percent-encoded")) from None
        if decoded.count("/") != current.count("/") or any(
            _component_problem(part) for part in decoded.split("/")
        ):
            raise refusal(key, msg("it is percent-encoded"))
        current = decoded
    raise refusal(key, msg("it is percent-encoded"))


def fold(name: str) -> str:
    """The form in which two names that some file system can't tell apart are equal (NFKC, case-folded)."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
