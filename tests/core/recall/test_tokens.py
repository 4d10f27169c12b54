"""Folding, stemming, bigrams and negation of the search terms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.recall.concepts import concept
from memdir.core.recall.stem import stem
from memdir.core.recall.tokens import bag, fold, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("never mock the DB", ["mock", "!mock", "db", "!db"]),
        ("Don't mock it, use Postgres", ["mock", "!mock", "postgr"]),
        ("deploy without downtime; announce it", ["deploi", "downtim", "!downtim", "announc"]),
        ("On-call rota", ["call", "oncall", "rota"]),
        ("PagerDuty", ["pager", "duti", "pagerduti"]),
        ("Python3, k8s and OAuth2", ["python", "python3", "k8s", "auth", "oauth2"]),
        ("C++ or C#, v2.1", ["c++", "c#", "2.1"]),
        ("rédigée en Français", ["redige", "francais"]),
        ("ＡＰＩ　ｋｅｙ", ["api", "key"]),
        ("Prüfungen werden nicht übersprungen", ["prufung", "ubersprung", "!ubersprung"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("text", "present", "absent"),
    [
        ("不要用模拟", ["模拟", "!模拟"], ["不要"]),
        ("不同版本", ["版本"], ["!版本"]),
        ("集成测试", ["集成", "成测", "测试"], []),
        ("本番では実行しない", ["本番", "実行", "!実行"], ["!本番"]),
        ("セッションのキャッシュ", ["セッション", "キャッシュ", "セッシ"], ["の"]),
        ("노트북에서 배포하지 않는다", ["노트", "트북", "배포", "!배포"], ["에서", "않는"]),
        ("데이터베이스를", ["데이", "이스"], ["스를"]),
        ("ฐานข้อมูล", ["ฐา"], []),
    ],
)
def test_scripts_without_blanks(text: str, present: list[str], absent: list[str]) -> None:
    found = terms(text)
    assert [t for t in present if t not in found] == []
    assert [t for t in absent if t in found] == []


@pytest.mark.parametrize(
    "family",
    [
        ("rewrite", "rewriting", "rewrites"),
        ("deploy", "deploys", "deployed", "deploying", "deployment", "deployments"),
        ("translate", "translation", "translated", "translations"),
        ("rotate", "rotation", "rotated"),
        ("refund", "refunds", "refunded"),
        ("policy", "policies"),
        ("log", "logging", "logged"),
        ("format", "formatter", "formatting"),
        ("störung", "störungen"),
        ("данные", "данными"),
    ],
)
def test_forms_of_a_word_share_a_stem(family: tuple[str, ...]) -> None:
    assert len({stem(fold(word)) for word in family}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("status", "state"),
        ("access", "acces"),
        ("bus", "bu"),
        ("user", "us"),
        ("string", "str"),
        ("need", "ne"),
    ],
)
def test_different_words_stay_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_concepts_cross_languages_and_negation_has_none() -> None:
    assert (
        concept(terms("deployment")[0])
        == concept(terms("发布")[0])
        == concept(terms("リリース")[0])
        is not None
    )
    assert concept("!deploi") is None
    assert concept(terms("monday")[0]) != concept(terms("friday")[0])


@given(st.text())
def test_any_text_gives_clean_terms(text: str) -> None:
    for term in terms(text):
        assert term
        assert not term[0].isspace()
    assert bag(text) >= set()


@given(st.text(alphabet=st.characters(codec="ascii")))
def test_case_never_matters_for_plain_words(text: str) -> None:
    if text.isalpha() and (text.islower() or text.istitle()):
        assert terms(text.lower()) == terms(text.upper()) or "n't" in text.lower()
