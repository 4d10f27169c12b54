"""The strict server is strict: what the service refuses, it refuses, and what the SDK may send, it takes."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from typing import Any

import pytest

from tests.loopback.script import Reply
from tests.loopback.server import KEY, Loopback
from tests.loopback.validate import problems

GOOD: dict[str, Any] = {
    "model": "claude-haiku-5-5",
    "max_tokens": 100,
    "stream": True,
    "system": [{"type": "text", "text": "Rules", "cache_control": {"type": "ephemeral", "ttl": "1h"}}],
    "tools": [{"name": "read", "description": "Reads", "input_schema": {"type": "object", "properties": {"p": {"type": "string", "pattern": "x"}}, "required": ["p"]}}],
    "tool_choice": {"type": "auto"},
    "output_config": {"format": {"type": "json_schema", "schema": {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}, "required": ["a"], "additionalProperties": False}}},
    "messages": [
        {"role": "user", "content": "hello"},
        {"role": "assistant", "content": [{"type": "text", "text": "x"}, {"type": "tool_use", "id": "t1", "name": "read", "input": {"p": "a"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "text", "is_error": True}, {"type": "text", "text": "go on"}]},
    ],
}  # fmt: skip


def changed(**paths: Any) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(json.dumps(GOOD))
    for path, value in paths.items():
        at: Any = body
        *way, last = path.split("__")
        for step in way:
            at = at[int(step)] if step.isdigit() else at[step]
        key: Any = int(last) if last.isdigit() else last
        if value is None:
            del at[key]
        else:
            at[key] = value
    return body


def test_a_full_body_is_fine() -> None:
    assert problems(GOOD) == []
    assert problems({"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "x"}]}) == []


@pytest.mark.parametrize(
    ("body", "part"),
    [
        (changed(temperature=0.5), "temperature: Extra inputs"),
        (changed(max_tokens=None), "max_tokens: Field required"),
        (changed(max_tokens="100"), "max_tokens: Input should be a valid int"),
        (changed(max_tokens=True), "max_tokens: Input should be a valid int"),
        (changed(max_tokens=-1), "max_tokens"),
        (changed(messages=[]), "at least one message"),
        (changed(messages__0__role="assistant"), "first message"),
        (changed(messages__0__content=""), "non-empty"),
        (changed(messages__1__content__1__id="t2"), "tool_use"),
        (changed(messages__2__content__0__tool_use_id=None), "tool_use_id: Field required"),
        (changed(messages__2__content__0__extra=1), "messages.2.content.0.extra: Extra inputs"),
        (changed(messages__2=None), "last message leaves"),
        (changed(system__0__cache_control__type="permanent"), "cache_control.type"),
        (changed(tools__0__name="with space"), "String should match"),
        (changed(tools__0__input_schema__type="string"), "input_schema.type"),
        (changed(tools=[*GOOD["tools"], *GOOD["tools"]]), "must be unique"),
        (changed(tools=None), "tool_choice"),
        (changed(tool_choice={"type": "tool", "name": "write"}), "not found in provided tools"),
        (changed(output_config__format__type="json"), "output_config.format.type"),
        (changed(output_config__format__schema__additionalProperties=None), "additionalProperties"),
        (changed(output_config__format__schema__properties__a__maxItems=5), "maxItems"),
        (changed(output_config__format__schema__required=["b"]), "no property"),
        (changed(output_format={}), "output_format: Extra inputs"),
        ([], "Input should be an object"),
    ],
)
def test_what_the_service_refuses(body: Any, part: str) -> None:
    found = problems(body)
    assert any(part in sentence for sentence in found), found


def test_five_breakpoints_are_one_too_many() -> None:
    block = {"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}
    assert problems(changed(system=[block] * 3, messages=[{"role": "user", "content": [block]}])) == []
    assert "Found 5" in problems(changed(system=[block] * 5))[0]


def post(url: str, body: Any, headers: dict[str, str]) -> tuple[int, dict[str, Any]]:
    request = urllib.request.Request(
        url + "/v1/messages", json.dumps(body).encode(), {"content-type": "application/json", **headers}
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def test_key_version_and_script_are_wanted(loopback: Loopback) -> None:
    body = changed(stream=False)
    good = {"x-api-key": KEY, "anthropic-version": "2023-06-01"}
    assert post(loopback.url, body, {"anthropic-version": "x"})[0] == 401
    assert post(loopback.url, body, {"x-api-key": KEY})[0] == 400
    assert loopback.requests == []
    status, answer = post(loopback.url, body, good)
    assert (status, answer["error"]["type"]) == (400, "invalid_request_error")
    loopback.script.then(Reply(json={"a": ["x"]}))
    status, answer = post(loopback.url, body, good)
    assert (status, json.loads(answer["content"][0]["text"])) == (200, {"a": ["x"]})
    loopback.script.then(Reply(json={"b": 1}))
    assert post(loopback.url, body, good)[0] == 400
    assert len(loopback.refused) == 2
    loopback.refused.clear()


def test_as_a_process_of_its_own(tmp_path: Any) -> None:
    script = tmp_path / "script.json"
    script.write_text(
        json.dumps(
            [
                {"when": ["hello"], "repeat": True, "steps": [{"text": "hi"}]},
                {"steps": [{"error": 529}, {"tools": [["read", {"p": "x"}]]}]},
            ]
        )
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.loopback", "--script", str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin and process.stdout
    try:
        url = process.stdout.readline().strip()
        headers = {"authorization": f"Bearer {KEY}", "anthropic-version": "2023-06-01"}

        def say(text: str) -> tuple[int, Any]:
            status, answer = post(
                url, {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": text}]}, headers
            )
            return status, answer.get("content", answer.get("error", {}).get("type"))

        assert say("hello")[1] == say("hello there")[1] == [{"type": "text", "text": "hi"}]
        assert say("other") == (529, "overloaded_error")
        assert say("other")[1][0]["input"] == {"p": "x"}
        with urllib.request.urlopen(url + "/_requests", timeout=10) as answer:
            assert len(json.load(answer)["requests"]) == 4
    finally:
        process.stdin.close()
        assert process.wait(10) == 0
        process.stdout.close()
