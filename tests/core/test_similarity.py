"""Near duplicates: sketches, candidates, and how often two memories are really compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir.core import similarity
from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.instructions import Instructions
from memdir.core.shingles import MIN_SHINGLES, SKETCH, Likeness, compare, shingles, shingles_of, sketch_of
from memdir.core.similarity import SHARED, SimilarityIndex, finder_of, prepare, prepare_steps
from memdir.core.words import word_set

TEXT = (
    "Integration tests run against PostgreSQL in a container and never against mocks, because mocked tests passed while "
    "the migration failed on the staging cluster and nobody noticed until the release."
)


def memory(rel: str, body: str, description: str = "What it says") -> Document:
    return Document(f"/m/{rel}", rel, f"---\nname: {rel}\ndescription: {description}\n---\n{body}\n")


def test_the_same_words_in_other_type_are_the_same_text() -> None:
    assert shingles("Never “mock” the clock — ever") == shingles("never 'mock' the clock, EVER")


def test_numbers_count_as_one_word() -> None:
    assert shingles("release 4 of the tool") == shingles("release 17 of the tool")


def test_text_of_other_scripts_is_cut_by_character() -> None:
    assert len(shingles("集成测试必须使用真实数据库")) == 11


def test_sketch_is_the_smallest_hashes_whatever_way_it_is_computed() -> None:
    for size in (MIN_SHINGLES, 4 * SKETCH, 4 * SKETCH + 1, 200, 1000):
        found = set(map(hash, zip(range(size), range(size), range(size), strict=True)))
        assert sketch_of(found) == tuple(sorted(found)[:SKETCH])
    lopsided = set(range(500))  # no hash looks like this; all are near zero
    assert sketch_of(lopsided) == tuple(range(SKETCH))


def test_short_texts_have_no_sketch() -> None:
    assert sketch_of(shingles("too short to tell")) == ()
    assert SHARED <= MIN_SHINGLES


def test_a_hash_of_one_text_costs_no_set() -> None:
    index = SimilarityIndex()
    index.put("a", (1, 2, 3))
    index.put("b", (3, 4, 5))
    assert index._holders == {1: "a", 2: "a", 3: {"a", "b"}, 4: "b", 5: "b"}
    index.remove("a")
    assert index._holders == {3: {"b"}, 4: "b", 5: "b"}
    index.remove("b")
    assert index._holders == {}
    index.remove("b")


def test_candidates_share_enough_and_the_likeliest_come_first() -> None:
    index = SimilarityIndex()
    index.put("a", tuple(range(12)))
    index.put("far", (0, 1, *range(100, 110)))
    index.put("near", (*range(8), *range(200, 204)))
    index.put("some", (*range(3), *range(300, 309)))
    assert index.candidates("a") == ["near", "some"]
    index.remove("near")
    assert index.candidates("a") == ["some"]


def test_near_duplicates_are_found_from_both_sides_with_mirrored_differences() -> None:
    directory = Directory(
        "/m", [memory("a.md", TEXT + " See run 17."), memory("b.md", TEXT + " See run 23.")]
    )
    finder = prepare(directory)
    ((other, here),) = finder.like("a.md", 0.6)
    ((back, there),) = finder.like("b.md", 0.6)
    assert (other.rel, back.rel) == ("b.md", "a.md")
    assert here.score == there.score > 0.9
    assert (here.mine, here.theirs) == (("17",), ("23",)) == (there.theirs, there.mine)


def test_each_pair_is_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    real = similarity.likeness_of

    def counted(*args: Any) -> Likeness | None:
        calls.append(args)
        return real(*args)

    monkeypatch.setattr(similarity, "likeness_of", counted)
    documents = [memory(f"m{n}.md", f"{TEXT} It was case {n}.") for n in range(6)]
    finder = prepare(Directory("/m", documents))
    for document in documents:
        assert len(finder.like(document.rel, 0.6, limit=9)) == 5
    assert len(calls) == 15  # of 6 memories


def test_an_edit_is_compared_again(monkeypatch: pytest.MonkeyPatch) -> None:
    directory = Directory("/m", [memory("a.md", TEXT), memory("b.md", TEXT)])
    finder = prepare(directory)
    assert [d.rel for d, _ in finder.like("a.md", 0.6)] == ["b.md"]
    directory.put(memory("b.md", "Something else altogether, about the harbour and its tides in winter."))
    assert finder.like("a.md", 0.6) == []
    directory.put(memory("b.md", TEXT))
    assert [d.rel for d, _ in finder.like("a.md", 0.6)] == ["b.md"]
    assert finder.like("a.md", 1.1) == []  # the threshold is part of what is remembered


def test_the_steps_give_the_same_finder() -> None:
    documents = [memory(f"m{n}.md", f"{TEXT} It was case {n}.") for n in range(4)]
    one, two = Directory("/m", documents), Directory("/m", documents)
    prepare(one)
    assert finder_of(two) is None
    for _ in prepare_steps(two):
        pass
    first, second = finder_of(one), finder_of(two)
    assert first is not None
    assert second is not None
    for document in documents:
        assert first.like(document.rel, 0.5) == second.like(document.rel, 0.5)


def test_shingles_of_the_document_asked_about_last_are_kept() -> None:
    document = memory("a.md", TEXT)
    assert shingles_of(document) is shingles_of(document)


def test_compare_says_nothing_of_empty_text() -> None:
    assert compare("", TEXT).score == 0


WORDS = st.sampled_from(
    "always run the whole linter before a commit reaches the review tests never mock clock 12 3".split()
)


def passages() -> Iterator[st.SearchStrategy[str]]:
    yield st.lists(WORDS, min_size=3, max_size=24).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(statement=next(passages()), text=next(passages()), keep=st.integers(0, 24))
def test_the_look_at_words_never_hides_a_repeated_instruction(statement: str, text: str, keep: int) -> None:
    instructions = Instructions.of([("/CLAUDE.md", "- " + statement)])
    body = " ".join(statement.split()[:keep]) + " " + text
    if instructions.contained(shingles(body)):
        assert instructions.may_be_in(word_set(body))


def test_instructions_in_other_scripts_are_always_looked_at() -> None:
    instructions = Instructions.of([("/CLAUDE.md", "提交之前必须运行完整的检查")])
    assert instructions.may_be_in(word_set("anything"))
    assert instructions.repeated_in("提交之前必须运行完整的检查。")[0][1] == 1.0


def test_a_text_without_the_rare_words_is_not_looked_at() -> None:
    instructions = Instructions.of([("/CLAUDE.md", "Always run the whole linter before a commit.")])
    assert not instructions.may_be_in(word_set("The linter always runs."))
    assert instructions.may_be_in(word_set("Always run the whole linter before a commit, please."))
