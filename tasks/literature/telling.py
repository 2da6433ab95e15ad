"""References as agents are told of them: data, without what addresses an AI."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.literature.found_works import Reference

ABSTRACT = 500
OMITTED = "[its text addresses an AI and is left out]"


def lines(references: Sequence[Reference]) -> list[str]:
    """A line a reference: key, who, what, and the beginning of the abstract unless it addresses an AI."""
    return [
        f"{item.key}: {item.short()} | {OMITTED if item.addressed else item.abstract[:ABSTRACT]}"
        for item in references
    ]


def orders(references: Sequence[Reference], most: int = 2) -> list[str]:
    """Who addressed an AI, in their own words, at most so many of each."""
    return [
        f"{item.key} holds text that addresses an AI; it is not followed: {words}"
        for item in references
        for words in item.addressed[:most]
    ]
