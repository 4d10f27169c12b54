"""Existing directories that a project directory's name may stand for: the way back from a slug, by looking."""

from __future__ import annotations

import os

from memdir.core.slug import MAX_LENGTH, legacy_slug, raw_slug, slug

LISTINGS = 2000  # directories listed at most; a name leads through a handful


def existing_paths(name: str, *, root: str = "/") -> list[str]:
    """Real directories whose slug (today's or an older client's) is `name`, sorted.

    Only directories that fit the name so far are listed. Names that were cut can't be followed. `root` is where paths
    begin (tests move it); on Windows the drive in the name is taken.
    """
    if len(name) > MAX_LENGTH:
        return []
    if name[1:3] == "--" and name[:1].isalpha() and os.name == "nt":
        start, rest = name[0] + ":\\", name[3:]
    elif name.startswith("-"):
        start, rest = root, name[1:]
    else:
        return []
    found: list[str] = []
    todo, listings = [(start, rest)], 0
    while todo and listings < LISTINGS:
        folder, rest = todo.pop()
        listings += 1
        try:
            with os.scandir(folder) as entries:
                fitting = [e for e in entries if _fits(e.name, rest) and e.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        for entry in fitting:
            if len(entry_name := raw_slug(entry.name)) == len(rest):
                found.append(entry.path)
            else:
                todo.append((entry.path, rest[len(entry_name) + 1 :]))
    below = (p if root == "/" else "/" + os.path.relpath(p, root) for p in found)
    return sorted(
        p for p, short in zip(found, below, strict=True) if name in (slug(short), legacy_slug(short))
    )


def _fits(entry: str, rest: str) -> bool:
    made = raw_slug(entry)
    start = rest[: len(made)].replace("_", "-")
    return start == made and rest[len(made) : len(made) + 1] in ("", "-")
