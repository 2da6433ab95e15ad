"""Scores of scales from their items, row by row: means and sums, SUS, NASA-TLX and UEQ as their authors score them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Row = Sequence[float | None]  # None where an answer is missing
UEQ = {  # Laugwitz, Held and Schrepp (2008); items 1 to 26 in the questionnaire's order
    "attractiveness": (1, 12, 14, 16, 24, 25),
    "perspicuity": (2, 4, 13, 21),
    "efficiency": (9, 20, 22, 23),
    "dependability": (8, 11, 17, 19),
    "stimulation": (5, 6, 7, 18),
    "novelty": (3, 10, 15, 26),
}
UEQ_TURNED = frozenset({3, 4, 5, 9, 10, 12, 17, 18, 19, 21, 23, 24, 25})  # the good word stands left
SUS_TURNED = frozenset({2, 4, 6, 8, 10})


def mean(row: Row, at_least: int) -> float | None:
    """The mean of the answers, where there are enough."""
    found = [value for value in row if value is not None]
    return sum(found) / len(found) if len(found) >= at_least else None


def total(row: Row) -> float | None:
    """The sum of the answers; None where one is missing."""
    found = [value for value in row if value is not None]
    return sum(found) if len(found) == len(row) else None


def sus(row: Row) -> float | None:
    """System Usability Scale, 0 to 100 (Brooke, 1996), of ten answers from 1 to 5. Raises ValueError for others."""
    _within(row, 1, 5, whole=True)
    found = [
        None if value is None else 5 - value if place in SUS_TURNED else value - 1
        for place, value in enumerate(row, 1)
    ]
    whole = total(found)
    return None if whole is None else 2.5 * whole


def tlx(row: Row) -> float | None:
    """NASA-TLX, 0 to 100: the mean of six ratings (Raw TLX), or, with six weights behind them that sum to 15, their weighted mean
    (Hart and Staveland, 1988). Raises ValueError for ratings and weights outside their range."""
    _within(row[:6], 0, 100)
    weights = row[6:]
    if not weights:
        return mean(row, 6)
    _within(weights, 0, 5, whole=True)
    if any(value is None for value in row):
        return None
    if sum(value or 0 for value in weights) != 15:
        raise ValueError("weights that do not sum to 15")
    return sum((one or 0) * (other or 0) for one, other in zip(row[:6], weights, strict=True)) / 15


def ueq(row: Row, scale: str) -> float | None:
    """A scale of the User Experience Questionnaire, -3 to 3, of 26 answers from 1 to 7. Raises ValueError for others."""
    _within(row, 1, 7, whole=True)
    turned = [
        None if value is None else 4 - value if place in UEQ_TURNED else value - 4
        for place, value in enumerate(row, 1)
    ]
    return mean([turned[place - 1] for place in UEQ[scale]], len(UEQ[scale]))


def _within(row: Row, low: float, high: float, *, whole: bool = False) -> None:
    for value in row:
        if value is not None and not (low <= value <= high and (not whole or float(value).is_integer())):
            raise ValueError(
                f"{value:g}, which is no {'whole number' if whole else 'number'} from {low:g} to {high:g}"
            )


SCORES: dict[str, tuple[tuple[int, ...], Callable[[Row], float | None]]] = {
    "sus": ((10,), sus),
    "tlx": ((6, 12), tlx),
}
"""Kind of step -> how many columns it takes, and the score of a row."""
