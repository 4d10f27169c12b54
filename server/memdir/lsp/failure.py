"""A request that was understood and can't be carried out, with a sentence for the person who asked."""

from __future__ import annotations

from typing import Any

from memdir.core.i18n import Message

REQUEST_FAILED = -32803  # LSP's RequestFailed: the message is meant for people


class JobError(Exception):
    """Ends a request with `message` in the client's language; `data` goes along for the client's program."""

    def __init__(self, message: Message, data: Any = None) -> None:
        super().__init__(str(message))
        self.message = message
        self.data = data
