"""Agreement of coders: Cohen's and Fleiss' kappa, Krippendorff's alpha."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from scipy import stats

from .intervals import LEVEL, checked
from .model import Effect

Level = Literal["nominal", "ordinal", "interval", "ratio"]


def cohens_kappa(one: Sequence[Hashable], other: Sequence[Hashable]) -> Effect:
    """Kappa of two coders and its normal interval (error: Fleiss, Cohen and Everitt, 1969). Raises ValueError.

    Kappa lies within -1 and 1, so an end beyond is cut there, as Gwet's irrCAC does, and `method` says so. Where the error is 0
    (coders who agree on every unit) there is no interval.
    """
    if len(one) != len(other) or not one:
        raise ValueError(f"two coders code the same units: {len(one)} and {len(other)} codes")
    names = sorted({*one, *other}, key=str)
    place = {name: number for number, name in enumerate(names)}
    table = np.zeros((len(names), len(names)))
    for first, second in zip(one, other, strict=True):
        table[place[first], place[second]] += 1
    p = table / table.sum()
    rows, columns = p.sum(1), p.sum(0)
    expected, observed = float(rows @ columns), float(np.trace(p))
    if expected == 1:
        raise ValueError("kappa is not defined: both coders used one code for all units")
    kappa = (observed - expected) / (1 - expected)
    diagonal = sum(p[i, i] * (1 - (rows[i] + columns[i]) * (1 - kappa)) ** 2 for i in range(len(names)))
    off = sum(
        p[i, j] * (columns[i] + rows[j]) ** 2 for i in range(len(names)) for j in range(len(names)) if i != j
    )
    variance = (diagonal + (1 - kappa) ** 2 * off - (kappa - expected * (1 - kappa)) ** 2) / (
        table.sum() * (1 - expected) ** 2
    )
    wide = float(stats.norm.ppf((1 + LEVEL) / 2) * np.sqrt(max(variance, 0)))
    low, high = kappa - wide, kappa + wide
    cut = [
        f"{name} end cut from {end:.3f} to {bound}, the {most} value of kappa"
        for name, end, bound, most in (("lower", low, -1, "smallest"), ("upper", high, 1, "largest"))
        if abs(end) > 1 and end * bound > 0
    ]
    return checked("kappa", kappa, max(-1.0, low), min(1.0, high), ", ".join(["normal approximation", *cut]))


def fleiss_kappa(counts: Sequence[Sequence[int]]) -> float:
    """Kappa of several coders; counts: units x codes, each row with the same sum (Fleiss, 1971). Raises ValueError."""
    table = np.asarray(counts, float)
    coders = table.sum(1)
    if table.ndim != 2 or not len(table) or (coders != coders[0]).any() or coders[0] < 2:
        raise ValueError("each unit needs the same number of codes, at least two")
    n = coders[0]
    agree = ((table**2).sum(1) - n) / (n * (n - 1))
    shares = table.sum(0) / table.sum()
    expected = float((shares**2).sum())
    if expected == 1:
        raise ValueError("kappa is not defined: one code was used for all units")
    return float((agree.mean() - expected) / (1 - expected))


def krippendorff_alpha(codes: Sequence[Sequence[float | str | None]], level: Level = "nominal") -> float:
    """Alpha of any number of coders with missing codes (None); codes: coders x units.

    Source: Krippendorff (2011), Computing Krippendorff's Alpha-Reliability. Raises ValueError where it is not defined.
    """
    units = [[code for code in unit if code is not None] for unit in zip(*codes, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    names = sorted({code for unit in units for code in unit}, key=(str if level == "nominal" else float))
    place = {name: number for number, name in enumerate(names)}
    if not units or len(names) < 2:
        raise ValueError(
            "alpha is not defined: fewer than two codes were used on units that several coders coded"
        )
    coincidence = np.zeros((len(names), len(names)))
    for unit in units:
        for i, first in enumerate(unit):
            for j, second in enumerate(unit):
                if i != j:
                    coincidence[place[first], place[second]] += 1 / (len(unit) - 1)
    totals = coincidence.sum(1)
    distance = _distance(names, totals, level)
    expected = (np.outer(totals, totals) - np.diag(totals)) / (totals.sum() - 1)
    return float(1 - (coincidence * distance).sum() / (expected * distance).sum())


def _distance(names: Sequence[float | str], totals: np.ndarray, level: Level) -> np.ndarray:
    """Squared distances between codes."""
    if level == "nominal":
        return 1.0 - np.eye(len(names))
    if level == "ordinal":
        reached = np.cumsum(totals) - totals / 2
        return (reached[:, None] - reached[None, :]) ** 2
    values = np.asarray(names, float)
    difference: np.ndarray = values[:, None] - values[None, :]
    if level == "interval":
        return difference**2
    total = values[:, None] + values[None, :]
    shares: np.ndarray = np.divide(difference, total, out=np.zeros_like(difference), where=total != 0)
    return shares**2


def _told(found: Effect) -> dict[str, Any]:
    return {"value": found.value, "low": found.low, "high": found.high, "detail": found.method}


def measured(
    table: Sequence[Sequence[Hashable]],
    measures: Mapping[str, Callable[[], Mapping[str, Any]]],
    **shared: Any,
) -> list[dict[str, Any]]:
    """Each measure of a table (coders x units) by its name; one that is not defined has no value and says why."""
    found: list[dict[str, Any]] = []
    for name, value in measures.items():
        whole = {"measure": name, "units": len(table[0]), "coders": len(table), **shared}
        try:
            found.append({**whole, **value()})
        except ValueError as error:
            found.append(whole | {"value": None, "detail": str(error)})
    return found


def of_codings(codes: Sequence[str], coders: Sequence[Mapping[str, str | None]]) -> dict[str, Any]:
    """Agreement of coders and counts of codes. codes: of the book; coders: unit -> code (None: no code fits), the same units.

    Krippendorff's alpha of all, Cohen's kappa of two that coded every unit; a measure that is not defined has no value and says
    why. code_counts: units to which all coders gave the code.
    """
    units = list(coders[0])
    table = [[coder[name] for name in units] for coder in coders]
    measures: dict[str, Callable[[], Mapping[str, Any]]] = {
        "krippendorff_alpha": lambda: {"value": krippendorff_alpha(table)}
    }
    if len(table) == 2 and all(code is not None for row in table for code in row):
        measures["cohens_kappa"] = lambda: _told(cohens_kappa(*table))
    both = Counter(row[0] for row in zip(*table, strict=True) if row[0] and len({*row}) == 1)
    return {
        "agreement": measured(table, measures),
        "code_counts": {name: both[name] for name in codes},
        "coded_texts": len(units),
    }


def of_one_code(code: str, coders: Sequence[Sequence[bool]]) -> list[dict[str, Any]]:
    """Agreement on whether units have a code; coders: of each, unit by unit, whether it gave the code."""
    table = [["yes" if given else "no" for given in coder] for coder in coders]
    measures: dict[str, Callable[[], Mapping[str, Any]]] = {
        "krippendorff_alpha": lambda: {"value": krippendorff_alpha(table)}
    }
    if len(table) == 2:
        measures["cohens_kappa"] = lambda: _told(cohens_kappa(*table))
    return measured(table, measures, code=code)
