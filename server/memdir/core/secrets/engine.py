"""Finding credentials in prose without ever saying what they are.

A finding carries kind and place, never the value, so that no log, message or report can leak it. Cost matters, since every
file is scanned at every keystroke: long words are picked out first (prose has few), provider marks are looked for in
those only, and patterns run where a mark was found.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memdir.core.model import Edit, Span
from memdir.core.secrets import generic
from memdir.core.secrets.checks import entropy, is_placeholder
from memdir.core.secrets.formats import Format, compiled
from memdir.core.secrets.formats_cloud import CLOUD
from memdir.core.secrets.formats_code import CODE
from memdir.core.secrets.formats_services import MODELS, SERVICES

FORMATS: tuple[Format, ...] = CODE + CLOUD + MODELS + SERVICES
LEAST = min(fmt.least for fmt in FORMATS)
# the generic kinds give way to a provider's format on the same place
_GENERIC = frozenset({"secret-value", "password", "bearer-token", "password-in-url", "basic-credentials"})


@dataclass(frozen=True, slots=True, order=True)
class Secret:
    """One place that holds a credential. `verified`: its checksum or structure proves it."""

    span: Span
    kind: str
    label: str
    verified: bool = False


def scan(text: str) -> tuple[Secret, ...]:
    """The credentials in `text`, in order and without overlaps. Total: any text gives an answer in linear time."""
    words = [word for word in text.split() if len(word) >= LEAST]
    lowered = text.lower()
    hits: list[Secret] = []
    if words:
        hits += _providers(text, words)
    hits += [Secret(Span(a, b), kind, label, sure) for kind, label, a, b, sure in generic.find(text, lowered)]
    return _disjoint(hits)


def _providers(text: str, words: list[str]) -> Iterable[Secret]:
    joined = " ".join(words)
    longest = max(map(len, words))
    wanted = [f for f in FORMATS if f.least <= longest and any(k in joined for k in f.keywords)]
    if not wanted:
        return
    spans: list[tuple[int, int]] = []
    at = 0
    for word in words:
        at = text.index(word, at)
        spans.append((at, at + len(word)))
        at += len(word)
    for fmt in wanted:
        pattern = compiled(fmt)
        for start, end in spans:
            if end - start < fmt.least:
                continue
            for m in pattern.finditer(text, start, end):
                group = "s" if fmt.pattern.find("(?P<s>") >= 0 else 0
                value = m[group]
                if value is None:
                    continue
                verdict = fmt.check(value) if fmt.check else None
                if verdict is False:
                    continue
                if verdict is None and (
                    is_placeholder(value) or (fmt.entropy and entropy(value) < fmt.entropy)
                ):
                    continue
                yield Secret(Span(*m.span(group)), fmt.kind, fmt.label, verdict is True)


def _disjoint(hits: list[Secret]) -> tuple[Secret, ...]:
    """Drop what overlaps a better hit: a provider's format before a guess, then the longer one."""
    kept: list[Secret] = []
    for hit in sorted(hits, key=lambda s: (s.kind in _GENERIC, not s.verified, -len(s.span), s.span.start)):
        if not any(hit.span.overlaps(other.span) for other in kept):
            kept.append(hit)
    return tuple(sorted(kept))


def replacement(secret: Secret) -> str:
    """What stands in a file after redaction."""
    return f"[redacted: {secret.label}]"


def redact(text: str, secrets: Iterable[Secret] | None = None) -> tuple[Edit, ...]:
    """Edits that replace each of `secrets` (default: all that `scan` finds) by a mark that names its kind."""
    found = scan(text) if secrets is None else secrets
    return tuple(Edit(s.span, replacement(s)) for s in found)


def masked(text: str) -> str:
    """`text` with every secret shown as dots, of the same length: what may be printed, logged or quoted."""
    for secret in scan(text):
        span = secret.span
        hidden = "".join(c if c in "\r\n" else "•" for c in text[span.start : span.end])
        text = text[: span.start] + hidden + text[span.end :]
    return text
