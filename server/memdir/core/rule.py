"""What a rule is: a name, its documentation and one function. Rules live in `memdir.core.rules`, one file each."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from memdir.core.daily_log import LogHistory, NoHistory
from memdir.core.directory import Directory
from memdir.core.document import Document, Kind
from memdir.core.facts import NoProject, ProjectFacts
from memdir.core.i18n import Message
from memdir.core.instructions import Instructions
from memdir.core.model import Finding, Safety, Severity
from memdir.core.recall_stats import NoRecalls, Recalls
from memdir.core.settings import DEFAULTS, Settings

DOCS_URL = "https://memdir.dev/rules/"
EXAMPLE_DAY = "2026-03-11"


class Reads(enum.Flag):
    """What a rule looks at beside the document's own text. Says when its findings must be computed again."""

    NOTHING = 0
    DIRECTORY = enum.auto()  # other documents
    CLOCK = enum.auto()  # the time of day
    PROJECT = enum.auto()  # files of the repository, git
    DISK = enum.auto()  # the file's own time or link state


@dataclass(frozen=True, slots=True)
class Context:
    """What the world looks like while a document is checked."""

    directory: Directory
    now: datetime
    settings: Settings = DEFAULTS
    project: ProjectFacts = field(default_factory=NoProject)
    # Files of the memory directory that are symlinks out of it (relative path -> target), found by the store.
    escapes: Mapping[str, str] = field(default_factory=dict)
    # What daily logs are known to have held, so that a rewritten one is noticed.
    logs: LogHistory = field(default_factory=NoHistory)
    # What CLAUDE.md and the rule files of the repository say.
    instructions: Instructions = field(default_factory=Instructions)
    # How often each memory was considered and chosen by recall.
    recalls: Recalls = field(default_factory=NoRecalls)


@dataclass(frozen=True, slots=True)
class Example:
    """A file that shows the rule: with `bad` in `rel` the rule fires at least once, with `good` never.

    What else the rule looks at: `files` of the same directory (path -> text), `repo` files (path -> lines and the day
    of the last change), the day on which the example was `written`, `instructions` (path -> text), in how many
    `recalls` the bad one was considered and chosen. All is seen on EXAMPLE_DAY.
    """

    rel: str
    bad: str
    good: str
    files: Mapping[str, str] = field(default_factory=dict)
    repo: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    written: str = "2026-03-10"
    instructions: Mapping[str, str] = field(default_factory=dict)
    recalls: tuple[int, int] = (0, 0)


Check: TypeAlias = Callable[[Document, Context], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with everything its page, settings and schema need.

    `fix` is the safety of its preferred fix, None when it has none. `rationale` is Markdown prose: why it matters and
    where the rule comes from. `severity` None means off unless switched on.
    """

    name: str
    severity: Severity | None
    summary: Message
    rationale: Message
    check: Check
    kinds: frozenset[Kind] = frozenset({"topic"})
    reads: Reads = Reads.NOTHING
    fix: Safety | None = None
    examples: tuple[Example, ...] = ()

    @property
    def url(self) -> str:
        """Page of the rule."""
        return DOCS_URL + self.name
