"""What a signal is called in the inbox."""

from __future__ import annotations

from collections.abc import Mapping

from memdir.agent.signals.find import SignalKind
from memdir.core.i18n import Message, msg

TITLES: Mapping[SignalKind, Message] = {
    "remember": msg("Asked to remember"),
    "correction": msg("A correction"),
    "confirmation": msg("An approval"),
    "deadline": msg("A deadline"),
    "place": msg("A place to look"),
}
