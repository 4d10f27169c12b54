"""Putting Memdir's hooks into the client's user settings, and taking them out again, without touching anything else.

An entry is Memdir's when its command runs `memdir hook <event>`, however that program is called. Everything else in the
file stays byte for byte; a file that can't be understood is left alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from memdir.core.i18n import Message, msg
from memdir.core.json_edit import add, remove, replace
from memdir.core.model import ChangeSet, CreateFile, Edit, EditFile, Span, content_hash
from memdir.core.text import apply_edits, decode

# The client's event -> the subcommand that answers it.
EVENTS: Mapping[str, str] = {"UserPromptSubmit": "user-prompt", "Stop": "stop"}
TIMEOUT_SECONDS = 15  # the client's own limit for the command; Memdir gives up long before

_OURS = re.compile(r"\bmemdir(?:\.cli\.main|\.exe)?[\"']?\s+hook\s+(?P<event>[a-z-]+)\b")


class SettingsError(Exception):
    """The settings file is not what it should be. `message` names the place and the remedy."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


def install(path: str, content: bytes | None, program: str, events: Mapping[str, str] = EVENTS) -> ChangeSet:
    """The change that makes the client run `program hook <event>`. `content`: the file now, None when there is none.

    An entry that is there already, perhaps with another program, is brought up to date. The set is empty when nothing
    needs to change. Raises SettingsError.
    """
    title = msg("Install Memdir's hooks")
    text = _text(content)
    changed = text if text.strip() else "{}\n"
    data = _parse(changed, path)
    for event, name in events.items():
        command = f"{program} hook {name}"
        changed = _install_one(changed, path, data, event, command)
        data = _parse(changed, path)
    return _change(title, path, content, text, changed)


def uninstall(path: str, content: bytes | None) -> ChangeSet:
    """The change that takes every entry of Memdir out of the file, and what is empty then. Raises SettingsError."""
    title = msg("Remove Memdir's hooks")
    text = _text(content)
    if not text.strip():
        return ChangeSet(title, (), "hook")
    changed = text
    while (found := _first(_parse(changed, path), path)) is not None:
        changed = apply_edits(changed, [remove(changed, _emptied(json.loads(changed), found))])
    return _change(title, path, content, text, changed)


def installed(content: bytes | None) -> dict[str, str]:
    """Event -> command of the entries that are Memdir's; empty for a file that can't be understood."""
    try:
        data = _parse(_text(content) or "{}", "")
        return {event: entry["command"] for event, _, _, entry in _entries(data, "")}
    except SettingsError:
        return {}


def _install_one(text: str, path: str, data: dict[str, Any], event: str, command: str) -> str:
    entry = {"type": "command", "command": command, "timeout": TIMEOUT_SECONDS}
    for found, group, number, old in _entries(data, path):
        if found == event:
            if old.get("command") == command:
                return text
            place = ("hooks", event, group, "hooks", number, "command")
            return apply_edits(text, [replace(text, place, command)])
    group_value = {"hooks": [entry]}
    hooks = data.get("hooks")
    edit: Edit
    if hooks is None and "hooks" not in data:
        edit = add(text, (), {event: [group_value]}, "hooks")
    elif event not in (hooks or {}):
        edit = add(text, ("hooks",), [group_value], event)
    else:
        edit = add(text, ("hooks", event), group_value)
    return apply_edits(text, [edit])


def _entries(data: dict[str, Any], path: str) -> list[tuple[str, int, int, dict[str, Any]]]:
    """(event, group, number, entry) of Memdir's entries. Raises SettingsError for shapes that the client would not take."""
    hooks = data.get("hooks", {})
    if not isinstance(hooks, dict):
        raise SettingsError(msg("{path}: “hooks” must be an object; mend it first.", path=path))
    found = []
    for event, groups in hooks.items():
        if not isinstance(groups, list):
            raise SettingsError(
                msg("{path}: “hooks.{event}” must be a list; mend it first.", path=path, event=event)
            )
        for g, group in enumerate(groups):
            entries = group.get("hooks") if isinstance(group, dict) else None
            for n, entry in enumerate(entries if isinstance(entries, list) else ()):
                command = entry.get("command") if isinstance(entry, dict) else None
                match = _OURS.search(command) if isinstance(command, str) else None
                if match is not None:
                    found.append((event, g, n, entry))
    return found


def _first(data: dict[str, Any], path: str) -> tuple[str, int, int] | None:
    entries = _entries(data, path)
    return entries[0][:3] if entries else None


def _emptied(data: dict[str, Any], found: tuple[str, int, int]) -> tuple[str | int, ...]:
    """The outermost place that holds nothing but the entry: the entry, its group, its event, or `hooks` itself."""
    event, group, number = found
    hooks = data["hooks"]
    groups = hooks[event]
    if len(groups[group]["hooks"]) > 1:
        return ("hooks", event, group, "hooks", number)
    if len(groups) > 1:
        return ("hooks", event, group)
    return ("hooks", event) if len(hooks) > 1 else ("hooks",)


def _text(content: bytes | None) -> str:
    return decode(content)[0] if content else ""


def _parse(text: str, path: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = text.count("\n", 0, getattr(error, "pos", 0)) + 1
        raise SettingsError(
            msg(
                "{path} is not valid JSON (line {line}); mend it first, nothing was changed.",
                path=path,
                line=line,
            )
        ) from None
    if not isinstance(data, dict):
        raise SettingsError(
            msg("{path} must hold one JSON object; mend it first, nothing was changed.", path=path)
        )
    return data


def _change(title: Message, path: str, content: bytes | None, text: str, changed: str) -> ChangeSet:
    if changed == text or (content is None and changed == "{}\n"):
        return ChangeSet(title, (), "hook")
    if content is None:
        return ChangeSet(title, (CreateFile(path, changed.encode()),), "hook")
    return ChangeSet(title, (EditFile(path, (_difference(text, changed),), content_hash(content)),), "hook")


def _difference(old: str, new: str) -> Edit:
    """One edit from `old` to `new`: what is between their common beginning and end."""
    shorter = min(len(old), len(new))
    start = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    same = 0
    while same < shorter - start and old[len(old) - 1 - same] == new[len(new) - 1 - same]:
        same += 1
    return Edit(Span(start, len(old) - same), new[start : len(new) - same])
