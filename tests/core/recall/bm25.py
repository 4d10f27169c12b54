"""Plain BM25 (k1 1.5, b 0.75) over lower-case words: the baseline that the product's ranker is compared with."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping

_WORD = re.compile(r"\w+")


class Bm25:
    """Ranks texts by id; everything that shares a word is a result."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._docs = {key: Counter(_WORD.findall(text.lower())) for key, text in texts.items()}
        self._lengths = {key: sum(c.values()) for key, c in self._docs.items()}
        self._mean = sum(self._lengths.values()) / max(len(texts), 1)
        self._df = Counter(word for c in self._docs.values() for word in c)

    def search(self, query: str, limit: int = 5) -> list[str]:
        n = len(self._docs)
        scores: dict[str, float] = {}
        for word in _WORD.findall(query.lower()):
            df = self._df.get(word, 0)
            idf = math.log(1 + (n - df + 0.5) / (df + 0.5))
            for key, counts in self._docs.items():
                tf = counts.get(word, 0)
                if tf:
                    norm = 1.5 * (0.25 + 0.75 * self._lengths[key] / self._mean)
                    scores[key] = scores.get(key, 0.0) + idf * tf * 2.5 / (tf + norm)
        return sorted(scores, key=lambda key: (-scores[key], key))[:limit]
