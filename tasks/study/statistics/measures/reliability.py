"""Whether the items of a scale go together: Cronbach's alpha and McDonald's omega with intervals, and each item beside the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

LEVEL = 0.95
RESAMPLES = 500
FEWEST = 10  # rows
_ROUNDS = 300


@dataclass(frozen=True)
class ItemFacts:
    """An item, turned where it is a reversed one. rest: its correlation with the sum of the others; without: alpha of these."""

    name: str
    mean: float
    sd: float
    rest: float | None
    without: float | None


@dataclass(frozen=True)
class Reliability:
    """Of one scale in one condition ('' where there is none). cannot: why a coefficient, or its interval, is missing."""

    scale: str
    condition: str
    n: int
    alpha: float | None
    alpha_low: float | None = None
    alpha_high: float | None = None
    omega: float | None = None
    omega_low: float | None = None
    omega_high: float | None = None
    items: tuple[ItemFacts, ...] = ()
    cannot: str = ""


def cronbach(values: np.ndarray) -> float | None:
    """Cronbach's alpha of (rows, items); None where nothing varies."""
    k = values.shape[1]
    whole = float(values.sum(axis=1).var(ddof=1))
    return None if whole <= 1e-12 else k / (k - 1) * (1 - float(values.var(axis=0, ddof=1).sum()) / whole)


def feldt(alpha: float, n: int, k: int) -> tuple[float, float]:
    """The interval of alpha by the F distribution (Feldt, Woodruff and Salih, 1987, Applied Psychological Measurement 11, 93)."""
    tail, df = (1 - LEVEL) / 2, (n - 1, (n - 1) * (k - 1))
    return tuple(1 - (1 - alpha) * float(stats.f.ppf(at, *df)) for at in (1 - tail, tail))  # type: ignore[return-value]


def mcdonald(values: np.ndarray) -> float | None:
    """McDonald's omega of one factor, whose loadings are found by principal axes iterated until they stand; None where it has none:
    fewer than three items, an item that does not vary, or a share of variance of an item that lies outside 0 to 1."""
    if values.shape[1] < 3:
        return None
    found = float(_omegas(np.cov(values, rowvar=False)[None])[0])
    return found if np.isfinite(found) else None


def _omegas(covariances: np.ndarray, *, bounded: bool = False) -> np.ndarray:
    """Omega of each of (samples, items, items); not a number where there is none. bounded: an item whose share would exceed 1 has 1."""
    deviations = np.sqrt(np.diagonal(covariances, axis1=1, axis2=2))
    omegas = np.full(len(covariances), np.nan)
    good = (deviations > 1e-12).all(axis=1)
    if not good.any():
        return omegas
    scale = deviations[good]
    whole = covariances[good] / (scale[:, :, None] * scale[:, None, :])
    at = np.arange(whole.shape[1])
    shares = np.clip(1 - 1 / np.diagonal(np.linalg.pinv(whole), axis1=1, axis2=2), 0.05, 0.95)
    loadings = shares
    for _ in range(_ROUNDS):
        reduced = whole.copy()
        reduced[:, at, at] = np.minimum(shares, 2.0)  # one that leaves 0 to 1 is given up below
        roots, vectors = np.linalg.eigh(reduced)
        loadings = vectors[:, :, -1] * np.sqrt(np.maximum(roots[:, -1:], 0.0))
        loadings = np.clip(loadings, -1, 1) if bounded else loadings
        before, shares = shares, loadings**2
        if np.abs(shares - before).max() < 1e-9:
            break
    common = (loadings * scale).sum(axis=1) ** 2
    own = ((1 - shares) * scale**2).sum(axis=1)
    omegas[good] = np.where((shares > 1).any(axis=1), np.nan, common / (common + own))
    return omegas


def reliability(
    scale: str, names: Sequence[str], values: np.ndarray, seed: int, condition: str = ""
) -> Reliability:
    """Both coefficients of complete rows. Omega's interval: percentiles of a seeded bootstrap over rows."""
    n, k = values.shape
    if n < FEWEST or k < 2:
        return Reliability(
            scale,
            condition,
            n,
            None,
            cannot=f"{n} complete rows of {k} items; {FEWEST} rows and two items are needed",
        )
    alpha = cronbach(values)
    if alpha is None:
        return Reliability(scale, condition, n, None, cannot="the sum of the items does not vary")
    low, high = feldt(alpha, n, k)
    omega, why = mcdonald(values), ""
    ends: tuple[float | None, float | None] = (None, None)
    if omega is None:
        why = "no omega: " + (
            "it needs three items"
            if k < 3
            else "one factor does not fit these items (a share of variance outside 0 to 1)"
        )
    else:
        draw = np.random.default_rng(seed)
        again = _omegas(
            np.stack([np.cov(values[draw.integers(0, n, n)], rowvar=False) for _ in range(RESAMPLES)]),
            bounded=True,
        )
        kept = again[np.isfinite(again)]
        start, end = np.percentile(kept, [2.5, 97.5]) if len(kept) else (1.0, 0.0)
        if len(kept) < 0.95 * RESAMPLES or not start <= omega <= end:
            why = "no interval of omega: too many resamples have none, or theirs lie beside it"
        else:
            ends = (float(start), float(end))
    return Reliability(
        scale, condition, n, alpha, low, high, omega, *ends, items=_items(names, values), cannot=why
    )


def _items(names: Sequence[str], values: np.ndarray) -> tuple[ItemFacts, ...]:
    found = []
    for place, name in enumerate(names):
        own, others = values[:, place], np.delete(values, place, axis=1)
        rest, varies = others.sum(axis=1), own.std() > 1e-12
        found.append(
            ItemFacts(
                name,
                float(own.mean()),
                float(own.std(ddof=1)),
                float(np.corrcoef(own, rest)[0, 1]) if varies and rest.std() > 1e-12 else None,
                cronbach(others) if others.shape[1] > 1 else None,
            )
        )
    return tuple(found)


def of_scales(scales: Mapping[str, Mapping[str, Any]], frame: pd.DataFrame, seed: int) -> list[Reliability]:
    """The scales of a study: name -> items, which of them are reversed, and the sum of both ends of the answers by which they turn.

    In each condition by itself, as what differs between conditions makes no item go with another. A participant's rows beyond
    that are averaged.
    """
    found = []
    for name, scale in scales.items():
        items = [*scale["items"]]
        if not {*items} <= {*frame.columns}:
            continue
        numbers = frame[items].apply(pd.to_numeric, errors="coerce")
        for item in scale.get("reversed", ()):
            numbers[item] = scale["ends"] - numbers[item]
        where = frame["condition"].astype(str) if "condition" in frame.columns else pd.Series("", frame.index)
        for condition in dict.fromkeys(where):
            rows = numbers[where == condition].dropna()
            if "participant" in frame.columns:
                rows = rows.groupby(frame.loc[rows.index, "participant"], sort=False).mean()
            shown = condition if where.nunique() > 1 else ""
            found.append(reliability(name, items, rows.to_numpy(float), seed, shown))
    return found
