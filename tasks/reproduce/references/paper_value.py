"""The paper's side of a target: a quoted number, a table of its folder, or a feature of that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from schemas.reading.strict_json import parse_json
from schemas.reproduce.planning.plan import Reference, Target
from schemas.reproduce.simulations.features import as_feature
from schemas.reproduce.simulations.units import dimension, reciprocal
from schemas.reproduce.words.of_two import falls
from schemas.reproduce.words.written import LEVEL, Written, matches, numbers_in
from tasks.files.tables import read_table
from tasks.reproduce.curves.curve import Curve
from tasks.reproduce.curves.maps import Map
from tasks.reproduce.evidence.both_maps import reference_map
from tasks.reproduce.evidence.not_computed import EvidenceError, TooCoarse
from tasks.reproduce.evidence.target_feature import Columns, feature_of
from tasks.reproduce.evidence.units import canonical, convert, from_levels, unit_of_name
from tasks.reproduce.papers import MAX_TEXT_BYTES, inside, own_form, taken

if TYPE_CHECKING:
    import pandas as pd

# A column without a unit whose values stay below this holds fractions of 1.
_FRACTIONS = 1.5


@dataclass(frozen=True)
class ReferenceValue:
    """What the simulation is compared with, in the target's units.

    error_percent: uncertainty of the data's ordinate, as the paper's file states it; x_error: of its abscissa, in the unit of
    the target's. sampling: what the spacing of the data's samples leaves open of a feature. upper: of a range the paper
    states, `value` being its lower end. rounding: half a unit of a quoted number's last digit. width: of a position, its
    extremum's own. window: of a position, where it was looked for. coverage: part of the paper's data that the plan's ranges
    and windows keep. origin: of a table, as the paper's folder says; '' where it says none. digit: half a unit of the last digit
    of a table's ordinates; None where they do not carry over to the value. All in the target's unit. level: the dB of a share
    that is quoted in dB.
    """

    value: float | Curve | Map
    source: str
    error_percent: float = 0.0
    sampling: float = 0.0
    x_error: float = 0.0
    upper: float | None = None
    rounding: float = 0.0
    width: float | None = None
    window: tuple[float, ...] = ()
    coverage: float = 1.0
    origin: str = ""
    digit: float | None = None
    level: float = 0.0


def resolve(target: Target, paper_dir: Path) -> ReferenceValue:
    """The reference of a target. Raises EvidenceError: it cannot be had; the message says why."""
    reference = target.reference
    if target.kind == "map":
        return _map(target, paper_dir)
    if reference.kind == "quotation":
        if target.kind != "scalar" or reference.value is None or not np.isfinite(reference.value):
            raise EvidenceError(
                "a quoted number is no reference for this target",
                found=f"a {target.kind}, value {reference.value}",
                allowed="a scalar, a finite value",
            )
        place = f" ({reference.place})" if reference.place else ""
        feature = as_feature(reference.feature) if reference.feature is not None else None
        fallen = feature is not None and feature.kind == "slope"
        fallen = fallen and falls(reference.quotation, reference.value, target.unit)
        return ReferenceValue(
            float(-reference.value if fallen else reference.value),
            f'the paper{place}: "{reference.quotation}"',
            upper=reference.upper,
            rounding=_rounding(target),
            window=_window(target),
            level=_level(target),
        )
    if reference.kind == "fresnel":
        raise EvidenceError(
            "a bare surface is no target",
            found="kind 'fresnel'",
            allowed="what the paper shows or says",
            fix="plan again: stage 0 compares materials with Fresnel by itself",
        )
    source = f"{reference.file}, column {reference.y_column} against {reference.x_column}"
    if reference.kind == "data" and target.kind == "scalar":
        raise EvidenceError(
            "a table is no reference for a scalar",
            found="kind 'data'",
            allowed="kind 'feature' or 'quotation'",
        )
    if reference.kind == "feature" and (target.kind == "curve" or reference.feature is None):
        raise EvidenceError(
            "a feature is no reference for a curve", found="kind 'feature'", allowed="kind 'data'"
        )
    names = [reference.y_column or "", *([reference.second_column] if reference.second_column else [])]
    curves = _columns(reference, names, paper_dir)
    _own_percent(target, curves)
    error = data_error(paper_dir, reference.file or "")
    x_error = _x_error(target, curves[0], data_error(paper_dir, reference.file or "", "x_error"))
    try:
        coverage = _coverage(target, curves[0])
        kept: dict[str, Any] = {
            "x_error": x_error,
            "coverage": coverage,
            "origin": data_origin(paper_dir, reference.file or ""),
            "digit": _digit(target, curves[0]),
        }
        if reference.kind == "data":
            return ReferenceValue(_curve(target, curves[0]), source, error, **kept)
        assert reference.feature is not None
        feature = as_feature(reference.feature)
        found = feature_of(target, curves[: feature.curves])
    except ValueError as problem:
        raise EvidenceError(
            f"the reference {reference.file!r} cannot be used",
            found=" ".join(str(problem).split()),
            fix="name existing columns of numbers, and a feature that they have",
        ) from problem
    if found.sampling is None:
        raise TooCoarse(
            f"{feature.words()} is sampled too coarsely",
            found=f"every other sample of {source} does not show it",
            fix="use finer data, or a quoted number",
        )
    return ReferenceValue(
        found.value,
        f"{feature.words()}, {source}",
        error,
        found.sampling,
        width=found.width,
        window=_window(target),
        **kept,
    )


def drawn(target: Target, paper_dir: Path) -> tuple[float, ...]:
    """The first and last abscissa of the data that a target is taken from, in its x_unit. Raises EvidenceError as `resolve`."""
    reference = target.reference
    (columns,) = _columns(reference, [reference.y_column or ""], paper_dir)
    x = columns.x[np.isfinite(columns.x)]
    if columns.x_unit and target.x_unit:
        x = convert(x, columns.x_unit, target.x_unit)
    return (float(x.min()), float(x.max())) if x.size else ()


def _map(target: Target, paper_dir: Path) -> ReferenceValue:
    reference = target.reference
    try:
        if reference.kind != "data":
            raise ValueError(f"a map is compared with data; found kind {reference.kind!r}")
        table = _table(reference, paper_dir)
        found = reference_map(target, table)
        whole = reference_map(target.model_copy(update={"x_range": None, "y_range": ()}), table)
    except ValueError as error:
        raise EvidenceError(
            f"the reference {reference.file!r} is no map",
            found=" ".join(str(error).split()),
            allowed="x, y and value as columns, or a matrix",
            fix="name existing columns, and ranges inside them",
        ) from error
    what = (
        f"column {reference.z_column} over {reference.x_column} and {reference.y_column}"
        if reference.z_column
        else "matrix"
    )
    return ReferenceValue(
        found,
        f"{reference.file}, {what}",
        data_error(paper_dir, reference.file or ""),
        origin=data_origin(paper_dir, reference.file or ""),
        coverage=float(np.isfinite(found.z).sum() / (np.isfinite(whole.z).sum() or 1)),
    )


def _columns(reference: Reference, names: Sequence[str], paper_dir: Path) -> list[Columns]:
    """The abscissa with each of the named ordinates, from the paper's table; units as the names end in them."""
    table = _table(reference, paper_dir)
    asked = [reference.x_column or "", *names]
    absent = [column for column in asked if column not in table]
    if absent:
        raise EvidenceError(
            f"the reference {reference.file!r} cannot be used",
            found=f"it has no column {', '.join(absent)}",
            allowed=", ".join(table),
            fix="name existing columns of numbers",
        )
    x, x_unit = table[asked[0]].to_numpy(), unit_of_name(asked[0])
    if 2 * len(set(x)) <= len(x):
        raise EvidenceError(
            f"the reference {reference.file!r} cannot be used",
            found=f"each {asked[0]} stands there twice or more: it is a map or has several branches, and is no one curve",
            fix="compare a map (z_column), a table with a column for each branch, or quote the number",
        )
    found = []
    for column in names:
        y, y_unit = _ordinate(table[column].to_numpy(), unit_of_name(column))
        found.append(Columns(x, y, x_unit, y_unit))
    return found


def _ordinate(y: NDArray[np.float64], unit: str | None) -> tuple[NDArray[np.float64], str | None]:
    """A column's numbers and unit; levels in dB are shares of power from here on, in ratios of two columns as well."""
    return (y, unit) if unit is None or canonical(unit) != LEVEL else (from_levels(y), "1")


def _table(reference: Reference, paper_dir: Path) -> pd.DataFrame:
    name = reference.file or ""
    path = inside(paper_dir, name)
    if path is None or Path(name).is_absolute():
        raise EvidenceError(
            "a reference file lies outside the paper's folder",
            found=name,
            allowed=f"a path inside {paper_dir.name}/",
            fix="name a data file of the paper",
        )
    try:
        return read_table(path)
    except (ValueError, OSError) as error:
        raise EvidenceError(
            f"the reference {name!r} cannot be used",
            found=f"{error}",
            allowed="a CSV of numbers in the paper's folder",
            fix="mend the file or name another",
        ) from error


def _curve(target: Target, columns: Columns) -> Curve:
    x, y = columns.x, columns.y
    if columns.x_unit and target.x_unit:
        x = convert(x, columns.x_unit, target.x_unit)
    return Curve.of(x, convert(y, columns.y_unit, target.unit) if columns.y_unit else y)


def _own_percent(target: Target, curves: Sequence[Columns]) -> None:
    """A target in % does not make percentages of a column of fractions."""
    if target.reference.feature is not None and not as_feature(target.reference.feature).on_y:
        return
    for columns in curves:
        largest = float(np.nanmax(np.abs(columns.y), initial=0.0))
        if canonical(target.unit) == "%" and columns.y_unit is None and largest <= _FRACTIONS:
            raise EvidenceError(
                "a column of fractions is compared as percentages",
                found=f"{target.reference.y_column!r} names no unit and reaches {largest:.3g}, the target's unit is '%'",
                allowed="unit '1', or a column whose name ends in _percent",
                fix="give the target the unit '1'",
            )


def _x_error(target: Target, columns: Columns, error: float) -> float:
    """The abscissa's error in the unit of the compared position (of a curve's abscissa); 0 where it does not carry over."""
    unit = target.x_unit if target.kind == "curve" else target.unit
    own = columns.x_unit or target.x_unit or unit
    return float(convert(error, own, unit)) if error and unit and dimension(own) == dimension(unit) else 0.0


def _rounding(target: Target) -> float:
    """Half a unit of the quoted number's last digit, or the uncertainty written with it, in the target's unit."""
    reference = target.reference
    if reference.value is None or reference.upper is not None:
        return 0.0
    stated = _stated_number(target)
    found = stated.in_unit(target.unit) if stated else None
    return found[2] * (abs(reference.value / found[1]) if found[1] else 1.0) if found else 0.0


def _level(target: Target) -> float:
    """The number of dB that a quoted share of power is told in; 0 where it is told otherwise."""
    stated = _stated_number(target)
    return (
        abs(stated.high)
        if stated is not None and canonical(stated.unit) == LEVEL != canonical(target.unit)
        else 0.0
    )


def _stated_number(target: Target) -> Written | None:
    value, upper = target.reference.value, target.reference.upper
    if value is None:
        return None
    found = numbers_in(target.reference.quotation)
    return next((number for number in found if matches(number, value, target.unit, upper)), None)


def _window(target: Target) -> tuple[float, ...]:
    """Where a position is looked for, in the target's unit; () if that is open or unknown."""
    feature = as_feature(target.reference.feature) if target.reference.feature is not None else None
    if feature is None or feature.kind != "position":
        return ()
    window = feature.window or target.x_range or ()
    try:
        ends = (
            convert(window, target.x_unit, target.unit)
            if target.x_unit and len(window)
            else np.asarray(window)
        )
    except EvidenceError:
        return ()
    return tuple(sorted(float(end) for end in ends))


def _coverage(target: Target, columns: Columns) -> float:
    """Part of the data's range that x_range, or the feature's window, keeps."""
    feature = as_feature(target.reference.feature) if target.reference.feature is not None else None
    window = (feature.window if feature is not None else ()) or target.x_range
    x = convert(columns.x, columns.x_unit, target.x_unit) if columns.x_unit and target.x_unit else columns.x
    low, high = float(np.nanmin(x)), float(np.nanmax(x))
    if not window or not low < high:
        return 1.0
    return max(0.0, min(high, max(window)) - max(low, min(window))) / (high - low)


def data_error(paper_dir: Path, file: str, field: str = "relative_error_percent") -> float:
    """relative_error_percent, or x_error, that the paper's JSON (paper.json, or the one file it is) states for a data file.

    0 where none is stated; the largest where several files of the folder name the data.
    """
    errors = [_number(entry) for entry in _stated(paper_dir, file, field)]
    return max((error for error in errors if np.isfinite(error)), default=0.0)


def data_origin(paper_dir: Path, file: str) -> str:
    """Where the paper's JSON says that a data file is from; '' where it says nothing, or two things."""
    found = {entry for entry in _stated(paper_dir, file, "origin") if isinstance(entry, str)}
    return found.pop() if len(found) == 1 else ""


def _stated(paper_dir: Path, file: str, field: str) -> list[object]:
    """What the JSON files of the folder say in that field of a data file."""
    found: list[object] = []
    for path in sorted(paper_dir.glob("*.json"))[:100]:
        try:
            figures = own_form(parse_json(taken(paper_dir, path.name, MAX_TEXT_BYTES).decode())).fields.get(
                "figures", []
            )
            found += [
                data[field]
                for figure in figures
                for data in figure.get("data", [])
                if data.get("file") == file and field in data
            ]
        except (OSError, ValueError, TypeError, AttributeError, RecursionError):
            continue
    return found


def _number(entry: object) -> float:
    """A number of the folder's JSON, 0 for anything else."""
    try:
        return float(entry)  # type: ignore[arg-type]
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _digit(target: Target, columns: Columns) -> float | None:
    """Half a unit of the last digit that most of a column's numbers are written with, in the target's unit."""
    feature = as_feature(target.reference.feature) if target.reference.feature is not None else None
    own = columns.y_unit or target.unit
    if (feature is not None and not feature.on_y) or reciprocal(own, target.unit):
        return None
    places = [
        int(Decimal(repr(float(y))).normalize().as_tuple().exponent)
        for y in columns.y
        if np.isfinite(y) and y
    ]
    return float(convert(0.5 * 10.0 ** float(np.median(places)), own, target.unit)) if places else None
