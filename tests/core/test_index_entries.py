"""Entries in every shape seen in real indexes, and adding one in the shape that is there."""

from __future__ import annotations

import pytest

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.index import entries, resolve
from memdir.core.index_edit import additions, fits
from memdir.core.settings import DEFAULTS, Layer, merge
from memdir.core.text import apply_edits

ROOT = "/memory"


def index(text: str, rel: str = "MEMORY.md") -> Document:
    return Document(f"{ROOT}/{rel}", rel, text)


def memory(rel: str, name: str, description: str, type_: str = "feedback") -> Document:
    text = f"---\nname: {name}\ndescription: {description}\ntype: {type_}\n---\nx\n"
    return Document(f"{ROOT}/{rel}", rel, text)


@pytest.mark.parametrize(
    ("line", "title", "targets", "hook", "kind"),
    [
        ("- [Tests](t.md) — real database", "Tests", ["t.md"], "real database", "bullet"),
        ("- [Tests](t.md) - real database", "Tests", ["t.md"], "real database", "bullet"),
        ("- [Tests](t.md): real database", "Tests", ["t.md"], "real database", "bullet"),
        ("- [Tests](t.md) -- real database", "Tests", ["t.md"], "real database", "bullet"),
        ("- [Tests](t.md) / real database", "Tests", ["t.md"], "real database", "bullet"),
        ("- [Tests](t.md) real database", "Tests", ["t.md"], "real database", "bullet"),
        ("- [Tests](t.md)", "Tests", ["t.md"], "", "bullet"),
        ("- **[Tests](t.md)** — real database", "Tests", ["t.md"], "real database", "bullet"),
        ("- [**Tests**](t.md) — real database", "Tests", ["t.md"], "real database", "bullet"),
        ("* [Tests](./t.md)：真实数据库", "Tests", ["./t.md"], "真实数据库", "bullet"),
        ("3. [Tests](t.md) — real database", "Tests", ["t.md"], "real database", "bullet"),
        ("- [ ] [Tests](t.md) — real database", "Tests", ["t.md"], "real database", "bullet"),
        ("  - [Tests](t.md) — nested", "Tests", ["t.md"], "nested", "bullet"),
        ("[Tests](t.md) — real database", "Tests", ["t.md"], "real database", "line"),
        ("**[Tests](t.md)**: real database", "Tests", ["t.md"], "real database", "line"),
        ("- [Tests [old]](t.md) — x", "Tests [old]", ["t.md"], "x", "bullet"),
        ("- [Tests](<t one.md>) — x", "Tests", ["t one.md"], "x", "bullet"),
        ("- [Tests](t%20one.md) — x", "Tests", ["t one.md"], "x", "bullet"),
        ("- [Tests](t.md#part) — x", "Tests", ["t.md"], "x", "bullet"),
        ("- [Tests](t.md), [Mocks](m.md) — x", "Tests", ["t.md", "m.md"], "x", "bullet"),
        ("- feedback_t.md — real database", "feedback_t.md", ["feedback_t.md"], "real database", "bullet"),
        ("- `feedback_t.md` — real database", "feedback_t.md", ["feedback_t.md"], "real database", "bullet"),
        ("feedback_t.md: real database", "feedback_t.md", ["feedback_t.md"], "real database", "line"),
        ("- 反馈_测试.md — 真实数据库", "反馈_测试.md", ["反馈_测试.md"], "真实数据库", "bullet"),
    ],
)
def test_shapes(line: str, title: str, targets: list[str], hook: str, kind: str) -> None:
    document = index(f"# Memory\n\n{line}\n")
    (entry,) = entries(document)
    assert (entry.title, [t.path for t in entry.targets], entry.hook, entry.kind) == (
        title,
        targets,
        hook,
        kind,
    )
    assert entry.line == 2
    assert entry.section == "Memory"
    assert document.slice(entry.span) == line.strip()
    assert document.slice(entry.title_span).strip("*") == title


def test_table_rows() -> None:
    text = "| Memory | What |\n|---|---|\n| [Tests](t.md) | real database |\n| [Mocks](m.md) | never |\n"
    found = entries(index(text))
    assert [(e.kind, e.title, e.targets[0].path, e.hook) for e in found] == [
        ("table", "Tests", "t.md", "real database"),
        ("table", "Mocks", "m.md", "never"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "See [the tests](t.md) for more.\n",
        "```\n- [Tests](t.md)\n```\n",
        "<!-- - [Tests](t.md) -->\n",
        "## [Tests](t.md)\n",
        "- plain words\n",
        "https://x.dev/readme.md\n",
        "the file.mdx and a.mdy\n",
    ],
)
def test_no_entries(text: str) -> None:
    assert entries(index(text)) == ()


def test_external_targets_are_marked() -> None:
    (entry,) = entries(index("- [Board](https://x.dev/a.md) — x\n"))
    assert entry.targets[0].external


@pytest.mark.parametrize(
    ("rel", "target", "expected"),
    [
        ("MEMORY.md", "a.md", "a.md"),
        ("MEMORY.md", "./a.md", "a.md"),
        ("MEMORY.md", "sub/../a.md", "a.md"),
        ("MEMORY.md", "../a.md", None),
        ("MEMORY.md", "/a.md", None),
        ("MEMORY.md", "~/a.md", None),
        ("MEMORY.md", "C:/a.md", None),
        ("MEMORY.md", "C:a.md", None),
        ("MEMORY.md", "sub\\a.md", "sub/a.md"),
        ("team/MEMORY.md", "a.md", "team/a.md"),
        ("team/MEMORY.md", "../a.md", "a.md"),
        ("team/MEMORY.md", "../../a.md", None),
        ("MEMORY.md", "...md", "...md"),
    ],
)
def test_resolve(rel: str, target: str, expected: str | None) -> None:
    assert resolve(rel, target) == expected


def added(text: str, *new: Document, known: tuple[Document, ...] = (), rel: str = "MEMORY.md") -> str:
    document = index(text, rel)
    directory = Directory(ROOT, [document, *known, *new])
    edits = additions(directory, document, new, DEFAULTS)
    result = apply_edits(document.text, edits)
    after = Directory(ROOT, [index(result, rel), *known, *new])
    assert after.orphan_count == 0, result
    return result


NEW = memory("feedback_logs.md", "Logging", "Structured logs only")
OLD = memory("feedback_t.md", "Tests", "Real database")
PLAN = memory("project_p.md", "Plan", "The plan", "project")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "- [T](feedback_t.md) — x\n",
            "- [T](feedback_t.md) — x\n- [Logging](feedback_logs.md) — Structured logs only\n",
        ),
        (
            "- [T](feedback_t.md) — x",
            "- [T](feedback_t.md) — x\n- [Logging](feedback_logs.md) — Structured logs only",
        ),
        (
            "* [T](feedback_t.md): x\n",
            "* [T](feedback_t.md): x\n* [Logging](feedback_logs.md): Structured logs only\n",
        ),
        (
            "- **[T](feedback_t.md)** - x\n",
            "- **[T](feedback_t.md)** - x\n- **[Logging](feedback_logs.md)** - Structured logs only\n",
        ),
        (
            "1. [T](feedback_t.md) — x\n",
            "1. [T](feedback_t.md) — x\n2. [Logging](feedback_logs.md) — Structured logs only\n",
        ),
        ("- [T](feedback_t.md)\n", "- [T](feedback_t.md)\n- [Logging](feedback_logs.md)\n"),
        ("- feedback_t.md — x\n", "- feedback_t.md — x\n- feedback_logs.md — Structured logs only\n"),
        ("- `feedback_t.md`: x\n", "- `feedback_t.md`: x\n- `feedback_logs.md`: Structured logs only\n"),
        (
            "[T](feedback_t.md) — x\n",
            "[T](feedback_t.md) — x\n[Logging](feedback_logs.md) — Structured logs only\n",
        ),
        (
            "- [T](feedback_t.md) — x\n  more of x\n\nEnd.\n",
            "- [T](feedback_t.md) — x\n  more of x\n- [Logging](feedback_logs.md) — Structured logs only\n\nEnd.\n",
        ),
        (
            "- [T](feedback_t.md) — x\r\n",
            "- [T](feedback_t.md) — x\r\n- [Logging](feedback_logs.md) — Structured logs only\r\n",
        ),
        (
            "| Memory | What | Type |\n|---|---|---|\n| [T](feedback_t.md) | the database | feedback |\n",
            "| Memory | What | Type |\n|---|---|---|\n| [T](feedback_t.md) | the database | feedback |\n| [Logging](feedback_logs.md) | Structured logs only | feedback |\n",
        ),
        ("", "- [Logging](feedback_logs.md) — Structured logs only\n"),
        ("# Memory\n", "# Memory\n\n- [Logging](feedback_logs.md) — Structured logs only\n"),
        ("Prose", "Prose\n\n- [Logging](feedback_logs.md) — Structured logs only\n"),
    ],
)
def test_an_entry_takes_the_shape_of_the_index(text: str, expected: str) -> None:
    known = (OLD,) if "feedback_t.md" in text else ()
    assert added(text, NEW, known=known) == expected


def test_an_entry_goes_to_the_section_of_its_type() -> None:
    text = "## How\n- [T](feedback_t.md) — x\n\n## What\n- [Plan](project_p.md) — y\n"
    assert (
        added(text, NEW, known=(OLD, PLAN)).splitlines()[2]
        == "- [Logging](feedback_logs.md) — Structured logs only"
    )
    other = memory("project_q.md", "Queue", "PostgreSQL", "project")
    assert added(text, other, known=(OLD, PLAN)).splitlines()[-1] == "- [Queue](project_q.md) — PostgreSQL"


def test_several_entries_of_two_types() -> None:
    text = "## How\n- [T](feedback_t.md) — x\n\n## What\n- [Plan](project_p.md) — y\n"
    other = memory("project_q.md", "Queue", "PostgreSQL", "project")
    more = memory("feedback_u.md", "Units", "Metres only")
    lines = added(text, NEW, other, more, known=(OLD, PLAN)).splitlines()
    assert lines[2:4] == [
        "- [Logging](feedback_logs.md) — Structured logs only",
        "- [Units](feedback_u.md) — Metres only",
    ]
    assert lines[-1] == "- [Queue](project_q.md) — PostgreSQL"


def test_paths_of_the_team_index_and_odd_names() -> None:
    shared = memory("team/feedback_x y.md", "Two [old] reviewers", "Ask operations")
    assert (
        added("", shared, rel="team/MEMORY.md")
        == "- [Two \\[old\\] reviewers](<feedback_x y.md>) — Ask operations\n"
    )


def test_a_long_description_is_shortened() -> None:
    long = memory("feedback_l.md", "Long", "word " * 60)
    line = added("", long).rstrip("\n")
    assert len(line) <= DEFAULTS.entry_info
    assert line.endswith("…")


def test_fits_knows_both_limits() -> None:
    document = index("".join(f"- [T{i}](t{i}.md)\n" for i in range(199)))
    directory = Directory(ROOT, [document, NEW, OLD])
    assert fits(directory, document, additions(directory, document, [NEW], DEFAULTS), DEFAULTS)
    assert not fits(directory, document, additions(directory, document, [NEW, OLD], DEFAULTS), DEFAULTS)
    small = merge([Layer("editor", values={"index-size": 3380})])
    assert not fits(directory, document, additions(directory, document, [NEW], small), small)
