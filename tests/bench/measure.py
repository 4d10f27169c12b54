"""Times whole commands: wall and CPU seconds, peak memory; medians of interleaved runs."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sample:
    """One run of a command. Seconds, and MiB of its largest process."""

    wall: float
    cpu: float
    peak: float


def run_once(command: Sequence[str], env: Mapping[str, str], cwd: str, ok: Sequence[int] = (0, 1)) -> Sample:
    """Run `command` silently. Raises RuntimeError when it ends with a code outside `ok`: a crash is no fast run."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, env=dict(env), cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = code = os.waitstatus_to_exitcode(status)
    if code not in ok:
        raise RuntimeError(f"{command[0]} ended with {code}")
    return Sample(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def compare(
    commands: Mapping[str, Sequence[str]], env: Mapping[str, str], cwd: str, runs: int
) -> dict[str, Sample]:
    """Medians per command; runs take turns, so that a busy moment of the machine hits all alike."""
    samples: dict[str, list[Sample]] = {name: [] for name in commands}
    for name, command in commands.items():
        run_once(command, env, cwd)  # warms the file cache and byte code
        samples[name].clear()
    for _ in range(runs):
        for name, command in commands.items():
            samples[name].append(run_once(command, env, cwd))
    return {
        name: Sample(*(statistics.median(getattr(s, f) for s in many) for f in ("wall", "cpu", "peak")))
        for name, many in samples.items()
    }
