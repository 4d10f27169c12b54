"""The doctor's judgement on facts alone: moved, split, colliding, phantom; and that a merge loses no text."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.changes import project
from memdir.core.doctor import Case, Identity, Place, Record, Repo, World, diagnose, named_path
from memdir.core.doctor_merge import merge_directories
from memdir.core.i18n import msg
from memdir.core.slug import slug

A, B = Identity("aaaa", "host/a"), Identity("bbbb", "host/b")


def place(
    name: str,
    *,
    memories: int = 2,
    cwds: tuple[str, ...] = (),
    later: tuple[str, ...] = (),
    modified: float = 0,
) -> Place:
    return Place(name, f"/cfg/projects/{name}/memory", memories, modified, cwds, later)


def world(
    *places: Place,
    repos: Mapping[str, Identity] | None = None,
    exists: tuple[str, ...] = (),
    records: Mapping[str, Record] | None = None,
    guesses: Mapping[str, tuple[str, ...]] | None = None,
    worktrees: Mapping[str, str] | None = None,
    owner_of: Mapping[str, str] | None = None,
    windows: bool = False,
) -> World:
    found = {p: Repo(p, i) for p, i in (repos or {}).items()}
    owners = {p: p for p in (*found, *exists)} | dict(owner_of or {})
    return World(places, found, owners, guesses or {}, worktrees or {}, records or {}, windows)


def judge(facts: World) -> list[Case]:
    return diagnose(facts, lambda owner: f"/cfg/projects/{slug(owner)}/memory")


def one(facts: World) -> Case:
    (case,) = judge(facts)
    return case


def test_healthy_directories_are_no_case() -> None:
    assert judge(world(place("-w-app", cwds=("/w/app",)), repos={"/w/app": A})) == []
    assert judge(world(place("-w-app", cwds=("/w/app/sub",)), owner_of={"/w/app/sub": "/w/app"})) == []
    assert judge(world(place("-w-app"), guesses={"-w-app": ("/w/app",)})) == [], (
        "no sessions, but the path exists"
    )
    assert judge(world(place("-w-app", memories=0, cwds=("/w/app",)), repos={"/w/app": A})) == []


def test_moved_by_identity() -> None:
    case = one(
        world(
            place("-old-app", cwds=("/old/app",)),
            repos={"/new/thing": A, "/x/y": B},
            records={"-old-app": Record("/old/app", A)},
        )
    )
    assert (case.kind, case.owner, case.target, case.certain) == (
        "moved",
        "/new/thing",
        "/cfg/projects/-new-thing/memory",
        True,
    )
    assert "the same first commit" in str(case.message)
    assert "/old/app" in str(case.message)


def test_moved_by_identity_without_sessions() -> None:
    case = one(world(place("-old-app"), repos={"/new/app": A}, records={"-old-app": Record("/old/app", A)}))
    assert (case.kind, case.owner, case.certain) == ("moved", "/new/app", True)


def test_the_same_remote_alone_is_not_certain() -> None:
    shallow = Identity("", "host/a")
    case = one(
        world(place("-old-app"), repos={"/new/other": shallow}, records={"-old-app": Record("/old/app", A)})
    )
    assert (case.kind, case.certain) == ("moved", False)
    case = one(
        world(place("-old-app"), repos={"/new/app": shallow}, records={"-old-app": Record("/old/app", A)})
    )
    assert (case.kind, case.certain) == ("moved", True), "the same remote and the same name"


def test_two_clones_are_not_guessed_between() -> None:
    case = one(
        world(place("-old-app"), repos={"/c1/x": A, "/c2/y": A}, records={"-old-app": Record("/old/app", A)})
    )
    assert (case.kind, case.target, case.certain) == ("orphaned", None, False)
    assert "/c1/x, /c2/y" in str(case.message)


def test_a_fork_with_another_remote_is_another_repository() -> None:
    case = one(
        world(
            place("-old-app"),
            repos={"/new/app": Identity("aaaa", "host/fork")},
            records={"-old-app": Record("/old/app", A)},
        )
    )
    assert case.kind == "orphaned"


def test_different_first_commits_are_never_the_same() -> None:
    facts = world(
        place("-old-app", cwds=("/old/app",), later=("/new/app",)),
        repos={"/new/app": B},
        records={"-old-app": Record("/old/app", A)},
    )
    assert one(facts).kind == "orphaned"


def test_moved_by_sessions() -> None:
    went_on = world(place("-old-app", cwds=("/old/app",), later=("/new/app",)), repos={"/new/app": A})
    assert (one(went_on).kind, one(went_on).owner, one(went_on).certain) == ("moved", "/new/app", True)
    taken_along = world(
        place("-old-app", cwds=("/old/app",)),
        place("-new-app", cwds=("/old/app/sub", "/new/app")),
        repos={"/new/app": A},
    )
    assert (one(taken_along).owner, one(taken_along).certain) == ("/new/app", True)
    renamed = world(place("-old-app", cwds=("/old/app",), later=("/new/else",)), repos={"/new/else": A})
    assert (one(renamed).kind, one(renamed).certain) == ("moved", False)


def test_the_same_name_alone_is_a_question() -> None:
    case = one(world(place("-old-app", cwds=("/old/app",)), repos={"/new/app": A, "/new/other": B}))
    assert (case.kind, case.owner, case.certain) == ("moved", "/new/app", False)


def test_orphaned() -> None:
    case = one(world(place("-old-app", cwds=("/old/app/src",)), repos={"/new/other": A}))
    assert (case.kind, case.target) == ("orphaned", None)
    assert "/old/app," in str(case.message)
    assert one(world(place("-who-knows"))).kind == "orphaned"


def test_underscore() -> None:
    case = one(
        world(
            place("-w-my_app", cwds=("/w/my_app",)),
            place("-w-my-app", cwds=("/w/my_app",)),
            repos={"/w/my_app": A},
        )
    )
    assert (case.kind, case.place.name, case.target, case.certain) == (
        "underscore",
        "-w-my_app",
        "/cfg/projects/-w-my-app/memory",
        True,
    )
    assert one(world(place("-w-my_app"), guesses={"-w-my_app": ("/w/my_app",)})).kind == "underscore"


def test_former_worktree_policy() -> None:
    exists = world(place("-w-tree", cwds=("/w/tree",)), repos={"/w/main": A}, owner_of={"/w/tree": "/w/main"})
    gone = world(
        place("-w-tree", cwds=("/w/tree/sub",)), repos={"/w/main": A}, worktrees={"/w/tree": "/w/main"}
    )
    no_sessions = world(place("-w-tree"), repos={"/w/main": A}, guesses={"-w-tree": ("/w/main",)})
    for facts in (exists, gone, no_sessions):
        case = one(facts)
        assert (case.kind, case.owner, case.target, case.certain) == (
            "worktree",
            "/w/main",
            "/cfg/projects/-w-main/memory",
            True,
        )


def test_letter_case() -> None:
    facts = world(
        place("c--src-app", modified=1), place("C--src-app", modified=2), place("D--x"), windows=False
    )
    case = one(facts)
    assert (case.kind, case.place.name, case.target, case.certain) == (
        "letter-case",
        "c--src-app",
        "/cfg/projects/C--src-app/memory",
        True,
    )
    preferred = world(
        place("c--src-app", modified=1),
        place("C--src-app", modified=2),
        repos={"c:\\src\\app": A},
        windows=True,
    )
    assert [c.place.name for c in judge(preferred) if c.kind == "letter-case"] == ["C--src-app"]


def test_windows_paths_are_judged_on_windows_only() -> None:
    assert judge(world(place("C--src-app"))) == []
    assert one(world(place("C--src-app", cwds=("C:\\src\\app\\x",)), windows=True)).kind == "orphaned"


def test_names_given_by_hand_are_nobodys_matter() -> None:
    assert judge(world(place("my-proj", cwds=("/w/app",)), repos={"/w/app": A})) == []
    assert judge(world(place("my-proj", cwds=("/gone/app",)))) == []


def test_collision() -> None:
    case = one(world(place("-w-a-b", cwds=("/w/a-b", "/w/a.b")), repos={"/w/a-b": A, "/w/a.b": B}))
    assert (case.kind, case.target, case.certain) == ("collision", None, False)
    assert "/w/a-b, /w/a.b share" in str(case.message)


def test_phantom() -> None:
    assert one(world(place("-nowhere", memories=0))).kind == "phantom"
    assert one(world(place("-gone", memories=0, cwds=("/gone",)))).kind == "phantom"
    assert (
        one(world(place("-w-my_app", memories=0, cwds=("/w/my_app",)), repos={"/w/my_app": A})).kind
        == "phantom"
    )


@pytest.mark.parametrize(
    ("name", "paths", "found"),
    [
        ("-a-b", ("/a/b/c/d",), "/a/b"),
        ("-a-b-c", ("/a/b-c/d", "/a/b/c"), "/a/b-c"),
        ("-a_b", ("/a_b/c",), "/a_b"),
        ("-x", ("/a",), None),
        ("-", ("/a",), "/"),
        ("C--a-b", ("C:\\a\\b\\c",), "C:\\a\\b"),
        ("-x", ("", "x"), None),
    ],
)
def test_named_path(name: str, paths: tuple[str, ...], found: str | None) -> None:
    assert named_path(name, paths) == found


def test_identity() -> None:
    assert Identity("a", "r").likeness(Identity("a", "r")) == 4
    assert Identity("a", "r").likeness(Identity("a")) == 4
    assert Identity("a", "r").likeness(Identity("a", "q")) == 0
    assert Identity("a", "r").likeness(Identity("b", "r")) == 0
    assert Identity("", "r").likeness(Identity("a", "r")) == 2
    assert Identity().likeness(Identity()) == 0


# -- merging ----------------------------------------------------------------------------------------------------------


def merged(source: Mapping[str, bytes], target: Mapping[str, bytes]) -> dict[str, bytes]:
    """All files after the merge, by absolute path."""
    change = merge_directories(
        source, target, lambda rel, t: f"/{'t' if t else 's'}/{rel}", title=msg("Move"), origin_name="old"
    )
    disk = {f"/s/{k}": v for k, v in source.items()} | {f"/t/{k}": v for k, v in target.items()}
    outcomes, clashes = project(change, disk.get)
    assert clashes == ()
    for outcome in outcomes:
        disk.pop(outcome.path, None)
        if outcome.after is not None:
            disk[outcome.path] = outcome.after
    return disk


def test_move_into_an_empty_directory() -> None:
    assert merged({"MEMORY.md": b"- [A](a.md)\n", "a.md": b"a", "team/b.md": b"b"}, {}) == {
        "/t/MEMORY.md": b"- [A](a.md)\n",
        "/t/a.md": b"a",
        "/t/team/b.md": b"b",
    }


def test_merge_keeps_both_texts() -> None:
    source = {
        "MEMORY.md": b"# Memory\n\n- [A](a.md) \xe2\x80\x94 old\n- [Same](same.md)\n- [C](./c.md#x)\n",
        "a.md": b"old a, see [c](c.md)",
        "c.md": b"c",
        "same.md": b"same",
        "logs/2026/03/2026-03-01.md": b"- 10:00 one\n- 11:00 two\n",
    }
    target = {
        "MEMORY.md": b"# Memory\n\n- [Same](same.md)",
        "a.md": b"new a",
        "A_2.md": b"taken",
        "same.md": b"same",
        "logs/2026/03/2026-03-01.md": b"- 10:00 one\n",
    }
    assert merged(source, target) == {
        "/t/MEMORY.md": b"# Memory\n\n- [Same](same.md)\n\n## old\n\n- [A](a_3.md) \xe2\x80\x94 old\n- [C](./c.md#x)\n",
        "/t/a.md": b"new a",
        "/t/A_2.md": b"taken",
        "/t/a_3.md": b"old a, see [c](c.md)",
        "/t/c.md": b"c",
        "/t/same.md": b"same",
        "/t/logs/2026/03/2026-03-01.md": b"- 10:00 one\n- 11:00 two\n",
        "/s/MEMORY.md.merged": source["MEMORY.md"],
        "/s/same.md.merged": b"same",
        "/s/logs/2026/03/2026-03-01.md.merged": source["logs/2026/03/2026-03-01.md"],
    }


def test_links_follow_a_renamed_memory() -> None:
    found = merged({"a.md": b"1", "b.md": b"see [a](a.md), [a](./a.md#h) and [x](xa.md)"}, {"a.md": b"2"})
    assert found["/t/b.md"] == b"see [a](a_2.md), [a](a_2.md#h) and [x](xa.md)"


def test_line_breaks_of_the_index_are_kept() -> None:
    found = merged({"MEMORY.md": b"- [X](x.md)\n"}, {"MEMORY.md": b"- [Y](y.md)\r\n"})
    assert found["/t/MEMORY.md"] == b"- [Y](y.md)\r\n\r\n## old\r\n\r\n- [X](x.md)\r\n"


NAMES = st.sampled_from(
    [
        "MEMORY.md",
        "a.md",
        "A.md",
        "a_2.md",
        "team/MEMORY.md",
        "team/a.md",
        "logs/2026/01/2026-01-01.md",
        "x",
        "MEMORY.md.merged",
    ]
)
FILES = st.dictionaries(
    NAMES, st.binary(max_size=12) | st.sampled_from([b"- [A](a.md)\n", b"one\ntwo\n", b"\xff\n"]), max_size=6
)


@given(FILES, FILES)
def test_no_text_is_lost(source: dict[str, bytes], target: dict[str, bytes]) -> None:
    after = merged(source, target)
    for rel, content in target.items():
        assert after[f"/t/{rel}"].startswith(content), "what was there stays, additions come after it"
    kept = [v for k, v in after.items() if k.removeprefix("/t/") not in target]
    for rel, content in source.items():
        linked = b"](" in content
        assert content in kept or linked or content in target.values(), rel
    assert not any(p.startswith("/s/") and not p.endswith(".merged") and p.endswith(".md") for p in after), (
        "the old directory is done"
    )
