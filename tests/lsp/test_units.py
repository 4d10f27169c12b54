"""The parts of the server that need no process: framing, conversion, URIs."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.model import CreateFile, DeleteFile, Edit, EditFile, RenameFile, Span
from memdir.core.text import Encoding
from memdir.lsp.buffers import Buffers, path_of, uri_of
from memdir.lsp.capabilities import Client
from memdir.lsp.convert import Annotation, StaleError, Text, workspace_edit
from memdir.lsp.transport import is_loopback, messages
from tests.lsp.edits import offset as client_offset

# framing


class Collected:
    def __init__(self) -> None:
        self.bodies: list[bytes] = []

    def receive(self, body: bytes) -> None:
        self.bodies.append(body)


async def read(data: bytes) -> list[bytes]:
    reader, collected = asyncio.StreamReader(), Collected()
    reader.feed_data(data)
    reader.feed_eof()
    await messages(reader, collected)
    return collected.bodies


async def test_framing() -> None:
    assert await read(b"Content-Length: 2\r\n\r\n{}content-length:3\r\nContent-Type: x\r\n\r\n[1]") == [
        b"{}",
        b"[1]",
    ]
    assert await read(b"Content-Length: 10\r\n\r\n{}") == []
    assert await read(b"") == []
    assert await read(b"\r\n\r\nContent-Length: 0\r\n\r\n") == [b""]
    for bad in (
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: 99999999999\r\n\r\n",
        b"Content-Length: x\r\n\r\n",
    ):
        with pytest.raises(ValueError):
            await read(bad)


@given(st.lists(st.binary(max_size=50), max_size=5), st.integers(1, 7))
def test_framing_does_not_depend_on_how_bytes_arrive(bodies: list[bytes], size: int) -> None:
    data = b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(b), b) for b in bodies)

    async def run() -> list[bytes]:
        reader, collected = asyncio.StreamReader(), Collected()
        task = asyncio.create_task(messages(reader, collected))
        for i in range(0, len(data), size):
            reader.feed_data(data[i : i + size])
            await asyncio.sleep(0)
        reader.feed_eof()
        await task
        return collected.bodies

    assert asyncio.run(run()) == bodies


def test_only_this_machine_is_listened_on() -> None:
    assert is_loopback("127.0.0.1") and is_loopback("localhost") and is_loopback("::1")
    assert not is_loopback("0.0.0.0") and not is_loopback("8.8.8.8")


# positions and edits

TEXT = "a\U0001f600é\r\n名前 x\n\x0c\u2028y\rlast"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_positions_agree_with_the_clients_reckoning(encoding: Encoding) -> None:
    text = Text.of(Document("/m/a.md", "a.md", TEXT), "file:///m/a.md", encoding)
    for at in range(len(TEXT) + 1):
        if TEXT[at - 1 : at + 1] == "\r\n":
            continue
        position = text.position(at)
        assert client_offset(TEXT, {"line": position.line, "character": position.character}, encoding) == at
        assert text.offset(position) == at


def test_a_byte_order_mark_in_the_editor_moves_the_first_line_only() -> None:
    document = Document("/m/a.md", "a.md", "\ufeff---\nx")
    text = Text.of(document, "file:///m/a.md", "utf-16", lead=1)
    assert (text.pair(0), text.pair(3), text.pair(4)) == ((0, 1), (0, 4), (1, 0))
    assert text.offset(text.position(3)) == 3


ABLE = Client(document_changes=True, resource_operations=("create", "rename", "delete"), annotations=True)


def lookup_of(*documents: Document):  # type: ignore[no-untyped-def]
    texts = {d.path: Text.of(d, uri_of(d.path), "utf-16", 7) for d in documents}
    return texts.get


def test_a_change_set_becomes_one_edit() -> None:
    a, b = Document("/m/a.md", "a.md", "one\ntwo\n"), Document("/m/b.md", "b.md", "x\n")
    changes = [
        a.edit(Edit(Span(0, 3), "ONE")),
        a.edit(Edit(Span(4, 7), "TWO")),
        RenameFile("/m/b.md", "/m/c.md", b.hash),
        CreateFile("/m/new.md", "é\n".encode()),
        DeleteFile("/m/a.md", a.hash),
    ]
    note = Annotation(msg("label"), msg("why"), confirm=True)
    edit = workspace_edit(changes, lookup_of(a, b), ABLE, note)
    assert edit is not None and edit.document_changes is not None and edit.change_annotations is not None
    kinds = [getattr(o, "kind", "edit") for o in edit.document_changes]
    assert kinds == ["edit", "rename", "create", "edit", "delete"]
    first = edit.document_changes[0]
    assert first.text_document.version == 7 and [e.new_text for e in first.edits] == ["ONE", "TWO"]  # type: ignore[union-attr]
    assert edit.change_annotations["memdir"].needs_confirmation is True


def test_what_a_client_can_not_do_is_not_asked_of_it() -> None:
    a = Document("/m/a.md", "a.md", "one\n")
    lookup = lookup_of(a)
    plain = workspace_edit([a.edit(Edit(Span(0, 3), "x"))], lookup, Client())
    assert (
        plain is not None
        and plain.document_changes is None
        and list(plain.changes or {}) == ["file:///m/a.md"]
    )
    assert workspace_edit([CreateFile("/m/b.md", b"")], lookup, Client(document_changes=True)) is None
    with pytest.raises(StaleError):
        workspace_edit([EditFile("/m/a.md", (), "0" * 64)], lookup, ABLE)
    with pytest.raises(StaleError):
        workspace_edit([DeleteFile("/m/gone.md", "0" * 64)], lookup, ABLE)


# URIs


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b%20c.md", "/a/b c.md"),
        ("file:///a/%E5%90%8D.md", "/a/名.md"),
        ("file:///a/../b.md", "/b.md"),
        ("untitled:Untitled-1", None),
        ("vscode-vfs://github/x.md", None),
        ("file://[bad", None),
        ("file:///a%00b", None),
        ("", None),
    ],
)
def test_paths_of_uris(uri: str, path: str | None) -> None:
    assert path_of(uri) == path


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), min_size=1))
def test_uris_give_their_path_back(name: str) -> None:
    path = "/m/" + name.replace("/", "_")
    if name not in (".", ".."):
        assert path_of(uri_of(path)) == path


def test_buffers_remember_how_the_client_spells_a_uri() -> None:
    buffers = Buffers()
    buffers.open("file:///m/a%2Db.md", 1, "x", "markdown")
    assert buffers.uri_of("/m/a-b.md") == "file:///m/a%2Db.md"
    assert buffers.change("file:///other.md", 2, "y") is None
    assert buffers.close("file:///m/a%2Db.md") is not None
    assert buffers.close("file:///m/a%2Db.md") is None
    assert buffers.uri_of("/m/a-b.md") == "file:///m/a-b.md"
