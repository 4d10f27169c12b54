"""Simplified Chinese: every module of this folder holds `MESSAGES`, English template to Chinese template."""

from __future__ import annotations

import importlib
import pkgutil

MESSAGES: dict[str, str] = {}
for _module in pkgutil.iter_modules(__path__):
    MESSAGES.update(importlib.import_module(f"{__name__}.{_module.name}").MESSAGES)
