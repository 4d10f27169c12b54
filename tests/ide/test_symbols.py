"""Symbols: the outline of a file, and memories found by name, file and type."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.ide.symbols import LIMIT, Symbol, document_symbols, search
from tests.ide.marks import World, memory


def outline(rel: str, text: str, **others: str) -> list[str]:
    """One line a symbol: indentation, kind, name, detail."""
    world = World({rel: text, **{n + ".md": t for n, t in others.items()}})
    document = world.directory.get(rel)
    assert document is not None
    return list(_rows(document_symbols(document, world.directory), 0))


def _rows(symbols: list[Symbol], depth: int) -> list[str]:
    found = []
    for s in symbols:
        found.append("  " * depth + f"{s.kind} {s.name}" + (f" | {s.detail}" if s.detail else ""))
        found += _rows(s.children, depth + 1)
    return found


def test_a_memory() -> None:
    text = (
        "---\nname: Berths\ndescription: Which ships go where\nmetadata:\n  type: project\n---\n"
        "# Rules\nIntro.\n\n**Why:** Small ships\nwaited.\n**How to apply**: Ask.\n\n"
        "## At `night`\n\n- **Light:** on\n\n# More\n\nTwo **bold** words, no label.\n**Bold only**\n"
    )
    assert outline("project_a.md", text) == [
        "header Berths | project",
        "  field name | Berths",
        "  field description | Which ships go where",
        "  field metadata.type | project",
        "section Rules",
        "  part Why | Small ships",
        "  part How to apply | Ask.",
        "  section At night",
        "    part Light | on",
        "section More",
    ]


def test_an_index() -> None:
    text = "- [Top](t.md) — above\n# Memory\n\n## Work\n- [A](a.md) — one\n- **[B](b.md)**\n\n## Rest\n- `c.md` — three\n"
    assert outline("MEMORY.md", text) == [
        "entry Top | above",
        "section Memory",
        "  section Work",
        "    entry A | one",
        "    entry B",
        "  section Rest",
        "    entry c.md | three",
    ]


def test_a_second_level_index_and_a_log() -> None:
    text = "- [A](a.md) — one\n- [B](b.md) — two\n"
    assert outline("archive.md", text) == ["entry A | one", "entry B | two"]
    log = "# 2026-03-10\n- 09:12 Started on **berths**\n  more\n- no time\n- 11:40: Freeze\n"
    assert outline("logs/2026/03/2026-03-10.md", log) == [
        "section 2026-03-10",
        "  event 09:12 | Started on berths",
        "  event 11:40 | Freeze",
    ]


def test_spans() -> None:
    text = "# One\nText.\n\n## Two\nMore.\n\n# Three\n"
    document = Document("/m/a.md", "a.md", text)
    one, three = document_symbols(document, Directory("/m", [document]))
    assert document.slice(one.span) == "# One\nText.\n\n## Two\nMore.\n\n"
    assert document.slice(one.name_span) == "# One"
    assert document.slice(one.children[0].span) == "## Two\nMore.\n\n"
    assert document.slice(three.span) == "# Three\n"
    part = "**Why:** Small\nships.\n\nOther.\n"
    document = Document("/m/a.md", "a.md", part)
    [why] = document_symbols(document, Directory("/m", [document]))
    assert document.slice(why.span) == "**Why:** Small\nships."


def test_odd_files() -> None:
    assert outline("a.md", "") == []
    assert outline("a.md", "#\n") == ["section "]
    assert outline("a.md", "```\n**Why:** in code\n# no heading\n```\n") == []
    assert outline("a.md", "---\nname: A\nname: B\n---\n")[0] == "header A"


@given(
    st.text(alphabet="-*_#`[]()ab. :：\n\r\t<>|1'é🌲", max_size=200),
    st.sampled_from(["MEMORY.md", "a.md", "logs/2026/03/2026-03-10.md"]),
)
def test_spans_of_any_text_are_nested(text: str, rel: str) -> None:
    document = Document(f"/m/{rel}", rel, text)

    def check(symbols: list[Symbol], start: int, end: int) -> None:
        for symbol in symbols:
            assert start <= symbol.span.start <= symbol.name_span.start
            assert symbol.name_span.end <= symbol.span.end <= end
            check(symbol.children, symbol.span.start, symbol.span.end)

    check(document_symbols(document, Directory("/m", [document])), 0, len(text))


def directory() -> Directory:
    files = {
        "feedback_real_db.md": memory("Real database in tests"),
        "project_freeze.md": memory("Merge freeze", type="project"),
        "user_role.md": memory("Role and background", type="user"),
        "reference_board.md": memory("Dashboards", type="reference"),
        "notes.md": "# Berth notes\n\nNo header.\n",
        "team/feedback_reviews.md": memory("Two reviewers"),
        "MEMORY.md": "- [A](feedback_real_db.md)\n",
    }
    return World(files).directory


def names(query: str) -> list[str]:
    return [f.name for f in search(query, directory().topics())]


def test_without_a_query_all_by_type() -> None:
    assert names("") == [
        "Real database in tests",
        "Two reviewers",
        "Merge freeze",
        "Role and background",
        "Dashboards",
        "Berth notes",
    ]


def test_by_name_file_and_type() -> None:
    assert names("real") == ["Real database in tests"]
    assert names("database") == ["Real database in tests"]
    assert names("rdt") == ["Real database in tests"]  # letters apart
    assert names("real_db") == [
        "Real database in tests (feedback_real_db)"
    ]  # editors filter by the name again
    assert names("project") == ["Merge freeze (project_freeze)"]
    assert names("freeze project") == ["Merge freeze (project_freeze)"]
    assert names("team") == ["Two reviewers (team)"]
    assert names("feedback review") == ["Two reviewers (feedback_reviews)"]
    assert names("feedback xyz") == []


def test_the_nearest_come_first() -> None:
    documents = [
        Document(f"/m/{stem}.md", f"{stem}.md", memory(name))
        for stem, name in (("a", "Tide tables"), ("b", "The tide"), ("tide", "Water"), ("d", "Two in detail"))
    ]
    found = [f.name for f in search("tide", documents)]
    assert found == ["Tide tables", "The tide", "Water (tide)", "Two in detail"]


def test_no_more_than_anybody_reads() -> None:
    documents = [Document(f"/m/{i}.md", f"{i}.md", memory(f"N{i}")) for i in range(LIMIT + 50)]
    assert len(search("n", documents)) == LIMIT
