"""Numbers in data that say "no value": 99, -999."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_CODES = frozenset(
    sign * int(digits)
    for sign in (1, -1)
    for length in range(2, 6)
    for digits in (
        "7" * length,
        "8" * length,
        "9" * length,
        "9" * (length - 1) + "7",
        "9" * (length - 1) + "8",
    )
)
_BELOW = frozenset(range(-9, -5))  # codes only where nothing else is negative


def missing_codes(values: Sequence[float] | np.ndarray) -> tuple[float, ...]:
    """Numbers of a column that look like a code for "no value", such as 99, -999 or 998: they lie further from all others than
    the others' range and size, or are the only negative ones. values: without missing ones. Sorted; empty where none does."""
    found = np.asarray(values, float)
    codes = np.isin(found, [*_CODES, *_BELOW])
    rest = found[~codes]
    if not codes.any() or len(np.unique(rest)) < 2:
        return ()
    low, high = float(rest.min()), float(rest.max())
    return tuple(
        float(code)
        for code in np.unique(found[codes])
        if code - high > max(high - low, abs(high))
        or low - code > max(high - low, abs(low))
        or (code < 0 <= low and code == int(code))
    )
