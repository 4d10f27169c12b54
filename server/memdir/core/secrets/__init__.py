"""Credentials in text: which kinds there are, where they stand, and how to take them out."""

from __future__ import annotations

from memdir.core.secrets.engine import FORMATS, Secret, masked, redact, scan

__all__ = ["FORMATS", "Secret", "masked", "redact", "scan"]
