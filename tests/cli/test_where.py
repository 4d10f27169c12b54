"""`memdir where`: the JSON of the contract, the sentences, exit codes, languages, cost."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memdir.cli.env import CliEnv
from memdir.cli.main import run
from memdir.core.slug import slug
from tests.store.layouts import bare_repository, git, repository, session, write_json


def where(home: Path, cwd: Path, *args: str, **variables: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    env = CliEnv(
        environ={"HOME": str(home), **variables},
        cwd=str(cwd),
        stdin=io.StringIO(),
        stdout=out,
        stderr=err,
        system_root=str(home / "sys"),
    )
    return run(["where", *args], env), out.getvalue(), err.getvalue()


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return Path(os.path.realpath(tmp_path))


def test_json(base: Path, home: Path) -> None:
    repo = bare_repository(base / "repo")
    project = home / ".claude/projects" / slug(str(repo))
    (project / "memory").mkdir(parents=True)
    session(project, repo)
    write_json(repo / ".claude/settings.json", {"autoMemoryDirectory": "~/.ssh"})
    code, out, err = where(home, repo, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert list(found) == [
        "path", "owner", "slug", "memory_dir", "exists", "enabled", "enabled_by", "source", "considered", "transcript_dirs",
    ]  # fmt: skip
    considered = found.pop("considered")
    assert found == {
        "path": str(repo),
        "owner": str(repo),
        "slug": slug(str(repo)),
        "memory_dir": str(project / "memory"),
        "exists": True,
        "enabled": True,
        "enabled_by": "default",
        "source": "default",
        "transcript_dirs": [str(project)],
    }
    assert [(c["source"], c["value"], c["used"]) for c in considered] == [
        ("project-settings", "~/.ssh", False),
        ("default", str(project / "memory"), True),
    ]
    assert "allow-project-directory" in considered[0]["why"]
    assert all(list(c) == ["source", "value", "used", "why"] for c in considered)


def test_sentences(base: Path, home: Path) -> None:
    repository(base / "main")
    git("worktree", "add", "-q", "../wt", "-b", "f", cwd=base / "main")
    write_json(
        home / ".claude/settings.json", '{\n  "autoMemoryDirectory": "um",\n  "autoMemoryEnabled": false\n}\n'
    )
    code, out, _ = where(home, base / "wt", CLAUDE_CODE_REMOTE_MEMORY_DIR="/srv/rm")
    name = slug(str(base / "main"))
    user = home / ".claude/settings.json"
    assert code == 0
    assert out.splitlines() == [
        f"The memory of {base}/wt belongs in /srv/rm/projects/{name}/memory, which does not exist yet.",
        f"It belongs to {base}/main, the main checkout of the worktree {base}/wt.",
        "Decided by CLAUDE_CODE_REMOTE_MEMORY_DIR: it replaces the configuration directory for memory.",
        "Not used: user-settings = um, because it is not an absolute path.",
        f"Not used: default = {home}/.claude/projects/{name}/memory, because CLAUDE_CODE_REMOTE_MEMORY_DIR comes first.",
        f"Memory is off, decided by user-settings: {user} sets autoMemoryEnabled.",
        f"No sessions of this project were found in {home}/.claude/projects.",
        f"Problem in {user}, line 2: This memory directory is not used: it is not an absolute path.",
    ]


def test_braces_in_names(base: Path, home: Path) -> None:
    odd = base / "{odd} {{x}}"
    odd.mkdir()
    session(home / ".claude/projects" / slug(str(odd)), odd)
    _, out, _ = where(home, odd)
    assert str(odd) in out
    assert out.endswith(f"Its sessions are in:\n  {home}/.claude/projects/{slug(str(odd))}\n")


def test_path_argument(base: Path, home: Path) -> None:
    bare_repository(base / "repo")
    (base / "repo/sub").mkdir()
    (base / "repo/file").write_text("")
    for path in ("repo/sub", "repo/file", str(base / "repo")):
        _, out, _ = where(home, base, path, "--json")
        assert json.loads(out)["owner"] == str(base / "repo")
    code, out, err = where(home, base, "nowhere")
    assert (code, out) == (2, "")
    assert str(base / "nowhere") in err


def test_flags(base: Path, home: Path) -> None:
    code, out, _ = where(home, base, "--json", "--settings", '{"autoMemoryDirectory": "/srv/flag"}', "--bare")
    found = json.loads(out)
    assert (code, found["memory_dir"], found["source"]) == (0, "/srv/flag", "flag-settings")
    assert (found["enabled"], found["enabled_by"]) == (False, "--bare")
    assert json.loads(where(home, base, "--json", "--safe-mode")[1])["enabled_by"] == "--safe-mode"


def test_opt_in_by_the_person(base: Path, home: Path) -> None:
    repo = bare_repository(base / "repo")
    write_json(repo / ".claude/settings.json", {"autoMemoryDirectory": "/srv/theirs"})
    (repo / "memdir.toml").write_text(f"allow-project-directory = true\ntrusted = ['{base}']\n")
    assert json.loads(where(home, repo, "--json")[1])["source"] == "default"
    own = home / ".config/memdir/memdir.toml"
    own.parent.mkdir(parents=True)
    own.write_text(f"allow-project-directory = true\ntrusted = ['{base}']\n")
    assert json.loads(where(home, repo, "--json")[1])["memory_dir"] == "/srv/theirs"
    own.write_text("allow-project-directory = true\ntrusted = ['/srv']\n")
    assert json.loads(where(home, repo, "--json")[1])["source"] == "default"


def test_what_the_editor_knows_counts(base: Path, home: Path) -> None:
    """The editor's trust and opt-in, handed over to a command that it runs; no word from it changes nothing."""
    repo = bare_repository(base / "repo")
    write_json(repo / ".claude/settings.json", {"autoMemoryDirectory": "/srv/theirs"})
    both = {"MEMDIR_TRUSTED": "1", "MEMDIR_ALLOW_PROJECT_DIRECTORY": "1"}
    assert json.loads(where(home, repo, "--json", **both)[1])["memory_dir"] == "/srv/theirs"
    for name in both:
        for value in ("0", "yes", ""):
            assert json.loads(where(home, repo, "--json", **both | {name: value})[1])["source"] == "default"
    own = home / ".config/memdir/memdir.toml"
    own.parent.mkdir(parents=True)
    own.write_text(f"allow-project-directory = true\ntrusted = ['{base}']\n")
    assert json.loads(where(home, repo, "--json", MEMDIR_TRUSTED="0")[1])["source"] == "default"


def test_chinese(base: Path, home: Path) -> None:
    _, out, _ = where(home, base, LANG="zh_CN.UTF-8")
    assert "的记忆应在" in out
    assert "记忆已开启" in out
    _, out, _ = where(home, base, "--help", LANG="zh_CN.UTF-8")


def test_nothing_heavy_is_imported(base: Path, home: Path) -> None:
    code = (
        "import sys, io; from memdir.cli.main import run; from memdir.cli.env import CliEnv;"
        "run(['where'], CliEnv(stdout=io.StringIO()));"
        "print(sorted(m for m in ('yaml', 'pyromark', 'json', 'tomllib', 'memdir.core.settings', 'memdir.core.rules') if m in sys.modules))"
    )
    environ = {k: v for k, v in os.environ.items() if not k.startswith("CLAUDE")} | {"HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=base, env=environ, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
