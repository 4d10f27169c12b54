"""Shell commands as a model writes them: parsed strictly, then answered by our own read-only tools.

No process is ever started. What a real shell would do beyond running one program with literal words (redirection,
substitution, chaining, expansion, assignments) is refused before anything is looked at, with a reason that tells the model
what to do instead. Commands and their options come from closed lists.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

MAX_COMMAND = 2_000  # characters

# Characters that mean something to a shell outside quotes, and what they mean.
_SPECIAL: Mapping[str, str] = {
    ">": "redirection (>)", "<": "redirection (<)", "|": "a pipe (|)", "&": "chaining or background (&)",
    ";": "chaining (;)", "\n": "several lines", "\r": "several lines", "`": "command substitution (`)",
    "$": "expansion ($)", "(": "a subshell or group", ")": "a subshell or group", "{": "brace expansion",
    "}": "brace expansion", "!": "history expansion (!)", "\\": "an escape (\\)", "#": "a comment (#)", "~": "a home directory (~)",
}  # fmt: skip
_SPECIAL_IN_DOUBLE = {"$": "expansion ($)", "`": "command substitution (`)", "\\": "an escape (\\)", "!": "history expansion (!)"}  # fmt: skip

# command -> options without a value, options with a value, and whether a bare -NUMBER is one (head -20)
_FLAGS: Mapping[str, tuple[frozenset[str], frozenset[str], bool]] = {
    "ls": (frozenset("-l -a -A -R -1 -t -r -h --all --recursive".split()), frozenset(), False),
    "cat": (frozenset(("-n",)), frozenset(), False),
    "head": (frozenset(), frozenset(("-n", "--lines")), True),
    "tail": (frozenset(), frozenset(("-n", "--lines")), True),
    "wc": (frozenset("-l -w -c -m --lines --words --bytes --chars".split()), frozenset(), False),
    "grep": (
        frozenset("-i -n -r -R -E -F -l -c -w -h -H -s --ignore-case --recursive --line-number".split()),
        frozenset("-e -m -A -B -C --max-count --context --include".split()),
        False,
    ),
    "find": (frozenset(), frozenset("-name -iname -type -maxdepth".split()), False),
    "pwd": (frozenset(), frozenset(), False),
}
COMMANDS = tuple(_FLAGS)


class DeniedError(Exception):
    """Why a command or call is not carried out, in the model's words."""


@dataclass(frozen=True, slots=True)
class Command:
    """A parsed command. `options` holds flags (value "") and options with values; `words` the rest, literal."""

    name: str
    words: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)

    def number(self, *names: str, default: int) -> int:
        """The value of the first of `names` that is given, as a number from 0 to 10,000. DeniedError for others."""
        for name in names:
            if name in self.options:
                value = self.options[name].removeprefix("+")
                if not (value.isascii() and value.isdecimal()) or len(value) > 6:
                    raise DeniedError(f"{name} needs a number, not {self.options[name]!r}.")
                return min(int(value), 10_000)
        return default

    def has(self, *names: str) -> bool:
        return any(name in self.options for name in names)


def parse_command(text: str) -> Command:
    """The one read-only command in `text`. Raises DeniedError for everything else."""
    if len(text) > MAX_COMMAND:
        raise DeniedError(f"Denied: the command is longer than {MAX_COMMAND} characters.")
    words = _split(text.strip())
    if not words:
        raise DeniedError("Denied: there is no command.")
    name, *rest = words
    if "=" in name:
        raise DeniedError("Denied: assignments are not carried out. Give one read-only command.")
    if name not in _FLAGS:
        raise DeniedError(
            f"Denied: {name!r} is not available. There are {', '.join(COMMANDS)}, read-only, inside the memory directory;"
            " use write, edit and delete to change memories."
        )
    return _options(name, rest)


def _split(text: str) -> list[str]:
    """Words of a command line; quotes group, everything that a shell would interpret is refused."""
    words: list[str] = []
    current: list[str] | None = None
    quote = ""
    for char in text:
        if char == "\0" or (ord(char) < 32 and char not in "\t\n\r") or ord(char) == 127:
            raise DeniedError("Denied: the command holds a control character.")
        if quote:
            if char == quote:
                quote = ""
            elif quote == '"' and char in _SPECIAL_IN_DOUBLE:
                raise DeniedError(_because(_SPECIAL_IN_DOUBLE[char]))
            else:
                assert current is not None
                current.append(char)
        elif char in "'\"":
            quote, current = char, current if current is not None else []
        elif char in " \t":
            if current is not None:
                words.append("".join(current))
                current = None
        elif char in _SPECIAL and not (char == "#" and current):
            raise DeniedError(_because(_SPECIAL[char]))
        else:
            current = [*current, char] if current is not None else [char]
    if quote:
        raise DeniedError("Denied: a quote is not closed.")
    if current is not None:
        words.append("".join(current))
    return words


def _because(what: str) -> str:
    return f"Denied: {what} is not allowed. Give one read-only command with literal words, one per call."


def _options(name: str, rest: list[str]) -> Command:
    plain, valued, numbers = _FLAGS[name]
    options: dict[str, str] = {}
    words: list[str] = []
    at = 0
    only_words = False
    while at < len(rest):
        word = rest[at]
        at += 1
        if only_words or not word.startswith("-") or word == "-":
            words.append(word)
            continue
        if word == "--":
            only_words = True
            continue
        head, equals, value = word.partition("=")
        if word in plain:
            options[word] = ""
        elif head in valued and (equals or at < len(rest)):
            if not equals:
                value, at = rest[at], at + 1
            options[head] = value
        elif numbers and word[1:].isdecimal():
            options["-n"] = word[1:]
        elif _joined(word, valued):
            options[word[:2]] = word[2:]
        elif name != "find" and not word.startswith("--") and all(f"-{c}" in plain for c in word[1:]):
            options.update((f"-{c}", "") for c in word[1:])
        else:
            raise DeniedError(f"Denied: {name} {word} is not available here. Use {name} without it.")
    if "-" in words:
        raise DeniedError("Denied: there is no standard input to read.")
    return Command(name, tuple(words), options)


def _joined(word: str, valued: frozenset[str]) -> bool:
    """`-n5`, `-C2`: a short option with its number attached."""
    return word[:2] in valued and not word.startswith("--") and word[2:].isdecimal()
