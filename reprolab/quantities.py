"""A solved quantity with its unit, its uncertainty and the parts of that; frozen, of a study by hand or of a kept run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from flows.reproduce.computing.told import curve_rows, unit_kept, value_words, with_its_number
from reprolab.showing import paragraph, picture, png_of, table
from schemas.errors import InputError
from schemas.reproduce.materials.prepared_material import MaterialRecord
from schemas.reproduce.simulations.execution import Column, StageOutputs
from schemas.reproduce.simulations.numerics import (
    OracleComparison,
    QuantityResult,
    StudyResult,
    UncertaintyPart,
)
from simkit.describe.units import UNITS
from tasks.reproduce.evidence.kept_files import Reader

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Points:
    """A curve's or map's points. axes: name -> abscissa, (points,), in `units[name]`; a map has two, the second fastest.

    y: the value, (points,), in the quantity's unit. uncertainty: of each point, the same shape; None where none is known. All
    arrays are read-only.
    """

    axes: Mapping[str, FloatArray]
    units: Mapping[str, str]
    y: FloatArray
    uncertainty: FloatArray | None


@dataclass(frozen=True, eq=False)
class Source:
    """Where a study's files are: root of its executions, folder of its curves, and what a comparison needs beside them."""

    root: Path
    folder: Path
    outputs: StageOutputs
    materials: Mapping[str, MaterialRecord] = field(default_factory=dict)
    profile: str = "default"


@dataclass(frozen=True, eq=False)
class Quantity:
    """A quantity or sweep, in base units (um, c/um, um/c, rad; with the free length a for um).

    result: all that is known of it: rungs, witnesses, sensitivities, observed order, function of its own.
    points: of a curve or map; of it `uncertainty` is the largest over the points. stage: of a kept run.
    """

    result: QuantityResult
    unit: str
    points: Points | None
    stage: str
    _source: Source = field(repr=False)

    @property
    def id(self) -> str:
        """Its id."""
        return self.result.id

    @property
    def value(self) -> float | None:
        """The number of the finest grid, in `unit`; None for a curve, and where there is no value (`reason` says why)."""
        return self.result.value

    @property
    def uncertainty(self) -> float | None:
        """Its numerical uncertainty in `unit`, standard size; None where none is known."""
        return self.result.uncertainty

    @property
    def parts(self) -> tuple[UncertaintyPart, ...]:
        """The parts of the uncertainty in `unit`: resolution, absorber, padding, decay, run time, sampling, materials."""
        return self.result.parts

    @property
    def status(self) -> str:
        """'converged', 'not converged' or 'no value'."""
        return self.result.status

    @property
    def reason(self) -> str:
        """Why it is not converged, or has no value."""
        return self.result.reason

    @property
    def theory(self) -> OracleComparison | None:
        """An exact or independent solution of the described problem, beside the value; None where there is none."""
        return self.result.oracle

    def to_dataframe(self) -> pd.DataFrame:
        """A number: one row with value, unit, uncertainty and its parts. A curve: its points. Units are in `attrs["units"]`."""
        import pandas as pd

        if self.points is None:
            return pd.DataFrame([row_of(self)])
        frame = pd.DataFrame({**self.points.axes, self.id: self.points.y})
        if self.points.uncertainty is not None:
            frame["uncertainty"] = self.points.uncertainty
        frame.attrs["units"] = {**self.points.units, self.id: self.unit, "uncertainty": self.unit}
        return frame

    def plot(self) -> Figure:
        """A number: its value on each grid, with the stated uncertainty. A curve with its band; a map in colours."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.4, 4.0), layout="constrained")
        axes = figure.add_subplot()
        if self.points is None:
            self._plot_number(axes)
        elif len(self.points.axes) == 1:
            self._plot_curve(axes, self.points)
        else:
            self._plot_map(figure, axes, self.points)
        axes.set_title(f"{self.id}: {self.status}")
        return figure

    def __str__(self) -> str:
        if self.result.status == "no value":
            return f"{self.id}: no value: {self.reason}"
        if self.points is None:
            return f"{self.id} = {value_words(self.result, self.unit)} ({self.status})"
        most = "unknown" if self.uncertainty is None else f"at most {self.uncertainty:.2g}"
        return (
            f"{self.id}: {len(self.points.y)} points, uncertainty {most} {self.unit}".removesuffix(" 1")
            + f" ({self.status})"
        )

    def _repr_html_(self) -> str:
        theory = self.theory
        said = (
            ""
            if theory is None
            else f"{theory.theory}: off by {theory.difference:.2g}, "
            f"{'within' if theory.within else 'not within'} the uncertainty"
        )
        return (
            paragraph(str(self))
            + paragraph(self.reason)
            + table(("part", "value", "how"), [(p.part, p.value, p.how or p.state) for p in self.parts])
            + paragraph(said)
            + (picture(png_of(self.plot())) if self.status != "no value" else "")
        )

    def _plot_number(self, axes: Axes) -> None:
        grids = self._grids()
        axes.plot([share for share, _ in grids], [value for _, value in grids], "o-", color="#0b62a4")
        if self.value is not None and self.uncertainty is not None:
            axes.axhspan(
                self.value - self.uncertainty, self.value + self.uncertainty, color="#d9d9d9", zorder=0
            )
        axes.set_xlabel("grid, over the finest")
        axes.set_ylabel(_labelled(self.id, self.unit))

    def _grids(self) -> list[tuple[float, float]]:
        """(resolution over the finest, value in `unit`) of every grid, as its data files say."""
        reader = Reader(self._source.root)
        found = [
            (execution.resolution_scale, float(reader.read(dataset).columns[self.id][0]))
            for execution in self._source.outputs.executions
            for dataset in execution.datasets
            if dataset.dataset_id == self.id and not execution.variant
        ]
        told = max(found, default=(0.0, 0.0))[
            1
        ]  # the same number in the data file's unit: fs, where this is um/c
        return [(scale, value * (self.value or 0.0) / told if told else value) for scale, value in found]

    def _plot_curve(self, axes: Axes, points: Points) -> None:
        (name, x), y = next(iter(points.axes.items())), points.y
        axes.plot(x, y, color="#0b62a4", marker="o" if x.size <= 25 else None, ms=4)
        if points.uncertainty is not None:
            axes.fill_between(x, y - points.uncertainty, y + points.uncertainty, color="#d9d9d9", zorder=0)
        axes.set_xlabel(_labelled(name, points.units[name]))
        axes.set_ylabel(_labelled(self.id, self.unit))

    def _plot_map(self, figure: Figure, axes: Axes, points: Points) -> None:
        (u, us), (v, vs) = points.axes.items()
        grid = points.y.reshape(np.unique(us).size, np.unique(vs).size)
        shown = axes.pcolormesh(np.unique(us), np.unique(vs), grid.T, shading="nearest")
        figure.colorbar(shown, label=_labelled(self.id, self.unit))
        axes.set_xlabel(_labelled(u, points.units[u]))
        axes.set_ylabel(_labelled(v, points.units[v]))


def quantities_of(source: Source, scale: str, stage: str = "") -> tuple[Quantity, ...]:
    """Every quantity of a study, read with its curves. Raises InputError where a file is gone or not as it was written."""
    study = source.outputs.study
    return (
        () if study is None else tuple(_quantity(source, found, scale, stage) for found in study.quantities)
    )


def scale_of(study: StudyResult) -> str:
    """The length that a study's numbers are in: 'um', or the free length 'a'."""
    return next((s for p in study.parameters if (s := UNITS[p.unit].scale if p.unit in UNITS else "")), "um")


def row_of(quantity: Quantity) -> dict[str, object]:
    """A quantity as a row of a table: value, unit, uncertainty, one column for each part, theory, status."""
    theory = quantity.theory
    return {
        **({"stage": quantity.stage} if quantity.stage else {}),
        "quantity": quantity.id,
        "kind": quantity.result.kind,
        "value": quantity.value,
        "unit": quantity.unit,
        "uncertainty": quantity.uncertainty,
        **{part.part: part.value for part in quantity.parts},
        "theory": None if theory is None else theory.value,
        "off_theory": None if theory is None else theory.difference,
        "status": quantity.status,
    }


def _quantity(source: Source, kept: QuantityResult, scale: str, stage: str) -> Quantity:
    unit = unit_kept(source.outputs, kept, scale)
    found = with_its_number(kept, source.folder)
    points = (
        None if found.curve is None else _points(source, found.id, curve_rows(source.folder, found.curve))
    )
    return Quantity(found, unit, points, stage, source)


def _points(source: Source, name: str, rows: list[list[float]]) -> Points:
    columns, axes = _abscissae(source, name)
    y, doubts = np.asarray([row[-2] for row in rows]), np.asarray([row[-1] for row in rows])
    if any(x.shape != y.shape for x in axes.values()):
        raise _apart(name, f"{len(rows)} points in the study's file, other numbers of them in the data file")
    for array in (*axes.values(), y, doubts):
        array.setflags(write=False)
    known = not bool(np.all(np.isnan(doubts)))
    return Points(axes, {column.name: column.unit for column in columns}, y, doubts if known else None)


def _abscissae(source: Source, name: str) -> tuple[tuple[Column, ...], dict[str, FloatArray]]:
    """The axes of the finest grid's points, in the units that they are told in."""
    dataset = next((d for e in source.outputs.finest() for d in e.datasets if d.dataset_id == name), None)
    if dataset is None:
        raise _apart(name, "a curve in the study, and no data file")
    table = Reader(source.root).read(dataset)
    columns = dataset.columns[:-1]
    return columns, {c.name: np.array(table.columns[c.name], float) for c in columns}


def _apart(name: str, found: str) -> InputError:
    return InputError(
        f"the files of {name} do not belong together",
        found=found,
        allowed="one study's files",
        fix="solve it again: runs that are kept cost nothing",
    )


def _labelled(name: str, unit: str) -> str:
    return name if unit in ("", "1") else f"{name} ({unit})"
