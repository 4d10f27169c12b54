"""Memdir: the file memory of AI coding agents, visible, correct and safe in the editor."""

__version__ = "0.1.0"
