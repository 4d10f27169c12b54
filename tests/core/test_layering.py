"""The import contract of ARCHITECTURE.md, by walking the source; and what start-up may not load."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import memdir

ROOT = Path(memdir.__file__).parent
# layer -> layers of ours it may import (itself is always allowed)
ALLOWED = {
    "core": set(),
    "ide": {"core"},
    "store": {"core"},
    "agent": {"core", "store"},
    "team": {"core", "store"},
    "lsp": {"core", "ide", "store", "agent", "team", "cli", "lsp"},
    "cli": {"core", "ide", "store", "agent", "team", "lsp", "cli"},
}
# third-party package -> the only places that may import it
OWNERS = {
    "pygls": {"lsp"},
    "lsprotocol": {"lsp"},
    "anthropic": {"agent/client.py"},
    "watchfiles": {"store/watch.py"},
    "pyromark": {"core"},
    "starlette": {"team"},
    "uvicorn": {"team"},
    "sqlalchemy": {"team"},
    "httpx": {"team"},
}
CORE_STDLIB_FORBIDDEN = {
    "os",
    "socket",
    "subprocess",
    "asyncio",
    "time",
    "pathlib",
    "shutil",
    "tempfile",
    "threading",
}


def imports() -> Iterator[tuple[str, str, str, int]]:
    """(file relative to the package, layer, imported module, line)."""
    for path in sorted(ROOT.rglob("*.py")):
        rel = path.relative_to(ROOT).as_posix()
        layer = rel.split("/")[0] if "/" in rel else ""
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield rel, layer, alias.name, node.lineno
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{rel}:{node.lineno}: relative import"
                yield rel, layer, node.module or "", node.lineno


def test_layers() -> None:
    wrong = []
    seen = set()
    for rel, layer, module, line in imports():
        parts = module.split(".")
        if parts[0] != "memdir" or len(parts) < 2 or not layer:
            continue
        other = parts[1]
        seen.add((layer, other))
        if other != layer and other not in ALLOWED[layer]:
            wrong.append(f"{rel}:{line}: {layer} may not import memdir.{other}")
    assert ("lsp", "core") in seen and ("store", "core") in seen, (
        "the walk found nothing: it no longer checks anything"
    )
    assert not wrong, "\n".join(wrong)


def test_owners_of_libraries() -> None:
    wrong = []
    for rel, layer, module, line in imports():
        top = module.split(".")[0]
        if top in OWNERS and layer not in OWNERS[top] and rel not in OWNERS[top]:
            wrong.append(f"{rel}:{line}: {top} belongs to {sorted(OWNERS[top])}")
    assert not wrong, "\n".join(wrong)


def test_core_knows_no_disk_clock_network() -> None:
    wrong = [
        f"{rel}:{line}: core imports {module}"
        for rel, layer, module, line in imports()
        if layer in ("core", "ide") and module.split(".")[0] in CORE_STDLIB_FORBIDDEN
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import memdir.core.lint", ("pygls", "lsprotocol", "anthropic", "watchfiles", "asyncio")),
        (
            "import memdir.cli.check",
            ("pygls", "lsprotocol", "anthropic", "watchfiles", "asyncio", "sqlalchemy", "httpx"),
        ),
        ("import memdir.cli.main", ("pygls", "lsprotocol", "anthropic", "yaml", "memdir.core.rules")),
    ],
)
def test_start_up_loads_little(statement: str, absent: tuple[str, ...]) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT.parent)!r}); {statement}; print('\\n'.join(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert statement.split()[1] in loaded
    assert not loaded & set(absent)
