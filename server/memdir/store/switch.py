"""Whether memory is on: every link of the chain that says so, highest first.

One switch for all: when it says off there is no prompt, no extraction, no consolidation, no notes and no team sync.
"""

from __future__ import annotations

from collections.abc import Iterable

from memdir.core.i18n import Message, msg
from memdir.store.client_settings import ClientSettings
from memdir.store.environment import DEFAULT, DISABLE, FALSE, REMOTE_DIR, TRUE, Considered, Environment


def decide_switch(env: Environment, layers: Iterable[ClientSettings]) -> tuple[list[Considered], bool]:
    """What had a say about on or off, highest first, and the answer."""
    found: list[Considered] = []
    answer: bool | None = None

    def vote(source: str, value: str, says: bool | None, why: Message) -> None:
        nonlocal answer
        used = answer is None and says is not None
        if used:
            answer = says
        elif says is not None:
            why = msg("{source} comes first", source=next(f.source for f in found if f.used))
        found.append(Considered(source, value, used, why))

    if env.safe_mode:
        vote("--safe-mode", "", False, msg("the client runs in safe mode"))
    value = env.environ.get(DISABLE)
    if value:
        folded = value.strip().lower()
        if folded in TRUE or folded in FALSE:
            why = msg("it switches memory off") if folded in TRUE else msg("it forces memory on")
            vote(DISABLE, value, folded in FALSE, why)
        else:
            vote(DISABLE, value, None, msg("it is neither true nor false"))
    if env.bare:
        vote("--bare", "", False, msg("the client runs bare"))
    if env.truthy("CLAUDE_CODE_SIMPLE"):
        vote("CLAUDE_CODE_SIMPLE", env.environ["CLAUDE_CODE_SIMPLE"], False, msg("the client runs bare"))
    if env.truthy("CLAUDE_CODE_REMOTE") and not env.environ.get(REMOTE_DIR):
        why = msg("the client runs remotely, and {variable} names no place that stays", variable=REMOTE_DIR)
        vote("CLAUDE_CODE_REMOTE", env.environ["CLAUDE_CODE_REMOTE"], False, why)
    for layer in layers:
        says = layer.enabled()
        if says is not None:
            why = msg("{name} sets autoMemoryEnabled", name=layer.name)
            vote(layer.source, "true" if says else "false", says, why)
    vote(DEFAULT, "true", True, msg("memory is on unless something switches it off"))
    return found, bool(answer)
