"""One extraction from beginning to end: what is new in a session, whether anything is to be done, and where it goes.

`extract_session` is what a watcher calls after a finished turn and what `memdir hook stop` has done in the background. It
never raises for what a model, a transcript or a memory holds; the report says what happened.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, TypeAlias

from memdir.agent.client_types import ModelClient, ModelError, Usage
from memdir.agent.conversation import Conversation, conversation
from memdir.agent.extract import extract
from memdir.agent.extract_state import Cursor, ExtractState
from memdir.agent.inbox import Added, Inbox
from memdir.agent.inbox_accept import plan_accept
from memdir.agent.inbox_items import Evidence, Item
from memdir.agent.inbox_known import signature
from memdir.agent.signals import find_signals
from memdir.agent.signals.titles import TITLES
from memdir.agent.staging import staged
from memdir.core.i18n import Message, msg
from memdir.core.save import SaveError
from memdir.core.tokens import estimate_tokens
from memdir.core.transcript import Record
from memdir.store.errors import StoreError
from memdir.store.jobs import job_off
from memdir.store.transcripts import Reader, line_number
from memdir.store.workspace import Workspace

Status: TypeAlias = Literal["off", "nothing", "own-memory", "queued", "done", "failed"]
MAX_READ = 16 * 1024 * 1024  # bytes of a session file that one stretch is looked for in
MIN_TOKENS = 5  # said by the person, estimated, from which a model is asked
MAX_STRETCHES = 5  # of one session in one run; what is left is read by the next one
_SHELL_WRITE = re.compile(
    r">|\btee\b|\bsed\s+-i|\bcp\b|\bmv\b|\brm\b|\bcat\s*<<|\bmemdir\s+(?:save|forget|log)\b"
)


@dataclass(frozen=True, slots=True)
class Report:
    """What an extraction did. `applied` are journal ids of changes written at once (auto = apply)."""

    status: Status
    why: Message | None = None
    items: tuple[Item, ...] = ()
    known: int = 0
    applied: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    by_model: bool = False
    denied: int = 0


async def extract_session(
    workspace: Workspace,
    session: str,
    *,
    state_dir: str,
    clock: Callable[[], datetime],
    client: ModelClient | None = None,
    wait: bool = True,
) -> Report:
    """Extract what is new in the session file. `client` None: signals are looked for instead of asking a model.

    wait: a run that finds another one at work leaves a note for it ("queued"); it is taken up there.
    """
    off = job_off(workspace.location)
    if off is None and workspace.settings.extract.auto == "off":
        off = msg("Extraction is switched off (extract.auto).")
    if off is not None:
        return Report("off", off)
    state = ExtractState(state_dir, workspace.stores[0].root)
    run = _Run(workspace, state, state_dir, clock, client)
    report = Report("nothing")
    todo: str | None = session
    try:
        while todo is not None:
            with state.alone(todo) as mine:
                if not mine:
                    return (
                        report
                        if report.status != "nothing"
                        else Report("queued", msg("Another extraction is running; this one follows."))
                    )
                while todo is not None:
                    report = _joined(report, await run.session(todo))
                    todo = state.waiting()
            todo = state.waiting() if wait else None  # a note that came while the lock was given back
    except (StoreError, OSError) as error:
        why = error.message if isinstance(error, StoreError) else msg("{error}", error=str(error))
        return Report("failed", why, report.items, report.known, report.applied, report.usage)
    return report


def wrote_memory(records: Sequence[Record], memory_dir: str) -> bool:
    """True when the agent itself wrote into the memory directory (with an editing tool, or in a shell)."""
    roots = {os.path.normpath(memory_dir), os.path.realpath(memory_dir)}
    failed = {r.id for record in records for r in record.tool_results if r.error}
    for record in records:
        for use in record.tool_uses:
            if use.id and use.id in failed:
                continue
            path = use.written_path
            if path is not None and _inside(path, record.cwd, roots):
                return True
            command = use.input.get("command")
            if isinstance(command, str) and _SHELL_WRITE.search(command):
                if any(root in command for root in roots) or re.search(
                    r"\bmemdir\s+(?:save|forget|log)\b", command
                ):
                    return True
    return False


def _inside(path: str, cwd: str, roots: set[str]) -> bool:
    whole = os.path.normpath(os.path.join(cwd or "/", path))
    return any(p.startswith(root + os.sep) for root in roots for p in (whole, os.path.realpath(whole)))


@dataclass(slots=True)
class _Run:
    workspace: Workspace
    state: ExtractState
    state_dir: str
    clock: Callable[[], datetime]
    client: ModelClient | None

    async def session(self, session: str) -> Report:
        """Read a session stretch by stretch."""
        report = Report("nothing")
        for _ in range(MAX_STRETCHES):
            start = await asyncio.to_thread(self.state.cursor, session)
            records, said = await asyncio.to_thread(_read, session, start)
            if said.end <= start.offset:
                return report
            found = await self._stretch(
                session, [r for r in records if start.offset <= r.start < said.end], said
            )
            report = _joined(report, found)
            if found.status == "failed":
                return report
            await asyncio.to_thread(self.state.move, session, said.end, said.context)
        return report

    async def _stretch(self, session: str, records: list[Record], said: Conversation) -> Report:
        if wrote_memory(records, self.workspace.stores[0].root):
            return Report("own-memory", msg("The agent wrote memory itself; nothing was extracted."))
        if not said.by_person:
            return Report("nothing")
        inbox = Inbox(self.state_dir, self.workspace.stores[0].root)
        if self.client is None:
            items = signal_items(said, session, self.clock())
            return await asyncio.to_thread(self._deliver, inbox, items, Report("done"))
        if not worth_asking(said, self.clock()):
            return Report("nothing")
        waiting = inbox.items()
        known = [*(signature(i) for i in waiting), *inbox.refused()]
        settings = self.workspace.settings
        try:
            async with staged(self.workspace.stores[0].root, self.state_dir) as stage:
                found = await extract(
                    said,
                    stage,
                    client=self.client,
                    model=settings.agent.model,
                    now=self.clock(),
                    known=known,
                    waiting=waiting,
                    types=settings.extend_types,
                    path=session,
                    max_turns=settings.agent.max_turns,
                )
        except ModelError as error:
            return Report("failed", error.message, by_model=True)
        items = [_with_lines(i, session) for i in found.items]
        return self._deliver(
            inbox, items, Report("done", usage=found.usage, by_model=True, denied=found.denied)
        )

    def _deliver(self, inbox: Inbox, items: list[Item], report: Report) -> Report:
        """Into the inbox, or straight into the memory where the person chose so. Signals always wait."""
        applied: list[str] = []
        left = []
        for item in items:
            change = self._apply(item) if self.workspace.settings.extract.auto == "apply" else None
            if change is None:
                left.append(item)
            else:
                applied.append(change)
        added = inbox.add(left) if left else Added()
        return Report(
            report.status, report.why, added.items, added.known, tuple(applied), report.usage, report.by_model, report.denied
        )  # fmt: skip

    def _apply(self, item: Item) -> str | None:
        """The journal's id, or None when a person has to look at it after all."""
        from memdir.store.apply import apply

        if item.kind != "memory":
            return None
        store = self.workspace.stores[0]
        store.refresh()
        try:
            plan = plan_accept(item, self.workspace.context(store, self.clock()), team=os.path.isdir(os.path.join(store.root, "team")))  # fmt: skip
            if plan.questions:
                return None
            done = apply(
                plan.change_set,
                roots=[store.root],
                state_dir=self.state_dir,
                now=self.clock(),
                bases=plan.bases,
            )
        except (SaveError, StoreError, ValueError):
            return None
        return done.id


def worth_asking(said: Conversation, now: datetime) -> bool:
    """False when all that the person said was "go on" and the like: no need to pay a model for it."""
    spoken = [m.text for m in said.messages if m.who == "person" and not m.earlier]
    if sum(estimate_tokens(text) for text in spoken) >= MIN_TOKENS:
        return True
    return any(find_signals(text, now.date()) for text in spoken)


def signal_items(said: Conversation, session: str, now: datetime) -> list[Item]:
    """Hints for a person: sentences of theirs that may be worth a memory."""
    found = []
    for message in said.messages:
        if message.who != "person" or message.earlier:
            continue
        day = message.time.astimezone(now.tzinfo).date() if message.time else now.date()
        for signal in find_signals(message.text, day):
            evidence = Evidence(signal.quote, "person", session, 0, message.start, message.uuid)
            item = Item("signal", TITLES[signal.kind], now, (), (evidence,), signal.type, signal.kind)
            found.append(_with_lines(item, session))
    return found


def _with_lines(item: Item, session: str) -> Item:
    """The line numbers that links into the session need."""
    evidence = []
    for one in item.evidence:
        try:
            evidence.append(replace(one, path=session, line=line_number(session, one.offset)))
        except OSError:
            evidence.append(one)
    return replace(item, evidence=tuple(evidence))


def _read(session: str, start: Cursor) -> tuple[list[Record], Conversation]:
    """What stands behind the cursor, a bounded part of it."""
    reader = Reader(session, start.context)
    records: list[Record] = []
    with suppress(OSError):
        records += reader.read(limit=start.offset + MAX_READ)
    said = conversation(records, start.offset, since=start.offset)
    if said.complete and reader.offset > said.end:  # lines that are no records: they need not be read again
        said = replace(said, end=reader.offset)
    return records, said


def _joined(one: Report, two: Report) -> Report:
    order: list[Status] = ["failed", "done", "own-memory", "queued", "nothing", "off"]
    first, second = (one, two) if order.index(one.status) <= order.index(two.status) else (two, one)
    return Report(
        first.status,
        first.why or second.why,
        one.items + two.items,
        one.known + two.known,
        one.applied + two.applied,
        one.usage + two.usage,
        one.by_model or two.by_model,
        one.denied + two.denied,
    )
