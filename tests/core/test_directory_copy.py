"""A copy of a directory answers like one built anew, and goes its own way."""

from __future__ import annotations

from memdir.core.directory import Directory
from memdir.core.document import Document


def doc(rel: str, text: str) -> Document:
    return Document(f"/m/{rel}", rel, text)


FILES = {
    "MEMORY.md": "- [A](a.md) — a\n",
    "a.md": "---\nname: Alpha\n---\n[[beta]] [x](b.md)\n",
    "b.md": "---\nname: Beta\n---\n",
}


def test_a_copy_knows_the_same_and_changes_alone() -> None:
    original = Directory("/m", [doc(r, t) for r, t in FILES.items()], orphan_group=1)
    assert [d.rel for d in original.orphans()] == ["b.md"]
    twin = original.copy()
    assert twin.orphan_group == 1
    assert [d.rel for d in twin.orphans()] == ["b.md"]
    assert [d.rel for d in twin.cited_by("b.md")] == ["a.md"]
    assert twin.put(doc("MEMORY.md", "- [A](a.md)\n- [B](b.md)\n")) >= {"b.md"}
    twin.put(doc("c.md", "---\nname: Beta\n---\n[[alpha]]\n"))
    assert twin.orphans() == [twin.get("c.md")]
    assert [d.rel for d in twin.named("beta")] == ["b.md", "c.md"]
    assert [d.rel for d in original.orphans()] == ["b.md"]
    assert [d.rel for d in original.named("beta")] == ["b.md"]
    assert original.cited_by("a.md") == [original.get("MEMORY.md")]
