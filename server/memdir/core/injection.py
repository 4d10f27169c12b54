"""Text that is addressed to an agent's guard-rails instead of telling it something.

A memory file reaches the model as trusted context, so whoever can write one can try to command it. The patterns look for
what such commands must say: forget your rules, act without asking, hide it, switch protection off, run this, send
secrets away, or imitate the marks of the client's own prompt. A sentence that forbids the same ("never skip the permission
checks") is ordinary advice and passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memdir.core.i18n import Message, msg
from memdir.core.model import Span

Kind: TypeAlias = Literal[
    "override", "secrecy", "no-asking", "switch-off", "exfiltration", "run-download", "prompt-marks"
]

WHAT: dict[Kind, Message] = {
    "override": msg("tells the agent to disregard its instructions"),
    "secrecy": msg("tells the agent to hide something from the person"),
    "no-asking": msg("tells the agent to act without asking"),
    "switch-off": msg("tells the agent to get around its protections"),
    "exfiltration": msg("tells the agent to send private data away"),
    "run-download": msg("has the agent run what it downloads"),
    "prompt-marks": msg("imitates the marks of the agent's own prompt"),
}


@dataclass(frozen=True, slots=True)
class Injection:
    """One suspicious place."""

    span: Span
    kind: Kind


# (kind, pattern, whether a negation before it makes it advice)
_RULES: tuple[tuple[Kind, str, bool], ...] = (
    (
        "override",
        r"\b(?:ignore|disregard|forget|override|overrule|discard)\b[^.!?\n]{0,30}\b(?:previous|prior|earlier|above|preceding|foregoing|system|original|your|all|any|other)\b"
        r"[^.!?\n]{0,30}\b(?:instructions?|prompts?|directives?|guidelines|guard-?rails|rules (?:above|you were given)|programming|training)\b",
        True,
    ),
    ("override", r"\byou are (?:now|no longer)\b[^.!?\n]{0,50}\b(?:unrestricted|jailbroken|DAN\b|bound by|limited by|restricted|developer mode|without (?:any )?restrictions)", True),
    ("override", r"\b(?:new|updated|real|actual) (?:system )?(?:instructions?|prompt)\s*:\s|\bfrom now on,? you (?:must|will|shall|are to)\b|\bpretend (?:that )?(?:you|there) (?:are|have|is) no (?:rules|restrictions|limits)", True),
    ("override", r"(?:忽略|无视|無視|忘记|忘記|不要理会|不要理會)[^。！？\n]{0,20}(?:之前|以上|先前|前面|系统|系統|所有|原有)[^。！？\n]{0,12}(?:指令|指示|提示词?|提示詞?|规则|規則|设定|設定)", True),
    ("override", r"(?:以前|これまで|上記|システム)の[^。\n]{0,10}(?:指示|命令|プロンプト|ルール)を?[^。\n]{0,6}(?:無視|忘れ)|(?:이전|위의|시스템)[^.\n]{0,10}(?:지시|명령|프롬프트)[^.\n]{0,6}(?:무시|잊)", True),
    ("override", r"\b(?:ignorez?|ignoriere|ignora|ignore|oublie[zr]?|vergiss)\b[^.!?\n]{0,25}\b(?:instructions? précédentes|vorherigen? (?:anweisungen|instruktionen)|instrucciones (?:anteriores|previas)|instruções anteriores)", True),
    (
        "secrecy",
        r"\b(?:do not|don'?t|never|without)\s+(?:tell|telling|inform|informing|mention|mentioning|show|showing|reveal|revealing|alert|alerting|notify|notifying|disclose|disclosing|let)\b"
        r"[^.!?\n]{0,40}\b(?:the )?(?:user|human|developer|person|operator)\b(?![^.!?\n]{0,30}\b(?:passwords?|prices?|raw|stack|internal)\b)",
        False,
    ),
    ("secrecy", r"(?:不要|别|別|切勿|禁止)(?:告诉|告訴|告知|通知|提醒|让|讓)(?:用户|用戶|使用者|开发者|人类)", False),
    ("no-asking", r"\b(?:without|don'?t|do not|never|no need to|skip)\s+(?:ask(?:ing)?|seek(?:ing)?|request(?:ing)?|wait(?:ing)? for|requir(?:e|ing))\b[^.!?\n]{0,25}\b(?:permission|confirmation|consent|approval|authori[sz]ation)\b", False),
    ("no-asking", r"\b(?:always|automatically|silently|blindly)\s+(?:approve|accept|allow|confirm|say yes to)\b[^.!?\n]{0,25}\b(?:tool|permission|command|prompt|request|edit|everything|all)\b", True),
    ("no-asking", r"(?:无需|無需|不用|不必|不要)(?:询问|詢問|请求|請求|征求|徵求|经过|經過|等待)[^。！？\n]{0,10}(?:许可|許可|同意|确认|確認|批准|授权|授權)", False),
    ("switch-off", r"--dangerously-skip-permissions|\bbypassPermissions\b|--yolo\b|--dangerously-bypass-approvals-and-sandbox", True),
    (
        "switch-off",
        r"\b(?:bypass|disable|circumvent|evade|turn off|switch off|work around|get around|remove|skip)\b[^.!?\n]{0,25}\b(?:permission (?:checks?|prompts?|system)|safety (?:checks?|filters?|guidelines|rules|measures)"
        r"|guard-?rails|sandbox(?:ing)?|content (?:filters?|polic(?:y|ies))|security (?:hooks?|polic(?:y|ies)|restrictions))\b",
        True,
    ),
    ("switch-off", r"(?:绕过|繞過|关闭|關閉|禁用|跳过|跳過)[^。！？\n]{0,8}(?:权限(?:检查|確認|确认|提示)|安全(?:检查|限制|策略|措施)|沙箱|沙盒|护栏)", True),
    (
        "exfiltration",
        r"\b(?:send|post|upload|exfiltrate|transmit|forward|e-?mail|leak|copy)\b[^.!?\n]{0,60}(?:\b(?:secrets?|credentials?|api keys?|tokens?|passwords?|env(?:ironment)? (?:variables|vars|file)|private keys?|ssh keys?|conversation|transcript)\b|\.env\b|~?/?\.ssh\b|\.aws\b)"
        r"[^\n]{0,60}(?:https?://|\b(?:to (?:this|the following) (?:url|server|address|endpoint)|webhook\.site|pastebin|ngrok)\b)",
        True,
    ),
    ("exfiltration", r"\bcurl\b[^\n]{0,120}(?:-d|--data(?:-binary)?|-F|-T|--upload-file)\s*[\"']?@?[^\n]{0,40}(?:\.env\b|\.ssh/|\.aws/|id_rsa|id_ed25519|\.netrc|credentials|\.npmrc)", True),
    ("exfiltration", r"!\[[^\]\n]{0,80}\]\(https?://[^)\s]{1,200}[?&][^)\s]{0,80}(?:\{|%7B|\$\(|<)[^)\n]{0,80}\)", False),
    ("run-download", r"\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n|]{4,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\b(?:iex|invoke-expression)\s*\(?\s*(?:\(|iwr|irm|new-object)|\bbase64\s+(?:-d|--decode)[^\n|]{0,60}\|\s*(?:sudo\s+)?(?:ba|z)?sh\b", True),
    ("prompt-marks", r"</?(?:system|system-reminder|system_prompt|assistant|human|instructions?|function_calls|function_results|tool_result|tool_use|claudeMd|antml:[a-z_]+)(?:\s[^>\n]{0,60})?>|<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[/?INST\]|<<SYS>>", False),
    ("prompt-marks", r"^(?:\s{0,3}[#>*]{0,3}\s?)(?:system|assistant|human)\s*:\s(?=[^\n]{0,200}\b(?:you|must|ignore|always)\b)", False),
)  # fmt: skip

_COMPILED = tuple(
    (kind, re.compile(pattern, re.IGNORECASE | re.MULTILINE), negatable)
    for kind, pattern, negatable in _RULES
)
_NEGATION = re.compile(
    r"\b(?:never|don'?t|do not|must not|mustn'?t|should not|shouldn'?t|cannot|can'?t|not allowed to|forbid(?:den|s)?|refuse[sd]?|avoid|no longer|nie|nicht|jamais|nunca|prevents?|blocks?|detects?|against|attempts?)\b"
    r"|(?:不要|不得|禁止|切勿|绝不|絕不|严禁|嚴禁|请勿|請勿|防止|检测|避免)",
    re.IGNORECASE,
)
# A cheap look before the patterns: one of these must occur in the lower-cased text.
_MARKS = (
    "ignor", "disregard", "forget", "overr", "discard", "you are now", "you are no longer", "from now on", "instruction", "prompt", "pretend",
    "tell", "inform", "mention", "reveal", "notify", "disclos", "permission", "confirmation", "consent", "approv", "accept", "--yolo",
    "sandbox", "guard", "safety", "filter", "curl", "wget", "iwr", "iex", "base64", "webhook", "http", "<", "[inst]", "system", "assistant",
    "human", "忽略", "无视", "無視", "忘", "不要", "别", "別", "勿", "禁", "需", "不用", "不必", "绕", "繞", "关", "關", "跳", "指示", "무시", "잊", "oubli", "vergiss",
)  # fmt: skip


def find_injections(text: str) -> Iterator[Injection]:
    """The suspicious places of `text`, by position; at most one per kind and line."""
    lowered = text.lower()
    if not any(mark in lowered for mark in _MARKS):
        return
    seen: set[tuple[Kind, int]] = set()
    found: list[Injection] = []
    for kind, pattern, negatable in _COMPILED:
        for m in pattern.finditer(text):
            start = m.start() + len(m[0]) - len(m[0].lstrip())
            line = text.rfind("\n", 0, start) + 1
            if (kind, line) in seen or (negatable and _negated(text, line, start)):
                continue
            seen.add((kind, line))
            found.append(Injection(Span(start, m.end()), kind))
    yield from sorted(found, key=lambda i: (i.span.start, i.span.end))


def _negated(text: str, line: int, start: int) -> bool:
    """A negation stands before the place in its own clause: then the text forbids what the pattern looks for."""
    clause = re.split(r"[.!?;。！？；]", text[line:start])[-1]
    return _NEGATION.search(clause[-60:]) is not None
