"""The feature a target asks of a curve, computed alike from the paper's table and from the simulation's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.features import CurveFeature, as_feature
from schemas.reproduce.simulations.units import dimension
from tasks.reproduce.curves.curve import Curve
from tasks.reproduce.curves.measure import NoFeature, OnlyAtEdge, TooFaint, measure, sampling_error
from tasks.reproduce.evidence.not_computed import EvidenceError, OtherCurve
from tasks.reproduce.evidence.units import canonical, convert, unit_of_name

_SPECTRAL = ("length", "frequency", "normalised")


@dataclass(frozen=True)
class Columns:
    """One curve as it stands in a table; a unit is None where the table names none."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    x_unit: str | None = None
    y_unit: str | None = None


@dataclass(frozen=True)
class Measured:
    """A feature in the target's unit, and what the spacing of the samples leaves open (None: unknown).

    width: of a position, the full width of its extremum at half height, if it comes down that far. edge: what lies only at an
    end of the window, in words.
    """

    value: float
    sampling: float | None
    width: float | None = None
    edge: str = ""


def feature_of(target: Target, curves: Sequence[Columns], simulated: bool = False) -> Measured:
    """The feature that the target's reference names, measured on one curve or two.

    Positions and widths are measured on an abscissa in the target's unit, values on an ordinate in it; a slope, or a ratio, of
    wavelengths or frequencies on an ordinate in what its target, or the paper's column, is in; everything else in x_unit and the
    ordinate's own unit, per cent as fractions of 1. A simulated curve that covers the window that the target
    names, and has its extremum at an end of it, has none where the paper has one: its value is that end's, and `edge` says so.

    Raises:
        OtherCurve: a simulated curve that covers the window does not have the feature.
        EvidenceError: the feature is not there, lies at the edge of the range, or a unit does not fit.
    """
    reference = target.reference
    assert reference.feature is not None
    feature = as_feature(reference.feature)
    if len(curves) != feature.curves:
        raise EvidenceError(
            f"the feature is measured on {feature.curves} curve(s)",
            found=f"{len(curves)} column(s)",
            fix="answer the target with exactly as many columns of one dataset, in this order",
        )
    x_unit = target.unit if feature.on_x else target.x_unit
    ready: list[Curve] = []
    window: tuple[float, ...] = ()
    try:
        ready = [_curve(columns, x_unit, _ordinate(target, feature, columns)) for columns in curves]
        window = _window(feature.window or target.x_range or (), target.x_unit, x_unit)
        ready = [_within(curve, window) for curve in ready] if window else ready
        here = _in_unit(feature, target.x_unit, x_unit)
        edge = ""
        try:
            value = measure(here, ready)
        except OnlyAtEdge as problem:
            if not (simulated and all(_covers(curve, window) for curve in ready)):
                raise
            edge, value = str(problem).partition(";")[0], measure(here, ready, edges=True)
        error = sampling_error(here, ready, value, bool(edge))
    except NoFeature as problem:
        covered = len(ready) == len(curves) and all(_covers(curve, window) for curve in ready)
        if simulated and covered and not isinstance(problem, TooFaint):
            raise OtherCurve(
                f"our curve lacks the {feature.words()} that the paper's has", found=str(problem)
            ) from problem
        raise EvidenceError(
            f"{feature.words()} cannot be taken",
            found=str(problem),
            fix="widen the simulated band, or choose window and number so that the feature lies inside",
        ) from problem
    except ValueError as problem:
        raise EvidenceError(
            f"{feature.words()} cannot be taken", found=" ".join(str(problem).split())
        ) from problem
    if feature.kind == "slope":
        value *= _over(target, curves[0])
        error = None if error is None else error * _over(target, curves[0])
    of_two = feature.kind == "ratio" or (feature.kind == "band_gap" and feature.measure == "ratio")
    if of_two and dimension(target.unit) == "fraction":
        value = float(convert(value, "1", target.unit))
        error = float(convert(error, "1", target.unit)) if error is not None else None
    return Measured(value, error, _own_width(here, ready) if feature.kind == "position" else None, edge)


def _covers(curve: Curve, window: Sequence[float]) -> bool:
    """Whether a curve that is cut to a window fills it."""
    if not window:
        return False
    rounding = 1e-6 * (window[1] - window[0])  # an end that went through units and a file
    return bool(curve.x[0] <= window[0] + rounding and curve.x[-1] >= window[1] - rounding)


def _own_width(feature: CurveFeature, ready: Sequence[Curve]) -> float | None:
    try:
        return measure(feature.model_copy(update={"kind": "width"}), ready)
    except NoFeature:
        return None


def _ordinate(target: Target, feature: CurveFeature, columns: Columns) -> str | None:
    """The unit that a feature needs the ordinate in; None for its own: a frequency's slope is no wavelength's, nor is its ratio."""
    if feature.on_y:
        return target.unit
    over = target.unit.partition("/")[0]
    if feature.kind == "slope" and "/" in target.unit and dimension(over) == dimension(columns.y_unit or "1"):
        return over if dimension(over) != "other" else None
    if not columns.y_unit or dimension(columns.y_unit) not in _SPECTRAL or feature.on_x:
        return None
    told = unit_of_name(target.reference.y_column or "")
    if feature.kind == "slope":  # of one length over another, "0.61 nm per nm": both in the same
        told = target.unit.partition("/")[0]
        told = target.x_unit or columns.x_unit or "" if told in ("", "1") else told
    return told if told and dimension(told) in _SPECTRAL else None


def _over(target: Target, columns: Columns) -> float:
    """What a slope over the abscissa's unit is multiplied with to be over that of its own unit: 1000 for nm per um over nm."""
    over, own = (unit or "1" for unit in (target.unit.partition("/")[2], target.x_unit or columns.x_unit))
    alike = dimension(over) == dimension(own) != "other"
    return float(convert(1.0, over, own)) if alike and "/" in target.unit else 1.0


def _curve(columns: Columns, x_unit: str, y_unit: str | None) -> Curve:
    x, y = columns.x, columns.y
    if columns.x_unit and x_unit:
        x = convert(x, columns.x_unit, x_unit)
    if columns.y_unit:
        own = "1" if canonical(columns.y_unit) == "%" else columns.y_unit
        y = convert(y, columns.y_unit, own if y_unit is None else y_unit)
    return Curve.of(x, y)


def _within(curve: Curve, window: Sequence[float]) -> Curve:
    part = curve.within(window[0], window[1])
    if part is None:
        raise NoFeature(
            f"the curve covers {curve.x[0]:g} to {curve.x[-1]:g}; nothing between {window[0]:g} and {window[1]:g}"
        )
    return part


def _window(window: Sequence[float], unit: str, wanted: str) -> tuple[float, ...]:
    if not window:
        return ()
    return tuple(sorted(float(v) for v in (convert(window, unit, wanted) if unit and wanted else window)))


def _in_unit(feature: CurveFeature, unit: str, wanted: str) -> CurveFeature:
    """The feature with its windows, and those of its parts, on the abscissa that is measured on."""
    parts = tuple(
        part.model_copy(update={"window": _window(part.window, unit, wanted)}) for part in feature.of
    )
    return feature.model_copy(update={"window": _window(feature.window, unit, wanted), "of": parts})
