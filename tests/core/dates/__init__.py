"""Relative dates: grammar, masks, references, replacements."""
