"""What is looked at before a file leaves this machine, and before one from the team reaches the directory.

Runs the same rules as the editor, by name, so that the person sees in the editor what blocked a file. A suppression
comment in the file counts on the way out (its author decided) and never on the way in (anybody could write one).
"""

from __future__ import annotations

from datetime import datetime

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.i18n import Message, msg
from memdir.core.lint import check_document
from memdir.core.rule import Context
from memdir.core.rules import TABLE
from memdir.core.settings import DEFAULTS, Settings
from memdir.team.guard import PathTraversalError, check_key

OUTGOING = ("secret-in-memory", "user-memory-in-team")
INCOMING = ("secret-in-memory", "user-memory-in-team", "injected-instructions", "invisible-characters")


def outgoing(root: str, key: str, content: bytes, now: datetime) -> Message | None:
    """Why the file must stay here, or None. `root` is the team directory."""
    try:
        check_key(key)
    except PathTraversalError as error:
        return error.message
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return msg("it is not UTF-8")
    document = _document(root, key, content)
    settings = Settings(select=tuple(n for n in OUTGOING if n in TABLE))
    for found in check_document(document, Context(Directory(root), now, settings)):
        line = document.lines.line_of(found.span.start) + 1
        return msg("line {line}: {message}", line=line, message=found.message)
    return None


def incoming(root: str, key: str, content: bytes, now: datetime) -> list[Message]:
    """What is doubtful about a file from the team; empty when it may be written."""
    document = _document(root, key, content)
    context = Context(Directory(root), now, DEFAULTS)
    found: list[Message] = []
    for name in INCOMING:
        rule = TABLE.get(name)
        if rule is None or document.kind not in rule.kinds:
            continue
        for finding in rule.check(document, context):
            line = document.lines.line_of(finding.span.start) + 1
            found.append(msg("line {line}: {message}", line=line, message=finding.message))
            if len(found) >= 20:  # enough to judge by
                return found
    return found


def _document(root: str, key: str, content: bytes) -> Document:
    return Document(f"{root}/{key}", f"team/{key}", content, scope="team")
