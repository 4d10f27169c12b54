"""A Messages server for every test that asks for one."""

from __future__ import annotations

from tests.loopback.fixture import loopback

__all__ = ["loopback"]
