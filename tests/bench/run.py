"""`make bench`: every figure as a ratio to a named baseline of the same run, with its goal and a verdict.

    python -m tests.bench.run [--quick]

Nothing here fails a build: figures are for people. Runs in a temporary HOME of its own.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.baselines import install
from tests.bench.in_process import measure
from tests.bench.lsp_timing import Timing, time_server
from tests.bench.measure import Sample, compare, run_once

HERE = Path(__file__).parent
SERVER = HERE.parent.parent / "server"
PY = sys.executable


class Table:
    """Collects rows and prints them: job, figure, goal, verdict."""

    def __init__(self) -> None:
        self.missed = 0
        print(f"{'job':58} {'figure':>9} {'goal':>7}  verdict", flush=True)

    def row(self, job: str, figure: float, goal: float | None, note: str = "") -> None:
        verdict = "" if goal is None else "ok" if figure <= goal else "missed"
        self.missed += verdict == "missed"
        print(
            f"{job:58} {figure:9.3f} {'' if goal is None else f'{goal:7.2f}':>7}  {verdict} {note}",
            flush=True,
        )


def corpus(base: Path, n: int) -> Path:
    root = base / f"gen{n}"
    subprocess.run([PY, str(HERE / "gen.py"), str(n), "1", str(root)], check=True)
    return root


def memdir(*args: str) -> list[str]:
    return [PY, "-m", "memdir.cli.main", *args]


def bench_check(
    table: Table, base: Path, others: dict[str, list[str]], env: dict[str, str], sizes: list[int], runs: int
) -> None:
    cpu: dict[int, float] = {}
    for n in sizes:
        root = corpus(base, n)
        folder = str(root / "memory")
        commands = {
            "memdir": memdir("check", folder, "--format", "json", "--no-cache"),
            "memdir, nothing changed": memdir("check", folder, "--format", "json"),
            "python floor": [PY, str(HERE / "python_floor.py"), folder],
            "python": [PY, "-c", "pass"],
        }
        if "agnix" in others:
            commands["agnix"] = [*others["agnix"], "--max-files", "100000", folder]
        if "rumdl" in others:
            commands["rumdl"] = [*others["rumdl"], "check", "--no-cache", folder]
            commands["rumdl cached"] = [*others["rumdl"], "check", folder]
        if "markdownlint-cli2" in others and n <= 2000:
            commands["markdownlint-cli2"] = [*others["markdownlint-cli2"], folder + "/*.md"]
        commands = {k: c for k, c in commands.items() if _works(k, c, env, str(root))}
        seen = compare(commands, env, str(root), runs)
        ours = seen["memdir"]
        cpu[n] = ours.cpu
        print(
            f"-- {n} memories: "
            + ", ".join(f"{k} {s.wall:.3f} s ({s.cpu:.2f} CPU, {s.peak:.0f} MiB)" for k, s in seen.items())
        )
        _check_rows(table, n, ours, seen)
    if 2000 in cpu and 10_000 in cpu:
        table.row("check: CPU at 10,000 / CPU at 2,000", cpu[10_000] / cpu[2000], 5.2)
    one = next((base / "gen200/memory").glob("*.md"))
    seen = compare(
        {
            "memdir": memdir("check", str(one), "--no-cache"),
            "python": [PY, "-c", "pass"],
            "help": memdir("--help"),
        },
        env,
        str(base / "gen200"),
        runs,
    )
    table.row("check one file of 200 / python -c pass", seen["memdir"].wall / seen["python"].wall, 4)
    table.row("memdir --help, seconds (below 0.150)", seen["help"].wall, 0.15)


def _works(name: str, command: list[str], env: dict[str, str], cwd: str) -> bool:
    try:
        run_once(command, env, cwd)
    except (RuntimeError, OSError) as error:
        if name == "memdir":
            raise
        print(f"   left out: {name} ({error})")
        return False
    return True


def _check_rows(table: Table, n: int, ours: Sample, seen: dict[str, Sample]) -> None:
    goals = {("agnix", 10_000): 5.0, ("agnix", 200): 6.0, ("markdownlint-cli2", 2000): 0.06}
    for name, other in seen.items():
        if name not in ("memdir", "python", "memdir, nothing changed", "rumdl cached"):
            table.row(f"check {n}, every rule / {name}", ours.wall / other.wall, goals.get((name, n)))
    again = seen.get("memdir, nothing changed")
    if again is not None and "rumdl cached" in seen:
        goal = 0.4 if n == 10_000 else None
        table.row(f"check {n}, nothing changed / rumdl cached", again.wall / seen["rumdl cached"].wall, goal)
    if n == 10_000 and "agnix" in seen:
        table.row("check 10000: peak memory / agnix", ours.peak / seen["agnix"].peak, 1.3)


def bench_inside(table: Table, base: Path, sizes: list[int]) -> None:
    """What needs no process of its own. Milliseconds, and one ratio."""
    recall_goals, cold_goals, edit_goals = {200: 1.0, 10_000: 5.0}, {10_000: 1500.0}, {10_000: 10.0}
    for n in sizes:
        seen = measure(base / f"gen{n}")
        table.row(f"recall without a model {n}, ms", seen.recall, recall_goals.get(n))
        table.row(f"near duplicates {n}, cold, ms", seen.cold, cold_goals.get(n))
        table.row(f"near duplicates {n}, after one edit, ms", seen.edit, edit_goals.get(n))
        table.row(f"where {n} / git rev-parse", seen.where / seen.git, 1 / 20)


def _typed(root: Path) -> Iterator[Path]:
    """Memories that say their type."""
    return (f for f in sorted((root / "memory").glob("*.md")) if "\ntype: " in f.read_text()[:400])


def bench_server(table: Table, base: Path, env: dict[str, str], sizes: list[int], starts: int) -> None:
    hello: Timing | None = None
    ours: dict[int, Timing] = {}
    edited = next(_typed(base / f"gen{sizes[0]}"))
    text = edited.read_bytes()
    for n in sizes:
        root = base / f"gen{n}"
        # The same document among few and many: its own length and contents weigh more than its neighbours
        file = root / "memory" / edited.name
        file.write_bytes(text)
        other = next(f for f in _typed(root) if f != file)
        server_env = {**env, "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": str(root / "memory")}
        hello = time_server(
            [PY, str(HERE / "hello_pygls.py")], str(root), str(file), server_env, starts=starts
        )
        ours[n] = time_server(
            memdir("serve"), str(root), str(file), server_env, other=str(other), starts=starts
        )
        t = ours[n]
        print(f"-- server at {n}: bare pygls {hello}\n                 memdir     {t}")
        table.row(f"server {n}: start to initialize / bare pygls", t.initialize / hello.initialize, 0.65)
        table.row(
            f"server {n}: start to first diagnostic / bare pygls",
            t.first_diagnostic / hello.first_diagnostic,
            0.75,
        )
        table.row(
            f"server {n}: edit to diagnostics, median / bare pygls", t.edit_median / hello.edit_median, 1.5
        )
        table.row(f"server {n}: the same while all is still being checked", t.busy / hello.edit_median, None)
        table.row(f"server {n}: edit to diagnostics, p95 / bare pygls", t.edit_p95 / hello.edit_p95, None)
        table.row(f"server {n}: 20 keystrokes at once / bare pygls", t.burst / hello.burst, 1.2)
        table.row(f"server {n}: change on disk to diagnostics, ms", t.disk or 0.0, 200)
        table.row(f"server {n}: peak memory / bare pygls", t.peak / hello.peak, 2 if n > 1000 else 1.25)
        table.row(f"server {n}: idle CPU, percent", t.idle_cpu, 0.1)
    if {200, 10_000} <= set(ours):
        table.row(
            "server: edit to diagnostics, 10,000 / 200",
            ours[10_000].edit_median / ours[200].edit_median,
            1.15,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure Memdir against named baselines.")
    parser.add_argument("--quick", action="store_true", help="10 and 200 memories only")
    args = parser.parse_args()
    sizes = [10, 200] if args.quick else [10, 200, 2000, 10_000]
    others = install()
    for name in ("agnix", "rumdl", "markdownlint-cli2"):
        if name not in others:
            print(f"left out: {name} could not be installed here")
    with tempfile.TemporaryDirectory(prefix="memdir-bench-") as temporary:
        base = Path(temporary)
        env = {
            **{
                k: v
                for k, v in os.environ.items()
                if not k.startswith(("CLAUDE", "ANTHROPIC", "XDG_", "MEMDIR_"))
            },
            "HOME": str(base / "home"),
            "CLAUDE_CONFIG_DIR": str(base / "home/.claude"),
            "PYTHONPATH": str(SERVER),
            # an installed program has its byte code
            "PYTHONPYCACHEPREFIX": str(base / "bytecode"),
        }
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        (base / "home/.claude").mkdir(parents=True)
        table = Table()
        bench_check(table, base, others, env, sizes, 3 if args.quick else 5)
        bench_inside(table, base, [200] if args.quick else [200, 10_000])
        bench_server(table, base, env, [200] if args.quick else [200, 10_000], 3 if args.quick else 5)
        print(f"\n{table.missed} goals missed." if table.missed else "\nEvery goal met.")


if __name__ == "__main__":
    main()
