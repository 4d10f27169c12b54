"""Reading a memory directory: what is memory, what is left out, what is read again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memdir.store.snapshot import MAX_DEPTH, MemoryStore, read_bytes, scan
from memdir.store.workspace import memory_root_of


def put(path: Path, text: str = "x\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def store(root: Path) -> MemoryStore:
    found = MemoryStore(str(root))
    found.refresh()
    return found


def test_markdown_files_of_all_folders_but_hidden_ones(tmp_path: Path) -> None:
    for name in ("MEMORY.md", "a.md", "team/b.md", "logs/2026/03/2026-03-01.md", ".git/c.md", "notes.txt"):
        put(tmp_path / name)
    assert set(store(tmp_path).directory.documents) == {
        "MEMORY.md",
        "a.md",
        "team/b.md",
        "logs/2026/03/2026-03-01.md",
    }


def test_scopes_and_kinds(tmp_path: Path) -> None:
    for name in ("MEMORY.md", "a.md", "team/MEMORY.md", "team/b.md", "logs/2026/03/2026-03-01.md"):
        put(tmp_path / name)
    found = {d.rel: (d.kind, d.scope) for d in store(tmp_path).directory}
    assert found == {
        "MEMORY.md": ("index", "private"),
        "a.md": ("topic", "private"),
        "team/MEMORY.md": ("index", "team"),
        "team/b.md": ("topic", "team"),
        "logs/2026/03/2026-03-01.md": ("log", "private"),
    }


def test_an_absent_directory_is_empty(tmp_path: Path) -> None:
    assert len(store(tmp_path / "none").directory) == 0


def test_links_out_are_reported_and_not_read_but_the_index_is(tmp_path: Path) -> None:
    outside = put(tmp_path / "outside.md", "secret\n")
    index = put(tmp_path / "index.md", "- [A](a.md)\n")
    root = tmp_path / "memory"
    put(root / "a.md")
    (root / "evil.md").symlink_to(outside)
    (root / "MEMORY.md").symlink_to(index)
    (root / "folder").symlink_to(tmp_path)
    (root / "inside.md").symlink_to(root / "a.md")
    (root / "loop").symlink_to(root)
    found = store(root)
    assert set(found.directory.documents) == {"a.md", "MEMORY.md", "inside.md"}
    assert set(found.escapes) == {"evil.md", "MEMORY.md", "folder"}


def test_special_files_are_never_opened(tmp_path: Path) -> None:
    put(tmp_path / "a.md")
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "folder.md").mkdir()
    assert set(store(tmp_path).directory.documents) == {"a.md"}


def test_depth_is_bounded(tmp_path: Path) -> None:
    put(tmp_path / "/".join(["d"] * (MAX_DEPTH + 1)) / "deep.md")
    put(tmp_path / "/".join(["d"] * MAX_DEPTH) / "kept.md")
    found = scan(str(tmp_path))
    assert [rel.rsplit("/", 1)[1] for rel in found.files] == ["kept.md"]
    assert len(found.skipped) == 1


def test_only_changed_files_are_read_again(tmp_path: Path) -> None:
    put(tmp_path / "a.md", "one\n")
    put(tmp_path / "b.md", "two\n")
    found = store(tmp_path)
    before = dict(found.directory.documents)
    put(tmp_path / "a.md", "changed\n")
    assert "a.md" in found.refresh()
    assert found.directory.documents["a.md"].text == "changed\n"
    assert found.directory.documents["b.md"] is before["b.md"]
    (tmp_path / "b.md").unlink()
    assert "b.md" in found.refresh()
    assert set(found.directory.documents) == {"a.md"}
    assert found.refresh() == frozenset()


def test_a_buffer_wins_over_the_disk_until_it_is_closed(tmp_path: Path) -> None:
    put(tmp_path / "a.md", "disk\n")
    found = store(tmp_path)
    found.open("a.md", "buffer\n")
    put(tmp_path / "a.md", "disk changed\n")
    found.refresh()
    assert found.directory.documents["a.md"].text == "buffer\n"
    found.close("a.md")
    assert found.directory.documents["a.md"].text == "disk changed\n"
    found.open("new.md", "unsaved\n")
    found.close("new.md")
    assert "new.md" not in found.directory


def test_unreadable_files_are_skipped_not_fatal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "a.md")
    put(tmp_path / "b.md")

    def refuse(path: str, limit: int = 0) -> bytes:
        if path.endswith("b.md"):
            raise PermissionError(13, "Permission denied", path)
        return read_bytes(path)

    monkeypatch.setattr("memdir.store.snapshot.read_bytes", refuse)
    found = store(tmp_path)
    assert set(found.directory.documents) == {"a.md"}
    assert found.skipped == {"b.md": "Permission denied"}


def test_large_files_are_read_in_pieces_up_to_the_limit(tmp_path: Path) -> None:
    path = put(tmp_path / "big.md", "x" * 100_000)
    assert len(read_bytes(str(path))) == 100_000
    assert len(read_bytes(str(path), 40_000)) <= 40_000 + 16_384


def test_the_root_of_a_path(tmp_path: Path) -> None:
    memory = tmp_path / "home/.claude/projects/-x/memory"
    put(memory / "a.md")
    put(memory / "team/MEMORY.md")
    assert memory_root_of(str(memory)) == str(memory)
    assert memory_root_of(str(memory / "a.md")) == str(memory)
    assert memory_root_of(str(memory / "team/MEMORY.md")) == str(memory)
    loose = tmp_path / "loose"
    put(loose / "MEMORY.md")
    put(loose / "team/MEMORY.md")
    assert memory_root_of(str(loose / "team")) == str(loose)
    repo = tmp_path / "repo"
    put(repo / "README.md")
    assert memory_root_of(str(repo)) is None
