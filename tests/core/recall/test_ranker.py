"""Order, abstention, incremental updates and speed of the lexical ranker."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir.core.recall import Fields, RecallIndex


def index(**descriptions: str) -> RecallIndex:
    found = RecallIndex()
    for rel, description in descriptions.items():
        found.update(rel, Fields(description=description))
    return found


FILLER = {f"f{n}": f"Colour {n} of the brand palette belongs to page {n}" for n in range(20)}


def rels(found: RecallIndex, query: str, **options: object) -> list[str]:
    return [hit.rel for hit in found.search(query, **options).hits]  # type: ignore[arg-type]  # options are search's own


def test_negation_decides_between_neighbours() -> None:
    found = index(
        **FILLER,
        rule="Integration tests never mock the database",
        other="Unit tests mock the database freely",
    )
    assert rels(found, "do not mock the database in tests")[0] == "rule"
    assert rels(found, "mock the database in tests")[0] == "other"
    assert set(rels(found, "mock the database in tests")) == {"rule", "other"}


def test_negation_decides_in_chinese_and_japanese() -> None:
    found = index(
        **FILLER,
        no="集成测试不要使用模拟数据库",
        yes="单元测试使用模拟数据库",
        nai="本番で移行を実行しない",
        ja="本番で移行を実行する",
    )
    assert rels(found, "不要模拟数据库")[0] == "no"
    assert rels(found, "模拟数据库")[0] == "yes"
    assert rels(found, "移行を実行しない")[0] == "nai"


def test_accents_case_and_word_forms_do_not_matter() -> None:
    found = index(**FILLER, fr="La procédure d'exécution est rédigée en français")
    assert rels(found, "PROCEDURE EXECUTION REDIGEE") == ["fr"]


def test_description_outweighs_body_and_body_still_counts() -> None:
    found = index(**FILLER)
    found.update(
        "body",
        Fields(
            name="Palette", description="Nothing of interest", body="The kangaroo release needs a signature."
        ),
    )
    found.update("desc", Fields(name="Kangaroo", description="The kangaroo release needs a signature"))
    assert rels(found, "kangaroo release signature")[0] == "desc"
    found.remove("desc")
    assert rels(found, "kangaroo release signature") == ["body"]
    assert found.explain("kangaroo release signature", "body")[-1] == (
        "body",
        ("kangaroo", "release", "signature"),
    )


def test_ties_go_to_the_newest_then_by_name() -> None:
    found = RecallIndex()
    for rel, modified in (("b", 5.0), ("a", 5.0), ("new", 9.0)):
        found.update(rel, Fields(description="Deploys wait for the green light", modified=modified))
    assert rels(found, "green light for deploys") == ["new", "a", "b"]


def test_synonym_finds_less_than_the_word_itself() -> None:
    found = index(**FILLER, word="Every deployment is announced", synonym="Every release is announced")
    hits = found.search("deployment announced").hits
    assert [h.rel for h in hits] == ["word", "synonym"]
    assert hits[0].score > hits[1].score


@pytest.mark.parametrize(
    "query",
    [
        "",
        "   ",
        "the of and",
        "thanks, looks good",
        "continue",
        "fix the function",
        "quantum chromodynamics lecture",
        "🎉",
        "…",
    ],
)
def test_nothing_helps_gives_nothing(query: str) -> None:
    found = index(
        **FILLER,
        rule="Integration tests never mock the database",
        fix="The tax office fixed the invoice format",
    )
    assert found.search(query).hits == ()


def test_long_prompt_is_not_answered_by_one_stray_word() -> None:
    found = index(
        **FILLER,
        kangaroo="The kangaroo release needs a signature",
        retry="Retries are capped at three in the importer",
    )
    prompt = (
        "Walk over the rows, build a dictionary keyed by region, sum the third column, keep the loop readable, add a doctest "
        * 3
    )
    assert rels(found, prompt + " and never mind the kangaroo") == []
    assert rels(found, prompt + " and cap the retries in the importer") == ["retry"]


def test_excluded_and_missed_ones_are_told_apart() -> None:
    found = index(
        **{f"d{n}": f"Deploys of service {n} are announced in the channel" for n in range(8)}, **FILLER
    )
    result = found.search("announced deploys", 3, exclude={"d0"}, extra=4)
    assert [h.rel for h in result.hits] == ["d1", "d2", "d3"]
    assert [(h.rel, h.verdict) for h in result.rest] == [
        ("d4", "limit"),
        ("d5", "limit"),
        ("d6", "limit"),
        ("d7", "limit"),
    ]
    assert rels(found, "announced deploys", only={"d6"}) == ["d6"]
    weak = found.search("announced deploys of the yellow submarine across the northern ocean", 3, extra=2)
    assert weak.hits == () and weak.rest[0].verdict == "weak"


def test_stuffing_a_description_with_words_gains_nothing() -> None:
    words = "deploy test database auth cache release mock user review token branch merge budget queue backup search email login "
    found = index(**FILLER, stuffed=words * 4, honest="Deploys to production wait for review")
    assert rels(found, "review before deploy to production")[0] == "honest"


_FIELDS = st.builds(
    Fields,
    name=st.sampled_from(["", "Deploys", "Mocks in tests", "数据库"]),
    description=st.sampled_from(
        ["never mock the database", "deploy on friday", "集成测试", "mock mail server in tests", ""]
    ),
    body=st.sampled_from(["", "friday database", "Text about deploys."]),
    modified=st.sampled_from([0.0, 1.0]),
)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.none() | _FIELDS), max_size=40))
def test_incremental_index_equals_a_fresh_one(steps: list[tuple[str, Fields | None]]) -> None:
    found, state = RecallIndex(), {}
    for rel, fields in steps:
        if fields is None:
            found.remove(rel)
            state.pop(rel, None)
        else:
            found.update(rel, fields)
            state[rel] = fields
    fresh = RecallIndex()
    for rel, fields in state.items():
        fresh.update(rel, fields)
    assert len(found) == len(fresh) == len(state)
    for query in ("do not mock the database", "friday deploys", "测试 数据库"):
        assert found.search(query, extra=5) == fresh.search(query, extra=5)


def test_many_updates_are_compacted() -> None:
    found = index(**FILLER)
    for n in range(1000):
        found.update("f0", Fields(description=f"Colour {n} of the brand palette", body=f"page {n}"))
    found.update("rule", Fields(description="Kangaroo crossing"))
    assert rels(found, "kangaroo crossing") == ["rule"]
    assert found.slots_in_use < 200
    for rel in FILLER:
        found.remove(rel)
    found.remove("rule")
    assert len(found) == 0 and found.search("kangaroo").hits == ()


@pytest.mark.parametrize(("size", "limit_ms"), [(200, 20.0), (10_000, 150.0)])
def test_speed_after_a_warm_start(size: int, limit_ms: float) -> None:
    random.seed(4)
    vocabulary = [
        f"{a}{b}"
        for a in ("depl", "mig", "rel", "sess", "tok", "inv", "pay", "sch", "qu", "cach")
        for b in ("a", "oy", "ate", "ease", "ion", "en", "oice", "ment", "ema", "eue")
        for _ in "x"
    ]
    found = RecallIndex()
    for n in range(size):
        found.update(
            f"m{n}.md",
            Fields(f"Memory {n}", " ".join(random.choices(vocabulary, k=14)), f"project_{n}", "project"),
        )
    queries = [" ".join(random.choices(vocabulary, k=k)) for k in (1, 3, 6, 30)]
    for query in queries:
        found.search(query)
    times = []
    for query in queries * 3:
        start = time.perf_counter()
        found.search(query)
        times.append((time.perf_counter() - start) * 1000)
    assert sorted(times)[len(times) // 2] < limit_ms


def test_explanation_shows_words_as_written() -> None:
    found = index(**FILLER)
    found.update(
        "a.md",
        Fields(name="Rollouts", description="Every Deployment is announced", stem="a", headings="测试环境"),
    )
    assert found.explain("announce deployments in the 测试 channel", "a.md") == (
        ("description", ("Deployment", "announced")),
        ("name", ("Rollouts",)),
        ("headings", ("测试",)),
    )
    assert found.explain("anything", "gone.md") == ()
