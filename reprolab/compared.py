"""`compare`: a solved quantity against a number or a curve, judged as a run judges its targets."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from flows.reproduce.judging.against import Against, against
from reprolab.quantities import Quantity
from reprolab.showing import paragraph, picture, png_of, table
from reprolab.solved import Solved
from schemas.errors import InputError
from schemas.reading.handed import misfits
from schemas.reproduce.judging.budget import Budget
from schemas.reproduce.judging.evidence import Check, TargetEvidence
from schemas.reproduce.planning.plan import Reference, Target
from schemas.reproduce.planning.thresholds import PROFILES
from schemas.reproduce.simulations.execution import Column
from schemas.text.numbers import numbers_in
from tasks.files.tables import read_table
from tasks.reproduce.evidence.units import unit_of_name

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

FILE, TARGET = "reference.csv", "compared"
NAMELESS = "abscissa"  # says nothing of what it measures, as two bare arrays do not
_SIGNS = {"relative_percent": " %", "absolute_percentage_points": " pp"}


@dataclass(frozen=True, eq=False)
class Comparison:
    """A verdict with its evidence.

    verdict: 'SUCCESS', 'PARTIAL' or 'FAILURE'; reasons: why, sentence by sentence. evidence: value, reference, error, thresholds and
    uncertainty in the threshold's measure, four findings. checks: physics, and the wrong answers that the comparison refused.
    """

    quantity: Quantity
    evidence: TargetEvidence
    checks: tuple[Check, ...]
    _found: Against = field(repr=False)

    @property
    def verdict(self) -> str:
        """'SUCCESS', 'PARTIAL' or 'FAILURE'."""
        return self.evidence.classification

    @property
    def error(self) -> float | None:
        """The error in the threshold's measure (`evidence.measure`): percent, percentage points, or the unit."""
        return self.evidence.error

    @property
    def uncertainty(self) -> float | None:
        """The numerical uncertainty, in the same measure."""
        return self.evidence.uncertainty

    @property
    def budget(self) -> Budget | None:
        """E, u_num, u_input, u_D, u_val and E_n with what they are made of; nothing where nothing was compared."""
        return self._found.budget

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is that verdict."""
        return self.evidence.reasons

    def to_dataframe(self) -> pd.DataFrame:
        """One row: verdict, both sides, error, uncertainty, thresholds and findings."""
        import pandas as pd

        return pd.DataFrame([self._row()])

    def plot(self) -> Figure:
        """Simulation over reference, with residual and thresholds, as a run's report shows it."""
        from tasks.reproduce.evidence.overlay import target_figure

        material = self._found.material
        return target_figure(
            self._found.target, self.evidence, material.values, material.reference, "reference"
        )

    def __str__(self) -> str:
        sign = _SIGNS.get(self.evidence.measure, f" {self.evidence.unit}".removesuffix(" 1"))
        told = [f"{self.quantity.id}: {self.verdict}"]
        if self.error is not None:
            doubt = "unknown" if self.uncertainty is None else f"{self.uncertainty:.2g}{sign}"
            told.append(
                f"error {self.error:.3g}{sign} (acceptable {self.evidence.acceptable:.3g}{sign}), numerical uncertainty {doubt}"
            )
        return "; ".join(told)

    def _row(self) -> dict[str, object]:
        e = self.evidence
        return {
            "quantity": self.quantity.id,
            "verdict": self.verdict,
            "simulated": e.simulated,
            "reference": e.reference,
            "unit": e.unit,
            "error": e.error,
            "uncertainty": e.uncertainty,
            "measure": e.measure,
            "acceptable": e.acceptable,
            **{name: getattr(e, name) for name in ("ran", "converged", "physical", "matches")},
        }

    def _repr_html_(self) -> str:
        return (
            paragraph(str(self))
            + "".join(paragraph(reason) for reason in self.reasons)
            + table(tuple(self._row()), [tuple(self._row().values())])
            + picture(png_of(self.plot()))
        )


def compare(
    result: Quantity | Solved,
    reference: float | str | Path | pd.DataFrame | Sequence[Any],
    *,
    unit: str | None = None,
    x_unit: str | None = None,
    kind: str | None = None,
    column: str | None = None,
    x_range: tuple[float, float] | None = None,
    feature: Any = None,
    profile: str | None = None,
) -> Comparison:
    """Compare a quantity with a reference, by the thresholds and checks that a run's targets meet.

    result: a quantity of `solve` or of a kept run; of a Solved with one quantity that one.
    reference: a number; words that state one ('a reflectance of 14.8 %': its last digit then counts as its error); a curve as the
    path of a CSV, a DataFrame or (x, y); units from the ends of the columns' names (`wavelength_nm`) where none are given.
    unit, x_unit: of value and abscissa; otherwise those of its data files (um, c/um, rad; fs for a delay).
    kind: whose threshold ('efficiency', 'curve', 'scalar', ...; docs/reference/evidence.md). profile: 'default' or 'loose'; of a
    kept run its own.
    column: of a table with several, the one to compare. x_range: the part to compare. feature: a number that code takes from both
    curves, as in a plan.
    Raises InputError; what cannot be compared is a FAILURE whose reasons say so.
    """
    quantity = _one(result)
    profile = profile or quantity._source.profile
    if profile not in PROFILES:
        raise InputError("no such thresholds", found=profile, allowed=", ".join(PROFILES))
    columns = _columns(quantity)
    own = columns[-1].unit
    with tempfile.TemporaryDirectory(prefix="reprolab-compare-") as place:
        folder = Path(place)
        words = isinstance(reference, str) and not reference.lower().endswith(".csv")
        if words or (isinstance(reference, (int, float)) and not isinstance(reference, bool)):
            told, said = _number(reference, unit or own)  # type: ignore[arg-type]
            form, along = "scalar", ""
        else:
            told, said, along = _curve(
                reference, folder, unit or own, x_unit or columns[0].unit, column, feature
            )
            form = "scalar" if feature is not None else "curve"
        try:
            target = Target(
                target_id=TARGET,
                figure_id="text",
                description=quantity.id,
                kind=form,
                quantity=kind or _kind(quantity, columns[-1], form),
                unit=said,
                x_unit=along,
                x_range=x_range,
                reference=Reference.model_validate(told),
            )
        except ValidationError as error:
            raise InputError(
                "the comparison does not fit",
                found=misfits(error),
                allowed=f"kind: {', '.join(PROFILES[profile])}; a feature as in a plan",
            ) from error
        source = quantity._source
        found = against(
            source.outputs,
            quantity.id,
            target,
            root=source.root,
            reference_dir=folder,
            profile=profile,
            materials=source.materials,
        )
    return Comparison(quantity, found.evidence, found.checks, found)


def _one(result: Quantity | Solved) -> Quantity:
    if isinstance(result, Quantity):
        return result
    if len(result) != 1:
        raise InputError(
            "one quantity is compared at a time",
            found=", ".join(q.id for q in result) or "none",
            allowed="a quantity",
            fix="compare(solved[NAME], reference)",
        )
    return next(iter(result))


def _columns(quantity: Quantity) -> tuple[Column, ...]:
    datasets = (d for e in quantity._source.outputs.executions for d in e.datasets)
    found = next((d.columns for d in datasets if d.dataset_id == quantity.id), None)
    if found is None:
        raise InputError(
            f"{quantity.id} has no value to compare", found=quantity.reason, fix="see its reason and status"
        )
    return found


def _kind(quantity: Quantity, column: Column, form: str) -> str:
    """The threshold that a plan would name for it; the unit and words still rule out what it cannot be."""
    if form == "curve":
        return "curve"
    kinds = PROFILES["default"]
    if column.process and column.unit == "1":
        return "efficiency"
    return next((name for name in (quantity.result.kind, column.quantity) if name in kinds), "scalar")


def _number(given: float | str, unit: str) -> tuple[dict[str, Any], str]:
    if isinstance(given, str):
        found = numbers_in(given)
        if len(found) != 1:
            raise InputError(
                "the reference's words do not state one number",
                found=f"{len(found)} numbers in {given[:100]!r}",
                allowed="one: 'a reflectance of 14.8 %'",
                fix="give only the words that state it, the path of a CSV, or the number itself",
            )
        value, said = found[0].value, found[0].unit or unit
        return {"kind": "quotation", "value": value, "quotation": given}, said
    if not math.isfinite(given):
        raise InputError("the reference is no number", found=given, allowed="a finite number")
    exact = f"{given:.17g} {unit}".removesuffix(" 1")
    return {"kind": "quotation", "value": float(given), "quotation": exact}, unit


def _curve(
    given: Any, folder: Path, unit: str, x_unit: str, column: str | None, feature: Any
) -> tuple[dict[str, Any], str, str]:
    """The reference as a table in `folder`, with the units that count: those of its columns' names, else the given ones."""
    frame = _frame(given, column)
    x, y = str(frame.columns[0]), str(frame.columns[1])
    frame.to_csv(folder / FILE, index=False, float_format="%.17g")
    told = {"kind": "data", "file": FILE, "x_column": x, "y_column": y}
    if feature is not None:
        told |= {"kind": "feature", "feature": feature}
    return told, unit_of_name(y) or unit, unit_of_name(x) or x_unit


def _frame(given: Any, column: str | None) -> pd.DataFrame:
    """Abscissa and the one column to compare."""
    import pandas as pd

    try:
        if isinstance(given, (str, Path)):
            frame = read_table(Path(given))
        elif isinstance(given, pd.DataFrame):
            frame = given
        else:
            x, y = given
            frame = pd.DataFrame({NAMELESS: x, "value": y}, dtype=float)
        names = [str(name) for name in frame.columns]
        if column is None and len(names) == 2:
            column = names[1]
        if column not in names[1:]:
            raise InputError(
                "which column is compared is open",
                found="none named" if column is None else repr(column),
                allowed=", ".join(names[1:]) or "a table of two columns",
                fix="compare(..., column=NAME)",
            )
        frame = frame.iloc[:, [0, names.index(column)]].astype(float)
        if len(frame) < 2:
            raise ValueError(f"{len(frame)} rows")
        return frame
    except (ValueError, TypeError, OSError) as error:
        raise InputError(
            "the reference is no curve",
            found=" ".join(str(error).split())[:300],
            allowed="a CSV, a DataFrame or (x, y) of numbers, at least two rows",
        ) from error
