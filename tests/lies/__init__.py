"""Lies of a scripted model in every role, each a whole run; `make lies` says what became of them (docs/measured/lies.md)."""
