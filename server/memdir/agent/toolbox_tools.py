"""The tools that every background job is given: always the same list, in the same order, byte for byte.

What a job may not do is denied when it is called, never left out of the list: a changed list would cost the cached prompt
prefix that all jobs share (docs/facts/memory-system.md, "Capture behind the agent's back").
"""

from __future__ import annotations

from memdir.agent.client_types import JsonObject

_PATH = "Path relative to the memory directory, with '/': 'MEMORY.md', 'feedback_tests.md', 'logs/2026/03/2026-03-05.md'."
_EVIDENCE: JsonObject = {
    "type": "array",
    "description": "Where the conversation says so, when the job is about a conversation: message numbers and exact quotes.",
    "items": {
        "type": "object",
        "properties": {
            "message": {"type": "string", "description": "Number of the message, such as 'm12'."},
            "quote": {
                "type": "string",
                "description": "Words of that message, copied exactly, at most 300 characters.",
            },
        },
        "required": ["message", "quote"],
        "additionalProperties": False,
    },
}
_REASON: JsonObject = {
    "type": "string",
    "description": "Why, in one short sentence for the person who reviews the change.",
}


def _tool(name: str, description: str, required: list[str], **properties: JsonObject) -> JsonObject:
    return {
        "name": name,
        "description": description,
        "input_schema": {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        },
    }


TOOLS: tuple[JsonObject, ...] = (
    _tool(
        "list",
        "List files of the memory directory with their sizes, or of a folder in it. '@sessions' lists transcripts that may be searched.",
        [],
        path={"type": "string", "description": "A folder; left out: everything."},
    ),
    _tool(
        "read",
        "Read a file of the memory directory, or a few records of a transcript around a position that search gave.",
        ["path"],
        path={"type": "string", "description": _PATH + " Or '@sessions/<id>'."},
        offset={
            "type": "integer",
            "description": "First line to read, from 1. For a transcript: a position from search.",
        },
        limit={"type": "integer", "description": "How many lines (or records of a transcript) to read."},
    ),
    _tool(
        "search",
        "Search for a pattern: in the memory directory, in one file, or in '@sessions' or one '@sessions/<id>'. Gives matching lines with their numbers, or positions.",
        ["pattern"],
        pattern={
            "type": "string",
            "description": "Plain words, or a simple regular expression with | between alternatives.",
        },
        path={"type": "string", "description": "Where to search; left out: the memory directory."},
        ignore_case={"type": "boolean", "description": "Upper and lower case count as equal. Default: true."},
    ),
    _tool(
        "shell",
        "Run one read-only command in the memory directory: ls, cat, head, tail, wc, grep, find, pwd. No pipes, redirection, substitution or chaining.",
        ["command"],
        command={"type": "string", "description": "The command, such as: grep -rn 'freeze' ."},
    ),
    _tool(
        "write",
        "Make or replace a whole file of the memory directory. The change is proposed to a person, not made.",
        ["path", "content", "reason"],
        path={"type": "string", "description": _PATH},
        content={"type": "string", "description": "The whole new text of the file."},
        reason=_REASON,
        evidence=_EVIDENCE,
    ),
    _tool(
        "edit",
        "Replace one piece of text in a file of the memory directory. The change is proposed to a person, not made.",
        ["path", "old", "new", "reason"],
        path={"type": "string", "description": _PATH},
        old={"type": "string", "description": "Text to replace, copied exactly; it must occur exactly once."},
        new={"type": "string", "description": "Text to put in its place."},
        reason=_REASON,
        evidence=_EVIDENCE,
    ),
    _tool(
        "delete",
        "Remove a file of the memory directory, after what is worth keeping has been moved elsewhere. A person must agree.",
        ["path", "reason"],
        path={"type": "string", "description": _PATH},
        reason=_REASON,
    ),
)
NAMES = tuple(str(tool["name"]) for tool in TOOLS)
READS = frozenset({"list", "read", "search", "shell"})
WRITES = frozenset({"write", "edit", "delete"})
