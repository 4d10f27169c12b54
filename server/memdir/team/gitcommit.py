"""What of a team folder goes into a commit: screened bytes, written as objects, so that nothing can slip in between."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from datetime import datetime

from memdir.core.i18n import Message, msg
from memdir.team import screen
from memdir.team.gitrun import Git
from memdir.team.guard import PathTraversalError
from memdir.team.inside import FileTooLargeError, read_inside
from memdir.team.protocol import SUFFIX, Limits

LIMIT = Limits().file


@dataclass(slots=True)
class Changes:
    """Keys relative to the folder: contents to commit, files that are gone, and files that stay here with the reason."""

    contents: dict[str, bytes] = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)
    blocked: dict[str, Message] = field(default_factory=dict)
    paths: list[str] = field(default_factory=list)  # relative to the repository


def outgoing_changes(git: Git, prefix: str, root: str, now: datetime) -> Changes:
    """What changed in the folder against HEAD and the index. Only visible Markdown files are looked at."""
    changes = Changes()
    out = git.run(
        "status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--", prefix or "."
    )
    for record in out.decode("utf-8", "surrogateescape").split("\0"):
        path = record[3:]
        if not path.startswith(prefix):
            continue
        key = path[len(prefix) :]
        if not key.endswith(SUFFIX) or any(part.startswith(".") for part in key.split("/")):
            continue
        if not os.path.lexists(os.path.join(root, key)):
            changes.deleted.append(key)
            changes.paths.append(path)
            continue
        why, content = _screened(root, key, now)
        if why is not None or content is None:
            changes.blocked[key] = why or msg("it can't be read")
        else:
            changes.contents[key] = content
            changes.paths.append(path)
    return changes


def _screened(root: str, key: str, now: datetime) -> tuple[Message | None, bytes | None]:
    if os.path.islink(os.path.join(root, key)):
        return msg("it is a link"), None
    try:
        content = read_inside(root, key, LIMIT)
    except FileTooLargeError as error:
        return msg("it has {size} bytes; at most {limit} are shared", size=error.size, limit=LIMIT), None
    except PathTraversalError as error:
        return error.message, None
    except OSError as error:
        return msg("it can't be read ({error})", error=error.strerror or str(error)), None
    return screen.outgoing(root, key, content, now), content


def commit_files(git: Git, prefix: str, head: str | None, changes: Changes, now: datetime) -> str | None:
    """A commit on top of `head` with exactly these changes; None when they change nothing. The branch is not moved.

    Built in an index of its own, so what a person has staged elsewhere stays staged and uncommitted.
    """
    if not changes.contents and not changes.deleted:
        return None
    with tempfile.TemporaryDirectory(prefix="memdir-git-") as folder:
        env = {"GIT_INDEX_FILE": os.path.join(folder, "index")}
        git.run("read-tree", head if head else "--empty", env=env)
        lines: list[str] = []
        for key, content in changes.contents.items():
            blob = (
                git.run("hash-object", "-w", "--stdin", f"--path={prefix}{key}", stdin=content)
                .decode()
                .strip()
            )
            lines.append(f"100644 {blob}\t{prefix}{key}\0")
        lines += [f"0 {'0' * 40}\t{prefix}{key}\0" for key in changes.deleted]
        git.run(
            "update-index",
            "-z",
            "--index-info",
            stdin="".join(lines).encode("utf-8", "surrogateescape"),
            env=env,
        )
        tree = git.run("write-tree", env=env).decode().strip()
    if head is not None and tree == git.text("rev-parse", f"{head}^{{tree}}"):
        return None
    sign = ["-S"] if git.maybe("config", "--bool", "commit.gpgsign") == "true" else []
    parents = ["-p", head] if head else []
    return git.run("commit-tree", *sign, *parents, "-m", _subject(changes), tree).decode().strip()


def _subject(changes: Changes) -> str:
    keys = sorted({*changes.contents, *changes.deleted})
    return f"Team memory: {keys[0]}" if len(keys) == 1 else f"Team memory: {len(keys)} files"
