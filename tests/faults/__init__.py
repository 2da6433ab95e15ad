"""Honest mistakes of a description, each a whole run of a bundled paper: what notices them."""
