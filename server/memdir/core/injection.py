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
from typing import Literal, NamedTuple, TypeAlias

from memdir.core.i18n import Message, msg
from memdir.core.lazy_re import lazy
from memdir.core.model import Span
from memdir.core.words import has_foreign_letters, word_set, words_of

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


class _Row(NamedTuple):
    """`expression` is worth running when `marks` are empty or one of them occurs, and of each group of `words` one does.

    `negatable`: a negation before the place makes it advice.
    """

    kind: Kind
    pattern: re.Pattern[str]
    negatable: bool
    words: tuple[frozenset[bytes], ...]
    marks: tuple[str, ...]


_When: TypeAlias = tuple[tuple[frozenset[bytes], ...], tuple[str, ...]]


def _row(kind: Kind, expression: str, negatable: bool, when: _When) -> _Row:
    return _Row(kind, lazy(expression, re.IGNORECASE | re.MULTILINE), negatable, *when)


def _words(*groups: str) -> _When:
    """Whole words; the group that is met most rarely comes first."""
    return tuple(map(words_of, groups)), ()


def _marks(marks: str) -> _When:
    return (), tuple(marks.split())


_ROWS: tuple[_Row, ...] = (
    _row(
        "override",
        r"\b(?:ignore|disregard|forget|override|overrule|discard)\b[^.!?\n]{0,30}\b(?:previous|prior|earlier|above|preceding|foregoing|system|original|your|all|any|other)\b"
        r"[^.!?\n]{0,30}\b(?:instructions?|prompts?|directives?|guidelines|guard-?rails|rules (?:above|you were given)|programming|training)\b",
        True,
        _words("ignore disregard forget override overrule discard", "instruction instructions prompt prompts directive directives guidelines guardrails guard rules programming training"),
    ),
    _row("override", r"\byou are (?:now|no longer)\b[^.!?\n]{0,50}\b(?:unrestricted|jailbroken|DAN\b|bound by|limited by|restricted|developer mode|without (?:any )?restrictions)", True, _words("now no", "you", "are")),
    _row("override", r"\b(?:new|updated|real|actual) (?:system )?(?:instructions?|prompt)\s*:\s|\bfrom now on,? you (?:must|will|shall|are to)\b|\bpretend (?:that )?(?:you|there) (?:are|have|is) no (?:rules|restrictions|limits)", True, _words("instruction instructions prompt pretend now")),
    _row("override", r"(?:忽略|无视|無視|忘记|忘記|不要理会|不要理會)[^。！？\n]{0,20}(?:之前|以上|先前|前面|系统|系統|所有|原有)[^。！？\n]{0,12}(?:指令|指示|提示词?|提示詞?|规则|規則|设定|設定)", True, _marks("忽略 无视 無視 忘记 忘記 不要理会 不要理會")),
    _row("override", r"(?:以前|これまで|上記|システム)の[^。\n]{0,10}(?:指示|命令|プロンプト|ルール)を?[^。\n]{0,6}(?:無視|忘れ)|(?:이전|위의|시스템)[^.\n]{0,10}(?:지시|명령|프롬프트)[^.\n]{0,6}(?:무시|잊)", True, _marks("以前 これまで 上記 システム 이전 위의 시스템")),
    _row("override", r"\b(?:ignorez?|ignoriere|ignora|ignore|oublie[zr]?|vergiss)\b[^.!?\n]{0,25}\b(?:instructions? précédentes|vorherigen? (?:anweisungen|instruktionen)|instrucciones (?:anteriores|previas)|instruções anteriores)", True, _words("ignorez ignore ignoriere ignora oublie oubliez oublier vergiss")),
    _row(
        "secrecy",
        r"\b(?:do not|don'?t|never|without)\s+(?:tell|telling|inform|informing|mention|mentioning|show|showing|reveal|revealing|alert|alerting|notify|notifying|disclose|disclosing|let)\b"
        r"[^.!?\n]{0,40}\b(?:the )?(?:user|human|developer|person|operator)\b(?![^.!?\n]{0,30}\b(?:passwords?|prices?|raw|stack|internal)\b)",
        False,
        _words("tell telling inform informing mention mentioning show showing reveal revealing alert alerting notify notifying disclose disclosing let", "user human developer person operator"),
    ),
    _row("secrecy", r"(?:不要|别|別|切勿|禁止)(?:告诉|告訴|告知|通知|提醒|让|讓)(?:用户|用戶|使用者|开发者|人类)", False, _marks("不要 别 別 切勿 禁止")),
    _row("no-asking", r"\b(?:without|don'?t|do not|never|no need to|skip)\s+(?:ask(?:ing)?|seek(?:ing)?|request(?:ing)?|wait(?:ing)? for|requir(?:e|ing))\b[^.!?\n]{0,25}\b(?:permission|confirmation|consent|approval|authori[sz]ation)\b", False, _words("permission confirmation consent approval authorization authorisation", "ask asking seek seeking request requesting wait waiting require requiring")),
    _row("no-asking", r"\b(?:always|automatically|silently|blindly)\s+(?:approve|accept|allow|confirm|say yes to)\b[^.!?\n]{0,25}\b(?:tool|permission|command|prompt|request|edit|everything|all)\b", True, _words("always automatically silently blindly", "approve accept allow confirm say", "tool permission command prompt request edit everything all")),
    _row("no-asking", r"(?:无需|無需|不用|不必|不要)(?:询问|詢問|请求|請求|征求|徵求|经过|經過|等待)[^。！？\n]{0,10}(?:许可|許可|同意|确认|確認|批准|授权|授權)", False, _marks("无需 無需 不用 不必 不要")),
    _row("switch-off", r"--dangerously-skip-permissions|\bbypassPermissions\b|--yolo\b|--dangerously-bypass-approvals-and-sandbox", True, _words("dangerously bypasspermissions yolo")),
    _row(
        "switch-off",
        r"\b(?:bypass|disable|circumvent|evade|turn off|switch off|work around|get around|remove|skip)\b[^.!?\n]{0,25}\b(?:permission (?:checks?|prompts?|system)|safety (?:checks?|filters?|guidelines|rules|measures)"
        r"|guard-?rails|sandbox(?:ing)?|content (?:filters?|polic(?:y|ies))|security (?:hooks?|polic(?:y|ies)|restrictions))\b",
        True,
        _words("permission safety guard guardrails sandbox sandboxing content security", "bypass disable circumvent evade turn switch work get remove skip"),
    ),
    _row("switch-off", r"(?:绕过|繞過|关闭|關閉|禁用|跳过|跳過)[^。！？\n]{0,8}(?:权限(?:检查|確認|确认|提示)|安全(?:检查|限制|策略|措施)|沙箱|沙盒|护栏)", True, _marks("绕过 繞過 关闭 關閉 禁用 跳过 跳過")),
    _row(
        "exfiltration",
        r"\b(?:send|post|upload|exfiltrate|transmit|forward|e-?mail|leak|copy)\b[^.!?\n]{0,60}(?:\b(?:secrets?|credentials?|api keys?|tokens?|passwords?|env(?:ironment)? (?:variables|vars|file)|private keys?|ssh keys?|conversation|transcript)\b|\.env\b|~?/?\.ssh\b|\.aws\b)"
        r"[^\n]{0,60}(?:https?://|\b(?:to (?:this|the following) (?:url|server|address|endpoint)|webhook\.site|pastebin|ngrok)\b)",
        True,
        _words("send post upload exfiltrate transmit forward mail email leak copy", "secret secrets credential credentials api token tokens password passwords env environment private ssh conversation transcript aws"),
    ),
    _row("exfiltration", r"\bcurl\b[^\n]{0,120}(?:-d|--data(?:-binary)?|-F|-T|--upload-file)\s*[\"']?@?[^\n]{0,40}(?:\.env\b|\.ssh/|\.aws/|id_rsa|id_ed25519|\.netrc|credentials|\.npmrc)", True, _words("curl")),
    _row("exfiltration", r"!\[[^\]\n]{0,80}\]\(https?://[^)\s]{1,200}[?&][^)\s]{0,80}(?:\{|%7B|\$\(|<)[^)\n]{0,80}\)", False, _marks("![")),
    _row("run-download", r"\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n|]{4,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\b(?:iex|invoke-expression)\b\s*\(?\s*(?:\(|iwr|irm|new-object)|\bbase64\s+(?:-d|--decode)[^\n|]{0,60}\|\s*(?:sudo\s+)?(?:ba|z)?sh\b", True, _words("curl wget iwr invoke iex base64")),
    _row("prompt-marks", r"</?(?:system|system-reminder|system_prompt|assistant|human|instructions?|function_calls|function_results|tool_result|tool_use|claudeMd|antml:[a-z_]+)(?:\s[^>\n]{0,60})?>|<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[/?INST\]|<<SYS>>", False, _words("system assistant human instruction instructions function tool claudemd antml im user endoftext inst sys")),
    _row("prompt-marks", r"^(?:\s{0,3}[#>*]{0,3}\s?)(?:system|assistant|human)\s*:\s(?=[^\n]{0,200}\b(?:you|must|ignore|always)\b)", False, _words("system assistant human", "you must ignore always")),
)  # fmt: skip

# first word -> rows
_STARTS: dict[bytes, list[int]] = {}
for _number, _each in enumerate(_ROWS):
    for _word in _each.words[0] if _each.words else ():
        _STARTS.setdefault(_word, []).append(_number)
_START_WORDS = frozenset(_STARTS)
_MARKED = tuple(n for n, row in enumerate(_ROWS) if row.marks)
_NEGATION = lazy(
    r"\b(?:never|don'?t|do not|must not|mustn'?t|should not|shouldn'?t|cannot|can'?t|not allowed to|forbid(?:den|s)?|refuse[sd]?|avoid|no longer|nie|nicht|jamais|nunca|prevents?|blocks?|detects?|against|attempts?)\b"
    r"|(?:不要|不得|禁止|切勿|绝不|絕不|严禁|嚴禁|请勿|請勿|防止|检测|避免)",
    re.IGNORECASE,
)

# a line break inside a paragraph: what follows is neither blank nor the mark of a list, heading, quote, table or fence
_CONTINUES = lazy(r"\n(?=[ \t]{0,3}[^\s#>*+\-|`~\d])")


def find_injections(text: str) -> Iterator[Injection]:
    """The suspicious places of `text`, by position; at most one per kind and line."""
    rows = _worth_running(text)
    if not rows:
        return
    seen: set[tuple[Kind, int]] = set()
    found: list[Injection] = []
    flat = _CONTINUES.sub(" ", text)  # as Markdown reads it: a wrapped sentence is one sentence
    for row in rows:
        for m in row.pattern.finditer(text if row.kind == "prompt-marks" else flat):
            start = m.start() + len(m[0]) - len(m[0].lstrip())
            line = text.rfind("\n", 0, start) + 1
            paragraph = max(flat.rfind("\n", 0, start) + 1, start - 120)
            if (row.kind, line) in seen or (row.negatable and _negated(flat, paragraph, start)):
                continue
            seen.add((row.kind, line))
            found.append(Injection(Span(start, m.end()), row.kind))
    yield from sorted(found, key=lambda i: (i.span.start, i.span.end))


def _worth_running(text: str) -> list[_Row]:
    """Rows whose words or marks occur, in their order: for most texts none, found out in microseconds."""
    words = word_set(text)
    numbers = {number for word in _START_WORDS & words for number in _STARTS[word]}
    if numbers:
        numbers = {n for n in numbers if not any(group.isdisjoint(words) for group in _ROWS[n].words)}
    if has_foreign_letters(text) or "![" in text:
        numbers |= {n for n in _MARKED if any(mark in text for mark in _ROWS[n].marks)}
    return [_ROWS[n] for n in sorted(numbers)]


def _negated(text: str, line: int, start: int) -> bool:
    """A negation stands before the place in its own clause: then the text forbids what the pattern looks for."""
    clause = re.split(r"[.!?;。！？；]", text[line:start])[-1]
    return _NEGATION.search(clause[-60:]) is not None
