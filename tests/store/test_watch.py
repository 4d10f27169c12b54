"""The watcher on a real file system: what is reported, and what is not."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from memdir.store.watch import Wanted, Watcher, directories_for

DEADLINE = 60.0


class Heard:
    def __init__(self) -> None:
        self.paths: list[str] = []
        self.changed = asyncio.Event()

    def __call__(self, paths: frozenset[str]) -> None:
        self.paths += sorted(paths)
        self.changed.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), DEADLINE)

    async def path(self, path: Path) -> None:
        await self.until(lambda: str(path) in self.paths)


@asynccontextmanager
async def watching(trees: list[Path], files: list[Path] = []) -> AsyncIterator[tuple[Watcher, Heard]]:  # noqa: B006
    heard = Heard()
    watcher = Watcher(heard)
    watcher.watch([str(t) for t in trees], [str(f) for f in files])
    task = asyncio.create_task(watcher.run())
    try:
        await heard.until(lambda: {str(p) for p in (*trees, *files)} <= set(heard.paths))
        heard.paths.clear()
        yield watcher, heard
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_everything_is_reported_once_when_the_watch_begins(tmp_path: Path) -> None:
    async with watching([tmp_path / "memory"], [tmp_path / "settings.json"]) as (_, heard):
        assert heard.paths == []


async def test_files_of_a_tree(tmp_path: Path) -> None:
    tree = tmp_path / "p" / "memory"
    tree.mkdir(parents=True)
    async with watching([tree]) as (_, heard):
        (tree / "a.md").write_text("one")
        await heard.path(tree / "a.md")
        heard.paths.clear()
        (tree / "b.tmp").write_text("two")
        (tree / "b.tmp").replace(tree / "a.md")  # as editors and agents write
        await heard.path(tree / "a.md")
        heard.paths.clear()
        (tree / "a.md").unlink()
        await heard.path(tree / "a.md")
        assert set(heard.paths) == {str(tree / "a.md")}


async def test_sessions_beside_the_memory_cost_nothing(tmp_path: Path) -> None:
    tree = tmp_path / "p" / "memory"
    tree.mkdir(parents=True)
    async with watching([tree]) as (_, heard):
        for i in range(20):
            (tmp_path / "p" / f"{i}.jsonl").write_text("{}")
        (tree / ".consolidate-lock").write_text("1")
        (tree / "x.tmp").write_text("1")
        (tree / "a.md").write_text("sign")
        await heard.path(tree / "a.md")
        assert set(heard.paths) == {str(tree / "a.md")}


async def test_new_folders_are_followed_and_missed_files_found(tmp_path: Path) -> None:
    tree = tmp_path / "memory"
    tree.mkdir()
    async with watching([tree]) as (_, heard):
        day = tree / "logs" / "2026" / "03"
        day.mkdir(parents=True)
        (day / "2026-03-11.md").write_text("- x")
        await heard.until(lambda: str(tree) in heard.paths or str(day / "2026-03-11.md") in heard.paths)
        await heard.until(lambda: str(tree) in heard.paths)  # the last word on the new folders: look again
        await asyncio.sleep(0)
        heard.paths.clear()
        for i in range(200):  # sooner or later the deepest folder is watched, too
            (day / "2026-03-12.md").write_text(f"- {i}")
            try:
                await asyncio.wait_for(heard.path(day / "2026-03-12.md"), 0.1)
                break
            except TimeoutError:
                continue
        assert str(day / "2026-03-12.md") in heard.paths


async def test_a_tree_that_appears_goes_and_comes_back(tmp_path: Path) -> None:
    tree = tmp_path / "projects" / "-repo" / "memory"
    async with watching([tree]) as (_, heard):
        for _ in range(3):
            tree.mkdir(parents=True)
            (tree / "a.md").write_text("x")
            await heard.until(lambda: str(tree) in heard.paths)
            heard.paths.clear()
            shutil.rmtree(tmp_path / "projects")
            await heard.until(lambda: any(str(tree).startswith(p) for p in heard.paths))
            await heard.until(lambda: not tree.exists())
            heard.paths.clear()


async def test_single_files_and_a_changed_wish(tmp_path: Path) -> None:
    settings = tmp_path / ".config" / "memdir" / "memdir.toml"
    tree = tmp_path / "memory"
    tree.mkdir()
    async with watching([], [settings]) as (watcher, heard):
        settings.parent.mkdir(parents=True)
        settings.write_text("a")
        await heard.path(settings)
        heard.paths.clear()
        (settings.parent / "other.toml").write_text("b")
        settings.write_text("c")
        await heard.path(settings)
        assert str(settings.parent / "other.toml") not in heard.paths
        heard.paths.clear()
        watcher.watch([str(tree)])
        await heard.path(tree)
        (tree / "a.md").write_text("x")
        await heard.path(tree / "a.md")


def test_directories_for_what_is_and_is_not_there(tmp_path: Path) -> None:
    tree = tmp_path / "memory"
    (tree / "team" / ".git").mkdir(parents=True)
    (tree / "loop").symlink_to(tree)
    wanted = Wanted(
        frozenset({str(tree), str(tmp_path / "no" / "such")}), frozenset({str(tmp_path / "x" / "y.toml")})
    )
    assert set(directories_for(wanted)) == {str(tmp_path), str(tree), str(tree / "team")}
