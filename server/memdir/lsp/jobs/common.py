"""What several jobs of the model share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from memdir.agent.client_types import describe_usage, parse_prices, price_of
from memdir.agent.inbox import Inbox
from memdir.core.i18n import Message
from memdir.lsp.failure import JobError
from memdir.lsp.jobs.site import Site, could_not_write
from memdir.store.errors import StoreError

if TYPE_CHECKING:
    from memdir.agent.client_types import Usage

T = TypeVar("T")


def inbox_of(site: Site) -> Inbox:
    """The inbox of the folder's memory."""
    return Inbox(site.state_dir, site.root)


def review_id(site: Site, item_id: str) -> str:
    """The id under which a proposal of the inbox is reviewed."""
    return f"inbox:{item_id}:{site.folder.uri}"


def usage_notes(site: Site, usage: Usage) -> list[Message]:
    """What a run of the model has cost; nothing when it was not asked."""
    if not usage.calls:
        return []
    price = price_of(site.settings.agent.model, parse_prices(site.settings.agent.prices))
    return [describe_usage(usage, price.cost(usage) if price else None)]


async def in_thread(work: Callable[[], T]) -> T:
    """`work` in a thread, its failures as sentences."""
    try:
        return await asyncio.to_thread(work)
    except StoreError as error:
        raise JobError(error.message) from None
    except OSError as error:
        raise JobError(could_not_write(error)) from None
