"""A teammate's machine in a test: a team directory, a state directory, a clock, and the real client."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from memdir.store.journal import Journal
from memdir.team.client import TeamClient
from memdir.team.engine import TeamSync
from memdir.team.report import Report
from tests.team.served import NOW, REPO


class Machine:
    """Everything one person has. `sync` and `files` are what tests use most."""

    def __init__(
        self,
        base: Path,
        url: str,
        token: str,
        *,
        seed: int = 1,
        now: Callable[[], datetime] = lambda: NOW,
        **client: object,
    ) -> None:
        self.root, self.state = base / "memory" / "team", base / "state"
        self.root.parent.mkdir(parents=True, exist_ok=True)
        self.http = TeamClient(url, REPO, token, **client)  # type: ignore[arg-type]  # a test's own options
        rng = random.Random(seed)
        self.team = TeamSync(
            self.http,
            str(self.root),
            str(self.state),
            fingerprint=token,
            now=now,
            wait=lambda s: None,
            rng=rng.random,
        )

    def write(self, key: str, text: str) -> None:
        path = self.root / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())

    def read(self, key: str) -> str:
        return (self.root / key).read_bytes().decode()

    def files(self) -> dict[str, str]:
        return {
            p.relative_to(self.root).as_posix(): p.read_bytes().decode()
            for p in sorted(self.root.rglob("*.md"))
        }

    def sync(self) -> Report:
        report = self.team.sync(force=True)
        assert report.outcome == "ok", (report.outcome, str(report.message))
        return report

    def journal_texts(self) -> set[str]:
        """Every text that the journal keeps."""
        journal = Journal(str(self.state))
        return {
            state.content.decode()
            for entry in journal.entries()
            for item in journal.load(entry.id)[1]
            for state in (item.before, item.after)
            if state.kind == "file"
        }

    def close(self) -> None:
        self.http.close()
