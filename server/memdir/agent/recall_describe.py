"""A better description for a memory, proposed by a model; a person decides."""

from __future__ import annotations

import json
from typing import Literal

from memdir.agent.client_prompts import prompt
from memdir.agent.client_types import JsonObject, ModelClient, ModelError, Request
from memdir.core.document import Document
from memdir.core.fixing import set_key
from memdir.core.i18n import msg
from memdir.core.model import ChangeSet
from memdir.core.prose import shorten
from memdir.core.recall.defuse import defuse
from memdir.core.secrets import scan

MAX_NOTE = 8_000  # characters of a memory that are shown to the model
MAX_LENGTH = 200  # nine of ten real descriptions are shorter (corpus statistics)

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"description": {"type": "string"}},
    "required": ["description"],
    "additionalProperties": False,
}


async def suggest_description(
    client: ModelClient,
    model: str,
    document: Document,
    *,
    trouble: Literal["never", "always", ""] = "",
    deadline: float = 20.0,
) -> str:
    """A one-line description of `document`. `trouble`: what recalls have shown of the present one.

    Raises ModelError, also for an answer that could not stand in a header: empty, the same again, addressed to whoever
    chooses, or holding a credential.
    """
    note = (
        json.dumps(
            {
                "name": document.name,
                "description": document.description,
                "text": document.body.strip()[:MAX_NOTE],
            },
            ensure_ascii=False,
        )
        .encode("utf-8", "replace")
        .decode()
    )
    said = {"never": "It is never chosen.", "always": "It is chosen nearly always.", "": ""}[trouble]
    content = f"<note>\n{note.replace('<', '‹')}\n</note>\n\n{said}".strip()
    request = Request(
        model, [{"role": "user", "content": content}], 300, system=prompt("recall_describe"), schema=SCHEMA
    )
    answer = (await client.complete(request, deadline=deadline)).json()
    text = answer.get("description") if isinstance(answer, dict) else None
    if not isinstance(text, str):
        raise ModelError("malformed", msg("The model's answer has the wrong shape."))
    text = shorten(" ".join(text.split()), MAX_LENGTH)
    if not text or text == document.description or defuse(text)[1] or scan(text):
        raise ModelError("malformed", msg("The model has no better description for this memory."))
    return text


def describe(document: Document, description: str) -> ChangeSet:
    """The change that gives `document` a description; empty when it has no header to put it into."""
    title = msg("Describe {name} anew", name=document.title)
    header = document.frontmatter
    if header is None or not header.closed:
        return ChangeSet(title, (), "action")
    reason = msg("A description that recall can match")
    return ChangeSet(
        title,
        (document.edit(set_key(document, header, "description", description), reason=reason),),
        "action",
    )
