"""Shell commands of a model: one read-only program with literal words, or a reason why not."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.agent.patterns import MAX_LINE, search_pattern
from memdir.agent.shell import COMMANDS, Command, DeniedError, parse_command


@pytest.mark.parametrize(
    ("text", "name", "words", "options"),
    [
        ("ls", "ls", (), {}),
        ("ls -la team", "ls", ("team",), {"-l": "", "-a": ""}),
        ("cat a.md b.md", "cat", ("a.md", "b.md"), {}),
        ("head -20 a.md", "head", ("a.md",), {"-n": "20"}),
        ("tail -n 5 a.md", "tail", ("a.md",), {"-n": "5"}),
        ("head -n5 a.md", "head", ("a.md",), {"-n": "5"}),
        ("grep -rn 'a|b' .", "grep", ("a|b", "."), {"-r": "", "-n": ""}),
        ('grep -i "merge freeze; now" logs', "grep", ("merge freeze; now", "logs"), {"-i": ""}),
        ("grep -C2 x a.md", "grep", ("x", "a.md"), {"-C": "2"}),
        ("grep --include=*.md x .", "grep", ("x", "."), {"--include": "*.md"}),
        ("grep -- -x a.md", "grep", ("-x", "a.md"), {}),
        ("find . -name '*.md' -type f", "find", (".",), {"-name": "*.md", "-type": "f"}),
        ("cat 'a b'.md", "cat", ("a b.md",), {}),
        ("wc -l a#1.md", "wc", ("a#1.md",), {"-l": ""}),
        ("  pwd  ", "pwd", (), {}),
    ],
)
def test_plain_commands(text: str, name: str, words: tuple[str, ...], options: dict[str, str]) -> None:
    assert parse_command(text) == Command(name, words, options)


@pytest.mark.parametrize(
    "text",
    [
        "cat a.md > b.md", "cat a.md >> b.md", "cat < /etc/passwd", "cat a.md | sh", "cat a.md; rm -rf .", "cat a.md && rm a.md",
        "cat a.md || true", "cat a.md &", "cat $(echo a.md)", "cat `echo a.md`", "cat $HOME/.ssh/id_rsa", 'cat "$HOME"', 'cat "`id`"',
        "cat ~/.ssh/id_rsa", "(cat a.md)", "{ cat a.md; }", "cat a{b,c}.md", "cat a.md\nrm a.md", "cat a.md\r\nrm x", "cat a\\ b.md",
        "!!", "cat !$", "A=1 cat a.md", "PATH=/tmp ls", "/bin/cat a.md", "./cat a.md", "bash -c 'cat a.md'", "sh a.md", "env cat a.md",
        "rm a.md", "mv a.md b.md", "sed -i s/a/b/ a.md", "awk 'BEGIN{system(\"id\")}'", "python3 -c 'x'", "curl http://x", "git log", "xargs rm",
        "tee a.md", "find . -delete", "find . -exec rm {} ;", "find . -fprint x", "find . -ok rm", "grep -f /etc/passwd x", "grep -P '(?<=a)b' x",
        "tail -f a.md", "tail --follow a.md", "head -c 5 a.md", "cat -", "cat", "cat 'a.md", 'cat "a.md', "", "   ", "# comment", "cat a\0.md", "cat a\x1b.md",
        "ls --color=always -x", "wc --files0-from=x", "sort a.md", "cat\x0ba.md", "cat " + "x" * 3000, "exec cat a", "eval ls", "source a", ". a.md",
    ],
)  # fmt: skip
def test_everything_else_is_denied_with_a_reason(text: str) -> None:
    if text == "cat":
        assert parse_command(text) == Command("cat")  # refused later, for want of a file
        return
    with pytest.raises(DeniedError) as caught:
        parse_command(text)
    assert str(caught.value).startswith("Denied: ") and len(str(caught.value)) < 400


@given(st.text(max_size=200))
def test_any_text_is_a_listed_command_or_denied(text: str) -> None:
    try:
        command = parse_command(text)
    except DeniedError:
        return
    assert command.name in COMMANDS
    assert not any(c in word for word in (command.name, *command.options) for c in "\0\n`")


@given(
    st.lists(
        st.sampled_from([*"abc'\"$`|;&<>(){}\\ \t\n-=*?/.~!#", "cat ", "grep ", "$(", "&&"]),
        max_size=30,
    )
)
def test_shell_characters_never_slip_through_outside_quotes(parts: list[str]) -> None:
    text = "grep " + "".join(parts)
    try:
        parse_command(text)
    except DeniedError:
        return
    bare = []
    quote = ""
    for char in text.strip():  # a break at the very end separates nothing
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        else:
            bare.append(char)
    assert not set("$`|;&<>(){}\\\n~!") & set(bare)


@pytest.mark.parametrize(
    ("pattern", "text", "hits"),
    [
        ("merge freeze", "a Merge Freeze b", True), ("freeze|release", "the release", True), (r"v\d+\.\d+", "v1.22", True),
        ("^- ", "- a", True), ("[Tt]hursday", "Thursday", True), ("a.c", "abc", True), ("dead.*line", "dead on line", True), ("x{2,3}", "xx", True),
        ("(?:a|b)c", "bc", True), ("(a|b)c", "ac", True), ("nothing", "something", False), ("发布|冻结", "合并冻结到周四", True),
    ],
)  # fmt: skip
def test_simple_patterns(pattern: str, text: str, hits: bool) -> None:
    assert bool(search_pattern(pattern, ignore_case=True).search(text)) is hits


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+$", "(a|aa)*b", "(.*)*", r"(\w+\s?)*$", "a*a*a*b", r"(a)\1", "(?=a)", "(?<=a)b", "(?i)a", "(?P<n>a)", "a{1,}b{1,}c{1,}", "[", "(", "", "x" * 301, "*a", "a**", r"\Z", r"\x41"],
)  # fmt: skip
def test_patterns_that_could_run_for_ever_or_are_wrong(pattern: str) -> None:
    with pytest.raises(DeniedError):
        search_pattern(pattern)


@given(st.text(alphabet="ab.*+?()[]|{}\\^$1,-", max_size=25))
def test_what_is_accepted_is_quick(pattern: str) -> None:
    try:
        found = search_pattern(pattern)
    except DeniedError:
        return
    start = time.process_time()
    found.search("a" * MAX_LINE)
    assert time.process_time() - start < 1.0


def test_literal() -> None:
    assert search_pattern("a.b(", literal=True).search("xa.b(") and not search_pattern(
        "a.b", literal=True
    ).search("axb")
