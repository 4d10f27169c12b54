"""What a synchronisation should do, as pure decisions over hashes; no disk, no network, no clock.

Per key three hashes are known: here (`local`), at the last agreement (`base`) and at the team (`remote`). The team wins
where both changed; what it replaces is kept by the journal. Nothing is ever deleted here because it went there.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


class Action(enum.Enum):
    """What one key needs."""

    NOTHING = "nothing"
    TAKE = "take"  # new or newer at the team
    RETURN = "return"  # deleted here, still at the team: deletions don't travel, so it comes back
    CONFLICT = "conflict"  # changed on both sides: the team's text is taken, ours is kept in the journal
    PUSH = "push"  # new or newer here
    KEEP = "keep"  # removed at the team, unchanged here: stays here and is not sent again


def decide(local: str | None, base: str | None, remote: str | None) -> Action:
    """The action for one key; hashes are None where there is no file or no agreement yet."""
    if local == remote:
        return Action.NOTHING
    if local is None:
        return Action.TAKE if base is None else Action.RETURN
    if remote is None:
        return Action.KEEP if base == local else Action.PUSH
    if base == remote:
        return Action.PUSH
    return Action.TAKE if base == local else Action.CONFLICT


def decide_all(
    local: Mapping[str, str], base: Mapping[str, str], remote: Mapping[str, str]
) -> dict[str, Action]:
    """The actions for all keys that need one, in the order of the keys."""
    found: dict[str, Action] = {}
    for key in sorted({*local, *base, *remote}):
        action = decide(local.get(key), base.get(key), remote.get(key))
        if action is not Action.NOTHING:
            found[key] = action
    return found


def settled(local: Mapping[str, str], remote: Mapping[str, str]) -> dict[str, str]:
    """Keys on which both sides agree: the next base."""
    return {key: value for key, value in local.items() if remote.get(key) == value}


FIRST_DELAY = 1.0  # seconds
LONGEST_DELAY = 300.0
LONGEST_ASKED = 3600.0  # a Retry-After beyond this is no reason to stay away longer


def delay(attempt: int, random: Callable[[], float], asked: float | None = None) -> float:
    """Seconds to wait after failed attempt number `attempt` (from 0): doubled, bounded, jittered by half.

    `random` gives numbers in [0, 1). `asked` is what the service asked for (Retry-After): never less than that.
    """
    whole = min(LONGEST_DELAY, FIRST_DELAY * 2.0 ** min(attempt, 30))
    wait = whole * (0.5 + random() / 2)
    if asked is not None and asked > 0:
        wait = max(wait, min(asked, LONGEST_ASKED) * (1.0 + random() / 10))
    return wait


def batches(items: Sequence[tuple[T, int]], limit: int, overhead: int = 128) -> list[list[T]]:
    """`items` (with their sizes in bytes) in groups whose sum stays within `limit`; a larger item stands alone."""
    groups: list[list[T]] = []
    left = 0
    for item, size in items:
        if groups and size + overhead <= left:
            groups[-1].append(item)
            left -= size + overhead
        else:
            groups.append([item])
            left = limit - size - overhead
    return groups


_LISTED = re.compile(
    r"^\s*(?:[-*+]|\d+[.)])\s.*?\]\(\s*<?(?:\./)?([^)\s>]+?\.md)>?\s*(?:\"[^\"]*\")?\)", re.MULTILINE
)


def merged_index(theirs: str, mine: str, present: Iterable[str], folder: str = "") -> str:
    """The team's index with those entries of `mine` added that it lacks and whose files exist.

    An index is a list, so unlike prose it can be merged: two people who each add a memory both keep their line. `present`: keys
    that exist on either side; `folder`: where the index stands ("" or "sub/"). Order and text of `theirs` stay as they are.
    """
    listed = set(_LISTED.findall(theirs))
    there = set(present)
    extra = [
        line
        for line in mine.splitlines()
        if (m := _LISTED.match(line)) and m[1] not in listed and folder + m[1] in there
    ]
    if not extra:
        return theirs
    newline = "\r\n" if "\r\n" in theirs else "\n"
    head = theirs if not theirs or theirs.endswith("\n") else theirs + newline
    return head + "".join(line + newline for line in dict.fromkeys(extra))


def only_lists(mine: str, merged: str) -> bool:
    """True when nothing of `mine` is missing in `merged`: then its replacement lost nothing that need be shown."""
    kept = {line.strip() for line in merged.splitlines()}
    return all(line.strip() in kept for line in mine.splitlines() if line.strip())
