"""Descriptions judged by the texts they stand for."""

from __future__ import annotations

from memdir.core.document import Document
from memdir.core.recall.selftest import self_test
from tests.conftest import NOW

TOPICS = [
    "invoice numbering",
    "mobile release freeze",
    "search migration",
    "payment sandbox",
    "android scanner",
    "night jobs",
    "push certificate",
    "speech corpus",
    "railway client",
    "colour charts",
    "office network",
    "error texts",
    "commit size",
    "beta tenants",
]


def memory(rel: str, description: str, body: str) -> Document:
    return Document(
        f"/m/{rel}",
        rel,
        f"---\nname: {rel[:-3]}\ndescription: {description}\n---\n\n{body}\n",
        NOW.timestamp(),
    )


def good() -> list[Document]:
    return [
        memory(
            f"m{n}.md",
            f"What was decided about the {t}",
            f"The {t} was decided in spring with everybody present.",
        )
        for n, t in enumerate(TOPICS)
    ]


def test_descriptions_in_the_words_of_the_text_are_found() -> None:
    found = self_test(good())
    assert (found.queries, found.unfound) == (len(TOPICS), ())


def test_other_words_than_the_text_are_named() -> None:
    odd = memory(
        "odd.md", "Background for Kestrel", "Ledger exports leave the warehouse before midnight on Sundays."
    )
    assert self_test([*good(), odd]).unfound == ("odd.md",)


def test_a_description_that_fits_all_is_named() -> None:
    texts = [
        memory(
            f"g{n}.md",
            f"Zebra {n} lives in paddock {n}",
            f"Deploy rule {n}: production deploys need review before release.",
        )
        for n in range(16)
    ]
    catch_all = memory(
        "all.md",
        "Production deploys need review before release, deploy rules",
        "Marmalade, toast, breakfast and coffee for everybody.",
    )
    found = self_test([*texts, catch_all])
    assert found.greedy == ("all.md",)
    assert "all.md" in found.unfound


def test_too_little_to_judge_is_not_judged() -> None:
    assert (
        self_test(
            [
                memory("a.md", "", "A long sentence about several different things here."),
                memory("b.md", "Some words", "Short."),
            ]
        ).queries
        == 0
    )
