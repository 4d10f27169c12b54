"""A repository for every test that asks for one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.store.layouts import bare_repository


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A checkout without commits; its name holds an underscore, which older clients wrote otherwise."""
    return bare_repository(Path(os.path.realpath(tmp_path)) / "my_repo")
