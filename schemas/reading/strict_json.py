"""JSON as strictly as hostile input deserves: finite numbers, valid text, no key twice, bounded size and depth."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any, NoReturn

MAX_CHARACTERS = 8_000_000
MAX_DEPTH = 64
_SURROGATE = ("\\ud", "\\uD")


def parse_json(text: str, max_depth: int = MAX_DEPTH) -> Any:
    """Parse one JSON text. Raises ValueError with place and reason.

    Refuses NaN, Infinity, numbers beyond a float (10**400), a key twice, half surrogates, more than `max_depth` levels.
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"{len(text)} characters are too many; at most {MAX_CHARACTERS} are read")
    try:
        value = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_constant, parse_float=_finite, parse_int=_whole
        )
    except json.JSONDecodeError as error:
        raise ValueError(
            f"malformed JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None
    _check_depth(value, max_depth)
    try:
        text.encode()
        if any(mark in text for mark in _SURROGATE):
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"half of a surrogate pair ({error.object[error.start]!a}) is no character"
        ) from None
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        double = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {double[:80]!a} appears twice in one object")
    return found


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number; give a finite number or null")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text[:40]} is too large for a float")
    return value


def _whole(text: str) -> int:
    if len(text) > 300:  # a float holds 10**308, and Python's time for longer ones grows with their square
        raise ValueError(f"the number {text[:40]}... of {len(text)} digits is too large for a float")
    return int(text)


def _check_depth(value: Any, most: int) -> None:
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > most:
            raise ValueError(f"the JSON is nested too deeply: more than {most} levels")
        level = [
            child
            for item in level
            if isinstance(item, (dict, list))
            for child in (item.values() if isinstance(item, dict) else item)
        ]
