"""From the path that owns a memory to the name of its directory under `projects/` (client-behaviour: "Which directory").

Each UTF-16 code unit outside [A-Za-z0-9] becomes a dash; nothing is normalised. Names over 200 characters are cut and
carry a hash of the whole path, so that two long paths stay apart.
"""

from __future__ import annotations

import re

from memdir.core.lazy_re import lazy

MAX_LENGTH = 200
_OTHER = lazy(r"[^A-Za-z0-9]")
_OTHER_KEEPING_UNDERSCORE = lazy(r"[^A-Za-z0-9_]")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def slug(path: str) -> str:
    """Directory name for an absolute path. Undecodable bytes (lone surrogates) are one unit each."""
    return _cut(raw_slug(path), path)


def legacy_slug(path: str) -> str:
    """The name that older clients gave: underscores were kept. Equal to `slug` for paths without one."""
    return _cut(_replace(_OTHER_KEEPING_UNDERSCORE, path), path)


def raw_slug(path: str) -> str:
    """The name before it is cut: what the names of all sub-directories start with."""
    return _replace(_OTHER, path)


def may_be_below(name: str, path: str) -> bool:
    """Whether directory `name` may belong to `path` or to something below it.

    Only a hint: '-a-b-c' fits both /a/b/c and /a/b-c, so a candidate needs proof (the `cwd` of a transcript).
    """
    for raw in {raw_slug(path), _replace(_OTHER_KEEPING_UNDERSCORE, path)}:
        if len(raw) >= MAX_LENGTH:
            if name[:MAX_LENGTH] == raw[:MAX_LENGTH]:
                return True
        elif name == raw or name.startswith(raw if raw.endswith("-") else raw + "-"):
            return True
    return False


def java_hash(text: str) -> int:
    """Signed 32-bit hash `h = 31*h + unit` over the UTF-16 code units of `text`."""
    value = 0
    data = text.encode("utf-16-le", "surrogatepass")
    for i in range(0, len(data), 2):
        value = (31 * value + data[i] + (data[i + 1] << 8)) & 0xFFFFFFFF
    return value - 0x1_0000_0000 if value & 0x8000_0000 else value


def base36(number: int) -> str:
    """A number that is not negative in base 36, lower case."""
    digits = ""
    while number:
        number, rest = divmod(number, 36)
        digits = _DIGITS[rest] + digits
    return digits or "0"


def _replace(pattern: re.Pattern[str], path: str) -> str:
    if path.isascii():
        return pattern.sub("-", path)
    return pattern.sub(lambda m: "--" if m.group() > "\uffff" else "-", path)


def _cut(name: str, path: str) -> str:
    if len(name) <= MAX_LENGTH:
        return name
    return f"{name[:MAX_LENGTH]}-{base36(abs(java_hash(path)))}"
