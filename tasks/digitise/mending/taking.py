"""What a person saved on the page, checked and made into numbers with errors."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from schemas.documents.mended import Mended, MendedAxis, MendedCurve, MendedMap, MendedPanel
from schemas.errors import InputError
from tasks.digitise.scale import Scale

MAX_BYTES = 20_000_000
_OFF_LINE = 2.0  # pixels: how far a mark may lie off the line of all
_SIGNS = str.maketrans({"\u00b5": "u", "\u03bc": "u", "\u2212": "-"})
_UNITS = {"%": "percent", "\u00b0": "deg"}
_IN_A_COLUMN = (  # -5, m = 3, 0.5, 10 nm
    (r"(?<![A-Za-z0-9])-(?=\d)", "minus "), (r"\s*=\s*(?=\d)", ""), (r"(?<=\d)\.(?=\d)", "p"),
    (r"(?<=\d)\s+(?=[A-Za-z])", ""), (r"[^A-Za-z0-9]+", "_"),
)  # fmt: skip
_LEAST = 0.3  # pixels: no place is better known


@dataclass(frozen=True)
class Taken:
    """A curve: rows of x, y and their errors, in order of parts; of a map two columns more, value and error.

    x_column, y_column, value_column: names for a header; the last one is empty where it is no map. bars: of each point the ends of
    its error bars, x low and high, y low and high; bar_columns: their names. what: theory or experiment.
    """

    name: str
    panel: int
    kind: str
    x_column: str
    y_column: str
    rows: NDArray[np.float64]
    value_column: str = ""
    bars: NDArray[np.float64] | None = None
    bar_columns: tuple[str, ...] = ()
    what: str = ""

    @property
    def relative_error_percent(self) -> float:
        """Of the values: the error that 95 % of the points keep, half its error bar with it, over the largest value."""
        value, error = (4, 5) if self.value_column else (1, 3)
        largest = float(np.abs(self.rows[:, value]).max())
        errors = self.rows[:, error] + (0 if self.bars is None else (self.bars[:, 3] - self.bars[:, 2]) / 2)
        return float(100 * np.percentile(errors, 95) / largest) if largest else 100.0

    @property
    def x_error(self) -> float:
        """Of the abscissa: the error that 95 % of the points keep, half its error bar with it."""
        errors = self.rows[:, 2] + (0 if self.bars is None else (self.bars[:, 1] - self.bars[:, 0]) / 2)
        return float(np.percentile(errors, 95))


def read_mended(path: Path, picture: str) -> Mended:
    """A saved file. picture: the digest that it must name. Raises InputError for anything else."""
    if not path.is_file() or path.stat().st_size > MAX_BYTES:
        raise InputError(
            "no file that was saved on the page",
            found=path,
            allowed=f"a JSON file up to {MAX_BYTES // 10**6} MB",
        )
    try:
        mended = Mended.model_validate(json.loads(path.read_bytes().decode("utf-8")))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])[:120]
        raise InputError(
            f"{path} does not fit what the page saves",
            found=f"{where}: {first['msg']}"[:300],
            fix="save it on the page again",
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{path} is no JSON", found=str(error)[:200], fix="save it on the page again"
        ) from error
    if mended.picture != picture:
        raise InputError(
            "this was saved on another picture",
            found=f"picture {mended.picture[:12]}",
            allowed=f"picture {picture[:12]}",
            fix="mend the page that belongs to this figure",
        )
    return mended


def scale_of_marks(axis: MendedAxis, which: str) -> Scale:
    """The scale through marks that a person placed. Raises InputError: they lie on no line."""
    places = np.array([place for place, _ in axis.marks])
    values = np.array([value for _, value in axis.marks])
    log = axis.kind == "logarithmic"
    if log and (values <= 0).any():
        raise InputError(
            f"the {which} axis is logarithmic", found=f"a mark at {values.min():g}", allowed="values above 0"
        )
    w = np.log10(values) if log else values
    size = float(np.abs(w).max()) or 1.0
    if np.ptp(places) < 5 or np.ptp(w) <= 1e-12 * size:
        raise InputError(
            f"the {which} axis has no scale",
            found=f"marks at {places.tolist()}",
            allowed="two marks apart, with different values",
        )
    slope, intercept = np.polyfit(places, w / size, 1) * size
    off = float(np.abs((w - intercept) / slope - places).max())
    if not off <= _OFF_LINE:
        raise InputError(
            f"the marks of the {which} axis lie on no line",
            found=f"one is off by {off:.1f} pixels",
            allowed=f"{_OFF_LINE:g} pixels",
            fix="drag it onto its tick, mend its number, or change between linear and logarithmic",
        )
    return Scale("logarithmic" if log else "linear", float(slope), float(intercept), off)


def curves_of(mended: Mended) -> list[Taken]:
    """Every curve as numbers. Raises InputError for axes without a scale and values beyond what numbers hold."""
    found = []
    for number, panel in enumerate(mended.panels, 1):
        x, y = scale_of_marks(panel.x, f"x (panel {number})"), scale_of_marks(panel.y, f"y (panel {number})")
        columns = _columns(panel)
        for place, curve in enumerate(panel.curves, 1):
            rows = _rows(curve, x, y)
            if not len(rows) or not np.isfinite(rows).all():
                raise InputError(
                    f"curve {place} of panel {number} has values that no number can hold",
                    found=curve.name or "no name",
                )
            bars = _bar_rows(curve, x, y) if curve.bars else None
            if bars is not None and not np.isfinite(bars).all():
                raise InputError(
                    f"error bars of panel {number} end where no number is", found=curve.name or "no name"
                )
            ends = _bar_columns(panel)
            own = columns[0], _own_column(curve.name, panel.y, columns)
            found.append(
                Taken(
                    curve.name, number, curve.kind, *own, rows, bars=bars, bar_columns=ends, what=curve.what
                )
            )
        for one in panel.maps:
            rows = _map_rows(one, x, y)
            if not np.isfinite(rows).all():
                raise InputError(
                    f"the map of panel {number} has values that no number can hold",
                    found=one.name or "no name",
                )
            value = _column_of(one.name, one.unit, "value")
            value = f"{value}_2" if value in columns else value
            found.append(Taken(one.name, number, "map", *columns, rows, value))
    return found


def _columns(panel: MendedPanel) -> tuple[str, str]:
    x, y = (_column(axis, name) for axis, name in ((panel.x, "x"), (panel.y, "y")))
    return x, y if y != x else f"{y}_2"


_PER = re.compile(r"^(?:(?:per|inv|inverse)_)+")
_LIKE_A_UNIT = re.compile(r"[pnumc]?m|[tgm]?hz|m?ev|deg|rad|percent|[fpn]s|db")


def _own_column(name: str, axis: MendedAxis, columns: tuple[str, str]) -> str:
    """The column of a curve's values: its own name before the axis', as "odd_effective_index"; what is compared is judged by it."""
    words = name.translate(_SIGNS)
    for form, meant in _IN_A_COLUMN:
        words = re.sub(form, meant, words)
    words = words.strip("_")[:40].strip("_")
    if not words:
        return columns[1]
    of_several = {part.lower() for part in re.split(r"\s*(?:[,/&]|\band\b|\bor\b)\s*", axis.name)}
    if words.lower() in of_several:  # "R, T, A" beside a curve called T
        found = _column_of(words, axis.unit, words)
    else:
        own = _PER.sub("", columns[1])  # behind a name "per_nm" would be a unit
        found = f"{words}_{own}" + (
            "_y" if not axis.unit.strip() and _LIKE_A_UNIT.fullmatch(columns[1]) else ""
        )
    return f"{found}_2" if found == columns[0] else found


def _column(axis: MendedAxis, otherwise: str) -> str:
    return _column_of(axis.name, axis.unit, otherwise)


def _column_of(name: str, unit: str, otherwise: str) -> str:
    """A column's name, with its unit at the end as the paper's data have it."""
    unit = unit.strip().translate(_SIGNS).replace("/", "_per_")
    unit = _UNITS.get(unit, unit)
    words = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_").lower() or otherwise
    unit = re.sub(r"[^A-Za-z0-9_]+", "", unit).strip("_")
    return f"{words}_{unit}" if unit else words


def _rows(curve: MendedCurve, x: Scale, y: Scale) -> NDArray[np.float64]:
    rows = []
    for part in curve.parts:
        if not part:
            continue
        at = np.array(part, float)
        off = np.maximum(at[:, 2:4], _LEAST) + np.array([x.residual, y.residual])
        rows.append(
            np.column_stack([
                x.values(at[:, 0]), y.values(at[:, 1]),
                off[:, 0] * x.per_point(at[:, 0]), off[:, 1] * y.per_point(at[:, 1]),
            ])
        )  # fmt: skip
    return np.vstack(rows) if rows else np.empty((0, 4))


def _bar_columns(panel: MendedPanel) -> tuple[str, ...]:
    found = tuple(
        _column_of(f"{axis.name or which} {end}", axis.unit, which)
        for which, axis in (("x", panel.x), ("y", panel.y))
        for end in ("low", "high")
    )
    return found if len({*found, *_columns(panel)}) == 6 else ("x_low", "x_high", "y_low", "y_high")


def _bar_rows(curve: MendedCurve, x: Scale, y: Scale) -> NDArray[np.float64]:
    at = np.array(curve.bars, float)
    return np.column_stack([np.sort(x.values(at[:, :2]), axis=1), np.sort(y.values(at[:, 2:]), axis=1)])


def _map_rows(found: MendedMap, x: Scale, y: Scale) -> NDArray[np.float64]:
    at = np.array(found.points, float)
    off = max(found.off, _LEAST)
    return np.column_stack([
        x.values(at[:, 0]), y.values(at[:, 1]),
        (off + x.residual) * x.per_point(at[:, 0]), (off + y.residual) * y.per_point(at[:, 1]), at[:, 2:],
    ])  # fmt: skip


def csv_of_taken(curve: Taken) -> str:
    """A curve or a map as CSV for a paper's folder: its columns without the errors, lines in order of the abscissa."""
    rows: Sequence[Sequence[float]] = curve.rows.tolist()
    if curve.value_column:
        lines = [f"{curve.x_column},{curve.y_column},{curve.value_column}"]
        return "\n".join([*lines, *(f"{row[0]:.8g},{row[1]:.8g},{row[4]:.6g}" for row in rows)]) + "\n"
    if curve.bars is not None:
        there = [k for k in range(4) if np.abs(curve.bars[:, k] - curve.rows[:, k // 2]).max() > 0]
        lines = [",".join((curve.x_column, curve.y_column, *(curve.bar_columns[k] for k in there)))]
        for row, ends in zip(rows, curve.bars.tolist(), strict=True):
            lines.append(",".join(f"{value:.10g}" for value in (*row[:2], *(ends[k] for k in there))))
        return "\n".join(lines) + "\n"
    if curve.kind == "line" and (np.diff(curve.rows[:, 0]) < 0).all():
        rows = rows[::-1]
    lines = [f"{curve.x_column},{curve.y_column}"] + [f"{row[0]:.10g},{row[1]:.10g}" for row in rows]
    return "\n".join(lines) + "\n"
