"""The inbox: nothing lost between processes, nothing proposed twice, nothing refused that comes back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.agent import inbox as module
from memdir.agent.inbox import Inbox, InboxError
from memdir.agent.inbox_accept import plan_accept, with_text
from memdir.agent.inbox_items import Evidence, Item, ProposedFile, item_from_json, item_to_json
from memdir.agent.inbox_known import knows, signature
from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.rule import Context
from memdir.core.save import SaveError
from memdir.store.apply import apply
from memdir.store.errors import ConflictError
from tests.agent.sessions import FEEDBACK, memory_text
from tests.conftest import NOW

QUOTE = "we must always use the real database and never any mocks here"


def memory(
    text: str = FEEDBACK,
    rel: str = "feedback_db.md",
    quote: str = QUOTE,
    uuid: str = "u1",
    before: str | None = None,
) -> Item:
    file = ProposedFile(
        rel, before.encode() if before is not None else None, text.encode(), (msg("{text}", text="said so"),)
    )
    return Item(
        "memory",
        msg("New: {name}", name="x"),
        NOW,
        (file,),
        (Evidence(quote, "person", "/s.jsonl", 3, 10, uuid),),
        "feedback",
    )


def signal(quote: str = QUOTE, uuid: str = "u1") -> Item:
    return Item(
        "signal",
        msg("A correction"),
        NOW,
        (),
        (Evidence(quote, "person", "/s.jsonl", 3, 10, uuid),),
        "feedback",
        "correction",
    )


def consolidation(text: str = "x") -> Item:
    files = (ProposedFile("a.md", b"a", text.encode()), ProposedFile("b.md", b"b", None))
    return Item(
        "consolidation",
        msg("Consolidate memories"),
        NOW,
        files,
        groups=(frozenset({"a.md", "b.md"}),),
        notes=(msg("{text}", text="n"),),
    )


@pytest.fixture
def inbox(tmp_path: Path) -> Inbox:
    return Inbox(str(tmp_path / "state"), str(tmp_path / "memory"))


def test_what_goes_in_comes_out(inbox: Inbox) -> None:
    items = [memory(), signal("another sentence that was said, long enough to count", "u2"), consolidation()]
    added = inbox.add(items)
    assert [i.id for i in added.items] == ["1", "2", "3"]
    assert inbox.items() == list(added.items) and inbox.get("2") == added.items[1]
    assert os.stat(inbox.path).st_mode & 0o077 == 0
    inbox.remove(["1", "nine"])
    assert [i.id for i in inbox.items()] == ["2", "3"]
    with pytest.raises(InboxError):
        inbox.get("1")
    with pytest.raises(InboxError):
        inbox.update(added.items[0])
    assert inbox.add([memory()]).items[0].id == "4", "numbers are not used again"


@given(st.binary(max_size=60), st.binary(max_size=60) | st.none(), st.text(max_size=30))
def test_any_bytes_survive(before: bytes, after: bytes | None, words: str) -> None:
    item = Item(
        "memory",
        msg("{text}", text=words),
        NOW,
        (ProposedFile("a.md", before, after),),
        (Evidence(words, "person"),),
    )
    assert item_from_json(json.loads(json.dumps(item_to_json(item)))) == item


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'{"version": 2, "items": [], "refused": [], "next": 1}',
        b'{"version": 1}',
        b'{"version": 1, "items": [{"kind": "x"}], "refused": [], "next": 1}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_is_put_aside(content: bytes, inbox: Inbox) -> None:
    os.makedirs(os.path.dirname(inbox.path))
    Path(inbox.path).write_bytes(content)
    assert inbox.items() == []
    assert Path(inbox.path + ".damaged").read_bytes() == content
    inbox.add([memory()])
    assert len(inbox.items()) == 1


def test_waiting_things_are_known(inbox: Inbox) -> None:
    inbox.add([memory()])
    assert (inbox.add([memory()]).known, len(inbox.items())) == (1, 1)


@pytest.mark.parametrize(
    ("again", "known"),
    [
        (memory(), True),
        (memory(rel="feedback_other.md"), True),
        (memory(FEEDBACK.replace("Real database", "Another title"), quote="other words that were said, also long enough for it", uuid="u9"), True),
        (memory(memory_text("Real-Database", "Something else entirely is said in here.", "feedback"), quote="quite other words, also long enough to count as one", uuid="u9"), True),
        (memory(memory_text("New", "The licence of the tide tables ends in June.", "project"), quote=QUOTE, uuid="u1"), True),
        (memory(memory_text("New", "The licence of the tide tables ends in June.", "project"), quote="use the real database", uuid="u1"), True),
        (memory(memory_text("New", "The licence of the tide tables ends in June.", "project"), quote="yes, exactly", uuid="u7"), False),
        (signal(), True),
        (signal("a different sentence, which was said later on in the day", "u5"), False),
        (consolidation(), False),
    ],
)  # fmt: skip
def test_what_comes_back_after_a_refusal(again: Item, known: bool, inbox: Inbox) -> None:
    inbox.add([memory()])
    inbox.refuse("1", NOW)
    added = inbox.add([again])
    assert (added.known == 1) is known and bool(inbox.items()) is not known


def test_short_approval_is_said_again_and_means_something_else() -> None:
    first, second = (
        memory(quote="Yes, exactly!"),
        memory(memory_text("B", "The queue is PostgreSQL.", "project"), quote="Yes, exactly!", uuid="u2"),
    )
    assert knows([signature(first)], second) is None


def test_changes_of_a_memory_are_compared_by_what_they_add() -> None:
    base = memory_text(
        "Freeze", "A long description of the freeze that stays the same in every version of it."
    )
    one = memory(
        base + "It ends on 2026-03-20.\n", "project_freeze.md", "ends on the twentieth", "u1", before=base
    )
    two = memory(
        base + "Tom owns the tide tables now.\n", "project_freeze.md", "Tom owns those", "u2", before=base
    )
    assert knows([signature(one)], two) is None
    three = memory(
        base + "It ends on 2026-03-20.\n", "project_freeze.md", "twentieth it is", "u3", before=base
    )
    assert knows([signature(one)], three) is not None


def test_a_consolidation_takes_the_place_of_the_one_that_waits(inbox: Inbox) -> None:
    inbox.add([consolidation("x")])
    inbox.add([consolidation("y")])
    assert [i.id for i in inbox.items()] == ["2"]
    inbox.refuse("2", NOW)
    assert inbox.add([consolidation("y")]).known == 1 and inbox.add([consolidation("z")]).known == 0


def test_a_full_inbox_says_so(inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ITEMS", 2)
    texts = [
        "The licence of the tide tables ends in June.",
        "Mara owns the release of the mobile app.",
        "Grafana has the latency board of on-call.",
    ]
    items = [memory(memory_text(f"Fact {n}", text), quote=text, uuid=f"u{n}") for n, text in enumerate(texts)]
    added = inbox.add(items)
    assert (len(added.items), added.no_room) == (2, 1)


WRITER = """
import sys
from datetime import UTC, datetime
from memdir.agent.inbox import Inbox
from memdir.agent.inbox_items import Evidence, Item
from memdir.core.i18n import msg
inbox = Inbox(sys.argv[1], sys.argv[2])
for n in range(int(sys.argv[4])):
    quote = f"sentence number {n} of process {sys.argv[3]}, which is long enough to be told apart"
    inbox.add([Item("signal", msg("A correction"), datetime.now(UTC), (), (Evidence(quote, "person", uuid=f"{sys.argv[3]}-{n}"),))])
"""


def test_processes_lose_nothing(tmp_path: Path, inbox: Inbox) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path / "state"), str(tmp_path / "memory"), str(n), "12"]) for n in range(4)]  # fmt: skip
    assert [w.wait(60) for w in writers] == [0, 0, 0, 0]
    items = inbox.items()
    assert len(items) == 48 and len({i.id for i in items}) == 48


# accepting


def context_of(root: Path) -> Context:
    documents = [Document(f"{root}/{p.name}", p.name, p.read_bytes()) for p in root.glob("*.md")]
    return Context(Directory(str(root), documents), NOW)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = tmp_path / "memory"
    found.mkdir()
    (found / "MEMORY.md").write_text("- [Freeze](project_freeze.md) — Merge freeze for the release\n")
    (found / "project_freeze.md").write_text(
        memory_text("Freeze", "Until 2026-03-20.", description="Merge freeze for the release")
    )
    return found


def test_a_changed_description_reaches_the_index(root: Path, tmp_path: Path) -> None:
    before = (root / "project_freeze.md").read_text()
    after = before.replace("Merge freeze for the release", "Merge freeze until the release of the app")
    plan = plan_accept(memory(after, "project_freeze.md", before=before), context_of(root), team=False)
    apply(plan.change_set, roots=[str(root)], state_dir=str(tmp_path / "s"), now=NOW)
    assert (
        root / "MEMORY.md"
    ).read_text() == "- [Freeze](project_freeze.md) — Merge freeze until the release of the app\n"


def test_a_memory_changed_since_is_a_clash(root: Path, tmp_path: Path) -> None:
    before = (root / "project_freeze.md").read_text()
    item = memory(before + "More.\n", "project_freeze.md", before=before)
    (root / "project_freeze.md").write_text(before + "By hand.\n")
    plan = plan_accept(item, context_of(root), team=False)
    with pytest.raises(ConflictError) as caught:
        apply(plan.change_set, roots=[str(root)], state_dir=str(tmp_path / "s"), now=NOW, bases=plan.bases)
    (clash,) = caught.value.conflicts
    assert clash.base == before.encode() and clash.mine == (before + "More.\n").encode()
    assert (root / "project_freeze.md").read_text() == before + "By hand.\n"


def test_a_signal_is_not_accepted_by_itself(root: Path) -> None:
    with pytest.raises(SaveError, match="only a hint"):
        plan_accept(signal(), context_of(root), team=False)


@pytest.mark.parametrize("text", ["", "no header", "---\nname: A\n---\nx", "---\ndescription: d\n---\nx"])
def test_an_edited_proposal_stays_a_memory(text: str) -> None:
    with pytest.raises(SaveError):
        with_text(memory(), text)


def test_only_memories_are_edited() -> None:
    with pytest.raises(SaveError):
        with_text(consolidation(), FEEDBACK)
