"""Signals in what a person says: labelled sentences in several languages, and what must not count."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.agent.signals import SignalKind, find_signals

DAY = date(2026, 3, 11)

YES: list[tuple[SignalKind, str]] = [
    ("correction", "No, not like that."), ("correction", "No. Use the real database."), ("correction", "don't use mocks in these tests"), ("correction", "Please stop adding comments to every line."),
    ("correction", "From now on ask before you push."), ("correction", "That's wrong, the port is 8080."), ("correction", "Next time run the linter first."), ("correction", "I told you not to touch main."),
    ("correction", "Always run the tests before committing."), ("correction", "不对，应该用真实数据库。"), ("correction", "以后提交前先跑测试"), ("correction", "别再用 mock 了"), ("correction", "違います、PostgreSQLを使ってください"),
    ("correction", "次から先にテストを実行してください"), ("correction", "아니, 그렇게 하지 마세요"), ("correction", "Nein, bitte keine Mocks."), ("correction", "Ab jetzt erst fragen, dann pushen."), ("correction", "Non, pas comme ça."),
    ("correction", "À partir de maintenant, lance les tests d'abord."), ("correction", "No, así no."), ("correction", "A partir de ahora usa tabuladores."), ("correction", "Não, assim não."), ("correction", "Нет, не надо так делать."),
    ("confirmation", "Yes, exactly like that."), ("confirmation", "Perfect, keep doing that."), ("confirmation", "I really like how you split the commits."), ("confirmation", "对，就这样做"), ("confirmation", "以后都这样"), ("confirmation", "その通り、そのまま続けて"),
    ("confirmation", "Genau so, weiter so."), ("confirmation", "Oui, exactement comme ça."), ("confirmation", "Sí, exactamente así."), ("confirmation", "Да, именно так."), ("confirmation", "Sim, exatamente assim."), ("confirmation", "바로 그거예요, 그대로 계속해 주세요"),
    ("remember", "Remember that Mara owns the release."), ("remember", "Please keep in mind: the licence ends in June."), ("remember", "Don't forget to ask Tom first."), ("remember", "记住：合并前要问 Mara"), ("remember", "请记一下这个决定"),
    ("remember", "このルールを覚えておいてください"), ("remember", "이 규칙을 기억해 주세요"), ("remember", "Merk dir, dass Mara das Release macht."), ("remember", "N'oublie pas que Mara gère la livraison."), ("remember", "Recuerda que Mara lleva el lanzamiento."),
    ("remember", "Запомни, что релиз ведёт Мара."), ("remember", "Lembre-se de que a Mara cuida do lançamento."), ("remember", "note this down for later sessions"),
    ("deadline", "The merge freeze starts on 2026-03-20."), ("deadline", "We have to ship this by next Friday."), ("deadline", "Merging is frozen until Thursday"), ("deadline", "周四之前必须发布"), ("deadline", "金曜日までにリリースします"),
    ("deadline", "Der Freeze gilt bis nächsten Freitag."), ("deadline", "La livraison est prévue avant vendredi prochain."), ("deadline", "El lanzamiento vence el 2026-04-01."),
    ("place", "The latency board is https://grafana.example.com/d/abc and on-call watches it."), ("place", "Bugs are tracked in https://linear.app/acme/project/tide"), ("place", "看板在 https://kanban.example.com/x，先看那里"), ("place", "see https://acme.atlassian.net/wiki/x"),
    ("place", "Which dashboard do you mean, https://grafana.example.com/d/abc?"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text"), YES)
def test_signals(kind: SignalKind, text: str) -> None:
    found = find_signals(text, DAY)
    assert [(s.kind, s.quote) for s in found] == [(kind, text)]


@pytest.mark.parametrize(
    "text",
    [
        "Add a test for the parser.", "Can you fix the import?", "Do you remember the name of that file?", "I don't remember why we did that.", "No idea why this fails, please look.", "Nobody uses this function.",
        "What is the deadline?", "The date parser should handle Thursday.", "run `git push --no-verify`", "thanks", "ok", "yes", "Yes please.", "perfect", "Now rename it to foo.", "Use the existing helper.", "It stops when the queue is empty.",
        "```\nremember that this is code\n```", "> remember that this is quoted", "2026-03-05 10:11:12 ERROR deadline by Thursday", "Traceback (most recent call last):", "at remember (file.js:3)", "see https://docs.python.org/3/library/re.html",
        "你记得那个文件吗？", "继续", "好的", "mal sehen, was der Test sagt", "Non-empty lists only in this function.", "Stopping criteria are in the config.", "We released it yesterday.", "release notes were written last week",
        "The function returns None until the cache is warm.", "今天天气不错", "这个函数是做什么的？", "Notes are in the folder.", "noted, go on", "Remember?", "+ remember that in a diff", "| remember | table |",
    ],
)  # fmt: skip
def test_no_signals(text: str) -> None:
    assert find_signals(text, DAY) == []


def test_each_sentence_once_and_four_at_most() -> None:
    text = (
        "Remember that A is B. Remember that A is B. "
        + " ".join(f"Don't use tool{n}." for n in range(9))
        + " Remember that C is D."
    )
    found = find_signals(text, DAY)
    assert [s.kind for s in found] == ["remember", "correction", "correction", "remember"]
    assert [s.type for s in found] == ["project", "feedback", "feedback", "project"]


@given(st.text(max_size=400))
def test_total_and_quoted_exactly(text: str) -> None:
    for signal in find_signals(text, DAY):
        assert signal.quote in text


def test_hostile_lengths_are_quick() -> None:
    import time

    start = time.process_time()
    for text in (
        "no " * 4000,
        "a." * 8000,
        "```" * 3000,
        "remember" * 3000,
        "https://" * 2000,
        "不要" * 5000,
        " \t" * 9000,
    ):
        find_signals(text, DAY)
    assert time.process_time() - start < 3
