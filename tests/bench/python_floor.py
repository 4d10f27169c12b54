"""Baseline: the least work a Python linter of memory files could do (ten checks, no positions kept, no fixes).

python_floor.py FOLDER            read and check every file
python_floor.py FOLDER --stat     only look whether anything changed
"""

from __future__ import annotations

import os
import re
import sys

WIKI = re.compile(r"\[\[([^\]\n]+)\]\]").finditer
LINK = re.compile(r"\]\(([^)\s]+)\)").finditer
CITE = re.compile(r"`([\w./-]+\.\w+):(\d+)`").finditer
WORDS = (
    "yesterday",
    "tomorrow",
    "last week",
    "last month",
    "days ago",
    "recently",
    "this sprint",
    "next Thursday",
)
TYPES = {"user", "feedback", "project", "reference"}


def read(path: str) -> str:
    fd = os.open(path, os.O_RDONLY)
    try:
        return os.read(fd, 1 << 14).decode()
    finally:
        os.close(fd)


def check(root: str) -> int:
    repo = os.path.dirname(root.rstrip("/"))
    with os.scandir(root) as entries:
        names = [e.name for e in entries if e.name.endswith(".md")]
    have, seen, lines, found = set(names), {}, {}, []
    for name in names:
        text, body = read(f"{root}/{name}"), 0
        end = text.find("\n---\n", 3) if text.startswith("---\n") else -1
        if end < 0:
            found.append((name, "no frontmatter"))
        else:
            header = dict(p for line in text[4:end].split("\n") if len(p := line.split(": ", 1)) == 2)
            body = end + 5
            found += [(name, "missing " + k) for k in ("name", "description", "type") if not header.get(k)]
            if header.get("type", "user") not in TYPES:
                found.append((name, "type"))
            if (other := seen.setdefault(header.get("name"), name)) != name:
                found.append((name, "name also in " + other))
        found += [(name, "memory " + m[1]) for m in WIKI(text, body) if m[1] + ".md" not in have]
        found += [(name, "file " + m[1]) for m in LINK(text, body) if "://" not in m[1] and m[1] not in have]
        for m in CITE(text, body):
            if m[1] not in lines:
                try:
                    lines[m[1]] = read(f"{repo}/{m[1]}").count("\n")
                except OSError:
                    lines[m[1]] = -1
            if int(m[2]) > lines[m[1]]:
                found.append((name, "stale " + m[1]))
        for word in WORDS:
            if (at := text.find(word, body)) >= 0:
                found.append((name, f"{word} at {at}"))
    print("\n".join(f"{a}: {b}" for a, b in found))
    return len(found)


if __name__ == "__main__":
    if "--stat" in sys.argv:
        with os.scandir(sys.argv[1]) as every:
            print(hash(tuple((e.name, e.stat().st_mtime_ns) for e in every)))
    else:
        check(sys.argv[1])
