"""What a person can set, with defaults and descriptions: the one table behind code, pages and schema.

Every field of the classes below is one setting. Its key in a file is the field's name with dashes (`stale_days` is
`stale-days`; a group is a TOML table, so `recall.max_candidates` is `[recall] max-candidates`); editors may write camel
case. `docs/configuration.md` and `docs/memdir.schema.json` are generated from here (`memdir.core.settings_docs`).

Levels, lowest first: `user` (the platform's config directory), `project` (`memdir.toml` or `[tool.memdir]`), `editor`,
`flag` (the command line). A project's file comes with the repository, so a setting that would let a repository spend
money, send memories away or move the memory directory has `scope="user"`, or `scope="trusted"` when a trusted
workspace may set it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypeVar

from memdir.core.i18n import Message, msg
from memdir.core.model import Fix, Severity, Span

T = TypeVar("T")
Level: TypeAlias = Literal["user", "project", "editor", "flag"]
Scope: TypeAlias = Literal["any", "trusted", "user"]
SeverityMap: TypeAlias = Mapping[str, "Severity | None"]

SEVERITY_NAMES: Mapping[str, Severity | None] = MappingProxyType(
    {
        "off": None,
        "error": Severity.ERROR,
        "warning": Severity.WARNING,
        "information": Severity.INFORMATION,
        "hint": Severity.HINT,
    }
)
NO_SEVERITIES: SeverityMap = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Key:
    """Everything about a setting but its name and default. `minimum` and `maximum` are inclusive."""

    description: Message
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    scope: Scope = "any"
    rule_names: bool = False  # a list of rule names, checked against the rules that exist
    add_up: bool = False  # lists of all levels are joined instead of the highest one winning


@dataclass(frozen=True, slots=True)
class Problem:
    """A mistake in a configuration or settings file, shown as a diagnostic of `rule` in that file.

    `path` is absolute, or empty when the value came from an editor or a flag; `span` is in code points of that file.
    """

    rule: str
    path: str
    span: Span
    message: Message
    fixes: tuple[Fix, ...] = ()


def _key(default: T, description: Message, **facts: Any) -> T:
    return field(default=default, metadata={"key": Key(description, **facts)})


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """Choosing the memories that help with a query."""

    enabled: bool = _key(
        True,
        msg("Ask a model which memories help with a query. Without a key, or when off, words are compared."),
    )
    model: str = _key("claude-haiku-5-5", msg("Model that chooses the memories."), scope="trusted")
    max_candidates: int = _key(
        200, msg("How many memories, newest first, are considered."), minimum=1, maximum=10_000
    )
    limit: int = _key(5, msg("The most memories that one recall gives."), minimum=1, maximum=5)
    deadline_ms: int = _key(
        4000,
        msg("Milliseconds after which the model's answer is no longer waited for."),
        minimum=50,
        maximum=60_000,
    )
    records: bool = _key(
        True, msg("Keep local records of which memories were offered and chosen (never their content).")
    )


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """The model behind extraction, consolidation and session notes; one for all, so they share a cached prompt."""

    model: str = _key(
        "claude-sonnet-5-5", msg("Model for extraction, consolidation and session notes."), scope="trusted"
    )
    max_turns: int = _key(
        8, msg("The most model calls of one extraction."), minimum=1, maximum=50, scope="trusted"
    )
    consolidate_turns: int = _key(
        40, msg("The most model calls of one consolidation."), minimum=1, maximum=200, scope="trusted"
    )
    prices: tuple[str, ...] = _key(
        (),
        msg(
            "Prices of models that the built-in list lacks, in US dollars per million tokens: name, input, output, and if known cache reads and cache writes, as in “my-model 1 5 0.1 1.25”."
        ),
    )


@dataclass(frozen=True, slots=True)
class ExtractSettings:
    """Writing down what a conversation said and the agent missed."""

    auto: str = _key(
        "suggest",
        msg(
            "After each finished turn: nothing (off), proposals in the inbox (suggest), or write at once (apply)."
        ),
        choices=("off", "suggest", "apply"),
        scope="trusted",
    )


@dataclass(frozen=True, slots=True)
class ConsolidateSettings:
    """When memories are merged and pruned, and what happens with the outcome."""

    auto: str = _key(
        "propose",
        msg(
            "When a consolidation is due: nothing (off), a proposal to review (propose), or write at once (apply)."
        ),
        choices=("off", "propose", "apply"),
        scope="trusted",
    )
    hours: float = _key(
        24.0, msg("Hours that must have passed since the last consolidation."), minimum=0, maximum=8760
    )
    sessions: int = _key(
        5, msg("Sessions that must have been touched since the last consolidation."), minimum=0, maximum=1000
    )


@dataclass(frozen=True, slots=True)
class NotesSettings:
    """Notes of the running session, so that compaction loses nothing."""

    enabled: bool = _key(True, msg("Keep notes of the running session (needs a key)."), scope="trusted")
    first_tokens: int = _key(
        10_000,
        msg("Tokens of context at which the notes are first written."),
        minimum=1000,
        maximum=1_000_000,
    )
    step_tokens: int = _key(
        5_000, msg("Further tokens after which the notes are updated."), minimum=500, maximum=1_000_000
    )
    tool_calls: int = _key(
        3, msg("Tool calls that must have come as well before an update."), minimum=0, maximum=100
    )


@dataclass(frozen=True, slots=True)
class TeamSettings:
    """Sharing the `team/` directory."""

    transport: str = _key(
        "off",
        msg("How team memory travels: not at all (off), through a service (service), or through git (git)."),
        choices=("off", "service", "git"),
        scope="trusted",
    )
    url: str = _key(
        "", msg("Address of the team service; https, or http on this machine only."), scope="trusted"
    )
    repository: str = _key(
        "",
        msg("Name of this repository at the team service; empty: derived from the git remote."),
        scope="trusted",
    )
    interval_seconds: int = _key(300, msg("Seconds between two pulls."), minimum=10, maximum=86_400)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, merged. Sizes are UTF-16 code units, as the agent's client counts them."""

    select: tuple[str, ...] = _key((), msg("Rules to run; empty: all."), rule_names=True)
    ignore: tuple[str, ...] = _key((), msg("Rules not to run."), rule_names=True)
    severity: SeverityMap = field(
        default_factory=lambda: NO_SEVERITIES,
        metadata={"key": Key(msg("Severity per rule: off, error, warning, information or hint."))},
    )
    exclude: tuple[str, ...] = _key(
        (), msg("Files not to check: patterns relative to the memory directory, such as archive/**.")
    )
    extend_types: tuple[str, ...] = _key(
        (), msg("Memory types allowed beside user, feedback, project and reference."), add_up=True
    )
    stale_days: int = _key(
        30, msg("Age in days from which a memory is reported as old."), minimum=1, maximum=36_500
    )
    index_lines: int = _key(200, msg("Lines of MEMORY.md that the agent loads."), minimum=1, maximum=100_000)
    index_size: int = _key(
        25_000,
        msg("Size of MEMORY.md that the agent loads, in UTF-16 code units."),
        minimum=1,
        maximum=10_000_000,
    )
    near_limit: float = _key(
        0.8, msg("Part of a limit from which the index is reported as nearly full."), minimum=0.1, maximum=1
    )
    entry_info: int = _key(
        150,
        msg("Characters of an index entry from which it is long (information)."),
        minimum=20,
        maximum=10_000,
    )
    entry_warn: int = _key(
        200,
        msg("Characters of an index entry from which it is too long (warning)."),
        minimum=20,
        maximum=10_000,
    )
    orphan_group: int = _key(
        20, msg("Unlisted memories above which they are reported in one line."), minimum=1, maximum=10_000
    )
    near_duplicate: float = _key(
        0.6, msg("Similarity (0 to 1) from which two memories are near duplicates."), minimum=0.1, maximum=1
    )
    undo_days: int = _key(
        90, msg("Days for which a change can be undone."), minimum=1, maximum=3650, scope="user"
    )
    undo_megabytes: int = _key(
        64,
        msg("Size in MiB of the journal behind undo; the oldest changes go first."),
        minimum=1,
        maximum=10_000,
        scope="user",
    )
    recall: RecallSettings = RecallSettings()
    agent: AgentSettings = AgentSettings()
    extract: ExtractSettings = ExtractSettings()
    consolidate: ConsolidateSettings = ConsolidateSettings()
    notes: NotesSettings = NotesSettings()
    team: TeamSettings = TeamSettings()
    allow_project_directory: bool = _key(
        False,
        msg("Let a trusted project's own settings move the memory directory (autoMemoryDirectory)."),
        scope="user",
    )
    trusted: tuple[str, ...] = _key(
        (),
        msg("Directories whose repositories are trusted on the command line; ~ is your home directory."),
        scope="user",
        add_up=True,
    )

    def severity_of(self, rule: str, default: Severity | None) -> Severity | None:
        """Severity at which `rule` reports, None when it is off. `default` is the rule's own (None: off by default).

        A severity that is set switches a rule on that is off by default; `ignore` wins over `select`.
        """
        if rule in self.ignore or (self.select and rule not in self.select):
            return None
        return self.severity.get(rule, default)

    def runs(self, rule: str) -> bool:
        """False when `rule` is switched off by `select`, `ignore` or its severity."""
        return self.severity_of(rule, Severity.WARNING) is not None


GROUPS: tuple[str, ...] = ("recall", "agent", "extract", "consolidate", "notes", "team")
DEFAULTS = Settings()


def settings_keys() -> dict[str, tuple[Key, object]]:
    """Every setting: dotted key in a file ('recall.max-candidates') -> (facts, default)."""
    found: dict[str, tuple[Key, object]] = {}
    for owner, prefix in ((DEFAULTS, ""), *((getattr(DEFAULTS, g), g + ".") for g in GROUPS)):
        for item in fields(owner):
            if item.name not in GROUPS or prefix:
                found[prefix + item.name.replace("_", "-")] = (
                    item.metadata["key"],
                    getattr(owner, item.name),
                )
    return found


@dataclass(frozen=True, slots=True)
class Layer:
    """Valid settings of one source: dotted key -> value (lists are tuples, severities are a mapping)."""

    level: Level
    path: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)


def merge(layers: Iterable[Layer], *, trusted: bool = False) -> Settings:
    """Settings of `layers`, lowest first. What needs trust is left out of project layers unless `trusted`."""
    keys = settings_keys()
    values: dict[str, Any] = {}
    for layer in layers:
        withheld = () if trusted or layer.level != "project" else withheld_keys(layer)
        for name, value in layer.values.items():
            if name in withheld:
                continue
            if name == "severity":
                values[name] = MappingProxyType({**values.get(name, {}), **value})
            elif keys[name][0].add_up:
                values[name] = tuple(dict.fromkeys((*values.get(name, ()), *value)))
            else:
                values[name] = value
    flat = {k.replace("-", "_"): v for k, v in values.items() if "." not in k}
    for group in GROUPS:
        part = {
            k.partition(".")[2].replace("-", "_"): v for k, v in values.items() if k.startswith(group + ".")
        }
        if part:
            flat[group] = replace(getattr(DEFAULTS, group), **part)
    return replace(DEFAULTS, **flat)


def withheld_keys(layer: Layer) -> Collection[str]:
    """Keys of a project's layer that only a trusted workspace may set. Switching something off needs no trust."""
    keys = settings_keys()
    return [
        name
        for name, value in layer.values.items()
        if keys[name][0].scope == "trusted" and value not in (False, "off")
    ]
