"""A described feature of a curve as a number, read as the features of targets are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from schemas.reproduce.simulations.features import CurveFeature
from simkit.describe.feature import ON_X, Feature
from tasks.reproduce.curves.curve import Curve as Sampled
from tasks.reproduce.curves.measure import NoFeature, measure, sampling_error
from tasks.reproduce.measuring.values import Curve, NotMeasured, Scalar

_POWERS = {"frequency": -1, "wavenumber": -1, "position": 1, "time": 1}


def feature_read(quantity: Feature, curve: Curve) -> tuple[Scalar, Scalar]:
    """The number in base units, and the same with what the spacing of the samples leaves open of it.

    Raises NotMeasured: the curve has no such extremum within its range, or too few samples to say where.
    """
    x, y, power = curve.x, curve.y, _POWERS.get(curve.axis, 0)
    if curve.axis == "frequency" and quantity.over == "wavelength":
        x, y, power = 1 / x[::-1], y[::-1], 1
    feature = CurveFeature(kind=quantity.gives, extremum=quantity.extremum, number=quantity.number)
    sampled = Sampled.of(np.asarray(x), np.asarray(y))
    try:
        value = measure(feature, [sampled])
    except NoFeature as error:
        raise NotMeasured(f"{quantity.words}: {error}") from error
    left = sampling_error(feature, [sampled], value)
    if left is None:
        raise NotMeasured(f"{quantity.words}: every other of its {x.size} samples does not show it")
    found = Scalar(
        value, power if quantity.gives in ON_X else 0 if feature.kind == "quality_factor" else curve.power
    )
    return found, replace(found, value=value + left)
