"""The driver: severities, exclusion, caps, faulty rules, and a result for any bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir.core import lint as driver
from memdir.core.document import Document
from memdir.core.i18n import msg, render
from memdir.core.lint import MAX_FINDINGS, active_rules, check_directory, check_document
from memdir.core.model import Finding, Severity, Span
from memdir.core.rule import Context, Rule
from memdir.core.rules import RULES
from memdir.core.settings import DEFAULTS, Layer, merge
from tests.rules.world import Repo, applied, lint, world

LONG = "- [A](a.md) — " + "word " * 40 + "\n"


def settings_of(**values: object):  # type: ignore[no-untyped-def]  # a test helper
    return merge([Layer("editor", values=values)])


def test_findings_come_in_order_of_position() -> None:
    found = lint(world({"a.md": "---\ntype: x\n---\n[b](gone.md) [[gone]]\u200b\n"}))
    assert [d.span.start for d in found] == sorted(d.span.start for d in found)
    assert {"type-unknown", "broken-link", "broken-wikilink", "invisible-characters"} <= {
        d.rule for d in found
    }


def test_a_finding_may_raise_its_severity_and_a_person_overrules_it() -> None:
    text = "- [A](a.md) — " + "x" * 150 + "\n" + LONG
    files = {"MEMORY.md": text, "a.md": "x"}
    by_itself = lint(world(files), "index-entry-too-long")
    assert [d.severity for d in by_itself] == [Severity.INFORMATION, Severity.WARNING]
    overruled = settings_of(severity={"index-entry-too-long": Severity.ERROR})
    assert {d.severity for d in lint(world(files, settings=overruled), "index-entry-too-long")} == {
        Severity.ERROR
    }
    off = settings_of(severity={"index-entry-too-long": None})
    assert lint(world(files, settings=off), "index-entry-too-long") == []


def test_select_ignore_and_exclude() -> None:
    files = {"a.md": "[b](gone.md)", "archive/b.md": "[b](gone.md)"}
    assert {d.rule for d in lint(world(files, settings=settings_of(select=("broken-link",))))} == {
        "broken-link"
    }
    assert "broken-link" not in {
        d.rule for d in lint(world(files, settings=settings_of(ignore=("broken-link",))))
    }
    kept = lint(world(files, settings=settings_of(exclude=("archive/**",))), "broken-link")
    assert [d.path for d in kept] == ["/memory/a.md"]


def test_rules_run_on_their_kinds_only() -> None:
    for kind in ("topic", "index", "log"):
        assert all(kind in rule.kinds for rule, _ in active_rules(DEFAULTS, kind))  # type: ignore[arg-type]  # literals
    assert active_rules(DEFAULTS, "topic") is active_rules(DEFAULTS, "topic")


def test_a_faulty_rule_is_named_and_hides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(document: Document, context: Context) -> Iterator[Finding]:
        yield Finding(Span(0, 1), msg("first"))
        raise RuntimeError("boom")

    faulty = replace(RULES[0], name="faulty", check=fails)
    monkeypatch.setattr(
        driver, "active_rules", lambda s, k: ((faulty, Severity.HINT), (RULES[0], Severity.WARNING))
    )
    context = world({"a.md": "text"})
    found = check_document(context.directory.documents["a.md"], context)
    assert [d.rule for d in found].count("internal-error") == 1
    assert any("faulty" in str(d.message) and "boom" in str(d.message) for d in found)
    assert {"faulty", "frontmatter-missing"} <= {d.rule for d in found}


def test_findings_of_one_rule_are_capped_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = Rule(
        "many",
        Severity.HINT,
        msg("Many."),
        msg("Many."),
        lambda d, c: (Finding(Span(0, 0), msg("x")) for _ in range(10_000)),
    )
    monkeypatch.setattr(driver, "active_rules", lambda s, k: ((rule, Severity.HINT),))
    context = world({"a.md": "text"})
    found = check_document(context.directory.documents["a.md"], context)
    assert len(found) == MAX_FINDINGS + 1
    assert any("More than 500" in str(d.message) for d in found)


def test_check_directory_gives_every_document() -> None:
    context = world({"MEMORY.md": "# M\n", "a.md": "x", "logs/2026/03/2026-03-10.md": "- 09:12 x\n"})
    assert [d.rel for d, _ in check_directory(context)] == ["MEMORY.md", "a.md", "logs/2026/03/2026-03-10.md"]
    only = [context.directory.documents["a.md"]]
    assert [d.rel for d, _ in check_directory(context, only)] == ["a.md"]


PIECES = st.lists(
    st.sampled_from(
        ["---\n", "name: x\n", "description: a b c\n", "description: a: b\n", "type: feedback\n", "metadata:\n  type: user\n", "# H\n", "text ", "\n", "\r\n",
         "[a](b.md)", "[a](gone.md)", "- [A](b.md) — x\n", "[[n]]", "`src/x.py:12`", "`src/gone.py`", "```\n", "<!-- memdir: ignore -->\n", "<!--", "\0", "\ufeff", "\u200b",
         "\U000e0041", "中文", "😀", "| a | b |\n|---|---|\n", "2026-01-01", "yesterday", "├── a\n", "modified: 2026-01-01\n", "- 1a2b3c4 x\n", "\t", "    ", "\\", "* "]
    ),
    max_size=20,
)  # fmt: skip
CONTENT = st.one_of(
    PIECES.map(lambda p: "".join(p).encode()),
    PIECES.map(lambda p: ("---\n" + "".join(p)).encode()),
    st.binary(max_size=80),
)


@settings(max_examples=120, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(
            [
                "MEMORY.md",
                "team/MEMORY.md",
                "b.md",
                "feedback_x.md",
                "team/c.md",
                "logs/2026/03/2026-03-01.md",
            ]
        ),
        CONTENT,
        min_size=1,
        max_size=4,
    )
)
def test_any_bytes_give_documents_and_diagnostics(files: dict[str, bytes]) -> None:
    context = world(files, repo=Repo({"src/x.py": (5, "2026-03-01")}), escapes={"linked.md": "/x"})
    for document in context.directory:
        assert document.content == files[document.rel]
    for diagnostic in lint(context):  # fails on an internal error
        document = context.directory.documents[diagnostic.path.removeprefix("/memory/")]
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(document.text)
        render(diagnostic.message, "zh-cn").encode()
        for fix in diagnostic.fixes:
            applied(context, fix)


def test_ten_megabytes_and_deep_nesting_take_bounded_time() -> None:
    import time

    head = "---\nname: a\ndescription: b c d e f\ntype: feedback\n---\n"
    for body in (
        "word word.\n" * 900_000,
        "[" * 1_000_000,
        "`a` " * 200_000,
        "- " * 200_000,
        "<!--" * 100_000,
    ):
        context = world({"feedback_a.md": head + body})
        document = context.directory.documents["feedback_a.md"]
        own = settings_of(
            ignore=("relative-date", "injected-instructions", "secret-in-memory")
        )  # measured by their own tests
        begin = time.process_time()
        check_document(document, replace(context, settings=own))
        assert time.process_time() - begin < 5


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        ("archive/**", ["archive/a.md", "archive/b/c.md"], ["a.md", "x/archive/a.md", "archive.md"]),
        ("archive/*", ["archive/a.md"], ["a.md", "b/archive/a.md"]),
        ("archive", ["archive/a.md", "x/archive/b.md", "archive"], ["archives/a.md", "a.md"]),
        ("archive/", ["archive/a.md", "x/archive/b.md"], ["a.md"]),
        ("*.draft.md", ["a.draft.md", "x/b.draft.md"], ["draft.md", "a.draft.md.md"]),
        ("sub/*.md", ["sub/a.md"], ["sub/x/a.md", "a.md"]),
        ("**/old_*.md", ["old_a.md", "x/y/old_b.md"], ["x/bold_a.md"]),
        ("a/**/b.md", ["a/b.md", "a/x/y/b.md"], ["b.md", "a/b.mdx"]),
        ("note?.md", ["note1.md", "x/noteä.md"], ["note12.md", "note.md"]),
        ("a+b.md", ["a+b.md"], ["aab.md"]),
    ],
)  # fmt: skip
def test_exclude_patterns(pattern: str, inside: list[str], outside: list[str]) -> None:
    wanted = settings_of(exclude=(pattern,))
    assert [driver.excluded(rel, wanted) for rel in inside] == [True] * len(inside)
    assert [driver.excluded(rel, wanted) for rel in outside] == [False] * len(outside)
