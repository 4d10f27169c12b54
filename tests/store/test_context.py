"""The layers of instructions in the order in which the client loads them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memdir.core.context_layers import ContextLayer, find_imports, find_repeats, split_globs
from memdir.core.settings import DEFAULTS
from memdir.core.tokens import estimate_tokens
from memdir.store.context import context_layers
from memdir.store.environment import Environment
from memdir.store.locate import locate


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def world(tmp_path: Path, home: Path) -> tuple[Path, Environment]:
    root = Path(os.path.realpath(tmp_path))
    (root / "up/repo/.git").mkdir(parents=True)
    environment = Environment(dict(os.environ), str(home), str(root / "system"), "linux")
    return root, environment


def layers(world: tuple[Path, Environment], cwd: str = "up/repo") -> list[ContextLayer]:
    root, environment = world
    location = locate(str(root / cwd), environment)
    return context_layers(location, environment, DEFAULTS)


def test_every_layer_in_order(world: tuple[Path, Environment], home: Path) -> None:
    root, environment = world
    repo = root / "up/repo"
    write(root / "system/etc/claude-code/CLAUDE.md", "managed")
    write(home / ".claude/CLAUDE.md", "mine")
    write(home / ".claude/rules/style.md", "my rule")
    write(root / "up/CLAUDE.md", "above")
    write(repo / "CLAUDE.md", "project, see @docs/a.md and `@docs/code.md`")
    write(repo / "docs/a.md", "imported @b.md")
    write(repo / "docs/b.md", "second import")
    write(repo / "docs/code.md", "not imported")
    write(repo / ".claude/CLAUDE.md", "dot")
    write(repo / ".claude/rules/api.md", '---\npaths: ["src/**/*.py", "{a,b}/*.ts"]\n---\nscoped')
    write(repo / ".claude/rules/deep/all.md", "rule for all")
    write(repo / "CLAUDE.local.md", "local")
    write(repo / "src/app/CLAUDE.md", "nested")
    location = locate(str(repo), environment)
    write(Path(location.memory_dir) / "MEMORY.md", "- [A](a.md) — hook\n")
    found = layers(world, "up/repo/src/app")
    assert [(x.kind, x.text) for x in found] == [
        ("managed", "managed"),
        ("user", "mine"),
        ("user-rule", "my rule"),
        ("ancestor", "above"),
        ("project", "project, see @docs/a.md and `@docs/code.md`"),
        ("import", "imported @b.md"),
        ("import", "second import"),
        ("project-dot-claude", "dot"),
        ("rule", "scoped"),
        ("rule", "rule for all"),
        ("local", "local"),
        ("nested", "nested"),
        ("memory-index", "- [A](a.md) — hook"),
    ]
    second = found[6]
    assert second.chain == (str(repo / "CLAUDE.md"), str(repo / "docs/a.md"))
    scoped = found[8]
    assert (scoped.state, scoped.globs) == ("conditional", ("src/**/*.py", "{a,b}/*.ts"))


def test_imports_end_at_the_fifth_level_and_in_circles(world: tuple[Path, Environment]) -> None:
    repo = world[0] / "up/repo"
    write(repo / "CLAUDE.md", "@i1.md @gone.md")
    for n in range(1, 8):
        write(repo / f"i{n}.md", f"level {n} @i{n + 1}.md @CLAUDE.md")
    found = {
        os.path.basename(x.path): x for x in layers(world) if x.kind == "import" and x.why != "already-loaded"
    }
    assert found["i5.md"].state == "loaded"
    assert (found["i6.md"].state, found["i6.md"].why) == ("not-loaded", "too-deep")
    assert (found["gone.md"].state, found["gone.md"].why) == ("not-loaded", "missing")


def test_a_cut_index_and_a_switched_off_memory_say_so(world: tuple[Path, Environment]) -> None:
    root, environment = world
    location = locate(str(root / "up/repo"), environment)
    write(Path(location.memory_dir) / "MEMORY.md", "- x\n" * 250)
    (index,) = layers(world)
    assert (index.state, index.why, index.text.count("\n")) == ("cut", "line-limit", 199)
    off = Environment(
        {**environment.environ, "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"},
        environment.home,
        environment.system_root,
    )
    (index,) = layers((root, off))
    assert (index.state, index.why, index.text) == ("not-loaded", "memory-off", "")


def test_imports_are_paths_outside_code() -> None:
    text = "Ask @anna or mail a@b.com. See @docs/x.md, @~/y.md, @./z and\n```\n@no.md\n```\n`@no.md`"
    assert find_imports(text) == ["docs/x.md", "~/y.md", "./z"]


def test_repeats_ignore_marks_case_and_short_lines() -> None:
    a = ContextLayer("project", "/p/CLAUDE.md", "- Never push to main without review.\n## Tests")
    b = ContextLayer("memory-index", "/m/MEMORY.md", "* never push to  main without review.\n## Tests")
    (repeat,) = find_repeats([a, b])
    assert repeat.paths == ("/p/CLAUDE.md", "/m/MEMORY.md")


@pytest.mark.parametrize(
    ("value", "globs"),
    [
        ("src/**/*.ts", ["src/**/*.ts"]),
        ("[a/*.py, 'b/{c,d}.py']", ["a/*.py", "b/{c,d}.py"]),
        ("- a/*.py\n- b/*.py", ["a/*.py", "b/*.py"]),
        ("", []),
    ],
)
def test_globs(value: str, globs: list[str]) -> None:
    assert list(split_globs(value)) == globs


def test_token_estimate() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("a" * 40) == 10
    assert estimate_tokens("记忆") == 2
