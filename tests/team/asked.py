"""Writes to a service, and the schemas its answers keep to."""

from __future__ import annotations

import json

from memdir.team.protocol import Limits
from memdir.team.service.openapi import describe


def put(client, tag: str, **files: str):  # type: ignore[no-untyped-def]  # httpx in a test
    entries = {key.replace("_md", ".md"): {"content": text} for key, text in files.items()}
    return client.put("app/memory", json={"entries": entries}, headers={"If-Match": tag})


def schema_of(name: str) -> dict:
    document = describe(Limits())
    text = json.dumps(document["components"]["schemas"][name]).replace("#/components/schemas/", "#/$defs/")
    return {**json.loads(text), "$defs": document["components"]["schemas"]}
