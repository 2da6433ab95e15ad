"""Are the results physically possible? Ranges, energy balance, passivity, growth, smoothness; from the data
files.

Only the finest runs are judged: a coarse convergence rung may break a bound that the result keeps.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from schemas.reproduce.judging.evidence import Check, Level, PhysicsEvidence
from schemas.reproduce.planning.plan import Stage
from schemas.reproduce.simulations.execution import Column, Dataset, Execution, StageOutputs
from tasks.reproduce.evidence.balance import balance_across, balance_checks
from tasks.reproduce.evidence.execution import check, label
from tasks.reproduce.evidence.kept_files import Reader, Table
from tasks.reproduce.evidence.not_computed import EvidenceError
from tasks.reproduce.evidence.quantities import Kind, kind_of
from tasks.reproduce.evidence.units import convert

PLUS, MINUS = "_plus", "_minus"
# Of the pair's largest magnitude: discretisation breaks a mirror plane that does not fall on the grid by about 1 %.
WARN_ASYMMETRY, MAX_ASYMMETRY = 0.01, 0.05
LEAST_FRACTION, MOST_FRACTION = -0.01, 1.01
MAX_ENHANCEMENT = 1e4
ZERO_FREQUENCY = -1e-6  # bands touch zero at Gamma, up to the eigensolver's rounding
NEGATIVE_TOLERANCE = 0.01  # of the column's largest value
SPIKE_FACTOR, SPIKE_FRACTION = 10.0, 0.05
_FRACTIONS: tuple[Kind, ...] = ("reflectance", "transmittance", "absorptance", "bounded_efficiency")
_HINTS: dict[str, str] = {
    "reflectance": "reference run without the structure, minus flux data, sign of the flux monitor; objects "
    "that wrap round the periodic cell put material on the source side",
    "transmittance": "normalise by flux, not by a field amplitude; run longer for narrow lines",
    "absorptance": "A < 0 is gain: check Im eps >= 0 of the material fit far outside the band; run longer",
    "enhancement": "a singular corner or a pixel on a metal surface: report an average over a stated volume",
    "positive": "Harminv gives Q of either sign for lossless or growing modes: filter by error",
}


def physics_evidence(outputs: StageOutputs, stage: Stage, root: Path) -> PhysicsEvidence:
    """Check the datasets of a stage's finest runs, read again from their verified files below `root`."""
    if not outputs.executions:
        return PhysicsEvidence(checks=(check("datasets", "fail", "nothing was run", "at least one dataset"),))
    reader = Reader(root)
    checks: list[Check] = []
    seen, balanced = 0, False
    tables: list[tuple[str, Dataset, Table]] = []
    for execution in outputs.finest():
        for dataset in execution.datasets:
            if dataset.kind == "image":
                continue
            source = f"{dataset.file.path} ({label(execution)})"
            try:
                table = reader.read(dataset)
            except EvidenceError as error:
                checks.append(
                    check(
                        "file readable",
                        "fail",
                        f"{error.what}: {error.found}",
                        str(error.allowed or "readable"),
                        source,
                        error.fix or "",
                    )
                )
                continue
            seen += sum(array.size > 0 for array in table.columns.values())
            checks += _dataset_checks(dataset, table, source)
            checks += symmetry_checks(dataset, table, source)
            balance = balance_checks(dataset, table, stage.expected_balance, source)
            balanced = balanced or bool(balance)
            checks += balance
            tables.append((_structure(outputs, execution, dataset), dataset, table))
    across = balance_across(tables, stage.expected_balance)
    checks += across
    described = (
        outputs.study is not None
    )  # what is measured there the harness knows: R alone has nothing to balance
    if stage.expected_balance != "none" and not (balanced or across or described):
        checks.append(
            check(
                "energy balance",
                "warning",
                "no dataset holds R and T of one structure",
                f"R and T, because the plan expects a {stage.expected_balance} balance",
                "",
                "save R and T as columns of one spectrum, or correct the plan",
            )
        )
    if not seen:
        checks.append(
            check(
                "datasets",
                "fail",
                "no numbers to look at",
                "at least one column",
                "",
                "save results with run.spectrum, run.scalar, run.bands or run.field",
            )
        )
    elif not checks:
        checks.append(
            check(
                "values finite and in range",
                "pass",
                f"{seen} columns finite; none has a physical bound by its quantity name",
                "finite",
            )
        )
    return PhysicsEvidence(checks=tuple(checks))


def _structure(outputs: StageOutputs, execution: Execution, dataset: Dataset) -> str:
    """What a table is measured in: the scene of a described quantity (and what it is swept over), or the script's run."""
    quantities = {q.id: q for q in outputs.study.quantities} if outputs.study is not None else {}
    own = quantities.get(dataset.dataset_id)
    if own is None:
        return f"{execution.execution_id[:8]}"
    scene = (
        quantities[own.scene].scene if own.scene in quantities else own.scene
    )  # a sweep names its quantity
    return scene if dataset.kind == "scalar" else f"{scene} over {dataset.columns[0].name}"


def _dataset_checks(dataset: Dataset, table: Table, source: str) -> list[Check]:
    checks: list[Check] = []
    if table.non_finite:
        checks.append(
            check(
                "values finite",
                "fail",
                f"{table.non_finite} NaN or infinite",
                "0",
                source,
                "a NaN is a failed simulation: growth, or a division by a zero reference",
            )
        )
    for place, column in enumerate(dataset.columns):
        values = table.columns.get(column.name)
        if values is None or not values.size or not np.all(np.isfinite(values)):
            continue
        kind = kind_of(column.quantity, column.unit)
        found = _range(kind, column, values, dataset.kind, f"{source}: {column.name}")
        if found is not None:
            checks.append(found)
        if place and dataset.kind == "spectrum":
            spike = _spike(column, values, f"{source}: {column.name}")
            if spike is not None:
                checks.append(spike)
    return checks


def _range(
    kind: Kind, column: Column, values: NDArray[np.float64], dataset_kind: str, source: str
) -> Check | None:
    if kind in _FRACTIONS:
        values = convert(values, column.unit, "1")
    low, high = float(values.min()), float(values.max())
    measured = f"{low:.4g} to {high:.4g}"
    name = f"range of {column.quantity}"
    hint = _HINTS.get(kind, "")
    if kind in _FRACTIONS:
        fine = low >= LEAST_FRACTION and high <= MOST_FRACTION
        return check(
            name,
            "pass" if fine else "fail",
            measured,
            f"{LEAST_FRACTION:g} to {MOST_FRACTION:g}",
            source,
            hint or "a fraction of the incident power lies between 0 and 1",
        )
    if kind == "enhancement":
        return check(
            name,
            "pass" if 0 <= low and high <= MAX_ENHANCEMENT else "fail",
            measured,
            f"0 to {MAX_ENHANCEMENT:g}",
            source,
            hint,
        )
    if kind == "positive":
        bands = dataset_kind == "bands" and "frequency" in column.quantity.lower()
        fine = low >= ZERO_FREQUENCY if bands else low > 0
        return check(name, "pass" if fine else "fail", measured, ">= 0" if bands else "> 0", source, hint)
    if kind == "non_negative":
        least = -NEGATIVE_TOLERANCE * max(abs(high), abs(low))
        return check(
            name,
            "pass" if low >= least else "fail",
            measured,
            ">= 0 (within 1 % of the largest)",
            source,
            "a passive structure takes power out of the light: check the sign of the flux box",
        )
    return None


def _spike(column: Column, values: NDArray[np.float64], source: str) -> Check | None:
    """A warning for single samples that jump out and back by far more than their surroundings vary."""
    if values.size < 9 or not np.ptp(values):
        return None
    middle = values[1:-1]
    jump = np.minimum(np.abs(middle - values[:-2]), np.abs(middle - values[2:]))
    jump[np.sign(middle - values[:-2]) != np.sign(middle - values[2:])] = 0
    # The steps of the neighbours say how fast the curve really varies there; a resolved line has large ones.
    steps = np.abs(np.diff(values))
    around = np.array(
        [
            np.median(np.concatenate([steps[max(0, i - 3) : i], steps[i + 2 : i + 5]]))
            for i in range(middle.size)
        ]
    )
    spikes = np.flatnonzero((jump > SPIKE_FACTOR * around) & (jump > SPIKE_FRACTION * np.ptp(values)))
    level: Level = "warning" if spikes.size else "pass"
    measured = f"{spikes.size} isolated samples" + (
        f", the first in row {int(spikes[0]) + 2}" if spikes.size else ""
    )
    return check(
        f"smoothness of {column.quantity}",
        level,
        measured,
        "0",
        source,
        "a line narrower than the sample spacing (use more frequencies there) or a numerical artefact",
    )


def symmetry_checks(dataset: Dataset, table: Table, source: str) -> list[Check]:
    """One check for each pair of columns NAME_plus and NAME_minus of a dataset; none where no pair is declared.

    A simulation of a structure with a mirror plane, or of a reciprocal one, records both members of a pair (diffraction orders
    +m and -m, transmission from either side, partners of a degeneracy); what the symmetry makes equal must come out equal.
    """
    found = []
    for column in dataset.columns:
        if not column.name.endswith(PLUS):
            continue
        name = column.name.removesuffix(PLUS)
        one, other = table.columns.get(column.name), table.columns.get(name + MINUS)
        if one is None or other is None or one.shape != other.shape or not one.size:
            continue
        largest = float(max(np.abs(one).max(), np.abs(other).max()))
        asymmetry = float(np.abs(one - other).max()) / largest if largest > 0 else 0.0
        level: Level = (
            "pass" if asymmetry <= WARN_ASYMMETRY else "warning" if asymmetry <= MAX_ASYMMETRY else "fail"
        )
        found.append(
            check(
                f"symmetry of {name}",
                level,
                f"the pair differs by {100 * asymmetry:.2g} % of its largest value",
                f"at most {100 * MAX_ASYMMETRY:g} %, warning above {100 * WARN_ASYMMETRY:g} %",
                f"{source}: {name}",
                ""
                if level == "pass"
                else "mirror plane off the grid, source or monitor off centre, run too short, or the "
                "structure is not symmetric",
            )
        )
    return found
