"""Personal data of somebody in a text that many will read: hints, judged by structure and check digits.

Only what identifies a person or gives access to them: private addresses of electronic mail, telephone numbers, bank accounts, cards,
national identity numbers. Roles ("support@"), documentation domains and numbers without a valid check digit pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal, TypeAlias

from memdir.core.i18n import Message, msg
from memdir.core.lazy_re import lazy
from memdir.core.model import Span

Kind: TypeAlias = Literal["email", "phone", "iban", "card", "us-ssn", "cn-id"]

LABELS: dict[Kind, Message] = {
    "email": msg("a person's e-mail address"),
    "phone": msg("a telephone number"),
    "iban": msg("a bank account number"),
    "card": msg("a payment card number"),
    "us-ssn": msg("a social security number"),
    "cn-id": msg("a resident identity number"),
}


@dataclass(frozen=True, slots=True)
class Personal:
    """One place. The value is not kept."""

    span: Span
    kind: Kind


_EMAIL = lazy(
    r"(?<![\w.+/:@%-])([A-Za-z0-9._%+-]{1,64})@((?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24})(?![\w@:/-])"
)
_ROLES = lazy(
    r"(?:no-?reply|do-?not-?reply|support|info|help|hello|contact|admin|root|postmaster|webmaster|security|abuse|sales|team|dev|ops|devops|sre|oncall"
    r"|on-call|alerts?|billing|legal|privacy|press|jobs|careers|git|ci|bot|builds?|releases?|notifications?|service|user|username|name|you|me|someone"
    r"|test|tester|foo|bar|example|mail|email|office|hr|it|eng|engineering|platform|data|api|first\.last|firstname\.lastname)(?:[+._-].{0,40})?",
    re.IGNORECASE,
)
_DOC_DOMAIN = lazy(
    r"(?:^|\.)(?:example|test|invalid|localhost|local|internal)$|^(?:.+\.)?example\.(?:com|org|net|edu)$"
    r"|(?:^|\.)(?:users\.noreply\.github\.com|noreply\.\w+|iam\.gserviceaccount\.com|gserviceaccount\.com|acme\.(?:com|io|org))$",
    re.IGNORECASE,
)
_PHONE = lazy(r"(?<![\w+.,:/#-])\+\d{1,3}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]?\d{2,4}){1,5}(?![\w-])")
# What numbers of accounts, cards and identities have in common; nothing else is looked at closely.
_DIGITS = lazy(r"\d{2}[\dA-Z -]{6,40}[\dX]", re.IGNORECASE)
_PHONE_CN = lazy(r"(?<![\w.-])1[3-9]\d[- ]?\d{4}[- ]?\d{4}(?![\w.-])")
_PHONE_WORD = lazy(
    r"phone|mobile|cell|tel\b|call|sms|whatsapp|wechat|电话|手机|電話|手機|联系|携帯|전화|telefon|handy|téléphone|teléfono",
    re.I,
)
_IBAN = lazy(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])")
_CARD = lazy(r"(?<![\w.-])(?:\d{4}[ -]){3}\d{1,7}(?![\w-])|(?<![\w.-])[3-6]\d{12,18}(?![\w.-])")
_TEST_CARDS = lazy(r"4242|4111|4000|5555|3782|3714|6011|0000")
_SSN = lazy(r"(?<![\w.-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])")
_SSN_WORD = lazy(r"ssn|social security", re.I)
_CN_ID = lazy(r"(?<!\w)[1-9]\d{5}((?:19|20)\d{2})(\d{2})(\d{2})\d{3}[\dXx](?!\w)", re.ASCII)


def find_personal_data(text: str) -> Iterator[Personal]:
    """Places in `text`, by position. The first one of equal values only, so that a repeated address is one hint."""
    found: list[Personal] = []
    seen: set[str] = set()

    def add(kind: Kind, m: re.Match[str]) -> None:
        value = re.sub(r"[ .-]", "", m[0]).casefold()
        if value not in seen:
            seen.add(value)
            found.append(Personal(Span(*m.span()), kind))

    at, done = text.find("@"), 0
    while at >= 0:
        m = _EMAIL.search(text, max(done, at - 66), min(len(text), at + 140))
        if (
            m
            and not _ROLES.fullmatch(m[1])
            and not _DOC_DOMAIN.search(m[2])
            and not m[2].lower().endswith((".png", ".md", ".js", ".py"))
        ):
            add("email", m)
        done = m.end() if m else done
        at = text.find("@", max(at + 1, done))
    at = text.find("+")
    while at >= 0:
        m = _PHONE.match(text, at)
        if m and 9 <= sum(c.isdigit() for c in m[0]) <= 15 and "555-01" not in m[0] and "555 01" not in m[0]:
            add("phone", m)
        at = text.find("+", at + 1)
    for run in _DIGITS.finditer(text):
        for pattern, kind, good in _NUMBERS:
            for m in pattern.finditer(text, max(0, run.start() - 4), min(len(text), run.end() + 4)):
                if good(text, m):
                    add(kind, m)
    yield from sorted(found, key=lambda p: (p.span.start, p.span.end))


def _near(word: re.Pattern[str], text: str, m: re.Match[str]) -> bool:
    return word.search(text, max(0, m.start() - 60), min(len(text), m.end() + 30)) is not None


def _phone_ok(text: str, m: re.Match[str]) -> bool:
    return _near(_PHONE_WORD, text, m)


def _iban_ok(_: str, m: re.Match[str]) -> bool:
    """ISO 13616: the number with its first four characters at the end is 1 modulo 97."""
    compact = m[0].replace(" ", "")
    if not 15 <= len(compact) <= 34:
        return False
    moved = compact[4:] + compact[:4]
    return int("".join(str(int(c, 36)) for c in moved)) % 97 == 1


def _card_ok(_: str, m: re.Match[str]) -> bool:
    """Luhn's check digit; published test cards pass as documentation."""
    digits = re.sub(r"\D", "", m[0])
    if not 13 <= len(digits) <= 19 or _TEST_CARDS.match(digits) or len(set(digits)) < 4:
        return False
    total = 0
    for i, c in enumerate(reversed(digits)):
        n = int(c) * (2 if i % 2 else 1)
        total += n - 9 if n > 9 else n
    return total % 10 == 0


def _ssn_ok(text: str, m: re.Match[str]) -> bool:
    return _near(_SSN_WORD, text, m)


def _cn_id_ok(_: str, m: re.Match[str]) -> bool:
    """GB 11643: a real birthday and the ISO 7064 MOD 11-2 check character."""
    try:
        date(int(m[1]), int(m[2]), int(m[3]))
    except ValueError:
        return False
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    rest = sum(int(c) * w for c, w in zip(m[0][:17], weights, strict=True)) % 11
    return "10X98765432"[rest] == m[0][17].upper()


_NUMBERS: tuple[tuple[re.Pattern[str], Kind, Callable[[str, re.Match[str]], bool]], ...] = (
    (_PHONE_CN, "phone", _phone_ok),
    (_IBAN, "iban", _iban_ok),
    (_CARD, "card", _card_ok),
    (_SSN, "us-ssn", _ssn_ok),
    (_CN_ID, "cn-id", _cn_id_ok),
)
