"""Counters in the text format that Prometheus reads; per worker process, told apart by the label `worker`."""

from __future__ import annotations

import os
import threading
from collections import defaultdict

_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds


class Metrics:
    """Requests by route, method and status, their duration, and bytes in and out."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: dict[tuple[str, str, int], int] = defaultdict(int)
        self._buckets: dict[str, list[int]] = defaultdict(lambda: [0] * (len(_BOUNDS) + 1))
        self._seconds: dict[str, float] = defaultdict(float)
        self._bytes = {"in": 0, "out": 0}

    def observe(self, route: str, method: str, status: int, seconds: float, received: int, sent: int) -> None:
        """Count one finished request. `route` is the pattern, never a path: names of repositories stay out."""
        with self._lock:
            self._requests[route, method, status] += 1
            place = next((i for i, bound in enumerate(_BOUNDS) if seconds <= bound), len(_BOUNDS))
            self._buckets[route][place] += 1
            self._seconds[route] += seconds
            self._bytes["in"] += received
            self._bytes["out"] += sent

    def render(self) -> str:
        """The page /metrics."""
        worker = f'worker="{os.getpid()}"'
        lines = ["# HELP memdir_requests_total Requests answered.", "# TYPE memdir_requests_total counter"]
        with self._lock:
            lines += [
                f'memdir_requests_total{{{worker},route="{r}",method="{m}",status="{s}"}} {n}'
                for (r, m, s), n in sorted(self._requests.items())
            ]
            lines += [
                "# HELP memdir_request_seconds Time to answer.",
                "# TYPE memdir_request_seconds histogram",
            ]
            for route, buckets in sorted(self._buckets.items()):
                total = 0
                for bound, count in zip((*_BOUNDS, "+Inf"), buckets, strict=True):
                    total += count
                    lines.append(
                        f'memdir_request_seconds_bucket{{{worker},route="{route}",le="{bound}"}} {total}'
                    )
                lines.append(
                    f'memdir_request_seconds_sum{{{worker},route="{route}"}} {self._seconds[route]:.6f}'
                )
                lines.append(f'memdir_request_seconds_count{{{worker},route="{route}"}} {total}')
            lines += ["# HELP memdir_bytes_total Bytes of bodies.", "# TYPE memdir_bytes_total counter"]
            lines += [f'memdir_bytes_total{{{worker},direction="{d}"}} {n}' for d, n in self._bytes.items()]
        return "\n".join(lines) + "\n"
