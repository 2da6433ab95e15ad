"""How large a model's answer may be: the longest list, the longest text, and how many values in all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

MAX_ENTRIES, MAX_TEXT, MAX_VALUES = 400, 200_000, 20_000
MAX_STAGES = 60


def size_faults(answer: dict[str, Any]) -> tuple[str, ...]:
    """What is too large in an answer: the field, what was found, what is allowed; at most ten."""
    faults, count = [], 0
    for place, value in _values(answer):
        count += 1
        if isinstance(value, str) and len(value) > MAX_TEXT:
            faults.append(f"{place}: found {len(value)} characters; allowed: at most {MAX_TEXT} in one text")
        elif isinstance(value, (list, dict)) and len(value) > MAX_ENTRIES:
            faults.append(
                f"{place}: found {len(value)} entries; allowed: at most {MAX_ENTRIES} in one list or object"
            )
        if count > MAX_VALUES:
            faults.append(
                f"answer: found more than {MAX_VALUES} values; allowed: {MAX_VALUES} in all; say it shorter"
            )
        if len(faults) >= 10 or count > MAX_VALUES:
            break
    return tuple(faults)


def _values(answer: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every value with its place, without recursion: how deep an answer is, its writer chooses."""
    left: list[tuple[str, Any]] = [("answer", answer)]
    while left:
        place, value = left.pop()
        yield place, value
        if isinstance(value, dict):
            left += [(f"{place}.{str(key)[:40]}", item) for key, item in value.items()]
        elif isinstance(value, list):
            left += [(f"{place}[{number}]", item) for number, item in enumerate(value)]
