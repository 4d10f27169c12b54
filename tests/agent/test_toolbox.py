"""The sandbox: what a model may do, what it is denied, and that nothing it sends can raise or get out."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdir.agent import toolbox as toolbox_module
from memdir.agent.client_types import ToolCall, ToolResult
from memdir.agent.staging import Stage
from memdir.agent.toolbox import Toolbox, Write
from memdir.agent.toolbox_sessions import Sessions
from memdir.agent.toolbox_tools import NAMES, READS, TOOLS, WRITES


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    root = tmp_path / "memory"
    (root / "team").mkdir(parents=True)
    (root / "MEMORY.md").write_text("- [Freeze](project_freeze.md) — merge freeze\n")
    (root / "project_freeze.md").write_text(
        "---\nname: Freeze\n---\nMerge freeze until 2026-03-05.\nAsk Mara.\n"
    )
    (root / "team/reference_board.md").write_text("Board: https://example.com/board\n")
    (tmp_path / "outside.md").write_text("TOP SECRET")
    with Stage.copy(str(root), str(tmp_path / "state")) as found:
        yield found


def call(box: Toolbox, name: str, **given: Any) -> ToolResult:
    return box.carry_out([ToolCall("t1", name, given)])[0]


def test_reading(stage: Stage) -> None:
    box = Toolbox(stage)
    assert call(box, "list").content.split("\n")[0] == "MEMORY.md  (45 bytes)".replace(
        "45", str(len(stage.read("MEMORY.md")))
    )
    assert call(box, "list", path="team").content.startswith("team/reference_board.md")
    assert (
        call(box, "read", path="project_freeze.md", offset=4, limit=1).content
        == "4\tMerge freeze until 2026-03-05.\n(1 more lines)"
    )
    assert call(box, "read", path="./MEMORY.md").content.startswith("1\t- [Freeze]")
    assert (
        call(box, "search", pattern="FREEZE until").content
        == "project_freeze.md:4: Merge freeze until 2026-03-05."
    )
    assert call(box, "search", pattern="freeze", path="team").content == "(nothing found)"
    assert call(box, "shell", command="cat project_freeze.md").content.endswith("Ask Mara.")
    assert (
        call(box, "shell", command="grep -rn board .").content
        == "team/reference_board.md:1: Board: https://example.com/board"
    )
    assert call(
        box, "shell", command="grep -l freeze *.md"
    ).error  # an unquoted glob is a pattern for files, not for grep
    assert call(box, "shell", command="grep -rl freeze .").content == "MEMORY.md\nproject_freeze.md"
    assert call(box, "shell", command="ls").content == "MEMORY.md\nproject_freeze.md\nteam/"
    assert call(box, "shell", command="ls team").content == "reference_board.md"
    assert call(box, "shell", command="head -n 1 *.md").content.count("==>") == 2
    assert call(box, "shell", command="tail -1 project_freeze.md").content == "Ask Mara."
    assert call(box, "shell", command="wc project_freeze.md").content.startswith("5 ")
    assert call(box, "shell", command="find . -iname 'REF*'").content == "team/reference_board.md"
    assert call(box, "shell", command="pwd").content == "."
    assert not box.writes


def test_writing_changes_the_copy_only(stage: Stage, tmp_path: Path) -> None:
    box = Toolbox(stage)
    assert (
        call(
            box, "edit", path="project_freeze.md", old="2026-03-05", new="2026-03-06", reason="moved"
        ).content
        == "Done."
    )
    assert call(box, "write", path="user_role.md", content="text\n", reason="new").content == "Done."
    assert call(box, "delete", path="team/reference_board.md", reason="gone").content == "Deleted."
    changed = {o.path.rsplit("/", 1)[-1]: [str(r) for r in o.reasons] for o in stage.outcomes(box.reasons())}
    assert changed == {
        "project_freeze.md": ["moved"],
        "user_role.md": ["new"],
        "reference_board.md": ["gone"],
    }
    assert "2026-03-05" in (tmp_path / "memory/project_freeze.md").read_text()
    assert not (tmp_path / "memory/user_role.md").exists()


@pytest.mark.parametrize("name", ["read", "write", "edit", "delete", "list", "search"])
@pytest.mark.parametrize(
    "path",
    ["../outside.md", "/etc/passwd", "..", "team/../../outside.md", "team/..%2f..%2foutside.md", "%2e%2e/outside.md", "team\\..\\..\\outside.md", "~/x.md", "x\0.md", "C:/x.md", "\uff0e\uff0e/outside.md", ".//../outside.md", "file:///etc/passwd", "team/./../../outside.md"],
)  # fmt: skip
def test_paths_that_lead_out(name: str, path: str, stage: Stage, tmp_path: Path) -> None:
    box = Toolbox(stage)
    given = {"path": path, "pattern": "x", "content": "evil", "old": "SECRET", "new": "evil", "reason": ""}
    result = call(box, name, **given)
    assert result.error and "SECRET" not in result.content
    assert box.denied and not box.writes
    assert (tmp_path / "outside.md").read_text() == "TOP SECRET"


@pytest.mark.parametrize(
    "path", [".consolidate-lock", ".hidden.md", "a/.b/c.md", "x.txt", "x", "MEMORY.md/x.md", "@sessions/s.md"]
)
def test_what_may_not_be_written(path: str, stage: Stage) -> None:
    result = call(Toolbox(stage), "write", path=path, content="x", reason="")
    assert result.error


def test_links_planted_in_the_copy(stage: Stage, tmp_path: Path) -> None:
    os.symlink(tmp_path / "outside.md", os.path.join(stage.root, "planted.md"))
    os.symlink(tmp_path, os.path.join(stage.root, "way"))
    box = Toolbox(stage)
    for path in ("planted.md", "way/outside.md"):
        for name, more in (
            ("read", {}),
            ("write", {"content": "evil"}),
            ("edit", {"old": "SECRET", "new": "evil"}),
            ("delete", {}),
        ):
            assert call(box, name, path=path, reason="", **more).error
    assert "SECRET" not in call(box, "search", pattern="SECRET").content
    assert (tmp_path / "outside.md").read_text() == "TOP SECRET"


def test_edits_must_be_unambiguous(stage: Stage) -> None:
    box = Toolbox(stage)
    stage.write("twice.md", b"a a")
    assert "occurs 2 times" in call(box, "edit", path="twice.md", old="a", new="b", reason="").content
    assert "does not occur" in call(box, "edit", path="twice.md", old="c", new="b", reason="").content
    assert call(box, "edit", path="twice.md", old="", new="b", reason="").error
    assert "no file 'none.md'" in call(box, "edit", path="none.md", old="c", new="b", reason="").content
    assert call(box, "delete", path="none.md", reason="").error


def test_closed_tools_are_denied_not_removed(stage: Stage) -> None:
    box = Toolbox(stage)
    box.close(WRITES, "Denied: writing begins in the third step.")
    assert (
        call(box, "write", path="a.md", content="x", reason="").content
        == "Denied: writing begins in the third step."
    )
    box.open(WRITES)
    assert not call(box, "write", path="a.md", content="x", reason="").error


def test_the_job_reviews_each_write(stage: Stage) -> None:
    seen: list[Write] = []

    def review(write: Write) -> str | None:
        seen.append(write)
        return "Denied: no." if write.key == "bad.md" else None

    box = Toolbox(stage, review=review)
    evidence = [{"message": " m1 ", "quote": "q"}, {"message": 3}, "nonsense"]
    assert (
        call(box, "write", path="bad.md", content="x", reason="r", evidence=evidence).content == "Denied: no."
    )
    assert (seen[0].before, seen[0].after, seen[0].reason) == (None, "x", "r")
    assert [(q.message, q.quote) for q in seen[0].evidence] == [("m1", "q")]
    assert "bad.md" not in stage.files() and not box.writes


def test_outputs_are_bounded(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.write("giant.md", b"x" * 60_000)
    stage.write("long.md", b"line\n" * 100_000)
    box = Toolbox(stage)
    giant = call(box, "read", path="giant.md").content
    assert len(giant) < 20_200 and "characters left out" in giant
    assert call(box, "read", path="long.md").content.endswith("(99000 more lines)")
    assert call(box, "search", pattern="line").content.count("\n") == 100
    assert "at most 65536" in call(box, "write", path="a.md", content="y" * 70_000, reason="").content
    monkeypatch.setattr(toolbox_module, "MAX_OUTPUT", 30_000)
    assert [call(box, "read", path="giant.md").error for _ in range(3)] == [True, True, True]


def test_endless_calling_is_stopped(stage: Stage) -> None:
    box = Toolbox(stage)
    many = box.carry_out([ToolCall(f"t{n}", "list", {}) for n in range(60)])
    assert [r.error for r in many].count(True) == 10 and len(many) == 60
    results = [call(box, "list").error for _ in range(600)]
    assert results[0] is False and results[-1] is True


def test_a_slow_search_is_stopped(stage: Stage) -> None:
    ticks = iter(range(100_000))
    box = Toolbox(stage)
    box._files._clock = lambda: float(next(ticks))
    stage.write("long.md", b"nothing here\n" * 100)
    assert "took too long" in call(box, "search", pattern="x{3}").content


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
inputs = st.dictionaries(st.sampled_from(["path", "content", "old", "new", "reason", "pattern", "command", "offset", "limit", "evidence", "x"]), values | st.sampled_from(["MEMORY.md", "a.md", "../a.md", "@sessions", "@sessions/x", "."]))  # fmt: skip


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.sampled_from([*NAMES, "bash", ""]), inputs | values)
def test_any_input_gets_an_answer(stage: Stage, name: str, given: Any) -> None:
    box = Toolbox(stage)
    (result,) = box.carry_out([ToolCall("t", name, given)])
    json.dumps(result.block(), ensure_ascii=False).encode()
    assert all(not f.startswith(("/", "..")) for f in stage.files())


def test_cancelling_waits_for_the_running_step(stage: Stage) -> None:
    async def run() -> Toolbox:
        box = Toolbox(stage)
        task = asyncio.ensure_future(
            box.handle(
                [
                    ToolCall(f"t{n}", "write", {"path": f"n{n}.md", "content": "x", "reason": ""})
                    for n in range(50)
                ]
            )
        )
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return box

    box = asyncio.run(run())
    count = len(box.writes)
    assert len([f for f in stage.files() if f.startswith("n")]) == count


def session(path: Path) -> Path:
    said = [
        ("user", "Please keep the merge freeze until Thursday"),
        ("assistant", "I will."),
        ("user", [{"type": "tool_result", "tool_use_id": "t", "content": "freeze in a tool result"}]),
        ("user", "<system-reminder>freeze inserted</system-reminder>and the board is at https://x.example"),
    ]
    lines = [
        {"type": role, "message": {"role": role, "content": text}, "uuid": f"u{n}"}
        for n, (role, text) in enumerate(said)
    ]
    lines.append(
        {"type": "user", "isSidechain": True, "message": {"role": "user", "content": "freeze of a sub-agent"}}
    )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_transcripts_are_searched_never_read_whole(stage: Stage, tmp_path: Path) -> None:
    box = Toolbox(
        stage, Sessions({"s1": str(session(tmp_path / "s1.jsonl")), "gone": str(tmp_path / "gone.jsonl")})
    )
    assert call(box, "list", path="@sessions").content == "@sessions/s1\n@sessions/gone"
    found = call(box, "search", path="@sessions", pattern="freeze")
    assert found.content == "@sessions/s1 position 0 person: Please keep the merge freeze until Thursday"
    assert call(box, "read", path="@sessions/s1").error
    shown = call(box, "read", path="@sessions/s1", offset=0, limit=10).content
    assert (
        "agent: I will." in shown
        and "tool result" not in shown
        and "inserted" not in shown
        and "sub-agent" not in shown
    )
    assert call(box, "read", path="@sessions/../../etc/passwd", offset=0).error
    assert call(box, "search", path="@sessions/none", pattern="x").error
    assert call(box, "read", path="@sessions/gone", offset=0).error
    for name in ("write", "edit", "delete"):
        assert call(box, name, path="@sessions/s1", content="x", old="a", new="b", reason="").error


def test_the_allowance_for_transcripts_ends(stage: Stage, tmp_path: Path) -> None:
    box = Toolbox(stage, Sessions({"s1": str(session(tmp_path / "s1.jsonl"))}, left=60))
    assert len(call(box, "search", path="@sessions", pattern="freeze").content) == 60
    assert "enough of the transcripts" in call(box, "search", path="@sessions", pattern="freeze").content


def test_every_tool_is_a_read_or_a_write() -> None:
    assert set(NAMES) == READS | WRITES and not READS & WRITES
    assert all(t["input_schema"]["additionalProperties"] is False for t in TOOLS)
