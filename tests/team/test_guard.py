"""Attacks on the three layers: each is refused, and nothing harmless is."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir.team import guard, inside
from memdir.team.guard import PathTraversalError

REFUSED = [
    "", "/", "/etc/passwd", "//server/share", "a//b.md", "a/", ".", "..", "../x.md", "a/../b.md", "a/./b.md", "./a.md",
    "a/..", "a\0.md", "a\n.md", "a\r.md", "a\x1b[0m.md", "a\x7f.md",
    "%2e%2e/x.md", "%2e%2e%2fx.md", "%252e%252e%252fx.md", "%25252e%25252e/x.md", "..%2fx.md", "a%2f..%2fb.md", "%2fetc",
    "a%00.md", "%c0%ae%c0%ae/x.md", "%u002e%u002e/x.md", "a%5cb.md", "%\uff12e%\uff12e/x.md", "%25%32%65%25%32%65/x.md", "a%2fb.md",
    "..\\x.md", "a\\b.md", "\\\\server\\share", "C:\\x.md", "C:/x.md", "c:x.md", "a.md:stream", "a:b/c.md",
    "\uff0e\uff0e/x.md", "a\uff0fb.md", "a\uff3cb.md", "\u2024\u2024/x.md", "\u2025/x.md", "a\u2026.md", "a\u2215b.md",
    "a\u2044b.md", "\ufe52\ufe52/x.md", "a\u29f8b.md", "a\uff1ab.md", "\uff05\uff12e.md", "a\u2105b.md",
    "a\u200b.md", "a\u202egpj.md", "a\u2066.md", "a\ufeff.md", "\U000e0041.md", "a\ud800.md", "a\u2028.md", "a\ue000.md",
    "CON", "con.md", "NUL.md", "nul", "Aux.txt.md", "com1.md", "LPT9.md", "com\u00b9.md", "conin$.md", "prn .md", "notes/aux.md",
    "a.", "a ", "a./b.md", "a /b.md", " a.md", "a.md ", "a\u00a0", "...", "a...",
    ".git/config", ".GIT/hooks/x", "a/.git/b.md", ".gitattributes", ".gitmodules", "git~1/config", "GIT~2.md/../x", ".g\u200cit/config",
    "~/x.md", "~root/x.md", "a*.md", "a?.md", 'a".md', "a<b.md", "a|b.md",
    "x" * 241, "é" * 121, "a/" * 13 + "b.md", "/".join(["d" * 200] * 6),
]  # fmt: skip

ACCEPTED = [
    "MEMORY.md", "project_auth.md", "a/b/c.md", "2026-03-05 decision.md", "100% done.md", "50%25.md", "日本語.md", "决定_数据库.md",
    "naïve.md", "Ünïcode/файл.md", "a..b.md", "x.tar.md", "console.md", "aux_notes.md", "com10.md", "notes (old).md", "c++.md",
    "a~b.md", "feedback_don't-mock.md", "gitlab.md", "x" * 237 + ".md", "한국어/메모.md", "emoji-🚀.md", "-rf.md", ".hidden.md",
]  # fmt: skip


@pytest.mark.parametrize("key", REFUSED, ids=ascii)
def test_attack_is_refused_by_every_layer(key: str, tmp_path: Path) -> None:
    for layer in (
        lambda: guard.check_key(key),
        lambda: guard.contained(str(tmp_path), key),
        lambda: guard.resolve(str(tmp_path), key),
        lambda: inside.open_inside(str(tmp_path), key),
    ):
        with pytest.raises(PathTraversalError) as caught:
            layer()
        assert str(caught.value).isprintable()  # the message itself must not carry the attack to a terminal


@pytest.mark.parametrize("key", ACCEPTED)
def test_harmless_name_passes(key: str, tmp_path: Path) -> None:
    assert guard.check_key(key) == tuple(key.split("/"))
    assert guard.resolve(str(tmp_path), key) == os.path.join(os.path.realpath(tmp_path), key)


def test_sibling_with_the_same_prefix_is_outside(tmp_path: Path) -> None:
    (tmp_path / "team").mkdir()
    (tmp_path / "team-evil").mkdir()
    (tmp_path / "team-evil" / "x.md").write_text("x")
    (tmp_path / "team" / "link").symlink_to(tmp_path / "team-evil")
    with pytest.raises(PathTraversalError, match="outside"):
        guard.resolve(str(tmp_path / "team"), "link/x.md")


@pytest.mark.parametrize("target", ["/etc", "..", "../outside", "nowhere", "loop", "/", "."])
def test_links_that_leave_dangle_or_loop_are_refused(target: str, tmp_path: Path) -> None:
    root = tmp_path / "team"
    root.mkdir()
    (tmp_path / "outside").mkdir()
    (root / "loop").symlink_to("loop2")
    (root / "loop2").symlink_to("loop")
    (root / "link").symlink_to(target)
    for key in ("link", "link/new.md", "link/a/b.md"):
        with pytest.raises(PathTraversalError):
            guard.resolve(str(root), key)


def test_chain_of_links_is_judged_by_where_it_ends(tmp_path: Path) -> None:
    root = tmp_path / "team"
    (root / "real").mkdir(parents=True)
    (root / "real" / "a.md").write_text("inside")
    (root / "one").symlink_to("two")
    (root / "two").symlink_to("real")
    assert inside.read_inside(str(root), "one/a.md", 100) == b"inside"
    (root / "two").unlink()
    (root / "two").symlink_to(tmp_path)
    with pytest.raises(PathTraversalError):
        guard.resolve(str(root), "one/a.md")


def test_file_in_place_of_a_folder_and_missing_root(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    with pytest.raises(PathTraversalError):
        guard.resolve(str(tmp_path), "a.md/b.md")
    with pytest.raises(PathTraversalError):
        guard.resolve(str(tmp_path / "none"), "a.md")


def test_kinds_of_file_that_are_no_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")  # would block a reader for ever
    (tmp_path / "dir.md").mkdir()
    for key in ("pipe.md", "dir.md"):
        with pytest.raises(PathTraversalError):
            inside.open_inside(str(tmp_path), key)
    with pytest.raises(FileNotFoundError):
        inside.open_inside(str(tmp_path), "none.md")


def test_link_planted_after_the_check_loses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "team"
    (root / "notes").mkdir(parents=True)
    (root / "notes" / "a.md").write_text("mine")
    (tmp_path / "evil").mkdir()
    (tmp_path / "evil" / "a.md").write_text("secret of somebody else")
    honest = guard.resolve

    def swap_folder(base: str, key: str) -> str:
        path = honest(base, key)
        (root / "notes").rename(root / "moved")
        (root / "notes").symlink_to(tmp_path / "evil")
        return path

    monkeypatch.setattr(guard, "resolve", swap_folder)
    with pytest.raises(PathTraversalError):
        inside.read_inside(str(root), "notes/a.md", 100)
    monkeypatch.setattr(guard, "resolve", honest)
    (root / "notes").unlink()
    (root / "moved").rename(root / "notes")

    def swap_file(base: str, key: str) -> str:
        path = honest(base, key)
        (root / "notes" / "a.md").unlink()
        (root / "notes" / "a.md").symlink_to(tmp_path / "evil" / "a.md")
        return path

    monkeypatch.setattr(guard, "resolve", swap_file)
    with pytest.raises(PathTraversalError):
        inside.read_inside(str(root), "notes/a.md", 100)


def test_race_of_a_swapping_folder_never_reads_outside(tmp_path: Path) -> None:
    root, evil = tmp_path / "team", tmp_path / "evil"
    (root / "n").mkdir(parents=True)
    (root / "n" / "a.md").write_text("mine")
    evil.mkdir()
    (evil / "a.md").write_text("theirs")
    stop = threading.Event()

    def attacker() -> None:
        while not stop.is_set():
            (root / "n").rename(root / "m")
            (root / "n").symlink_to(evil)
            (root / "n").unlink()
            (root / "m").rename(root / "n")

    thread = threading.Thread(target=attacker)
    thread.start()
    seen: set[str] = set()
    try:
        for _ in range(2000):
            try:
                seen.add(inside.read_inside(str(root), "n/a.md", 100).decode())
            except (PathTraversalError, FileNotFoundError):
                seen.add("refused")
    finally:
        stop.set()
        thread.join()
    assert "theirs" not in seen
    assert inside.read_inside(str(root), "n/a.md", 100) == b"mine"


def test_size_limit_and_listing(tmp_path: Path) -> None:
    (tmp_path / "big.md").write_bytes(b"x" * 11)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.md").write_text("a")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.md").write_text("no")
    (tmp_path / "notes.txt").write_text("no")
    (tmp_path / "link.md").symlink_to("big.md")
    with pytest.raises(inside.FileTooLargeError) as caught:
        inside.read_inside(str(tmp_path), "big.md", 10)
    assert caught.value.size == 11
    assert [f.key for f in inside.list_inside(str(tmp_path))] == ["big.md", "sub/a.md"]
    assert list(inside.list_inside(str(tmp_path / "none"))) == []


@pytest.mark.parametrize(
    "known, key",
    [
        (["Notes.md"], "notes.md"),
        (["stra\u00dfe.md"], "STRASSE.md"),
        (["caf\u00e9.md"], "cafe\u0301.md"),
        (["Notes/a.md"], "notes/b.md"),
        (["a.md"], "a.md/b.md"),
        (["a.md/b.md"], "A.md"),
        (["\uff21.md"], "a.md"),
        (["x/Y/a.md"], "X/y/b.md"),
    ],
)
def test_names_that_collide_somewhere(known: list[str], key: str) -> None:
    names = guard.Names(known)
    with pytest.raises(PathTraversalError):
        names.add(key)
    for same in known:
        names.add(same)  # the same key again is no collision


def test_names_that_live_together() -> None:
    names = guard.Names()
    for key in ("MEMORY.md", "notes/a.md", "notes/b.md", "notes.md", "b.md"):
        names.add(key)


_nasty = st.text(
    alphabet=st.one_of(st.sampled_from("./\\%~:2eEfFcC5\0 \u2024\uff0e\uff0f\u2215\u200b"), st.characters()),
    max_size=40,
)


@settings(max_examples=600, deadline=None)
@given(key=_nasty)
def test_what_passes_is_inside_for_every_key(key: str) -> None:
    root = "/srv/memory/team"
    try:
        parts = guard.check_key(key)
    except PathTraversalError:
        return
    path = guard.contained(root, key)
    assert path == os.path.join(root, *parts) and path.startswith(root + "/")
    # no way of decoding or normalising turns an accepted key into another place
    from unicodedata import normalize
    from urllib.parse import unquote

    seen = key
    for _ in range(6):
        for form in (seen, normalize("NFKC", seen), unquote(normalize("NFKC", seen))):
            for split in (form.split("/"), form.replace("\\", "/").split("/")):
                assert ".." not in split and "." not in split and "" not in split and "\0" not in form
        seen = unquote(seen)


@settings(max_examples=100, deadline=None)
@given(key=_nasty)
def test_resolve_agrees_with_the_disk(key: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.getbasetemp() / "prop"
    root.mkdir(exist_ok=True)
    try:
        path = guard.resolve(str(root), key)
    except PathTraversalError:
        return
    assert os.path.realpath(path) == path and path.startswith(os.path.realpath(root) + os.sep)
