"""What a person said that may be worth a memory, found without a model: corrections, approval, "remember", deadlines, places
to look.

Words decide, so this proposes and never judges: a hint for a person, with the sentence it rests on. Precision comes first;
pasted text, code and quotations are not looked at.
"""

from __future__ import annotations

from memdir.agent.signals.find import Signal, SignalKind, find_signals

__all__ = ["Signal", "SignalKind", "find_signals"]
