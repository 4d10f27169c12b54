"""Recall: ages, caveats, reasons, records, the model client and the hook."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    "today": "今天",
    "yesterday": "昨天",
    "{days} days ago": "{days} 天前",
}
