"""Maps from description to class: reflectance over wavelength and thickness, a field over a rectangle."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.planning.plan import Stage, Target
from schemas.reproduce.simulations.execution import Execution, StageOutputs
from schemas.reproduce.simulations.numerics import QuantityResult
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.files.store import Store
from tasks.reproduce.describing.in_sandbox import Description, declared, from_document
from tasks.reproduce.describing.lengths import lengths_of
from tasks.reproduce.describing.vocabulary import answering
from tasks.reproduce.judging.targets import target_evidence
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.oracles import oracle
from tasks.reproduce.solving.as_executions import Place, executions_of
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.whole_study import study
from tasks.reproduce.uncertainty.aims import within

pytestmark = pytest.mark.sim
FILM: list[dict[str, Any]] = [
    {"id": "t", "value": 200, "unit": "nm", "origin": "paper", "quotation": "a film of 200 nm"},
    {"id": "n", "value": 2, "origin": "paper", "quotation": "of index 2"},
    {"id": "shortest", "value": 500, "unit": "nm", "origin": "numerical"},
    {"id": "longest", "value": 800, "unit": "nm", "origin": "numerical"},
    {"id": "thin", "value": 180, "unit": "nm", "origin": "numerical"},
    {"id": "thick", "value": 220, "unit": "nm", "origin": "numerical"},
]
FILM_CODE = """from simkit.describe import *

def describe(p):
    film = UnitCell(id="film", below=vacuum(), layers=(Film(medium=Medium(index=p.n), thickness=p.t),), above=vacuum(),
                    light_from="below", polarization="x", band=Wavelengths(shortest=p.shortest, longest=p.longest))
    return Problem(scenes=(film,), quantities=(Reflectance(id="R", scene="film"),),
                   sweeps=(Sweep(id="over_t", of="R", parameter="t", low=p.thin, high=p.thick, answers=("map",)),))
"""
ROD: list[dict[str, Any]] = [
    {"id": "r", "value": 250, "unit": "nm", "origin": "paper", "quotation": "a radius of 250 nm"},
    {"id": "n", "value": 1.5, "origin": "paper", "quotation": "of index 1.5"},
    {"id": "wavelength", "value": 800, "unit": "nm", "origin": "paper", "quotation": "at 800 nm"},
    {"id": "side", "value": 600, "unit": "nm", "origin": "paper", "quotation": "within 600 nm"},
]
ROD_CODE = """from simkit.describe import *

def describe(p):
    rod = Cylinder(id="rod", medium=Medium(index=p.n), radius=p.r, center=(0, 0, 0))
    scene = Scatterer(id="rod_in_light", dimensions="2D", bodies=(rod,), background=vacuum(), polarization="z",
                      band=Line(wavelength=p.wavelength))
    return Problem(scenes=(scene,), quantities=(
        NearField(id="field", scene="rod_in_light", start=(-p.side, -p.side, 0), end=(p.side, p.side, 0), answers=("map",)),))
"""


def _target(**changes: Any) -> Target:
    return Target.model_validate(
        {
            "target_id": "map",
            "figure_id": "fig1",
            "description": "a map",
            "kind": "map",
            "quantity": "field_map",
            "reference": {
                "kind": "data",
                "file": "map.csv",
                "x_column": "x",
                "y_column": "y",
                "z_column": "z",
            },
            **changes,
        }
    )


def _stage(target: Target) -> Stage:
    return Stage(
        stage_id="stage1", stage_type="SINGLE_STRUCTURE", name="maps", description="a map", targets=(target,)
    )


def _compared(
    folder: Path, code: str, entries: list[dict[str, Any]], target: Target, wanted: float
) -> tuple[Description, QuantityResult, Any]:
    """The description, its result, and a function that judges the saved map against a paper's x, y, z in long form."""
    made = from_document(document(described(code, entries)), declared(entries), code)
    executions: list[Execution] = []
    solver = Solver(Store(folder / "outputs"), find_meep(), Budget(300))
    place = Place("stage1", folder / "run", lengths_of(made.parameters, (), (target,)), "1", "A")
    name = answering(made)["map"][0][0]
    result = study(
        made,
        {},
        solver,
        folder / "study",
        wanted={name: within(wanted)},
        examine=False,
        on_climb=lambda climb: executions.extend(executions_of(climb, place)),
    )
    outputs = StageOutputs(
        stage_id="stage1", code_sha256="0" * 64, executions=tuple(executions), study=result
    )

    def judged(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> TargetEvidence:
        (folder / "paper").mkdir(exist_ok=True)
        with (folder / "paper" / "map.csv").open("w", newline="") as handle:
            csv.writer(handle).writerows([("x", "y", "z"), *zip(x, y, z, strict=True)])
        return target_evidence(
            outputs,
            _stage(target),
            target,
            root=folder / "run",
            paper_dir=folder / "paper",
            profile="default",
            physical=True,
            materials={},
            origin="reference",
            overlay_dir=folder / "run" / "overlays",
        )[0]

    return made, result.quantity(name), judged


def _film(wavelength_nm: np.ndarray, thickness_nm: np.ndarray, index: float = 2.0) -> np.ndarray:
    """Airy's formula for a film in vacuum, (wavelengths, thicknesses)."""
    turn = np.exp(4j * np.pi * index * thickness_nm[None, :] / wavelength_nm[:, None])
    r = (1 - index) / (1 + index)
    return np.asarray(np.abs(r * (1 - turn) / (1 - r**2 * turn)) ** 2)


@pytest.mark.long
def test_a_spectrum_over_a_parameter_is_a_map(tmp_path: Path) -> None:
    """Thickness across, wavelength up, as a paper may draw it: both are lengths, and their ranges tell them apart."""
    target = _target(x_unit="nm", y_unit="nm", x_range=(180, 220), y_range=(500, 800))
    made, result, judged = _compared(tmp_path, FILM_CODE, FILM, target, 0.05)
    assert answering(made)["map"] == (("over_t", "map"),)
    assert result.oracle is not None and result.oracle.theory == "transfer matrix" and result.oracle.within, (
        result
    )
    thickness, wavelength = np.linspace(180, 220, 21), np.linspace(510, 790, 29)
    t, w = (part.reshape(-1) for part in np.meshgrid(thickness, wavelength, indexing="ij"))
    found = judged(t, w, _film(wavelength, thickness).T.reshape(-1))
    assert found.classification == "SUCCESS" and found.converged, found.reasons
    wrong = judged(t, w, _film(wavelength, thickness, 2.6).T.reshape(-1))
    assert wrong.classification == "FAILURE", wrong.reasons


@pytest.mark.long
def test_a_field_over_a_rectangle_is_compared_with_the_papers_map(tmp_path: Path) -> None:
    made, result, judged = _compared(tmp_path, ROD_CODE, ROD, _target(x_unit="nm", y_unit="nm"), 0.05)
    assert result.oracle is not None and result.oracle.within, result
    assert result.curve is not None
    first = (tmp_path / "study" / result.curve.path).read_text().splitlines()[0]
    assert first == "x,y,field,uncertainty"
    problem = made.resolved()
    exact: Any = oracle(problem.scenes[0], problem.quantities[0], {}, np.zeros(0))[1]  # type: ignore[index]
    x, y = (1000 * part.reshape(-1) for part in np.meshgrid(*exact.grid, indexing="ij"))
    found = judged(x, y, exact.y)
    assert found.classification == "SUCCESS" and found.converged, found.reasons
    assert judged(x, y, exact.table.T.reshape(-1)).classification == "FAILURE"  # light from another side
