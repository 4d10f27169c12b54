"""Messages that people read: an English template with arguments, rendered in a locale at the border.

A message is made with `msg("Sentence with {argument}.", argument=...)`. The template is the key of the
translation tables (`memdir.core.i18n.zh_cn`, one module per area), which load only when that locale is asked for. A test
collects every `msg("...")` of the source and fails when a table lacks one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

Value: TypeAlias = "str | int | float | Message"

SUPPORTED = ("en", "zh-cn")


class Message(NamedTuple):
    """A template and its arguments; `str()` renders English."""

    template: str
    args: tuple[tuple[str, Value], ...] = ()

    def __str__(self) -> str:
        return render(self)

    def get(self, name: str) -> Value | None:
        """The argument called `name`, or None."""
        return dict(self.args).get(name)


def msg(template: str, /, **args: Value) -> Message:
    """A message from an English template in `str.format` syntax. Every template needs a translation."""
    return Message(template, tuple(args.items()))


def files(count: int) -> Message:
    """So many files, as a part of a sentence."""
    return msg("1 file") if count == 1 else msg("{count} files", count=count)


def normalise_locale(locale: str | None) -> str:
    """The supported locale nearest to an editor's or system's locale name ('zh_CN.UTF-8' gives 'zh-cn')."""
    tag = (locale or "").replace("_", "-").lower().split(".")[0]
    if tag.startswith("zh") and "hant" not in tag and tag not in ("zh-tw", "zh-hk", "zh-mo"):
        return "zh-cn"
    return "en"


def render(message: Message, locale: str = "en") -> str:
    """The sentence in `locale`; a template without translation falls back to English.

    Lone surrogates (undecodable bytes of a foreign file) become U+FFFD, so that the text can be printed.
    """
    template = message.template
    if locale != "en":
        template = _table(locale).get(template, template)
    if not message.args:
        text = (
            template.replace("{{", "{").replace("}}", "}") if "{" in template or "}" in template else template
        )
    else:
        text = template.format(
            **{k: render(v, locale) if isinstance(v, Message) else v for k, v in message.args}
        )
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return text.encode("utf-8", "replace").decode()
    return text


_tables: dict[str, Mapping[str, str]] = {}


def _table(locale: str) -> Mapping[str, str]:
    table = _tables.get(locale)
    if table is None:
        merged: dict[str, str] = {}
        if locale == "zh-cn":
            from memdir.core.i18n.zh_cn import MESSAGES

            merged = dict(MESSAGES)
        table = _tables[locale] = merged
    return table
