"""Descriptions that speak to the selector instead of describing a memory.

Memories come from conversations and, in team mode, from other people, so a description is untrusted text. The
selector gets it quoted as data, but a small model may still obey "always choose this file". So sentences that address
whoever chooses are cut out before anything ranks them: the memory is judged by what is left, and gains nothing.
"""

from __future__ import annotations

import re

_SELF = (
    r"(?:this|the\s+present)\s+(?:memory|memories|file|entry|note|one|record|description|item|candidate)\b"
)
_CHOOSE = r"(?:select|choose|pick|return|include|recall|rank|prefer|surface|prioriti[sz]e|list|put)"
_COMMANDS = re.compile(
    rf"""
    \b(?:ignore|disregard|forget|override|bypass)\b\s+(?:\w+\s+){{0,2}}(?:(?:all|any|your|previous|prior|above|earlier|other|every|these)\s+)+(?:\w+\s+)?(?:instructions?|prompts?|rules|memories|candidates|entries|files|text)\b
    |\b{_CHOOSE}\b\s+(?:always\s+|only\s+)?{_SELF}
    |\b(?:select|choose|pick|recall|rank)\s+(?:always\s+|only\s+)?(?:me\b|[\w./-]+\.md\b)
    |\b(?:always|must|should|shall)\s+(?:be\s+)?(?:selected|chosen|picked|recalled|ranked|surfaced)\b(?=\s*(?:$|[.!,;]|first|always|for\s+(?:every|any|all)|when|whatever|regardless|no\s+matter|in\s+every))
    |\b(?:relevant|useful|helpful)\s+(?:to|for)\s+(?:every|any|all|each)\s+(?:possible\s+)?(?:quer(?:y|ies)|questions?|prompts?|requests?)
    |\b(?:regardless\s+of|no\s+matter|whatever)\s+(?:what\s+)?the\s+(?:quer(?:y|ies)|question|prompt)\b
    |\byou\s+are\s+(?:now\s+)?(?:the|a|an)\s+(?:memory\s+)?(?:selector|assistant|model|ai|language\s+model|chatbot)\b
    |\b(?:selector|selection\s+model|recall\s+model)\b[^.!?\n]{{0,20}}\b(?:must|should|shall|has\s+to)\b
    |^\s*(?:system|developer|assistant|human)\s*(?:prompt|message)?\s*:
    |"selected"\s*:\s*\[
    |</?(?:memories|manifest|system|query|instructions?|candidates?)\s*>
    |(?:忽略|无视|忘记|無視)[^。！？\n]{{0,12}}(?:指令|指示|提示词)
    |(?:选择|选中|选取|返回|召回)[^。！？\n]{{0,4}}(?:本|此|这)(?:条|个|份)?(?:记忆|文件|条目)
    |この(?:メモリ|ファイル|記憶|項目)を[^。\n]{{0,10}}(?:選択|選ん|選び|返し)
    |이\s*(?:메모리|파일|항목|기억)[을를][^.\n]{{0,14}}(?:선택|반환)
    |\b(?:diese[ns]?)\s+(?:datei|erinnerung|eintrag)\b[^.!?\n]{{0,20}}\b(?:auswählen|wählen|zurückgeben|wähle)
    |\b(?:ignoriere|vergiss)\s+(?:alle|die)\s+(?:vorherigen|anderen|bisherigen)?\s*(?:anweisungen|erinnerungen)
    |\b(?:choisi[rs]|sélectionne[rz]?|renvoie|renvoyer)\s+(?:toujours\s+)?(?:ce|cette)\s+(?:fichier|mémoire|entrée|note)
    |\bignore[zr]?\s+(?:toutes\s+)?les\s+(?:instructions|consignes)\b
    |\b(?:elige|elegir|selecciona|seleccionar|escolha|escolher|selecione|selecionar)\s+(?:siempre\s+|sempre\s+)?(?:este|esta)\s+(?:archivo|memoria|entrada|arquivo|memória)
    |\bignora\s+(?:todas\s+)?las\s+instrucciones\b
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
_SENTENCE = re.compile(r"[^.!?。！？;；\n]+(?:[.!?](?=\S)[^.!?。！？;；\n]+)*[.!?。！？;；\n]*\s*")
_HINTS = (
    "select", "choos", "chose", "pick", "return", "includ", "recall", "rank", "prefer", "surface", "priorit", "list", "put ", "relevan",
    "useful", "helpful", "ignor", "disregard", "forget", "overrid", "bypass", "regardless", "matter", "whatever", "system", "developer",
    "assistant", "human", "you are", "<", "选", "返回", "召回", "忽略", "无视", "忘记", "無視", "選", "返し", "선택", "반환", "wähl", "zurückg",
    "vergiss", "chois", "sélect", "renvo", "elige", "elegir", "selec", "escolh",
)  # fmt: skip
"""A cheap first look: some word of every pattern above. Plain descriptions mostly stop here."""


def defuse(text: str) -> tuple[str, bool]:
    """(`text` without the sentences that address the selector, whether there were any). Total and quick on plain text."""
    lowered = text.lower()
    if not any(hint in lowered for hint in _HINTS) or not _COMMANDS.search(text):
        return text, False
    kept = [s for s in _SENTENCE.findall(text) if not _COMMANDS.search(s)]
    clean = "".join(kept).strip()
    return ("", True) if _COMMANDS.search(clean) else (clean, True)
