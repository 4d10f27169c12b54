"""A case of the doctor in few words, for lists: what it is, and what that rests on."""

from __future__ import annotations

from memdir.core.doctor import Case
from memdir.core.i18n import Message, msg

_HEADLINES: dict[str, Message] = {
    "moved": msg("Repository moved"),
    "orphaned": msg("Repository is gone"),
    "underscore": msg("Split by underscore"),
    "letter-case": msg("Split by drive letter"),
    "worktree": msg("Kept for one checkout"),
    "collision": msg("Shared by two repositories"),
    "phantom": msg("Empty directory"),
    "scattered": msg("Misplaced agent memory"),
}
_REASONS: dict[str, Message] = {
    "underscore": msg("an older client kept underscores in the name, today's makes them dashes"),
    "letter-case": msg("both names mean one directory"),
    "worktree": msg("today's client shares one memory between all checkouts of a repository"),
    "collision": msg("their paths differ only in characters that become dashes"),
    "phantom": msg("it holds no memory"),
    "scattered": msg("a start at the top of the repository never finds it"),
}


def headline(case: Case) -> Message:
    """What kind of case it is, as a label."""
    return _HEADLINES[case.kind]


def why(case: Case) -> Message:
    """What the case rests on: half a sentence."""
    return case.reason or _REASONS[case.kind]
