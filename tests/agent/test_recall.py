"""Recall end to end: model path against the strict server, words as fallback, nothing twice, nothing gained by asking for it."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime
from typing import Any

import pytest

from memdir.agent.recall import Recaller
from memdir.agent.recall_types import Question
from memdir.core.directory import Directory
from memdir.core.i18n import msg, render
from memdir.core.rule import Context
from tests.agent.recall_world import MEMORIES, MODEL, ask, manifest_of, memory, picks, recaller, rels, words
from tests.conftest import NOW
from tests.loopback.script import Reply as Say
from tests.loopback.script import Step, failure
from tests.loopback.server import Loopback


def test_the_model_chooses_from_the_manifest(loopback: Loopback) -> None:
    loopback.script.then(picks("feedback_real_db.md", "project_freeze.md"))
    found = ask(loopback, Question("write an integration test for the importer"))
    assert rels(found) == ["feedback_real_db.md", "project_freeze.md"]
    assert (found.method, found.fallback, len(found.offered)) == ("model", None, 7)
    assert str(found.selected[0].reason) == "the model: because of feedback_real_db.md"
    assert found.selected[0].score > 0
    body = loopback.requests[0]
    assert body["model"] == MODEL
    lines = manifest_of(body)
    assert [line["file"] for line in lines][:3] == [
        "reference_grafana.md",
        "project_freeze.md",
        "reference_kubectl.md",
    ]
    assert lines[-1] == {
        "file": "user_go.md",
        "type": "user",
        "age": "200 days ago",
        "description": "Ten years of Go, new to React",
    }
    assert (
        body["messages"][0]["content"] == "<request>\nwrite an integration test for the importer\n</request>"
    )


def test_prompt_and_manifest_are_cached_between_turns(loopback: Loopback) -> None:
    loopback.script.always(picks())
    first = ask(loopback, Question("one"))
    second = ask(loopback, Question("two", shown={"user_go.md"}))
    assert loopback.requests[0]["system"] == loopback.requests[1]["system"]
    assert first.usage and second.usage
    assert (first.usage.cache_read, second.usage.cache_read) == (0, first.usage.cache_write)


def test_none_is_an_answer(loopback: Loopback) -> None:
    loopback.script.then(picks())
    found = ask(loopback, Question("integration tests with a real database"))
    assert (found.selected, found.method, found.fallback) == ((), "model", None)
    assert found.missed[0].rel == "feedback_real_db.md"
    assert str(found.missed[0].reason) == "the model left it out"


def test_at_most_five_and_no_more_than_asked_for(loopback: Loopback) -> None:
    loopback.script.always(picks(*MEMORIES))
    assert rels(ask(loopback, Question("anything"))) == list(MEMORIES)[:5]
    found = ask(loopback, Question("anything", limit=2))
    assert len(found.selected) == 2
    assert str(found.missed[0].reason) == "only 2 are given at once"


def test_unknown_names_and_doubles_are_dropped(loopback: Loopback) -> None:
    loopback.script.then(picks("../../etc/passwd", "user_go.md", "user_go.md", "MEMORY.md", "/m/user_go.md"))
    assert rels(ask(loopback, Question("react hooks"))) == ["user_go.md"]


def test_only_unknown_names_is_no_answer(loopback: Loopback) -> None:
    loopback.script.then(picks("made_up.md"))
    found = ask(loopback, Question("integration tests on a real database"))
    assert (found.method, rels(found)) == ("lexical", ["feedback_real_db.md"])
    assert str(found.fallback) == "The model named only files that do not exist."


def test_what_was_shown_never_comes_again(loopback: Loopback) -> None:
    question = Question("integration tests must hit a real database", shown={"feedback_real_db.md"})
    loopback.script.then(picks("feedback_real_db.md", "user_go.md"))
    found = ask(loopback, question)
    assert rels(found) == ["user_go.md"]
    assert (found.missed[0].rel, str(found.missed[0].reason)) == (
        "feedback_real_db.md",
        "shown earlier in this session",
    )
    assert "feedback_real_db.md" in loopback.requests[0]["messages"][0]["content"]
    lexical = words(question)
    assert lexical.selected == ()
    assert (lexical.missed[0].rel, str(lexical.missed[0].reason)) == (
        "feedback_real_db.md",
        "shown earlier in this session",
    )


def test_usage_notes_of_tools_in_use_are_left_out_and_warnings_stay(loopback: Loopback) -> None:
    question = Question("list the pods with kubectl", tools=("mcp__kubectl__get", "Bash"))
    loopback.script.then(picks("reference_kubectl.md", "feedback_kubectl.md"))
    found = ask(loopback, question)
    assert rels(found) == ["feedback_kubectl.md"]
    assert "reference_kubectl.md" not in [line["file"] for line in manifest_of(loopback.requests[0])]
    assert "mcp__kubectl__get" in loopback.requests[0]["messages"][0]["content"]
    lexical = words(question)
    assert "reference_kubectl.md" not in rels(lexical)
    assert ("reference_kubectl.md", "it explains a tool that is in use") in [
        (m.rel, str(m.reason)) for m in lexical.missed
    ]
    assert rels(words(Question("list the pods with kubectl")))[0] == "reference_kubectl.md"


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (Say(fault="timeout"), "The model did not answer in time."),
        (failure(429, retry_after=60), "The model service's rate limit is reached."),
        (failure(529), "The model service is overloaded."),
        (
            Say(json={"selected": []}, fault="cut"),
            "The connection broke off during the answer (RemoteProtocolError).",
        ),
        (Say('{"selected": [{"file"', unchecked=True), "The model's answer is not valid JSON."),
        (Say('{"selected": ["a.md"]}', unchecked=True), "The model's answer has the wrong shape."),
        (Say("[]", unchecked=True), "The model's answer has the wrong shape."),
        (Say('{"selected": [{"fi', stop="max_tokens"), "The model's answer was cut off (max_tokens)."),
        (Say("No.", stop="refusal"), "The model declined to answer."),
        (failure(401), "The model service refused the key: scripted failure"),
    ],
)
def test_when_the_model_fails_words_decide_and_say_why(loopback: Loopback, step: Step, why: str) -> None:
    loopback.script.always(step)
    found = ask(
        loopback,
        Question("integration tests with a real database"),
        deadline=0.6 if isinstance(step, Say) and step.fault == "timeout" else 20,
    )
    assert (found.method, rels(found)) == ("lexical", ["feedback_real_db.md"])
    assert str(found.fallback) == why
    assert str(found.selected[0].reason) == "description: Integration, tests, real, database"


def test_without_a_client_nothing_is_a_fallback_unless_said() -> None:
    assert words(Question("real database in tests")).fallback is None
    why = msg(
        "No key for the model service: set ANTHROPIC_API_KEY; in VS Code also with “Memory: Set API Key”."
    )
    found = asyncio.run(recaller().recall(Question("real database in tests"), now=NOW, without_model=why))
    assert (found.method, found.fallback) == ("lexical", why)


def test_long_queries_are_shortened_in_the_middle(loopback: Loopback) -> None:
    loopback.script.then(picks())
    ask(loopback, Question("BEGIN " + "x" * 20_000 + " END"))
    sent = loopback.requests[0]["messages"][0]["content"]
    assert len(sent) < 4200
    assert "BEGIN" in sent and "END" in sent and "[…]" in sent


def test_the_newest_are_offered_up_to_the_limit(loopback: Loopback) -> None:
    loopback.script.then(picks("user_go.md"))
    found = ask(loopback, Question("real database in integration tests", max_candidates=2))
    assert (
        found.method == "lexical"
    )  # user_go.md was not among the offered, so the answer named nothing known
    loopback.script.then(picks())
    found = ask(loopback, Question("real database in integration tests", max_candidates=2))
    assert found.offered == ("reference_grafana.md", "project_freeze.md")
    assert str(found.missed[0].reason) == "older than the newest 2, which were considered"


def test_an_empty_query_or_directory_asks_nobody(loopback: Loopback) -> None:
    assert ask(loopback, Question("  ")).selected == ()
    assert ask(loopback, Question("anything"), Recaller()).selected == ()
    assert loopback.requests == []


def test_caveat_by_age(loopback: Loopback) -> None:
    loopback.script.then(picks("reference_grafana.md", "project_freeze.md", "reference_kubectl.md"))
    found = ask(loopback, Question("anything"))
    assert [c.days for c in found.selected] == [0, 1, 3]
    assert [c.caveat is None for c in found.selected] == [True, True, False]
    assert str(found.selected[2].caveat).startswith(
        "Written 3 days ago. Before recommending anything from it, check"
    )
    assert render(found.selected[2].caveat, "zh-cn").startswith("写于 3 天前")  # type: ignore[arg-type]  # not None, see above


def test_json_has_the_agreed_shape(loopback: Loopback) -> None:
    loopback.script.then(picks("feedback_real_db.md"))
    data = ask(loopback, Question("integration tests")).to_json()
    assert list(data) == ["selected", "method", "candidates", "latency_ms", "fallback"]
    assert list(data["selected"][0]) == ["path", "name", "type", "age", "score", "reason", "caveat"]
    assert data["selected"][0]["path"] == "/m/feedback_real_db.md"
    assert data["selected"][0]["age"] == "47 days ago"
    assert (data["method"], data["candidates"], data["fallback"]) == ("model", 7, None)
    full = ask_lexical_explained()
    assert {"missed", "id"} <= full.keys()
    json.dumps(full)


def ask_lexical_explained() -> dict[str, Any]:
    return words(Question("kubectl pods")).to_json("zh-cn", explain=True)


def test_documents_come_and_go() -> None:
    found = recaller()
    question = Question("karaoke playlist")
    assert words(question, found).selected == ()
    new = memory("project_party.md", "project", "Karaoke playlist for the release", 0)
    found.update(new)
    assert rels(words(question, found)) == ["project_party.md"]
    found.update(memory("project_party.md", "project", "Colours of the brand", 0))
    assert words(question, found).selected == ()
    found.update(new)
    found.sync([memory(rel, *facts) for rel, facts in MEMORIES.items()])
    assert words(question, found).selected == ()
    assert len(found) == len(MEMORIES)


class Project:
    """A repository with src/app.py of 10 lines; git remembers src/gone.py."""

    def exists(self, path: str) -> bool:
        return path in ("src", "src/app.py")

    def line_count(self, path: str) -> int | None:
        return 10 if path == "src/app.py" else None

    def changed_at(self, path: str) -> datetime | None:
        return NOW if path == "src/gone.py" else None

    def read_lines(self, path: str, first: int, last: int) -> list[str]:
        return []

    def commit_time(self, path: str) -> datetime | None:
        return None


def test_citations_are_verified_now_and_broken_ones_named() -> None:
    body = "See `src/app.py:5`, `src/app.py:99` and `src/gone.py` for the retry helper."
    documents = [
        memory("old.md", "project", "Retry helper of the importer", 47, body),
        memory("new.md", "project", "Retry helper of the exporter", 1, body),
    ]
    found = Recaller()
    found.sync(documents)
    context = Context(Directory("/m", documents), NOW, project=Project())
    got = asyncio.run(found.recall(Question("retry helper"), now=NOW, context=context))
    old, new = sorted(got.selected, key=lambda c: -c.days)
    assert old.broken == ("src/app.py:99", "src/gone.py")
    assert str(old.caveat).endswith("No longer there: src/app.py:99, src/gone.py.")
    assert (new.broken, new.caveat) == ((), None)
    whole = asyncio.run(found.recall(Question("retry helper"), now=NOW))
    assert "No longer there" not in str(whole.selected[1].caveat)
