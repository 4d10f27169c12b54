"""Prices, usage sums and their wording."""

from __future__ import annotations

import pytest

from memdir.agent.client_types import PRICES, Price, Usage, describe_usage, parse_prices, price_of
from memdir.core.i18n import render


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("claude-haiku-5-5", "claude-haiku-5-5"),
        ("claude-haiku-4-5-20251001", "claude-haiku-4-5"),
        ("claude-sonnet-5", "claude-sonnet-5"),
        ("claude-sonnet-5-5-20260901", "claude-sonnet-5-5"),
        ("claude-opus-4-8", "claude-opus-4"),
        ("claude-haiku-5", None),
        ("gpt-9", None),
    ],
)
def test_the_longest_name_wins(model: str, name: str | None) -> None:
    assert price_of(model) is (PRICES[name] if name else None)


def test_own_prices_come_first() -> None:
    own = parse_prices(["claude-haiku-5-5 1 2", "local = 0 0 0 0", "bad", "worse x y", "claude-neg -1 2", ""])
    assert own == {"claude-haiku-5-5": Price(1, 2, 0.1, 1.25), "local": Price(0, 0, 0, 0)}
    assert price_of("claude-haiku-5-5", own) == Price(1, 2, 0.1, 1.25)
    assert price_of("local-model", own) == Price(0, 0, 0, 0)


def test_cost_of_cached_and_long_prompts() -> None:
    haiku = PRICES["claude-haiku-5-5"]
    assert haiku.cost(Usage(1_000, 10_000, 4_000, 200, 1)) == pytest.approx(
        (1000 * 0.1 + 10_000 * 0.01 + 4_000 * 0.125 + 200 * 0.5) / 1e6
    )
    assert haiku.cost(Usage(100_001, 0, 0, 0, 1)) == pytest.approx(100_001 * 0.5 / 1e6)


def test_usage_adds_up_and_is_described() -> None:
    total = Usage(1, 2, 3, 4, 1) + Usage(10, 20, 30, 40, 1)
    assert total == Usage(11, 22, 33, 44, 2)
    assert total.prompt == 66
    assert str(describe_usage(total, 0.01234)) == "22 cached, 44 uncached, 44 output tokens, $0.0123"
    assert str(describe_usage(total, None)) == "22 cached, 44 uncached, 44 output tokens"
    assert "缓存" in render(describe_usage(total, None), "zh-cn")
