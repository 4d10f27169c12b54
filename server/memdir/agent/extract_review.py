"""What an extraction may propose: memories that rest on words of the person, found again in the conversation."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, date, datetime

from memdir.agent.client_types import ToolCall, ToolResult
from memdir.agent.conversation import Conversation
from memdir.agent.inbox_items import Evidence, Item, ProposedFile, Refused
from memdir.agent.inbox_known import knows
from memdir.agent.review import objection
from memdir.agent.toolbox import Toolbox, Write
from memdir.agent.toolbox_tools import READS, WRITES
from memdir.core.dates import find
from memdir.core.document import kind_of
from memdir.core.i18n import msg
from memdir.core.text import encode

MAX_CHANGES = 5
MAX_QUOTE = 400  # characters
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)  # of an item that is only compared


class Review:
    """The objections of one extraction; remembers the evidence of each file it lets pass."""

    def __init__(
        self, said: Conversation, known: Sequence[Refused], types: Collection[str] = (), *, day: date
    ) -> None:
        self._day = day
        self.evidence: dict[str, list[Evidence]] = {}
        self._said = said
        self._known = known
        self._types = types

    def __call__(self, write: Write) -> str | None:
        """Why the write is denied, or None."""
        if write.after is None:
            return "Denied: an extraction removes no memory. If something is no longer so, say that in the memory."
        if kind_of(write.key) == "index":
            return "Denied: leave the index alone; the line for a memory is added when a person accepts it."
        if write.key not in self.evidence and len(self.evidence) >= MAX_CHANGES:
            return f"Denied: {MAX_CHANGES} changes are enough for one stretch of a conversation."
        found = self._quoted(write)
        if isinstance(found, str):
            return found
        general = objection(write, self._types)
        if general is not None:
            return general
        dated = self._relative(write)
        if dated is not None:
            return dated
        if self._repeats(write, found):
            return "Denied: the person has this proposal already, or has refused it. Do not propose it again."
        self.evidence.setdefault(write.key, []).extend(found)
        return None

    def _quoted(self, write: Write) -> list[Evidence] | str:
        """The evidence, each quote found in its message; or why it is not enough."""
        found: list[Evidence] = []
        for quote in write.evidence:
            message = self._said.get(quote.message)
            if message is None:
                return f"Denied: there is no message {quote.message[:20]!r} in the conversation."
            if message.earlier:
                return f"Denied: message {message.id} is an earlier one, seen before. Only new messages are evidence."
            words = _flat(quote.quote)
            if not words or words not in _flat(message.text):
                return (
                    f"Denied: message {message.id} does not say {quote.quote[:80]!r}. Quote its exact words."
                )
            shown = " ".join(quote.quote.split())[:MAX_QUOTE]
            found.append(Evidence(shown, message.who, offset=message.start, uuid=message.uuid))
        if not any(e.who == "person" for e in found):
            return "Denied: there is no evidence from the person. Give the number of a message of theirs and its exact words, or leave this out."
        return found

    def _relative(self, write: Write) -> str | None:
        """Words such as "tomorrow" in what is added to a memory, whose other words count from another day."""
        if write.before is None:
            return None  # a new memory is put right afterwards
        known = set(write.before.splitlines())
        for line in (write.after or "").splitlines():
            for hit in find(line, self._day) if line not in known else ():
                if hit.exact and hit.earliest is not None:
                    return f"Denied: {hit.text!r} means nothing later; write {hit.earliest.isoformat()}."
        return None

    def _repeats(self, write: Write, evidence: Sequence[Evidence]) -> bool:
        before = None if write.before is None else encode(write.before)
        file = ProposedFile(write.key, before, encode(write.after or ""))
        item = Item("memory", msg("{text}", text=""), _NEVER, (file,), tuple(evidence))
        return knows(self._known, item) is not None


class TwoRounds:
    """Lets the model read once and write once; a refused write may be mended in one more round."""

    def __init__(self, box: Toolbox) -> None:
        self._box = box
        self._round = 0

    async def __call__(self, calls: Sequence[ToolCall]) -> Sequence[ToolResult]:
        """Answer the calls of a round."""
        self._round += 1
        if self._round == 2:
            self._box.close(READS, "Denied: this is the second round; only changes now.")
        results = await self._box.handle(calls)
        refused = {r.id for r in results if r.error}
        mendable = any(c.name in WRITES and c.id in refused for c in calls)
        if self._round >= 3 or (self._round == 2 and not mendable):
            self._box.close((*READS, *WRITES), "Denied: both rounds are over. Answer in one sentence.")
        return results


def _flat(text: str) -> str:
    return " ".join(text.casefold().split())
