"""The bare surface of a material, described and solved by code: reflectance by FDTD against Fresnel from its constants."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schemas.base import FileRef
from schemas.reproduce.materials.material_check import MaterialCheck
from schemas.reproduce.materials.prepared_material import MaterialRecord
from schemas.reproduce.planning.thresholds import Threshold
from simkit.arrange import Numerics
from simkit.arrange.permittivity import index_of
from simkit.describe import Material, Problem, Reflectance, UnitCell, Wavelengths, vacuum
from simkit.describe.document import document
from simkit.describe.media import AnyMedium
from tasks.files.tables import write_table
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.materials.plots import plot_reflectance
from tasks.reproduce.materials.sources import recorded_constants
from tasks.reproduce.measuring import Curve
from tasks.reproduce.solving.groups import Group, groups_of
from tasks.reproduce.solving.one_run import Solver
from tasks.reproduce.solving.varying import Missing, Value
from tasks.reproduce.uncertainty.ladder import fitting

GRIDS = (
    1.4,
    3.0,
)  # multiples of the coarsest reasonable grid; the second where the first one's error is not small
SMALL = 1 / 3  # of what is allowed
DECAY = 1e-6  # of the fields, far below what is allowed
_NONLINEAR = ("chi2", "chi3")
Array = NDArray[np.float64]


def bare_surface(record: MaterialRecord, solver: Solver, run_dir: Path, limit: Threshold) -> MaterialCheck:
    """The check of a prepared material over its band; files go to `run_dir/materials/<name>/`.

    limit: of an efficiency; its acceptable error is allowed at each wavelength. Nothing is simulated for a constant real
    index, which FDTD takes as it is, and for a material along axes, whose three parts are materials of their own.
    Raises MaterialError, PrerequisiteError.
    """
    if record.axes:
        return MaterialCheck(status="not simulated", reason="its materials along x, y and z are checked each")
    if not record.poles and record.index is not None:
        return MaterialCheck(
            status="not simulated", reason="a constant real index is used as it is, nothing was fitted"
        )
    group, medium = _described(record)
    need = group.needs()
    tried: list[float] = []
    runs: list[str] = []
    cpu_s = 0.0
    value: Value = Missing("nothing was solved")
    for finer in GRIDS:
        tried.append(max(fitting(need, finer * need.resolution), record.min_stable_resolution or 0.0))
        outcome = group.evaluate(Numerics(tried[-1], decay=DECAY), solver)
        value, cpu_s = outcome.values["R"], cpu_s + outcome.cpu_s
        runs += [run.digest() for run in outcome.runs.values()]
        if isinstance(value, Curve):
            exact = _fresnel(np.asarray(recorded_constants(record, run_dir).at(1 / value.x), complex))
            fitted = _fresnel(np.array([index_of(medium, float(f), group.materials) for f in value.x]))
            allowed = np.maximum(limit.acceptable, (limit.share or (0, 0, 0))[1] / 100 * exact)
            if np.all(np.abs(value.y - fitted) <= SMALL * allowed):
                break
    import pandas as pd  # slow to import

    common: dict[str, Any] = {
        "band_um": _band(record),
        "resolutions": tuple(tried),
        "runs": tuple(runs),
        "cpu_s": cpu_s,
    }
    if not isinstance(value, Curve):
        return MaterialCheck(status="failed", reason=f"no reflectance: {value.reason}"[:600], **common)
    error = value.y - exact
    worst = int(np.argmax(np.abs(error) / allowed))
    passed = bool(abs(error[worst]) <= allowed[worst])
    wavelength, folder = 1 / value.x, run_dir / "materials" / record.name
    data = write_table(
        folder / "bare_surface.csv",
        pd.DataFrame(
            {
                "wavelength_um": wavelength,
                "R_FDTD": value.y,
                "R_Fresnel_constants": exact,
                "R_Fresnel_fit": fitted,
            }
        ).iloc[::-1],
    )
    plot = plot_reflectance(
        record.name, wavelength, value.y, exact, fitted, allowed, folder / "bare_surface.png"
    )
    return MaterialCheck(
        status="passed" if passed else "failed",
        reason="" if passed else "it does not reflect as its constants say",
        difference=float(error[worst]),
        allowed=float(allowed[worst]),
        at_um=float(wavelength[worst]),
        fit_part=float(np.abs(fitted - exact).max()),
        grid_part=float(np.abs(value.y - fitted).max()),
        file=FileRef.of(data, run_dir),
        plot=FileRef.of(plot, run_dir),
        **common,
    )


def _described(record: MaterialRecord) -> tuple[Group, AnyMedium]:
    """The bare surface as a group of one quantity, R, and its medium; nonlinear terms are left out."""
    shortest, longest = _band(record)
    parameters = declared(
        [
            {
                "id": name,
                "value": value,
                "unit": "um",
                "origin": "numerical",
                "meaning": "the material's band",
            }
            for name, value in (("shortest", shortest), ("longest", longest))
        ]
    )
    scene = UnitCell(
        id="bare",
        below=Material(record.name),
        above=vacuum(),
        light_from="above",
        polarization="x",
        band=Wavelengths(shortest=parameters.shortest, longest=parameters.longest),
    )
    problem = Problem(scenes=(scene,), quantities=(Reflectance(id="R", scene="bare"),))
    made = from_document(document(problem), parameters)
    linear = {key: value for key, value in record.parameters().items() if key not in _NONLINEAR}
    [group] = groups_of(made, {record.name: linear})
    return group, Material(record.name)


def _band(record: MaterialRecord) -> tuple[float, float]:
    """The band the plan uses, as far as the constants reach."""
    low, high = record.valid_um or record.band_um
    return max(low, record.band_um[0]), min(high, record.band_um[1])


def _fresnel(index: NDArray[np.complex128]) -> Array:
    """R = |(n - 1)/(n + 1)|^2 (Born and Wolf, section 1.5)."""
    return np.asarray(np.abs((index - 1) / (index + 1)) ** 2, dtype=float)
