"""The pytest fixture; import it in a conftest."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.loopback.server import Loopback


@pytest.fixture
def loopback(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    """A Messages server of one's own. A request that the service would refuse fails the test, unless it clears `refused`."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")  # the SDK asks the process, not what it is given
    server = Loopback()
    yield server
    server.close()
    assert server.refused == []
