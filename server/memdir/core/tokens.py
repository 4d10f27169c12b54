"""How many tokens a text costs, estimated. Good to about a fifth: for budgets and bars, never for billing."""

from __future__ import annotations

import math

from memdir.core.lazy_re import lazy

# Measured averages of current tokenizers: English prose and Markdown take about four characters a token, scripts
# without blanks (Chinese, Japanese, Korean) nearly a token per character, other scripts about two characters a token.
_ASCII, _OTHER = 4.0, 2.0
_CJK = 1.1
_CJK_RUN = lazy(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]+")
_OTHER_RUN = lazy(r"[^\x00-\x7f]+")


def estimate_tokens(text: str) -> int:
    """Tokens of `text`, estimated and rounded up; 0 for an empty text."""
    if text.isascii():
        return math.ceil(len(text) / _ASCII)
    cjk = sum(len(m[0]) for m in _CJK_RUN.finditer(text))
    other = sum(len(m[0]) for m in _OTHER_RUN.finditer(text)) - cjk
    return math.ceil((len(text) - cjk - other) / _ASCII + cjk / _CJK + other / _OTHER)
