"""The second solver in its sandbox: limits, answers that do not fit, and its opinion beside a study with Meep."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from flows.cli import app
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.files.store import Store
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.second import plain_cells, planes, truncations
from tasks.reproduce.second.opinions import alone, with_opinions
from tasks.reproduce.second.plain_cells import NotSolved, job_of
from tasks.reproduce.second.plane_fields import fields
from tasks.reproduce.second.program import solved
from tasks.reproduce.solving.groups import groups_of
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.whole_study import study
from tasks.reproduce.uncertainty.aims import within
from tasks.reproduce.uncertainty.climbed import Climb

pytestmark = pytest.mark.sim
CODE = """from simkit.describe import *

def describe(p):
    post = Disk(medium=Medium(index=p.n), radius=p.r)
    cell = UnitCell(id="cell", below=Medium(index=p.n), above=vacuum(), period=(p.a, p.a), light_from="below", polarization="x",
                    layers=(Film(medium=vacuum(), thickness=p.h, pattern=(post,)),), band=Line(wavelength=p.wavelength))
    return Problem(scenes=(cell,), quantities=(Reflectance(id="R", scene="cell"),))
"""
NUMBERS = {"n": (2.0, "1"), "a": (0.3, "um"), "h": (0.2, "um"), "r": (0.1, "um"), "wavelength": (0.8, "um")}
ENTRIES: list[dict[str, Any]] = [
    {"id": k, "value": v, "unit": u, "origin": "assumption", "assumption_id": k, "meaning": k}
    for k, (v, u) in NUMBERS.items()
]
MADE = from_document(document(described(CODE, ENTRIES)), declared(ENTRIES), CODE)


def _cell() -> tuple[Any, Any]:
    problem = MADE.resolved()
    return problem.scenes[0], problem.quantities[0]


def test_in_the_sandbox_it_says_what_it_says_here() -> None:
    scene, quantity = _cell()
    found = truncations.truncated(scene, [quantity], [1.25], {}, wanted=0.01, budget_s=60)
    assert len(found.rungs) >= 3 and found.cpu_s > 0
    radius = plain_cells.steps(scene, [1.25], {})[0]
    here = solved(job_of(scene, [1.25], {}, radius))
    assert found.rungs[0].orders == len(here["orders"])
    assert found.rungs[0].values["R"] == pytest.approx([sum(here["lines"][0]["reflected"])], rel=1e-9)
    assert 0 < found.uncertainty["R"][0] <= 0.01 * found.rungs[-1].values["R"][0]


def test_a_truncation_beyond_its_limit_ends_and_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, quantity = _cell()
    monkeypatch.setattr(truncations, "LIMIT_S", 1.0)
    monkeypatch.setattr(truncations, "HARD", 1e-3)
    with pytest.raises(NotSolved, match="limit on cpu"):
        truncations._solved(
            plain_cells, job_of(scene, [1.25], {}, plain_cells.steps(scene, [1.25], {})[-1]), 1.0, False
        )
    with pytest.raises(NotSolved, match="fewer than three truncations: the next truncation needs about"):
        truncations.truncated(scene, [quantity], [1.25], {}, wanted=0.01, budget_s=0.7)


@pytest.mark.long
def test_its_opinion_stands_beside_meep_s(tmp_path: Path) -> None:
    climbs: list[Climb] = []
    solver = Solver(Store(tmp_path), find_meep(), Budget(40.0))
    rough = {"R": within(0.3)}
    made = study(MADE, {}, solver, tmp_path / "cell", wanted=rough, examine=False, on_climb=climbs.append)
    assert with_opinions(made, climbs, {}, ()) is made, "nothing that is not asked for"
    (found,) = with_opinions(made, climbs, {}, {"R"}).quantities
    opinion = found.second
    assert opinion is not None and found.oracle is None and opinion.agrees, found
    assert len(opinion.truncations) >= 3 and opinion.uncertainty is not None
    (none,) = with_opinions(made, climbs, {}, {"R"}, most_s=0.1).quantities
    assert none.second is not None and none.second.value is None and "CPU time" in none.second.reason


def test_by_hand_without_meep(tmp_path: Path) -> None:
    (group,) = groups_of(MADE, {})
    exact = alone(group, "R", {}, 60.0, 0.005, method=plain_cells)
    folder = tmp_path / "post"
    folder.mkdir()
    (folder / "describe.py").write_text(CODE)
    (folder / "parameters.json").write_text(json.dumps(ENTRIES))
    told = CliRunner().invoke(
        app, ["solve", str(folder), "--with", "fmm", "--outputs", str(tmp_path / "out")]
    )
    assert told.exit_code == 0, told.output
    assert f"Fourier modal method: {exact.value:.6g} +- {exact.uncertainty:.2g}" in told.output
    assert (tmp_path / "out/studies/post/fmm.json").is_file()
    refused = CliRunner().invoke(app, ["solve", str(folder), "--with", "bem"])
    assert refused.exit_code == 2 and "meep, fmm, fem, both" in refused.output


@pytest.mark.parametrize(
    "change",
    [
        lambda answer: answer["lines"].pop(),
        lambda answer: answer["lines"][0]["reflected"].pop(),
        lambda answer: answer["lines"][0].update(r=[1.0]),
        lambda answer: answer["lines"][0]["transmitted"].__setitem__(0, float("nan")),
        lambda answer: answer.pop("orders"),
        lambda answer: answer.update(orders=[[0]]),
        lambda answer: answer.update(cpu_s="much"),
    ],
)
def test_an_answer_that_does_not_fit_is_none(change: Any) -> None:
    job = job_of(_cell()[0], [1.25], {}, 4.0)
    answer = solved(job)
    found, _ = truncations._read(plain_cells, answer, job)
    assert np.isclose(found[0].reflected.sum() + found[0].transmitted.sum(), 1)
    change(answer)
    with pytest.raises((ValueError, KeyError, TypeError)):
        truncations._read(plain_cells, answer, job)


GAP = """from simkit.describe import *

def describe(p):
    core, half = Medium(index=p.n), p.w / 2
    before = Block(id="before", medium=core, x=(-inf, -p.gap / 2), y=(-half, half))
    behind = Block(id="behind", medium=core, x=(p.gap / 2, inf), y=(-half, half))
    ports = (Port(id="left", side="-x"), Port(id="right", side="+x"))
    gap = Device(id="gap", dimensions="2D", bodies=(before, behind), background=Medium(index=p.around), polarization="Hz",
                 ports=ports, source="left", band=Line(wavelength=p.wavelength))
    return Problem(scenes=(gap,), quantities=(PortTransmittance(id="T", scene="gap", port="right", mode=1),))
"""
SIZES = {
    "n": (2.0, "1"),
    "around": (1.444, "1"),
    "w": (0.4, "um"),
    "gap": (0.2, "um"),
    "wavelength": (1.55, "um"),
}
GIVEN: list[dict[str, Any]] = [
    {"id": k, "value": v, "unit": u, "origin": "assumption", "assumption_id": k, "meaning": k}
    for k, (v, u) in SIZES.items()
]


def test_finite_elements_say_in_the_sandbox_what_they_say_here(tmp_path: Path) -> None:
    made = from_document(document(described(GAP, GIVEN)), declared(GIVEN), GAP)
    (group,) = groups_of(made, {})
    scene, quantity = made.resolved().scenes[0], made.resolved().quantities[0]
    exact = alone(group, "T", {}, 60.0, 0.005, method=planes)
    step = planes.steps(scene, [1 / 1.55], {})[0]
    job = planes.job_of(scene, [1 / 1.55], {}, step)
    here = planes.value_of(scene, quantity, {}, planes.read(fields(job), job))
    assert exact.truncations[0].value == pytest.approx(here[0], rel=1e-9)
    assert exact.value == pytest.approx(0.9609, abs=exact.uncertainty) and exact.uncertainty < 0.005
    assert "unit cells only" in alone(group, "T", {}, 60.0, 0.005, method=plain_cells).reason
    folder = tmp_path / "gap"
    folder.mkdir()
    (folder / "describe.py").write_text(GAP)
    (folder / "parameters.json").write_text(json.dumps(GIVEN))
    told = CliRunner().invoke(
        app, ["solve", str(folder), "--with", "fem", "--outputs", str(tmp_path / "out")]
    )
    assert told.exit_code == 0, told.output
    assert f"{planes.NAME}: {exact.value:.6g} +- {exact.uncertainty:.2g}" in told.output
    assert "nodes" in told.output and (tmp_path / "out/studies/gap/fem.json").is_file()


@pytest.mark.long
def test_finite_elements_stand_beside_meep(tmp_path: Path) -> None:
    made = from_document(document(described(GAP, GIVEN)), declared(GIVEN), GAP)
    climbs: list[Climb] = []
    solver = Solver(Store(tmp_path), find_meep(), Budget(300.0))
    first = study(
        made, {}, solver, tmp_path / "gap", wanted={"T": within(0.01)}, examine=False, on_climb=climbs.append
    )
    (found,) = with_opinions(first, climbs, {}, {"T"}).quantities
    opinion = found.second
    assert opinion is not None and opinion.solver == planes.NAME and opinion.agrees, found
    assert len(opinion.truncations) >= 3 and opinion.uncertainty < 0.005
