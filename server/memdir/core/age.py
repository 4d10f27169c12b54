"""How old something is, in days and in words.

Models reason badly about dates and well about "47 days ago" (memory-system notes, "Staleness"), so every age that a
model or a person reads is said in these words.
"""

from __future__ import annotations

from datetime import datetime

from memdir.core.i18n import Message, msg


def days_old(modified: float | datetime, now: datetime) -> int:
    """Calendar days between `modified` (POSIX seconds or an aware datetime) and `now`, in the time zone of `now`.

    A time in the future (a clock that was wrong) and one out of range count as today.
    """
    try:
        then = (
            datetime.fromtimestamp(modified, now.tzinfo) if isinstance(modified, (int, float)) else modified
        )
        return max((now.date() - then.astimezone(now.tzinfo).date()).days, 0)
    except (OverflowError, OSError, ValueError):
        return 0


def age_words(days: int) -> Message:
    """'today', 'yesterday' or 'N days ago'."""
    if days <= 0:
        return msg("today")
    if days == 1:
        return msg("yesterday")
    return msg("{days} days ago", days=days)
