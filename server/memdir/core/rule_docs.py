"""The rules as pages: one per rule and an index. Never loaded in normal work."""

from __future__ import annotations

from collections.abc import Mapping

from memdir.core.examples import example_findings
from memdir.core.model import Finding, Safety
from memdir.core.rule import Example, Reads, Rule
from memdir.core.rules import RULES

FOLDER = "docs/rules"
_NOTE = "<!-- Generated from server/memdir/core/rules/{module}.py by scripts/generate_docs.py. -->"
_MAX_LINES = 16
_MAX_WIDTH = 240
_KINDS = {"topic": "memories", "index": "indexes (`MEMORY.md`)", "log": "daily logs"}
_READS = {
    Reads.DIRECTORY: "the other files of the directory",
    Reads.CLOCK: "the time of day",
    Reads.PROJECT: "the repository",
    Reads.DISK: "the time and links of the file",
}
_INDEX = """# Rules

<!-- Generated from server/memdir/core/rules/ by scripts/generate_docs.py. -->

What `memdir check` and the editor look for. *Fix* says whether the preferred fix is safe (it keeps the meaning and is part
of `memdir check --fix`) or needs your eye (`--unsafe-fixes`). How to change a severity or silence a rule:
[configuration](../configuration.md) and the page of each rule.

| rule | severity | fix | |
| --- | --- | --- | --- |
"""


def rule_pages() -> Mapping[str, str]:
    """Path (relative to the repository) -> text of every page."""
    pages = {f"{FOLDER}/{rule.name}.md": page(rule) for rule in RULES}
    rows = (
        f"| [{r.name}]({r.name}.md) | {_severity(r)} | {_fix(r)} | {_inline(str(r.summary))} |" for r in RULES
    )
    return {f"{FOLDER}/README.md": _INDEX + "\n".join(rows) + "\n", **pages}


def page(rule: Rule) -> str:
    """The page of one rule, with the fixed headings."""
    found = [(e, example_findings(rule, e, e.bad)) for e in rule.examples]
    parts = [
        f"# {rule.name}",
        _NOTE.format(module=rule.name.replace("-", "_")),
        f"Severity: **{_severity(rule)}**. Looks at {_kinds(rule)}{_reads(rule)}.",
        "## What it does",
        str(rule.summary),
        "## Why it matters",
        str(rule.rationale),
        "## Example",
        *(_example(e, findings) for e, findings in found),
        "## How to fix",
        _how(rule, [f for _, findings in found for f in findings]),
        "## Configure",
        f'In [configuration](../configuration.md), for example in `memdir.toml`:\n\n```toml\n[severity]\n{rule.name} = "off"   # or error, warning, information, hint\n```',
        f"In a file: `<!-- memdir: ignore {rule.name} -->` silences its line (alone on a line, the next one), `<!-- memdir: ignore-file {rule.name} -->` the file.",
    ]
    return "\n\n".join(p for p in parts if p) + "\n"


def _severity(rule: Rule) -> str:
    return rule.severity.label if rule.severity is not None else "off"


def _fix(rule: Rule) -> str:
    return {None: "", Safety.SAFE: "safe", Safety.UNSAFE: "needs your eye"}[rule.fix]


def _reads(rule: Rule) -> str:
    known = [text for flag, text in _READS.items() if flag in rule.reads]
    return f"; its findings depend on {_list(known)}" if known else ""


def _kinds(rule: Rule) -> str:
    return (
        _list([_KINDS[k] for k in sorted(rule.kinds)])
        if rule.kinds
        else "the configuration around a memory directory"
    )


def _list(words: list[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def _inline(text: str) -> str:
    return text.replace("|", "\\|")


def _example(example: Example, findings: list[Finding]) -> str:
    parts = [f"`{example.rel}`, not so:", _block(example.bad)]
    if findings:
        parts.append(f"> {findings[0].message}")
    parts += ["but so:", _block(example.good)]
    if example.files:
        parts.append("beside it:")
        for rel, text in example.files.items():
            parts += [f"`{rel}`", _block(text)]
    if example.repo:
        known = [
            f"`{path}` ({n} lines{', changed on ' + day if day else ''})"
            for path, (n, day) in example.repo.items()
            if n
        ]
        parts.append(f"The repository has {_list(known)}.")
    return "\n\n".join(parts)


def _block(text: str) -> str:
    text = "".join(_visible(c) for c in text)
    lines = [line if len(line) <= _MAX_WIDTH else line[: _MAX_WIDTH - 1] + "…" for line in text.split("\n")]
    if lines and not lines[-1]:
        lines.pop()
    if len(lines) > _MAX_LINES:
        hidden = len(lines) - _MAX_LINES + 1
        half = _MAX_LINES // 2
        lines = [*lines[:half], f"… {hidden} more lines", *lines[half + hidden :]]
    return "\n".join(["````markdown", *lines, "````"])


def _visible(c: str) -> str:
    """Characters that a page can't show by their code point."""
    if c in "\n\t" or c.isprintable():
        return c
    if "\udc80" <= c <= "\udcff":
        return f"⟨byte {ord(c) - 0xDC00:02X}⟩"
    return f"⟨U+{ord(c):04X}⟩"


def _how(rule: Rule, findings: list[Finding]) -> str:
    titles = list(dict.fromkeys((str(fix.title), fix.safety) for f in findings for fix in f.fixes))
    if not titles:
        return (
            "There is no fix by machine: the message says what to do."
            if rule.fix is None
            else f"The fix is {_fix(rule)}."
        )
    lines = ["Quick fixes (in the editor, or with `memdir check --fix`):", ""]
    for title, safety in titles:
        note = "safe" if safety is Safety.SAFE else "look at it first: `--unsafe-fixes`"
        lines.append(f"- {title} ({note})")
    return "\n".join(lines)
