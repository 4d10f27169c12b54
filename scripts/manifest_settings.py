"""The extension's manifest with the settings of `memdir.core.settings` in it, in both languages.

The rest of the manifest is written by hand and kept as it is. Used by `scripts/generate_docs.py`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

GENERATED = "setting."  # prefix of the generated keys in package.nls*.json
BLOCK = 2  # which block of contributes.configuration is generated
LOCALES = {"package.nls.json": "en", "package.nls.zh-cn.json": "zh-cn"}


def manifest_files(root: Path) -> Mapping[str, str]:
    """package.json and its message files as they should be; relative path -> text."""
    from memdir.core.settings_docs import editor_properties, restricted_properties
    from memdir.store.config import rule_names

    rules = rule_names()
    manifest: dict[str, Any] = json.loads((root / "package.json").read_text("utf-8"))
    properties = editor_properties(rules)
    texts = {locale: editor_properties(rules, locale) for locale in LOCALES.values()}
    for order, (name, entry) in enumerate(properties.items()):
        entry["description"] = f"%{GENERATED}{name}%"
        entry["order"] = order
    manifest["contributes"]["configuration"][BLOCK]["properties"] = properties
    trust = manifest["capabilities"]["untrustedWorkspaces"]
    own = [name for name in trust["restrictedConfigurations"] if name.startswith("memdir.server.")]
    trust["restrictedConfigurations"] = own + restricted_properties()
    found = {"package.json": _dump(manifest)}
    for file, locale in LOCALES.items():
        messages = json.loads((root / file).read_text("utf-8"))
        kept = {key: text for key, text in messages.items() if not key.startswith(GENERATED)}
        generated = {GENERATED + name: entry["description"] for name, entry in texts[locale].items()}
        found[file] = _dump(kept | generated)
    return found


def _dump(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
