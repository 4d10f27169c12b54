"""What recall is asked and what it answers, as plain values."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from memdir.agent.client_types import Usage
from memdir.core.age import age_words
from memdir.core.i18n import Message, render

Method: TypeAlias = Literal["model", "lexical"]
MAX_SELECTED = 5


@dataclass(frozen=True, slots=True)
class Question:
    """A query with what limits the answer.

    shown: memories this session has had already, by relative path; they never come again. tools: names of tools in
    active use. limit: at most so many memories (five at most). max_candidates: how many of the newest the model sees.
    """

    query: str
    shown: Collection[str] = ()
    tools: Sequence[str] = ()
    limit: int = MAX_SELECTED
    max_candidates: int = 200


@dataclass(frozen=True, slots=True)
class Choice:
    """A memory that was chosen. `path` is absolute, `days` its age, `score` the share of the query's words it answers.

    `caveat` is None for memories of today and yesterday; `broken` are citations that lead nowhere now.
    """

    rel: str
    path: str
    name: str
    type: str
    days: int
    score: float
    reason: Message
    caveat: Message | None = None
    broken: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Missed:
    """A memory that was near, or named, and why it was not chosen."""

    rel: str
    path: str
    name: str
    score: float
    reason: Message


@dataclass(frozen=True, slots=True)
class Recall:
    """The answer. `fallback` says why words were compared although a model was wanted.

    `offered` are the memories that were considered, newest first (for a model: those that the manifest held); `id` names the record,
    empty when none is kept.
    """

    selected: tuple[Choice, ...]
    missed: tuple[Missed, ...]
    method: Method
    offered: tuple[str, ...]
    latency_ms: float
    fallback: Message | None = None
    usage: Usage | None = None
    id: str = ""

    def to_json(self, locale: str = "en", *, explain: bool = False) -> dict[str, Any]:
        """Plain data; texts in `locale`. With `explain`, also what was not chosen, and the tokens."""
        found: dict[str, Any] = {
            "selected": [
                {
                    "path": c.path,
                    "name": c.name,
                    "type": c.type,
                    "age": render(age_words(c.days), locale),
                    "score": c.score,
                    "reason": render(c.reason, locale),
                    "caveat": render(c.caveat, locale) if c.caveat else None,
                }
                for c in self.selected
            ],
            "method": self.method,
            "candidates": len(self.offered),
            "latency_ms": round(self.latency_ms, 1),
            "fallback": render(self.fallback, locale) if self.fallback else None,
        }
        if explain:
            found["missed"] = [
                {"path": m.path, "name": m.name, "score": m.score, "reason": render(m.reason, locale)}
                for m in self.missed
            ]
            found["id"] = self.id
            if self.usage:
                found["usage"] = {
                    "input_tokens": self.usage.input,
                    "cache_read_tokens": self.usage.cache_read,
                    "cache_write_tokens": self.usage.cache_write,
                    "output_tokens": self.usage.output,
                }
        return found
