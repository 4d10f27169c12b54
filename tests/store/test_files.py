"""Single files: bounded reads, whole writes, and where state lives."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import platformdirs
import pytest

from memdir.store import exchange as exchange_module
from memdir.store.errors import RefusedError
from memdir.store.exchange import exchange
from memdir.store.files import atomic_write, open_place, read_file, resolve_inside, retry_busy, stage
from memdir.store.state import private_dir, state_dir


def test_reads_are_capped_and_say_so(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"0123456789")
    found = read_file(str(path), cap=4)
    assert (found.content, found.size, found.truncated) == (b"0123", 10, True)
    assert read_file(str(path), cap=10).truncated is False
    assert read_file(str(path)).mtime_ns == path.stat().st_mtime_ns


def test_only_ordinary_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "link").symlink_to("file")
    for name in ("fifo", ".", "/dev/null"):
        with pytest.raises(RefusedError):
            read_file(os.path.join(tmp_path, name))
    assert read_file(str(tmp_path / "link")).content == b"x"
    with pytest.raises((RefusedError, OSError)):
        read_file(str(tmp_path / "link"), follow_links=False)


def test_atomic_write_keeps_mode_and_links(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"{}")
    path.chmod(0o600)
    (tmp_path / "link").symlink_to("settings.json")
    atomic_write(str(tmp_path / "link"), b'{"a": 1}')
    assert path.read_bytes() == b'{"a": 1}' and stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (tmp_path / "link").is_symlink() and len(list(tmp_path.iterdir())) == 2
    atomic_write(str(tmp_path / "new"), b"", mode=0o640)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def full(fd: int, data: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space"):
        atomic_write(str(path), b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old" and len(list(tmp_path.iterdir())) == 1


def test_long_names_are_written_too(tmp_path: Path) -> None:
    path = tmp_path / ("\u4e2d" * 84 + ".md")  # 255 bytes, the most that a name may have
    atomic_write(str(path), b"x")
    assert path.read_bytes() == b"x"


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("/a/b", "/a/b"),
        ("/a/bc/x", "/a/b"),
        ("/a/b/../x", "/a/b"),
        ("a/b", "/a"),
        ("/a\0/b", "/a"),
        ("/etc/passwd", "/"),
    ],
)
def test_what_is_not_inside(path: str, root: str) -> None:
    with pytest.raises(RefusedError):
        resolve_inside(path, [root])


def test_inside_after_links(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "root").symlink_to("real")
    assert resolve_inside(str(tmp_path / "root/x.md"), [str(tmp_path / "root")]) == (
        str(tmp_path / "real"),
        str(tmp_path / "real/x.md"),
    )


def test_a_new_file_never_replaces(tmp_path: Path) -> None:
    root = str(tmp_path)
    with open_place(root, f"{root}/a") as place:
        tmp = place.sibling("tmp")
        stage(tmp, b"mine")
        (tmp_path / "a").write_bytes(b"theirs")
        with pytest.raises(FileExistsError):
            tmp.move_new(place)
        place.unlink()
        tmp.move_new(place)
    assert (tmp_path / "a").read_bytes() == b"mine" and not (tmp_path / "tmp").exists()


def test_a_new_file_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*args: object, **kwargs: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", none)
    test_a_new_file_never_replaces(tmp_path)


def test_exchange_swaps_and_says_when_it_cannot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "b").write_bytes(b"b")
    with open_place(str(tmp_path), str(tmp_path / "a")) as place:
        assert exchange(place, place.sibling("b")) is True
        assert ((tmp_path / "a").read_bytes(), (tmp_path / "b").read_bytes()) == (b"b", b"a")
        with pytest.raises(FileNotFoundError):
            exchange(place, place.sibling("none"))
        monkeypatch.setattr(exchange_module, "_found", [None])
        assert exchange(place, place.sibling("b")) is False


def test_busy_files_are_tried_again_on_windows_only() -> None:
    calls: list[int] = []

    def busy() -> None:
        calls.append(1)
        if len(calls) < 3:
            raise PermissionError("in use")

    retry_busy(busy, platform="win32")
    assert len(calls) == 3
    calls.clear()
    with pytest.raises(PermissionError):
        retry_busy(busy, platform="linux")
    assert len(calls) == 1


def test_the_state_directory_is_where_platformdirs_puts_it(
    monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    assert state_dir(os.environ, home=str(home)) == platformdirs.user_state_dir("memdir", appauthor=False)
    monkeypatch.delenv("XDG_STATE_HOME")
    assert state_dir(os.environ, home=str(home)) == platformdirs.user_state_dir("memdir", appauthor=False)


@pytest.mark.parametrize(
    ("platform", "environ", "expected"),
    [
        ("linux", {}, "/h/.local/state/memdir"),
        ("linux", {"XDG_STATE_HOME": "relative"}, "/h/.local/state/memdir"),
        ("linux", {"XDG_STATE_HOME": "/x"}, "/x/memdir"),
        ("linux", {"XDG_STATE_HOME": "/x", "MEMDIR_STATE_DIR": "/own"}, "/own"),
        ("linux", {"MEMDIR_STATE_DIR": "own"}, "/h/.local/state/memdir"),
        ("darwin", {}, "/h/Library/Application Support/memdir"),
        ("darwin", {"XDG_STATE_HOME": "/x"}, "/x/memdir"),
        ("win32", {"LOCALAPPDATA": "C:\\L", "XDG_STATE_HOME": "/x"}, "C:\\L\\memdir"),
        ("win32", {}, "/h\\AppData\\Local\\memdir"),
    ],
)
def test_the_state_directory_by_platform(platform: str, environ: dict[str, str], expected: str) -> None:
    assert state_dir(environ, home="/h", platform=platform) == expected


def test_private_directories_are_made_closed_and_strange_ones_refused(tmp_path: Path) -> None:
    path = tmp_path / "a/b"
    assert private_dir(str(path)) == str(path)
    assert [stat.S_IMODE(p.stat().st_mode) for p in (path, path.parent)] == [0o700, 0o700]
    path.chmod(0o755)
    private_dir(str(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o755  # a person's own choice
    path.chmod(0o1777)
    with pytest.raises(RefusedError):
        private_dir(str(path))
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(RefusedError):
        private_dir(str(tmp_path / "file"))
    if os.geteuid() == 0:
        path.chmod(0o700)
        os.chown(path, 12345, 12345)
        with pytest.raises(RefusedError):
            private_dir(str(path))
