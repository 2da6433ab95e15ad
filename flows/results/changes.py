"""What differs between two documents of the same kind: place by place, or line by line of a text."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

from schemas.text.visible import one_visible_line

_IDS = ("target_id", "stage_id", "assumption_id", "parameter_id", "figure_id", "name", "id")
MOST_ROWS, MOST_LINES, _MOST_CHARACTERS = 200, 400, 160
Change = tuple[str, str, str]
MISSING = "-"


def places(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """(place, value in words) of every leaf; entries of a list go by their id where each has one, so that one more shifts none."""
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from places(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list) and value:
        for name, inner in zip(_names(value), value, strict=True):
            yield from places(inner, f"{path}[{name}]")
    elif value not in ([], {}):
        yield path, "none" if value in (None, "") else str(value)


def _names(values: list[Any]) -> list[str]:
    for key in _IDS:
        found = [str(each[key]) for each in values if isinstance(each, dict) and key in each]
        if len(found) == len(values) == len(set(found)):
            return found
    return [str(number) for number in range(1, len(values) + 1)]


def changes(one: Any, other: Any) -> tuple[Change, ...]:
    """(place, there, here) where they differ, in the order of the first; `-` where a side does not have the place."""
    before, after = dict(places(one)), dict(places(other))
    return tuple(
        (_short(name), _short(before.get(name, MISSING)), _short(after.get(name, MISSING)))
        for name in dict.fromkeys((*before, *after))
        if before.get(name) != after.get(name)
    )


def _short(text: str) -> str:
    return one_visible_line(text, _MOST_CHARACTERS)


def line_changes(one: str, other: str, names: tuple[str, str]) -> tuple[str, ...]:
    """A unified difference of two texts, at most so many lines; empty where they are the same."""
    found = difflib.unified_diff(one.splitlines()[:5000], other.splitlines()[:5000], *names, lineterm="", n=2)
    lines = [line[:300] for _, line in zip(range(MOST_LINES + 1), found, strict=False)]
    return tuple(lines[:MOST_LINES] + (["... (more)"] if len(lines) > MOST_LINES else []))
