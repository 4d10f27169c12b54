"""Token buckets: how often one caller may ask. Per worker process; several workers multiply the allowance."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

_MOST = 10_000  # callers remembered; the one that asked longest ago is forgotten, which can only favour it


class Throttle:
    """`rate` requests per second and caller, `burst` at once."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float]) -> None:
        self._rate, self._burst, self._clock = rate, float(burst), clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, caller: str, cost: float = 1.0) -> float:
        """0 when `caller` may go on; else the seconds after which it may."""
        now = self._clock()
        level, last = self._buckets.pop(caller, (self._burst, now))
        level = min(self._burst, level + (now - last) * self._rate)
        allowed = level >= cost
        self._buckets[caller] = (level - cost if allowed else level, now)
        if len(self._buckets) > _MOST:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (cost - level) / self._rate
