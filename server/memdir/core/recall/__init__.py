"""Choosing memories without a model: tokenizer, lexical ranker, manifest. Pure; the disk is `memdir.agent.recall`'s."""

from __future__ import annotations

from memdir.core.recall.manifest import Candidate, candidate, fields_of, manifest, newest
from memdir.core.recall.ranker import Hit, Ranking, RecallIndex
from memdir.core.recall.weights import FieldName, Fields

__all__ = [
    "Candidate",
    "FieldName",
    "Fields",
    "Hit",
    "Ranking",
    "RecallIndex",
    "candidate",
    "fields_of",
    "manifest",
    "newest",
]
