"""Other programs to compare with, installed beside the checkout on first use; a missing one is named, not faked."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

CACHE = Path(os.environ.get("MEMDIR_BENCH_DIR") or Path.home() / ".cache/memdir-bench")
PYPI = ("agnix", "rumdl")
NPM = ("markdownlint-cli2",)


def install() -> dict[str, list[str]]:
    """Name -> command prefix of every baseline that could be installed."""
    CACHE.mkdir(parents=True, exist_ok=True)
    venv, node = CACHE / "venv", CACHE / "node"
    found: dict[str, list[str]] = {}
    if not (venv / "bin/python").exists():
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    for name in PYPI:
        program = venv / "bin" / name
        if not program.exists():
            subprocess.run(
                [str(venv / "bin/python"), "-m", "pip", "install", "--quiet", name],
                check=False,
                stderr=subprocess.DEVNULL,
            )
        if program.exists():
            found[name] = [str(program)]
    for name in NPM:
        program = node / "node_modules/.bin" / name
        if not program.exists() and shutil.which("npm"):
            subprocess.run(
                [
                    "npm",
                    "install",
                    "--silent",
                    "--no-audit",
                    "--no-fund",
                    "--ignore-scripts",
                    "--prefix",
                    str(node),
                    name,
                ],
                check=False,
            )
        if program.exists():
            found[name] = [str(program)]
    return found
