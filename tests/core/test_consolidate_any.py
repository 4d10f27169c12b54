"""Consolidation of any directory: it settles, and no statement is lost."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from memdir.core.consolidate import consolidate
from memdir.core.document import Document
from memdir.core.preservation import losses
from tests.core.consolidation import LOG, LONG, ROOT, context_of, memory, result

WORDS = ["freeze", "queue", "Mara", "until Thursday", "2026-03-05", "tests", "[a](project_a.md)", "[[project_b]]", "https://x.example/y", "合并冻结", "because", "**Why:** x reason", "```\ncode\n```", "| a | b |\n|---|---|\n| 1 | 2 |", "\r\n", "\n\n", "# Head"]  # fmt: skip
bodies = st.lists(st.sampled_from(WORDS), min_size=0, max_size=12).map(" ".join)
names = st.sampled_from(
    [f"{t}_{x}" for t in ("project", "user") for x in "abc"] + ["odd name", "team/project_t"]
)


@st.composite
def directories(draw: Any) -> dict[str, str]:
    files: dict[str, str] = {}
    for name in draw(st.lists(names, max_size=6, unique=True)):
        body = draw(bodies)
        files[f"{name}.md"] = (
            body
            if draw(st.booleans()) and draw(st.booleans())
            else memory(draw(st.sampled_from(["A", "B", ": odd"])), body)
        )
    entries = draw(st.lists(st.sampled_from([f"- [T]({n}.md) — hook {n}" for n in ("project_a", "user_b", "gone")] + ["prose line", "", "## Section", f"- [Long](project_a.md) — {LONG} {LONG}", "| [t](user_a.md) | x |"]), max_size=12))  # fmt: skip
    if draw(st.booleans()):
        files["MEMORY.md"] = "\n".join(entries)
    if draw(st.booleans()):
        files["logs/2026/03/2026-03-09.md"] = LOG + draw(bodies)
    return files


@settings(max_examples=120, deadline=None)
@given(directories())
def test_any_directory_settles_and_loses_no_statement(files: dict[str, str]) -> None:
    context = context_of(files, index_lines=8)
    found = consolidate(context)
    after = result(context, found)
    assert {r: t for r, t in after.items() if r.startswith("logs/")} == {
        r: t for r, t in files.items() if r.startswith("logs/")
    }
    old = {d.rel: d for d in context.directory}
    merged = [rel[:-3] for rel in files if rel not in after]  # links to these lead elsewhere: no statement
    undated = [
        x
        for x in losses(old, {r: Document(f"{ROOT}/{r}", r, t) for r, t in after.items()}).gone
        if "Thursday" not in x.text and x.rel != "MEMORY.md"  # hooks of entries that go are shown to a person
        if not any(stem in x.text for stem in merged)
    ]
    assert not undated
    again = consolidate(context_of(after, index_lines=8))
    twice = result(context_of(after, index_lines=8), again)
    assert not consolidate(context_of(twice, index_lines=8)).outcomes
