"""`not-utf8`: bytes that are no UTF-8."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.fixing import safe, unsafe
from memdir.core.i18n import msg
from memdir.core.lazy_re import lazy
from memdir.core.model import Edit, Finding, Fix, Safety, Severity, Span
from memdir.core.rule import Context, Example, Rule

_BAD = lazy("[\udc80-\udcff]+")
_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


def check(document: Document, context: Context) -> Iterator[Finding]:
    text = document.text
    if text.isascii():
        return
    try:
        text.encode()  # undecodable bytes are lone surrogates, which only this finds quickly
    except UnicodeEncodeError:
        pass
    else:
        return
    first = _BAD.search(text)
    if first is None:
        return
    wide = _UTF16.get(document.content[:2])
    if wide is not None:
        yield Finding(
            document.lines.span(0),
            msg("The file is UTF-16, so nobody can read it as text. Save it as UTF-8."),
            tuple(_whole(document, wide)),
        )
        return
    runs = [(m.start(), m[0]) for m in _BAD.finditer(text)]
    count = sum(len(run) for _, run in runs)
    byte = f"0x{ord(first[0][0]) - 0xDC00:02X}"
    yield Finding(
        Span(first.start(), first.end()),
        msg(
            "Not UTF-8: bytes that can't be read ({count}, the first is {byte}) reach the agent as U+FFFD. Save the file as UTF-8.",
            count=count,
            byte=byte,
        ),
        tuple(_runs(document, runs)),
    )


def _whole(document: Document, encoding: str) -> Iterator[Fix]:
    try:
        text = document.content[2:].decode(encoding)
    except UnicodeDecodeError:
        return
    yield safe(
        msg("Convert from {encoding} to UTF-8", encoding="UTF-16"),
        document.edit(Edit(Span(0, len(document.text)), text)),
    )


def _runs(document: Document, runs: list[tuple[int, str]]) -> Iterator[Fix]:
    """Readings of the bad bytes that work for all of them, the likelier first.

    Two-byte encodings of Chinese give runs of an even length; a single accented letter of Windows-1252 does not.
    """
    even = all(len(run) % 2 == 0 for _, run in runs)
    for encoding, name in (
        (("gb18030", "GB 18030"), ("cp1252", "Windows-1252")) if even else (("cp1252", "Windows-1252"),)
    ):
        edits = []
        for at, run in runs:
            try:
                reading = run.encode("utf-8", "surrogateescape").decode(encoding)
            except UnicodeDecodeError:
                break
            edits.append(Edit(Span(at, at + len(run)), reading))
        else:
            yield unsafe(msg("Convert from {encoding} to UTF-8", encoding=name), document.edit(*edits))


RULE = Rule(
    name="not-utf8",
    severity=Severity.ERROR,
    summary=msg("A file is not UTF-8."),
    rationale=msg(
        "Memory is read as UTF-8. Bytes of another encoding come out as replacement characters, in a description as in "
        "the body, and whoever saves the file from an editor makes the loss permanent. The fix reads the bytes as GB 18030 "
        "or Windows-1252, whichever is possible, and shows what comes out; a file with a UTF-16 mark is converted whole."
    ),
    check=check,
    kinds=frozenset({"topic", "index", "log"}),
    fix=Safety.UNSAFE,
    examples=(
        Example(
            "user_role.md",
            bad="---\nname: Role\ndescription: Backend developer from Orl\udce9ans, new to React\ntype: user\n---\nKnows Go.\n",
            good="---\nname: Role\ndescription: Backend developer from Orléans, new to React\ntype: user\n---\nKnows Go.\n",
        ),
    ),
)
