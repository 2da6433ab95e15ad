"""Bands, band edges and gaps of a crystal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simkit.arrange import Arrangement
from simkit.describe.crystal import BandEdge, BandFrequency, Bands, Crystal, Gap
from simkit.describe.scene import Quantity
from tasks.reproduce.measuring.values import Curve, NotMeasured, Raw, Scalar


def measure(scene: Crystal, quantity: Quantity, arrangement: Arrangement, raw: Raw) -> Scalar | Curve:
    """A frequency (c/length), a ratio, or a band over the way (n,). Raises NotMeasured: no gap, a band out of order."""
    bands = np.asarray(raw["bands"]["bands/frequency"], float)
    if isinstance(quantity, BandFrequency):
        return Scalar(
            _finite(quantity, bands[arrangement.facts["single"][quantity.id], quantity.band - 1]), power=-1
        )
    along = bands[arrangement.facts["path"]]
    if isinstance(quantity, BandEdge):
        band = along[:, quantity.band - 1]
        return Scalar(_finite(quantity, band.max() if quantity.edge == "maximum" else band.min()), power=-1)
    if isinstance(quantity, Bands):
        return _curve(quantity, np.asarray(arrangement.facts["way"], float), along[:, quantity.band - 1])
    assert isinstance(quantity, Gap)
    lower, upper = along[:, quantity.above - 1].max(), along[:, quantity.above].min()
    if not upper > lower * (1 + 1e-6):
        raise NotMeasured(
            f"{quantity.id}: no gap above band {quantity.above} along the path",
            found=f"band {quantity.above} reaches {lower:.6g}, band {quantity.above + 1} begins at {upper:.6g}",
            fix="another band, another polarization, or another structure",
        )
    middle = (lower + upper) / 2
    value = {
        "lower_edge": lower,
        "upper_edge": upper,
        "width": upper - lower,
        "middle": middle,
        "ratio": (upper - lower) / middle,
    }[quantity.what]
    return Scalar(float(value), power=0 if quantity.what == "ratio" else -1)


def _curve(quantity: Bands, way: NDArray[np.float64], band: NDArray[np.float64]) -> Curve:
    for value in band:
        _finite(quantity, value)
    return Curve(way, band, axis="wavenumber", power=-1)


def _finite(quantity: Quantity, value: float) -> float:
    if not np.isfinite(value) or value < -1e-9:
        raise NotMeasured(f"{quantity.id}: MPB found no such band", found=float(value))
    return float(value)
