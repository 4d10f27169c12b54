"""Replacement texts, word for word, in every language; a replaced text has nothing left to replace."""

from __future__ import annotations

from datetime import date

import pytest

from memdir.core.dates import find
from memdir.core.dates.absolute import absolute, meaning
from memdir.core.i18n import render
from memdir.core.text import apply_edits
from tests.core.dates.scoring import REFERENCE, labelled, unseen


def replaced(text: str, reference: date = REFERENCE) -> str:
    edits = [e for h in find(text, reference) if (e := absolute(text, h, reference)) is not None]
    return apply_edits(text, edits)


CASES = [
    # English
    ("Merge freeze begins Thursday.", "Merge freeze begins 2026-03-12."),
    ("Merge freeze begins on Thursday.", "Merge freeze begins on 2026-03-12."),
    ("Frozen until Thursday.", "Frozen until 2026-03-12."),
    ("Thursday the freeze begins.", "On 2026-03-12 the freeze begins."),
    ("It was cut 3 days ago.", "It was cut on 2026-03-08."),
    ("It must ship by tomorrow.", "It must ship by 2026-03-12."),
    ("Tomorrow it ships.", "On 2026-03-12 it ships."),
    ("Today is the deadline.", "2026-03-11 is the deadline."),
    ("Deadline: tomorrow.", "Deadline: 2026-03-12."),
    ("Kickoff is tomorrow.", "Kickoff is on 2026-03-12."),
    ("As of today it is on.", "As of 2026-03-11 it is on."),
    ("We agreed yesterday morning.", "We agreed on the morning of 2026-03-10."),
    ("It has been red since yesterday evening.", "It has been red since the evening of 2026-03-10."),
    ("It ships tonight.", "It ships on the evening of 2026-03-11."),
    ("It broke in today's build.", "It broke in the 2026-03-11 build."),
    ("Today's build broke.", "The 2026-03-11 build broke."),
    ("It differs from yesterday's.", "It differs from 2026-03-10's."),
    ("Last week's migration failed.", "The week-of-2026-03-02 migration failed."),
    ("Last month's release failed.", "The 2026-02 release failed."),
    ("Last week they moved.", "In the week of 2026-03-02 they moved."),
    ("It is frozen until next week.", "It is frozen until the week of 2026-03-16."),
    ("It broke last weekend.", "It broke on the weekend of 2026-03-07."),
    ("It broke last month.", "It broke in 2026-02."),
    ("Since last year we use uv.", "Since 2025 we use uv."),
    ("It ships next quarter.", "It ships in Q2 2026."),
    ("It must be done by the end of the month.", "It must be done by 2026-03-31."),
    ("It ends at the end of next month.", "It ends on 2026-04-30."),
    ("It must be done by the end of this week.", "It must be done by the end of the week of 2026-03-09."),
    ("She left two months ago.", "She left around 2026-01-11."),
    ("She left a few days ago.", "She left around 2026-03-08."),
    ("It was red over the past two weeks.", "It was red between 2026-02-25 and 2026-03-11."),
    ("It expires in 10 days.", "It expires on 2026-03-21."),
    ("The user recently moved to Zed.", "The user recently (as of 2026-03-11) moved to Zed."),
    ("It will be removed soon.", "It will be removed soon (as of 2026-03-11)."),
    ("The move was last\nweek, sadly.", "The move was in the week of 2026-03-02, sadly."),
    # Chinese
    ("用户昨天要求保留旧接口。", "用户 2026-03-10 要求保留旧接口。"),
    ("周四开始冻结。", "2026-03-12 开始冻结。"),
    ("评审在下周一，先别发版。", "评审在 2026-03-16，先别发版。"),
    ("前天的会议记录。", "2026-03-09 的会议记录。"),
    ("昨晚CI挂了。", "2026-03-10 晚上CI挂了。"),
    ("团队上周改了流程。", "团队 2026-03-02 那一周改了流程。"),
    ("團隊上週改了流程。", "團隊 2026-03-02 那一週改了流程。"),
    ("下个月合同到期。", "2026 年 4 月合同到期。"),
    ("这个季度重点是延迟。", "2026 年第 1 季度重点是延迟。"),
    ("我们去年换了数据库。", "我们 2025 年换了数据库。"),
    ("下半年启动国际化。", "2026 年下半年启动国际化。"),
    ("这周末升级。", "2026-03-14 那个周末升级。"),
    ("月底前完成。", "2026-03-31 前完成。"),
    ("两个月前搬了家。", "2026-01-11 前后搬了家。"),
    ("兩個月前搬了辦公室。", "2026-01-11 前後搬了辦公室。"),
    ("团队最近换了构建工具。", "团队最近（截至 2026-03-11）换了构建工具。"),
    # Japanese
    ("昨日、変更した。", "2026-03-10、変更した。"),
    ("昨日変更した。", "2026-03-10に変更した。"),
    ("明日から凍結する。", "2026-03-12から凍結する。"),
    ("先週変更した。", "2026-03-02の週に変更した。"),
    ("先月の変更。", "2026年2月の変更。"),
    ("去年移行した。", "2025年に移行した。"),
    ("今週末に更新する。", "2026-03-14の週末に更新する。"),
    ("2か月前に移行した。", "2026-01-11頃に移行した。"),
    ("今朝、CIが止まった。", "2026-03-11の朝、CIが止まった。"),
    ("先日話した。", "先日（2026-03-11時点）話した。"),
    # Korean
    ("어제 배포했다.", "2026-03-10 배포했다."),
    ("내일부터 동결된다.", "2026-03-12부터 동결된다."),
    ("지난주에 바꿨다.", "2026-03-02 주에 바꿨다."),
    ("지난달에 바꿨다.", "2026년 2월에 바꿨다."),
    ("다음 분기에 내린다.", "2026년 2분기에 내린다."),
    ("작년에 옮겼다.", "2025년에 옮겼다."),
    ("두 달 전에 옮겼다.", "2026-01-11경에 옮겼다."),
    ("최근에 바꿨다.", "최근(2026-03-11 기준)에 바꿨다."),
    # German
    ("Gestern wurde das Modul gemergt.", "Am 2026-03-10 wurde das Modul gemergt."),
    ("Der Freeze beginnt morgen.", "Der Freeze beginnt am 2026-03-12."),
    ("Das Release von gestern wurde gestoppt.", "Das Release vom 2026-03-10 wurde gestoppt."),
    ("Bis Freitag muss es fertig sein.", "Bis zum 2026-03-13 muss es fertig sein."),
    ("Seit gestern ist der Lauf rot.", "Seit dem 2026-03-10 ist der Lauf rot."),
    ("Letzte Woche hat das Team umgestellt.", "In der Woche vom 2026-03-02 hat das Team umgestellt."),
    ("Das wurde in der letzten Woche gemergt.", "Das wurde in der Woche vom 2026-03-02 gemergt."),
    ("Das Budget wurde letzten Monat gekürzt.", "Das Budget wurde im Monat 2026-02 gekürzt."),
    ("Letztes Jahr sind wir umgezogen.", "2025 sind wir umgezogen."),
    ("Vor zwei Monaten sind wir umgezogen.", "Um den 2026-01-11 sind wir umgezogen."),
    ("Das Team hat kürzlich umgestellt.", "Das Team hat kürzlich (Stand 2026-03-11) umgestellt."),
    # French
    ("Le module a été fusionné hier.", "Le module a été fusionné le 2026-03-10."),
    ("La panne d'hier est réparée.", "La panne du 2026-03-10 est réparée."),
    ("Le gel dure jusqu'à demain.", "Le gel dure jusqu'au 2026-03-12."),
    ("La semaine dernière, nous avons changé.", "La semaine du 2026-03-02, nous avons changé."),
    ("Le mois prochain les tarifs changent.", "En 2026-04 les tarifs changent."),
    ("L'année dernière nous avons quitté Jenkins.", "En 2025 nous avons quitté Jenkins."),
    ("Le contrat se termine à la fin du mois.", "Le contrat se termine le 2026-03-31."),
    ("Nous avons changé il y a deux mois.", "Nous avons changé vers le 2026-01-11."),
    ("L'équipe est récemment passée à Bazel.", "L'équipe est récemment (au 2026-03-11) passée à Bazel."),
    # Spanish
    ("Ayer se fusionó el módulo.", "El 2026-03-10 se fusionó el módulo."),
    ("La caída de ayer se corrigió.", "La caída del 2026-03-10 se corrigió."),
    ("La demo es el viernes.", "La demo es el 2026-03-13."),
    ("Debe terminar antes del viernes.", "Debe terminar antes del 2026-03-13."),
    ("La semana pasada el equipo cambió.", "En la semana del 2026-03-02 el equipo cambió."),
    ("El mes que viene cambian las tarifas.", "En 2026-04 cambian las tarifas."),
    ("Desde el año pasado trabaja en remoto.", "Desde 2025 trabaja en remoto."),
    ("El contrato termina a fin de mes.", "El contrato termina el 2026-03-31."),
    ("Hace dos meses cambiamos de oficina.", "Hacia el 2026-01-11 cambiamos de oficina."),
    ("El equipo cambió recientemente a Bazel.", "El equipo cambió recientemente (a fecha de 2026-03-11) a Bazel."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[c[0][:40] for c in CASES])
def test_replacement(text: str, expected: str) -> None:
    assert replaced(text) == expected


def test_the_day_of_the_reference_counts() -> None:
    assert replaced("Merge freeze begins Thursday.", date(2026, 3, 4)) == "Merge freeze begins 2026-03-05."


@pytest.mark.parametrize("lang", ["en", "zh", "ja", "ko", "de", "fr", "es"])
def test_nothing_is_left_after_replacing(lang: str) -> None:
    cases = [c for c in labelled() + unseen() if c.lang == lang and c.expected]
    assert len(cases) > 30
    for case in cases:
        new = replaced(case.text)
        assert new != case.text or not find(case.text, REFERENCE)
        assert find(new, REFERENCE) == [], (case.text, new)
        assert "{" not in new


def test_edits_of_one_text_never_overlap() -> None:
    text = "La caída de ayer y la de hoy, desde el lunes pasado hasta mañana; la de anteayer no."
    assert find(text, REFERENCE)
    assert replaced(text) != text


@pytest.mark.parametrize(
    ("text", "english", "chinese"),
    [
        ("It broke yesterday.", "2026-03-10", "2026-03-10"),
        ("It broke two months ago.", "about 2026-01-11", "2026-01-11 前后"),
        ("It broke a few days ago.", "2026-03-07 to 2026-03-09", "2026-03-07 至 2026-03-09"),
        ("It broke last week.", "the week that starts on 2026-03-02", "从 2026-03-02 开始的一周"),
        ("It broke last weekend.", "the weekend that starts on 2026-03-07", "从 2026-03-07 开始的周末"),
        ("It broke last month.", "the month that starts on 2026-02-01", "从 2026-02-01 开始的一个月"),
        ("It broke last quarter.", "the quarter that starts on 2025-10-01", "从 2025-10-01 开始的季度"),
        ("It broke last year.", "the year that starts on 2025-01-01", "从 2025-01-01 开始的一年"),
        ("下半年启动。", "the half-year that starts on 2026-07-01", "从 2026-07-01 开始的半年"),
        ("It is due by the end of the month.", "2026-03-31", "2026-03-31"),
        ("It is due by the end of the week.", "2026-03-13 to 2026-03-15", "2026-03-13 至 2026-03-15"),
    ],
)
def test_meaning(text: str, english: str, chinese: str) -> None:
    (hit,) = find(text, REFERENCE)
    assert str(meaning(hit)) == english
    assert render(meaning(hit), "zh-cn") == chinese


def test_a_vague_word_means_no_days() -> None:
    (hit,) = find("The user recently moved to Zed.", REFERENCE)
    with pytest.raises(ValueError, match="means no days"):
        meaning(hit)
