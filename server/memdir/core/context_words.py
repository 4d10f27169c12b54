"""Words for the context preview: kinds of layers, their state, the reasons."""

from __future__ import annotations

from collections.abc import Mapping

from memdir.core.context_layers import LayerKind, State
from memdir.core.i18n import Message, msg

KINDS: Mapping[LayerKind, Message] = {
    "managed": msg("managed instructions"),
    "user": msg("your instructions"),
    "user-rule": msg("your rule"),
    "ancestor": msg("instructions of a directory above"),
    "project": msg("project instructions"),
    "import": msg("imported file"),
    "project-dot-claude": msg("project instructions in .claude"),
    "rule": msg("project rule"),
    "local": msg("local instructions"),
    "nested": msg("instructions of a sub-directory"),
    "memory-index": msg("memory index"),
    "team-index": msg("team memory index"),
    "agent-index": msg("agent's memory index"),
}
STATES: Mapping[State, Message] = {
    "loaded": msg("loaded"),
    "conditional": msg("on demand"),
    "cut": msg("cut"),
    "not-loaded": msg("not loaded"),
}
REASONS: Mapping[str, Message] = {
    "paths": msg("only when a file it names is touched"),
    "missing": msg("the file does not exist"),
    "too-deep": msg("imports are followed five levels deep"),
    "already-loaded": msg("it is loaded already"),
    "memory-off": msg("memory is off"),
    "line-limit": msg("longer than the line limit"),
    "size-limit": msg("larger than the size limit"),
    "both-limits": msg("over both limits, lines and size"),
}
