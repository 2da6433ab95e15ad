"""The features a target may ask of a curve, computed alike from the paper's data and the simulation's."""

from __future__ import annotations

from tasks.curves.curve import Curve
from tasks.curves.features import EdgeExtremum, global_extremum
from tasks.evidence.errors import EvidenceError


def curve_feature(curve: Curve, feature: str) -> float:
    """minimum_position, maximum_position (units of x), minimum_value or maximum_value (units of y),
    sub-sample.

    Raises:
        EvidenceError: the extremum lies at the edge of the range.
    """
    extremum, what = feature.split("_")
    try:
        found = global_extremum(curve, "dip" if extremum == "minimum" else "peak")
    except EdgeExtremum as error:
        raise EvidenceError(
            f"{feature} cannot be taken",
            found=str(error),
            fix="widen the simulated band, or narrow the target's x_range to one feature",
        ) from error
    return found.x if what == "position" else found.y
