#!/usr/bin/env python3
"""Processor time per file: reading into documents, shared facts, and each rule, without the disk.

    python tests/bench/rule_cost.py MEMORY_DIR [REPOSITORY] [--now ISO] [--ignore RULE,RULE]

Best of several runs; a second process on the machine makes the figures worse, never better.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "server"))

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.facts import NoProject, ProjectFacts
from memdir.core.lint import check_document
from memdir.core.rule import Context
from memdir.core.rules import RULES
from memdir.core.settings import Layer, merge

RUNS = 5


@dataclass
class Files:
    """The files of a repository, looked at once; git's times are left out, so that drift costs nothing."""

    root: str
    lines: dict[str, int] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for folder, names, files in os.walk(self.root):
            names[:] = [n for n in names if not n.startswith(".")]
            rel = os.path.relpath(folder, self.root)
            self.folders.add(rel)
            for name in files:
                path = name if rel == "." else f"{rel}/{name}"
                self.lines[path] = Path(folder, name).read_bytes().count(b"\n")

    def exists(self, path: str) -> bool:
        return path in self.lines or path.rstrip("/") in self.folders

    def line_count(self, path: str) -> int | None:
        return self.lines.get(path)

    def read_lines(self, path: str, first: int, last: int) -> Sequence[str]:
        return ()

    def changed_at(self, path: str) -> datetime | None:
        return None

    def commit_time(self, path: str) -> datetime | None:
        return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("memory", type=Path)
    parser.add_argument("repository", type=Path, nargs="?")
    parser.add_argument("--now", default="2026-01-05")
    parser.add_argument("--ignore", default="", help="rules to leave out, separated by commas")
    args = parser.parse_args()
    root = str(args.memory)
    raw = [
        (str(p.relative_to(args.memory)), p.read_bytes(), p.stat().st_mtime)
        for p in sorted(args.memory.rglob("*.md"))
    ]
    now = datetime.fromisoformat(args.now).replace(tzinfo=UTC)
    project: ProjectFacts = Files(str(args.repository)) if args.repository else NoProject()
    ignored = tuple(r for r in args.ignore.split(",") if r)
    settings = merge([Layer("flag", values={"ignore": ignored})])
    best: tuple[float, float, float] | None = None
    findings: Counter[str] = Counter()
    for _ in range(RUNS):
        t0 = time.process_time()
        documents = [Document(f"{root}/{rel}", rel, content, mtime) for rel, content, mtime in raw]
        t1 = time.process_time()
        directory = Directory(root, documents)
        t2 = time.process_time()
        context = Context(directory, now, settings, project)
        findings = Counter(d.rule for document in documents for d in check_document(document, context))
        t3 = time.process_time()
        if best is None or t3 - t0 < sum(best):
            best = (t1 - t0, t2 - t1, t3 - t2)
    assert best is not None
    per_file = 1e6 / len(raw)
    print(
        f"{len(raw)} files; microseconds per file: documents {best[0] * per_file:.1f}, facts {best[1] * per_file:.1f}, rules {best[2] * per_file:.1f}, all {sum(best) * per_file:.1f}"
    )
    print("findings:", dict(findings.most_common()))
    rows = []
    for rule in RULES:
        cost = min(
            _cost(rule.check, [d for d in documents if d.kind in rule.kinds], context) for _ in range(RUNS)
        )
        rows.append((cost * per_file, rule.name))
    for cost, name in sorted(rows, reverse=True)[:20]:
        print(f"{cost:8.2f}  {name}")


def _cost(check: object, documents: list[Document], context: Context) -> float:
    for document in documents:
        document.memo.clear()
    begin = time.process_time()
    for document in documents:
        for _ in check(document, context):  # type: ignore[operator]  # a rule's check
            pass
    return time.process_time() - begin


if __name__ == "__main__":
    main()
