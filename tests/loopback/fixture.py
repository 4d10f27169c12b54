"""The pytest fixture; import it in a conftest."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.loopback.server import Loopback


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    """A Messages server of one's own. A request that the service would refuse fails the test, unless it clears `refused`."""
    server = Loopback()
    yield server
    server.close()
    assert server.refused == []
