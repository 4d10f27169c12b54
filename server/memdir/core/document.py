"""One file of a memory directory, read: text, header and body structure. Total and lazy.

`Document(path, rel, content)` never fails, whatever the bytes. The header is read at once, for everything asks for it;
body structure only when a rule or an editor question needs it.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from memdir.core.frontmatter import Frontmatter, find_frontmatter
from memdir.core.i18n import Message
from memdir.core.markdown import Markdown, parse_markdown
from memdir.core.model import Edit, EditFile, Span, content_hash
from memdir.core.text import LineIndex, decode, encode

Kind: TypeAlias = Literal["index", "topic", "log"]
Scope: TypeAlias = Literal["private", "team", "agent"]
INDEX_NAME = "MEMORY.md"


def kind_of(rel: str) -> Kind:
    """What a file is by its place ('/'-separated, relative to the memory directory)."""
    if rel == INDEX_NAME or rel == "team/" + INDEX_NAME:
        return "index"
    return "log" if rel.startswith(("logs/", "team/logs/")) else "topic"


class Document:
    """A parsed file. `path` is absolute, `rel` relative to its memory directory with '/', `mtime` seconds or None.

    `text` has no byte-order mark (editors hide it); `bom` says whether the file starts with one. Undecodable bytes
    are lone surrogates in `text`, so that writing it back changes nothing.
    """

    __slots__ = (
        "_base",
        "_content",
        "_hash",
        "_lines",
        "_markdown",
        "_memo",
        "bom",
        "frontmatter",
        "kind",
        "mtime",
        "path",
        "rel",
        "scope",
        "text",
    )

    def __init__(
        self,
        path: str,
        rel: str,
        content: bytes | str,
        mtime: float | None = None,
        scope: Scope | None = None,
    ) -> None:
        self.path = path
        self.rel = rel
        self.mtime = mtime
        if isinstance(content, str):
            self._content: bytes | None = None
            self.bom = content.startswith("\ufeff")
            self.text = content[1:] if self.bom else content
        else:
            self._content = content
            self.text, self.bom = decode(content)
        self.kind: Kind = kind_of(rel)
        self.scope: Scope = scope or ("team" if rel.startswith("team/") else "private")
        self.frontmatter: Frontmatter | None = find_frontmatter(self.text)
        self._lines: LineIndex | None = None
        self._markdown: Markdown | None = None
        self._hash: str | None = None
        self._memo: dict[str, object] | None = None

    def __repr__(self) -> str:
        return f"Document({self.rel!r}, {len(self.text)} characters)"

    def release(self) -> None:
        """Drop what can be computed again: a server keeps thousands of documents that nobody looks at.

        Text and header stay; the bytes come back from the text (decoding loses nothing).
        """
        self._content = self._lines = self._markdown = self._memo = None

    @property
    def content(self) -> bytes:
        """The bytes of the file (of the buffer as it would be saved)."""
        if self._content is None:
            self._content = encode(self.text, self.bom)
        return self._content

    @property
    def hash(self) -> str:
        """Base hash for change sets."""
        if self._hash is None:
            self._hash = content_hash(self.content)
        return self._hash

    @property
    def lines(self) -> LineIndex:
        if self._lines is None:
            self._lines = LineIndex(self.text)
        return self._lines

    @property
    def markdown(self) -> Markdown:
        """Structure of the body."""
        if self._markdown is None:
            self._markdown = parse_markdown(self.text, self.body_start)
        return self._markdown

    @property
    def memo(self) -> dict[str, object]:
        """What others have computed from this document and don't want to compute again, by a name of their own."""
        if self._memo is None:
            self._memo = {}
        return self._memo

    @property
    def body_start(self) -> int:
        return self.frontmatter.span.end if self.frontmatter else 0

    @property
    def body(self) -> str:
        return self.text[self.body_start :]

    @property
    def name(self) -> str:
        """`name` of the header, stripped; empty when absent."""
        return self.frontmatter.get("name").strip() if self.frontmatter else ""

    @property
    def description(self) -> str:
        return self.frontmatter.get("description").strip() if self.frontmatter else ""

    @property
    def type(self) -> str:
        """The declared type as written, stripped; empty when absent."""
        return self.frontmatter.get("type").strip() if self.frontmatter else ""

    @property
    def stem(self) -> str:
        """File name without folders and '.md'."""
        name = self.rel.rsplit("/", 1)[-1]
        return name[:-3] if name.lower().endswith(".md") else name

    @property
    def title(self) -> str:
        """What to call this memory: its name, else its first heading, else the file stem."""
        if self.name:
            return self.name
        headings = self.markdown.headings
        return headings[0].text if headings and headings[0].text else self.stem

    @property
    def newline(self) -> str:
        """The line break the file uses (the first one decides)."""
        at = self.text.find("\n")
        if at > 0 and self.text[at - 1] == "\r":
            return "\r\n"
        return "\n" if at >= 0 or "\r" not in self.text else "\r"

    def slice(self, span: Span) -> str:
        return self.text[span.start : span.end]

    def edit(self, *edits: Edit, reason: Message | None = None) -> EditFile:
        """A file change made of `edits`, against this document's bytes."""
        return EditFile(self.path, edits, self.hash, reason)
