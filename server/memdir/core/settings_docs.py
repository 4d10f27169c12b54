"""The table of settings as a reference page, a JSON schema and editor properties. Never loaded in normal work."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from memdir.core.i18n import Message, msg, render
from memdir.core.settings import GROUPS, SEVERITY_NAMES, Key, settings_keys

SCHEMA_URL = "https://json-schema.org/draft-07/schema"
_INTRO = """# Configuration

<!-- Generated from server/memdir/core/settings.py by scripts/generate_docs.py. -->

Settings come from four places; a later one wins:

1. your own file: `memdir/memdir.toml` in the configuration directory of your system (`$XDG_CONFIG_HOME` or `~/.config`
   on Linux, `~/Library/Application Support` on macOS, `%APPDATA%` on Windows);
2. the project: `memdir.toml`, or `[tool.memdir]` in `pyproject.toml`, in the directory that owns the memory
   (`memdir where` prints it). With both, `memdir.toml` counts;
3. the editor, under `memdir` (names may be in camel case);
4. the command line.

Lists replace those of a lower place, except where "adds up" is said. A mistake in a file is a diagnostic in that file
(`config-invalid`); the rest of the file still counts. Patterns in `exclude` are relative to the memory directory; `*`
fits any characters, slashes too, and a directory's name excludes all in it.

A project's file comes with the repository, so it can't set what is marked *yours only*; what is marked *trusted* counts
once the workspace is trusted in the editor, or once its directory is listed under `trusted` in your own file. Switching
something off never needs trust.

```toml
stale-days = 60
exclude = ["archive/**"]
extend-types = ["decision"]

[severity]
memory-stale = "off"
relative-date = "error"

[recall]
limit = 3
```
"""


def json_schema(rules: Collection[str] = ()) -> dict[str, Any]:
    """JSON schema (draft 7) of memdir.toml; names of `rules` are offered, others are not refused (they are checked)."""
    schema: dict[str, Any] = {
        "$schema": SCHEMA_URL.replace("https", "http") + "#",
        "title": "memdir.toml",
        "type": "object",
        "additionalProperties": False,
        "properties": {},
    }
    for group in GROUPS:
        schema["properties"][group] = {"type": "object", "additionalProperties": False, "properties": {}}
    for name, (key, default) in settings_keys().items():
        group, _, leaf = name.rpartition(".")
        properties = schema["properties"][group]["properties"] if group else schema["properties"]
        properties[leaf] = _property(name, key, default, rules)
    return schema


def schema_text(rules: Collection[str] = ()) -> str:
    """The schema as the file that is checked in."""
    return json.dumps(json_schema(rules), indent=2, ensure_ascii=False, sort_keys=False) + "\n"


def editor_properties(rules: Collection[str] = (), locale: str = "en") -> dict[str, Any]:
    """`contributes.configuration.properties` for VS Code. Defaults are null: only what a person sets is sent."""
    found: dict[str, Any] = {}
    for name, (key, default) in settings_keys().items():
        entry = _property(name, key, default, rules, locale)
        if "enum" in entry:
            entry["enum"] = [*entry["enum"], None]
        found["memdir." + camel(name)] = entry | {
            "type": [entry["type"], "null"],
            "default": None,
            "description": _sentence(entry["description"], entry["default"], locale),
            "scope": "application" if key.scope == "user" else "resource",
        }
    return found


def camel(name: str) -> str:
    """'recall.max-candidates' -> 'recall.maxCandidates'."""
    return ".".join(
        p.split("-")[0] + "".join(w.capitalize() for w in p.split("-")[1:]) for p in name.split(".")
    )


def restricted_properties() -> list[str]:
    """VS Code settings that an untrusted workspace may not set (`restrictedConfigurations`)."""
    return ["memdir." + camel(name) for name, (key, _) in settings_keys().items() if key.scope == "trusted"]


def markdown() -> str:
    """The page docs/configuration.md."""
    parts = [_INTRO]
    keys = settings_keys()
    for group in ("", *GROUPS):
        parts.append(f"## {'`[' + group + ']`' if group else 'General'}\n")
        for name, (key, default) in keys.items():
            if name.rpartition(".")[0] != group:
                continue
            parts.append(f"### `{name}`\n\n{key.description}\n\n- Default: {_shown(default)}")
            parts.extend(_facts(key))
            parts[-1] += "\n"
    return "\n".join(parts)


def _facts(key: Key) -> list[str]:
    facts = []
    if key.choices:
        facts.append("- Values: " + ", ".join(f"`{c}`" for c in key.choices))
    if key.minimum is not None and key.maximum is not None:
        facts.append(f"- From {key.minimum:g} to {key.maximum:,.10g}")
    if key.add_up:
        facts.append("- Adds up over all places")
    if key.scope != "any":
        facts.append("- Set by: " + ("yours only" if key.scope == "user" else "trusted"))
    return facts


def _shown(default: object) -> str:
    if isinstance(default, Mapping):
        return "each rule's own"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if isinstance(default, tuple):
        return "`" + json.dumps(list(default)) + "`"
    return f"`{json.dumps(default)}`"


def _property(
    name: str, key: Key, default: object, rules: Collection[str], locale: str = "en"
) -> dict[str, Any]:
    found: dict[str, Any] = {"description": render(key.description, locale)}
    if name == "severity":
        level: dict[str, Any] = {"enum": list(SEVERITY_NAMES)}
        found |= {"type": "object", "additionalProperties": level, "default": {}}
        if rules:
            found["properties"] = dict.fromkeys(sorted(rules), level)
    elif isinstance(default, bool):
        found |= {"type": "boolean", "default": default}
    elif isinstance(default, tuple):
        items: dict[str, Any] = {"type": "string"}
        if key.rule_names and rules:
            items["enum"] = sorted(rules)
        found |= {"type": "array", "items": items, "default": list(default)}
    elif isinstance(default, (int, float)):
        found |= {"type": "integer" if isinstance(default, int) else "number", "default": default}
        if key.minimum is not None:
            found["minimum"] = key.minimum
        if key.maximum is not None:
            found["maximum"] = key.maximum
    else:
        found |= {"type": "string", "default": default}
        if key.choices:
            found["enum"] = list(key.choices)
    return found


def _sentence(description: str, default: object, locale: str) -> str:
    if default in ([], {}, ""):
        return description
    shown = json.dumps(default, ensure_ascii=False)
    note: Message = msg("{description} Default: {default}", description=description, default=shown)
    return render(note, locale)
