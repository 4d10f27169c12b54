"""Write the pages that are generated from code; `--check` only says which are stale (exit 1).

Each function below gives path (relative to the repository) -> text. A test calls `stale()`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "server"), str(ROOT / "scripts")]


def configuration() -> Mapping[str, str]:
    """The settings: reference page and JSON schema of memdir.toml."""
    from memdir.core.settings_docs import markdown, schema_text
    from memdir.store.config import rule_names

    return {"docs/configuration.md": markdown(), "docs/memdir.schema.json": schema_text(rule_names())}


def manifest() -> Mapping[str, str]:
    """The settings in the extension's manifest, with their translations."""
    from manifest_settings import manifest_files

    return manifest_files(ROOT)


def rules() -> Mapping[str, str]:
    """A page per rule and their index."""
    from memdir.core.rule_docs import rule_pages

    return rule_pages()


PARTS: list[Callable[[], Mapping[str, str]]] = [configuration, manifest, rules]


def pages() -> dict[str, str]:
    """Every generated file and its text."""
    return {path: text for part in PARTS for path, text in part().items()}


def stale() -> list[str]:
    """Paths whose text on disk differs from what the code says now."""
    found = []
    for path, text in pages().items():
        file = ROOT / path
        if not file.is_file() or file.read_text("utf-8") != text:
            found.append(path)
    return found


def main() -> int:
    """Write what is stale, or with --check name it."""
    old = stale()
    if "--check" in sys.argv[1:]:
        for path in old:
            print(f"{path} is stale: run scripts/generate_docs.py", file=sys.stderr)
        return 1 if old else 0
    texts = pages()
    for path in old:
        file = ROOT / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(texts[path], "utf-8")
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
