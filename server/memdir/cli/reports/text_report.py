"""Text for people: place, severity, rule, sentence, the source line with carets, the fix."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Iterable
from typing import TypeAlias

from memdir.cli.env import CliEnv
from memdir.cli.reports import FileReport, Tally
from memdir.core.i18n import Message, files, msg
from memdir.core.model import Diagnostic, Safety, Severity
from memdir.core.secrets import masked

Paint: TypeAlias = Callable[[str, str], str]  # (text, code of a colour) -> text

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFORMATION: "36", Severity.HINT: "35"}
_LABELS = {
    Severity.ERROR: msg("error"),
    Severity.WARNING: msg("warning"),
    Severity.INFORMATION: msg("information"),
    Severity.HINT: msg("hint"),
}
_COUNTS = {
    Severity.ERROR: (msg("{n} error"), msg("{n} errors")),
    Severity.WARNING: (msg("{n} warning"), msg("{n} warnings")),
    Severity.INFORMATION: (msg("{n} information"), msg("{n} information")),
    Severity.HINT: (msg("{n} hint"), msg("{n} hints")),
}
MAX_COLUMNS = 110  # a source line is shown around its carets, not wrapped


def shown_path(path: str, env: CliEnv) -> str:
    """`path` relative to the current directory, else with ~ for the home directory."""
    for base, prefix in ((env.cwd, ""), (env.home, "~" + os.sep)):
        root = base.rstrip(os.sep) + os.sep
        if path.startswith(root):
            return prefix + path[len(root) :]
    return path


def width(text: str) -> int:
    """Columns of a terminal that `text` takes; wide East Asian characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def printable(text: str) -> str:
    """Control and invisible characters made visible, so that a hostile file cannot drive the terminal."""
    if text.isprintable():
        return text
    return "".join(
        " " if c == "\t" else c if c.isprintable() else "\ufffd" if "\ud800" <= c <= "\udfff" else "·"
        for c in text
    )


class TextForm:
    """For people at a terminal."""

    def __init__(self, env: CliEnv) -> None:
        self._env = env
        self._paint: Paint = _coloured if env.colour else _plain

    def piece(self, file: FileReport) -> str:
        env, paint = self._env, self._paint
        out: list[str] = []
        shown = shown_path(file.path, env)
        source = masked(file.text)  # an excerpt must never show a secret, whichever rule it belongs to
        for d in file.diagnostics:
            line, column = file.lines.position(d.span.start, "utf-32")
            label = paint(env.text(_LABELS[d.severity]), _COLOURS[d.severity] + ";1")
            place = paint(f"{shown}:{line + 1}:{column + 1}", "1")
            out.append(f"{place}: {label} {paint(d.rule, '2')} {env.text(d.message)}")
            out += _excerpt(source, file, d, paint)
            if d.fix:
                note = msg("fix") if d.fix.safety is Safety.SAFE else msg("fix (look at it first)")
                out.append(f"      = {env.text(note)}: {env.text(d.fix.title)}")
            out.append("")
        return "\n".join(out)

    def write(self, pieces: Iterable[str], tally: Tally) -> None:
        """Every finding and a closing line."""
        for piece in pieces:
            self._env.out(piece)
        self._env.out(_closing(tally, self._env))


def _coloured(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"


def _plain(text: str, code: str) -> str:
    return text


def _excerpt(shown: str, file: FileReport, diagnostic: Diagnostic, paint: Paint) -> list[str]:
    span = diagnostic.span
    line = file.lines.line_of(span.start)
    whole = file.lines.span(line)
    source = shown[whole.start : whole.end]
    if not source.strip():
        return []
    start = span.start - whole.start
    end = min(max(span.end, span.start + 1), whole.end) - whole.start
    left = 0
    if len(source) > MAX_COLUMNS:
        left = max(0, min(start - 30, len(source) - MAX_COLUMNS))
        source = source[left : left + MAX_COLUMNS]
        start, end = start - left, min(end - left, len(source))
    number = str(line + 1).rjust(5)
    before, marked = printable(source[:start]), printable(source[start:end])
    carets = "^" * max(1, width(marked))
    lead = "…" if left else ""
    text = printable(source)
    return [
        f"{paint(number + ' |', '2')} {lead}{text}",
        f"{paint('      |', '2')} {' ' * (width(before) + len(lead))}{paint(carets, _COLOURS[diagnostic.severity])}",
    ]


def _closing(tally: Tally, env: CliEnv) -> str:
    if not tally.count:
        return env.text(msg("No problems in {files}.", files=files(tally.checked)))
    counts, fixable, unsafe = tally.severities(), tally.fixable, tally.unsafe
    parts = ", ".join(env.text(msg_count(s, n)) for s, n in counts.items() if n)
    text = env.text(msg("Found {parts} in {files}.", files=files(tally.checked), parts=parts))
    if fixable:
        text += " " + env.text(msg("{n} can be fixed with --fix.", n=fixable))
    if unsafe:
        text += " " + env.text(msg("{n} more with --fix --unsafe-fixes.", n=unsafe))
    return text


def msg_count(severity: Severity, n: int) -> Message:
    """A number of findings in words."""
    return Message(_COUNTS[severity][n != 1].template, (("n", n),))
