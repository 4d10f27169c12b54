"""Which memories merely explain a tool that is in use right now.

An agent that is calling a tool already has its documentation in context; a note on how to call it is noise. What the
documentation does not say, warnings and gotchas, is exactly what the agent needs at that moment, so those stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from memdir.core.recall.manifest import Candidate
from memdir.core.recall.tokens import fold

_USAGE = re.compile(
    r"\b(?:how to (?:use|call|run|invoke)|usage|cheat ?sheet|syntax|documentation|docs? (?:for|of|on)|manual|reference (?:for|of)|"
    r"command(?:s| line)? (?:for|of|options)|commands|options|flags|parameters|arguments|api of|guide|tutorial|quick ?start|basics|examples? (?:for|of)|"
    r"supports|accepts|lists? (?:of|the)|handbuch|anleitung|verwendung|befehle|mode d.emploi|utilisation|commandes|uso de|comandos|instrucciones|"
    r"como usar|комманды|команды|использование|pouziti|navod)\b"
    r"|用法|使用方法|使用说明|如何使用|命令|参数|文档|手册|教程|指南|使い方|使用方法|コマンド|ドキュメント|オプション|사용법|사용 방법|명령|문서|옵션",
    re.IGNORECASE,
)
_WARNING = re.compile(
    r"\b(?:never|not|don.?t|avoid|careful|beware|caution|warning|gotcha|pitfall|trap|danger\w*|bug(?:gy|s)?|broken|breaks?|fails?|failing|crash\w*|"
    r"hangs?|wrong(?:ly)?|silently|unless|only|except|must|forbidden|deprecated|workaround|work around|known issue|instead|lost|loses?|leaks?|burn\w*|"
    r"nicht|nie|kein\w*|achtung|vorsicht|warnung|fehler|stattdessen|jamais|attention|piege|bogue|evite\w*|nunca|cuidado|evita\w*|fallo|ojo|"
    r"не|никогда|осторожно|ошибк\w*|nikdy|pozor|chyba)\b"
    r"|不要|不能|切勿|禁止|避免|注意|警告|小心|坑|失败|错误|必须|别|陷阱|ない|ません|注意|禁止|必ず|失敗|バグ|罠|않|말|주의|금지|반드시|실패|버그",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"[^a-z0-9]+")
# Tool names that are ordinary words: they must not make every memory with "read" in it a usage note.
_ORDINARY = frozenset(
    "mcp read write edit bash search fetch task agent list get set run create update delete query web file files notebook todo multi tool".split()
)


def tool_words(tools: Iterable[str]) -> frozenset[str]:
    """The words by which memories name `tools`: `mcp__postgres__run_query` gives `postgres` (and `runquery`)."""
    found: set[str] = set()
    for tool in tools:
        folded = fold(tool)
        for part in folded.split("__"):
            words = [w for w in _SPLIT.split(part) if w]
            found.update(w for w in words if len(w) > 2 and w not in _ORDINARY)
            if len(words) > 1:
                found.add("".join(words))
    return frozenset(found)


def is_usage_note(one: Candidate, words: frozenset[str]) -> bool:
    """True when the memory says how to use one of the tools (by `tool_words`) and warns of nothing."""
    if not words or one.type == "feedback":  # feedback is about how to work: a rule, never a manual
        return False
    text = f"{one.name} {one.description}"
    stem = one.rel.rsplit("/", 1)[-1].removesuffix(".md")
    named = set(_SPLIT.split(fold(f"{text} {stem}")))
    return bool(named & words) and _USAGE.search(text) is not None and _WARNING.search(text) is None
