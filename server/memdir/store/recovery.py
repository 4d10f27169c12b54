"""Changes that a killed process left half done: carried out to the end, or taken back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdir.core.i18n import Message, msg
from memdir.store.errors import StoreError
from memdir.store.journal import Entry, Journal
from memdir.store.rollback import remove_empty, roll_back
from memdir.store.transact import tidy


@dataclass(frozen=True, slots=True)
class Recovered:
    """An interrupted change that was sorted out: `done` (it had been carried out) or taken back.

    `kept`: files that somebody else changed meanwhile; they stayed as they were found. `failed`: why it could not be
    sorted out yet (it will be tried again).
    """

    entry: Entry
    done: bool
    kept: tuple[str, ...] = ()
    failed: Message | None = None

    @property
    def message(self) -> Message:
        """One sentence that says how it ended."""
        title = self.entry.title
        if self.failed is not None:
            return msg(
                "The interrupted change “{title}” could not be taken back yet: {reason}",
                title=title,
                reason=self.failed,
            )
        if self.kept:
            return msg(
                "The interrupted change “{title}” was taken back; changed meanwhile and kept as it is: {path}",
                title=title,
                path=", ".join(self.kept),
            )
        if self.done:
            return msg("The interrupted change “{title}” had been carried out.", title=title)
        return msg("The interrupted change “{title}” was taken back.", title=title)


def recover(state_dir: str, *, now: datetime, timeout: float = 10.0) -> tuple[Recovered, ...]:
    """Sort out changes that were interrupted by a crash; () when there were none. Call it at start."""
    journal = Journal(state_dir)
    if not journal.unfinished():
        return ()
    with journal.lock(timeout):
        return settle(journal, now)


def settle(journal: Journal, now: datetime) -> tuple[Recovered, ...]:
    """The same for who holds the journal's lock already."""
    results = []
    for entry_id in journal.unfinished():
        entry = journal.entry(entry_id)
        if entry is None:
            journal.discard(entry_id)
            continue
        if entry.outcome in ("committed", "rolled-back"):  # what follows its outcome is a half-written line
            continue
        kept: tuple[str, ...] = ()
        done = entry.outcome == "swapped"
        try:
            _, items = journal.load(entry.id)
            if done:
                tidy(items, step=lambda _: None)
            else:
                kept, done = roll_back(items, entry.dirs)
            if done:
                remove_empty(entry.leaves)
        except (OSError, StoreError) as error:
            why = error.message if isinstance(error, StoreError) else msg("{error}", error=str(error))
            results.append(Recovered(entry, False, failed=why))
            continue
        journal.mark(entry.id, "committed" if done else "rolled-back", now, kept)
        results.append(Recovered(entry, done, kept))
    return tuple(results)
