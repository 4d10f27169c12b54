"""Every message between editor and server that is not part of the protocol itself.

`docs/protocol.md` explains them to people who write clients, `vscode-client/src/protocol.ts` mirrors them. A test holds
the hash of this file beside the one that the page names: whoever changes one is reminded of the others.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NotRequired, TypeAlias, TypedDict

TREE: Final = "memdir/tree"
TREE_CHANGED: Final = "memdir/didChangeTree"
STATUS: Final = "memdir/status"
STATUS_CHANGED: Final = "memdir/didChangeStatus"
TYPES: Final = "memdir/types"
PROJECTS: Final = "memdir/projects"

COMMAND_PREFIX: Final = "memdir.server."
APPLY_FIX: Final = COMMAND_PREFIX + "applyFix"
RECHECK: Final = COMMAND_PREFIX + "recheck"
LIST_IN_INDEX: Final = COMMAND_PREFIX + "listInIndex"
MARK_VERIFIED: Final = COMMAND_PREFIX + "markVerified"
VERIFY_CITATIONS: Final = COMMAND_PREFIX + "verifyCitations"
LIST_REFERENCES: Final = COMMAND_PREFIX + "listReferences"
SHOW_ENTRY: Final = COMMAND_PREFIX + "showEntry"

# A command of the client, named in code lenses when `initializationOptions.showReferences` is true.
SHOW_REFERENCES: Final = "memdir.showReferences"

NodeKind: TypeAlias = Literal[
    "scope", "type", "memory", "index", "log", "notes", "agent", "project", "group", "file"
]
Health: TypeAlias = Literal["ok", "warning", "error", "off", "none"]


class ProblemCounts(TypedDict):
    """How many problems of each severity a node, a file or a whole directory has."""

    error: int
    warning: int
    information: int
    hint: int


class Node(TypedDict):
    """One row of the sidebar. `range` is an LSP range, `age` whole days since the memory was last written.

    Texts are in the client's language; `tooltip` is Markdown; `contextValue` holds words for menus, such as
    `memory private`.
    """

    id: str
    kind: NodeKind
    label: str
    description: NotRequired[str]
    tooltip: NotRequired[str]
    uri: NotRequired[str]
    range: NotRequired[dict[str, Any]]
    problems: NotRequired[ProblemCounts]
    age: NotRequired[int]
    memoryType: NotRequired[str]
    scope: NotRequired[str]
    children: NotRequired[list[Node]]
    contextValue: NotRequired[str]


class FolderParams(TypedDict):
    """Parameters of `memdir/tree` and `memdir/status`: one workspace folder, or all."""

    folder: NotRequired[str]


class TreeResult(TypedDict):
    """Answer to `memdir/tree`."""

    roots: list[Node]


class IndexBudget(TypedDict):
    """What of MEMORY.md is used of its limits. `utf16` is what the limit `maxSize` counts."""

    lines: int
    maxLines: int
    utf16: int
    bytes: int
    maxSize: int
    truncated: Literal["lines", "size", "both"] | None


class FolderStatus(TypedDict):
    """Where the memory of a workspace folder is and how it is. `enabledBy` and `source` name what decided."""

    uri: str
    owner: str
    memoryDir: str
    exists: bool
    enabled: bool
    enabledBy: str
    source: str
    index: IndexBudget | None
    memories: int
    problems: ProblemCounts
    health: Health
    message: str


class StatusResult(TypedDict):
    """Answer to `memdir/status` and parameters of `memdir/didChangeStatus`."""

    version: str
    folders: list[FolderStatus]


class TypePart(TypedDict):
    """A labelled paragraph that a type's body has; the label stays English, as real memories keep it."""

    label: str
    hint: str


class MemoryTypeInfo(TypedDict):
    """What a memory type holds, when it is written, how its body is built and in which scope it lives."""

    name: str
    label: str
    holds: str
    when: str
    body: str
    parts: list[TypePart]
    examples: list[str]
    elsewhere: list[str]
    defaultScope: str
    teamAllowed: bool
    scopeRule: str


class TypesResult(TypedDict):
    """Answer to `memdir/types`; it has no parameters but accepts any."""

    types: list[MemoryTypeInfo]


class CitationResult(TypedDict):
    """Answer to `memdir.server.verifyCitations`: the cited places, as written, by what became of them."""

    holds: list[str]
    changed: list[str]
    broken: list[str]
    unknown: list[str]
