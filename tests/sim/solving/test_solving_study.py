"""A whole study of a film with Meep: error covered by its uncertainty, nothing paid twice, failures stay alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from flows.cli import app
from schemas.reproduce.simulations.numerics import StudyResult
from simkit.arrange import Numerics, arrange
from simkit.describe.__main__ import described
from simkit.describe.document import document
from simkit.runs import Run
from tasks.files.store import Store
from tasks.reproduce.describing.in_sandbox import Description, declared, from_document
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.solving.groups import groups_of
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.run_left import RunFailed
from tasks.reproduce.solving.whole_study import study
from tasks.reproduce.uncertainty.aims import within
from tasks.reproduce.uncertainty.boundaries import settled_further
from tasks.reproduce.uncertainty.climbing import climb
from tasks.reproduce.uncertainty.sensitivity import sensitivities
from tests.unit.describing.described_fixture import CODE, FILM

pytestmark = pytest.mark.sim
NO_ORDER = CODE.replace(
    'Transmittance(id="T", scene="film")',
    'OrderEfficiency(id="T", scene="film", side="reflected", order=(1,))',
)


def _made(code: str = CODE) -> Description:
    return from_document(document(described(code, FILM)), declared(FILM), code)


def _solver(outputs: Path, budget: float = 200.0) -> Solver:
    return Solver(Store(outputs), find_meep(), Budget(budget))


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One store for all tests of this file, as one outputs folder would be."""
    return tmp_path_factory.mktemp("outputs")


@pytest.fixture(scope="module")
def film(outputs: Path) -> StudyResult:
    """The study of the film."""
    return study(
        _made(), {}, _solver(outputs), outputs / "film", wanted={"R": within(0.02), "T": within(0.02)}
    )


def test_the_stated_uncertainty_covers_the_true_error(film: StudyResult) -> None:
    for found in film.quantities:
        assert found.status == "converged", found.reason
        assert found.oracle is not None and found.oracle.theory == "transfer matrix" and found.oracle.within
        assert found.uncertainty is not None and abs(found.oracle.difference) <= found.uncertainty < 0.02
        assert {part.part for part in found.parts if part.value is not None} == {
            "resolution",
            "absorber",
            "padding",
            "decay",
            "run time",
            "materials",
            "sampling",
        }
        assert all(
            b.resolution >= 1.3 * a.resolution for a, b in zip(found.rungs, found.rungs[1:], strict=False)
        )


def test_decay_is_varied_only_where_the_fields_had_not_settled_ten_times_further(outputs: Path) -> None:
    (group,) = groups_of(_made(), {})
    solver = _solver(outputs)
    found, tenth = (group.evaluate(Numerics(resolution=80, decay=decay), solver) for decay in (1e-3, 1e-4))
    assert settled_further(found)
    for name, raw in found.raw.items():  # a tenth would have changed nothing
        assert all(
            np.array_equal(values, tenth.raw[name][key])
            for key, values in raw.items()
            if not key.startswith("stats/")
        )
    just = {name: {**raw, "stats/settled_to": np.array(9e-4)} for name, raw in found.raw.items()}
    kept_before = {
        name: {key: values for key, values in raw.items() if key != "stats/settled_to"}
        for name, raw in found.raw.items()
    }
    assert not settled_further(replace(found, raw=just)) and not settled_further(
        replace(found, raw=kept_before)
    )
    run = found.runs["reference"]
    assert isinstance(run, Run)
    reached = float(found.raw["reference"]["stats/settled_to"].real)
    further = solver.solve(replace(run, stop=replace(run.stop, by=reached / 2)))
    assert further["stats/steps"].real > found.raw["reference"]["stats/steps"].real
    solver.close()


def test_values_come_from_the_fields_and_doubts_are_ranked(film: StudyResult) -> None:
    found = film.quantity("R")
    assert found.from_fields and {w.name for w in found.witnesses} == {
        "blank structure",
        "moved parameter",
        "disturbed raw data",
        "tiny changes",
        "dilation",
    }
    assert [s.parameter for s in found.sensitivities] == [
        "n",
        "n",
        "n",
        "t",
    ]  # at its alternative, 5 % less, 5 % more
    assert (found.sensitivities[0].relative or 0) > 0.05 > (found.sensitivities[-1].relative or 1)


def test_files_and_parameters_are_written_with_the_papers_words(film: StudyResult, outputs: Path) -> None:
    again = StudyResult.model_validate_json((outputs / "film" / "study.json").read_text())
    assert again == film and again.parameters[0].quotation == "a film of 100 nm thickness"
    curve = (outputs / "film" / "R.csv").read_text().splitlines()
    assert curve[0] == "frequency,R,uncertainty" and len(curve) == 102


def test_another_table_of_a_material_moves_the_value_as_theory_says(outputs: Path) -> None:
    """A film of a slightly dispersive material, and a table of it whose permittivity is a tenth higher."""

    def table(page: str, times: float) -> dict[str, Any]:
        return {
            "page": page,
            "valid_um": [0.4, 1.0],
            "band_um": [0.5, 0.8],
            "eps_inf": 1 + times,
            "rms_relative_error": 0.001,
            "poles": [{"kind": "lorentz", "f0": 8.0, "gamma": 0.0, "sigma": 0.3 * times}],
        }

    def permittivity(times: float, f: float) -> float:
        return 1 + times + 0.3 * times * 64 / (64 - f**2)

    found = study(
        _made(CODE.replace("index=p.n", 'material="glass"')),
        {"glass": table("main/glass/A", 1.0)},
        _solver(outputs),
        outputs / "tables",
        wanted={"R": within(0.02), "T": within(0.02)},
        witnessed=False,
        others={"glass": {"main/glass/B": table("main/glass/B", 1.1)}},
    )
    [moved] = [s for s in found.quantity("R").sensitivities if s.origin == "material"]
    assert (moved.parameter, moved.tried, moved.reason) == ("glass", "main/glass/B", "another table")
    frequencies = np.linspace(1 / 0.8, 1 / 0.5, 101)
    largest = max(abs(_film(permittivity(1.1, f), f) - _film(permittivity(1.0, f), f)) for f in frequencies)
    assert moved.change == pytest.approx(largest, rel=0.1)


def _film(permittivity: float, f: float) -> float:
    """Airy's formula: reflectance of a film of 100 nm in vacuum; f in c/um."""
    n = np.sqrt(permittivity)
    r, turn = (1 - n) / (1 + n), np.exp(4j * np.pi * n * 0.1 * f)
    return float(abs(r * (1 - turn) / (1 - r**2 * turn)) ** 2)


def test_nothing_is_simulated_twice(film: StudyResult, outputs: Path) -> None:
    solver = _solver(outputs, 0.0)  # not a second of CPU time is there
    again = study(
        _made(), {}, solver, outputs / "again", wanted={"R": within(0.02), "T": within(0.02)}, examine=False
    )
    assert not solver.ran and again.cpu_s == 0
    # without a budget nothing new is begun, and what was finished stands
    assert (
        again.quantity("R").rungs[0] == film.quantity("R").rungs[0] and again.quantity("R").curve is not None
    )


def test_a_quantity_that_cannot_be_measured_leaves_the_other_alone(outputs: Path) -> None:
    found = study(_made(NO_ORDER), {}, _solver(outputs), outputs / "order", coarse=True)
    assert found.quantity("R").curve is not None and found.quantity("R").status == "not converged"
    assert found.quantity("T").status == "no value" and found.quantity("T").reason


def test_a_run_that_grows_is_named_numerics_and_kept(outputs: Path) -> None:
    made = _made().resolved()
    run = next(iter(arrange(made.scenes[0], made.quantities, Numerics(40.0, samples=3), {}).runs.values()))
    pole = {"kind": "lorentz", "frequency": 1.5, "damping": 0.01, "strength": -0.5}
    gain = {"kind": "medium", "epsilon": 2.0, "poles": [pole]}
    broken = replace(run, background=gain)
    solver = _solver(outputs)
    for _ in range(2):
        with pytest.raises(RunFailed) as caught:
            solver.solve(broken)
        assert caught.value.failure.failure_class in ("numerics", "physics")
    assert len(solver.ran) == 1


def test_a_study_chooses_the_same_grids_on_a_busy_computer_and_when_it_is_gone_on_with(
    outputs: Path, tmp_path: Path
) -> None:
    """Budgets count by the model of costs: measured CPU seconds grew on a busy computer, and kept runs cost nothing."""

    class Busy(Solver):
        def _solve(self, run: Any, digest: str, label: str) -> None:
            super()._solve(run, digest, label)
            self.ran[digest] *= 50
            path = self.entry(digest) / "outcome.json"
            path.write_text(json.dumps(json.loads(path.read_text()) | {"cpu_s": self.ran[digest]}))

    def grids(solver: Solver, folder: str) -> tuple[tuple[float, ...], float]:
        found = study(
            _made(),
            {},
            solver,
            tmp_path / folder,
            wanted={"R": within(1e-4), "T": within(1e-4)},
            examine=False,
        )
        return tuple(rung.resolution for rung in found.quantity("R").rungs), found.cost_s

    plain, cost = grids(Solver(Store(tmp_path / "new"), find_meep(), Budget(4.0)), "plain")
    assert len(plain) > 1 and 0 < cost
    assert grids(Busy(Store(tmp_path / "busy"), find_meep(), Budget(4.0)), "busy") == (plain, cost)
    again = Solver(Store(tmp_path / "new"), find_meep(), Budget(4.0))
    assert grids(again, "again") == (plain, cost) and not again.ran
    assert grids(Solver(Store(tmp_path / "new"), find_meep(), Budget(0.5)), "less")[0] != plain


def test_a_limit_on_cpu_time_is_a_budget_failure_and_not_kept(outputs: Path) -> None:
    made = _made().resolved()
    long = next(iter(arrange(made.scenes[0], made.quantities, Numerics(4000.0), {}).runs.values()))
    solver = _solver(outputs, 1.0)
    with pytest.raises(RunFailed) as caught:
        solver.solve(long)
    assert caught.value.failure.failure_class == "budget" and not solver.entry(long.digest()).exists()


def test_the_command_line_prints_values_with_their_parts(
    film: StudyResult, outputs: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "film"
    folder.mkdir()
    (folder / "describe.py").write_text(CODE)
    (folder / "parameters.json").write_text(json.dumps(FILM))
    told = CliRunner().invoke(app, ["describe", str(folder), "-o", str(outputs)])
    assert (
        told.exit_code == 0
        and "a film of 100 nm thickness" in told.output
        and "R: reflectance of film" in told.output
    )
    done = CliRunner().invoke(app, ["solve", str(folder), "--coarse", "-o", str(outputs)])
    assert done.exit_code == 0 and "no evidence" in done.output and "one resolution" in done.output
    (folder / "describe.py").write_text(CODE.replace("p.t)", "0.1)"))
    refused = CliRunner().invoke(app, ["describe", str(folder), "-o", str(outputs)])
    assert refused.exit_code != 0 and "undeclared number 0.1" in refused.output


def test_what_one_scene_leaves_of_the_time_another_uses(tmp_path: Path) -> None:
    """Each had its share and no more: four right values were PARTIAL with one grid while four fifths of the time were left."""
    two = CODE.replace(
        "    return",
        '    other = film.model_copy(update={"id": "other"})\n    return',
    ).replace("scenes=(film,)", "scenes=(film, other)")
    two = two.replace('Transmittance(id="T", scene="film")', 'Transmittance(id="T", scene="other")')
    wanted = {"R": within(2e-4), "T": within(0.5)}

    def solved(budget: float) -> StudyResult:
        solver = _solver(tmp_path, budget)
        return study(_made(two), {}, solver, tmp_path / f"b{budget:g}", wanted=wanted, examine=False)

    plenty = solved(500.0)
    rungs = [rung.resolution for rung in plenty.quantities[0].rungs]
    assert plenty.quantities[0].status == "converged" and len(rungs) > 2 and not plenty.remarks
    budget = 1.6 * plenty.cost_s
    assert [rung.resolution for rung in solved(budget).quantities[0].rungs] == rungs
    (first, _) = groups_of(_made(two), {})
    shared = climb(first, _solver(tmp_path, budget), wanted, budget / 2)
    assert shared.ended and len(shared.rungs["R"]) < len(rungs)


def test_a_scene_that_ran_out_of_time_keeps_every_rung_that_it_has(tmp_path: Path) -> None:
    """Climbing again from the first rung, it found a finished one too dear for what was left, and lost it."""
    aims = {"R": within(2e-4), "T": within(2e-4)}
    (group,) = groups_of(_made(), {})
    plenty = _solver(tmp_path, 500.0)
    climb(group, plenty, aims, 500.0)
    budget = 0.5 * plenty.budget.used
    alone = climb(group, _solver(tmp_path, budget), aims, budget)
    found = study(_made(), {}, _solver(tmp_path, budget), tmp_path / "film", wanted=aims, examine=False)
    assert alone.ended and any("no finer grid" in remark for remark in found.remarks)
    solved, wanted = (
        [rung.resolution for rung in rungs if not rung.reason]
        for rungs in (found.quantities[0].rungs, alone.rungs["R"])
    )
    assert solved == wanted


def test_enough_ends_a_ladder_with_what_is_solved_and_the_same_comes_out_again(tmp_path: Path) -> None:
    aims = {"R": within(1e-5), "T": within(1e-5)}  # what no grid here reaches
    told: list[str] = []

    def ended() -> StudyResult:
        solver = _solver(tmp_path)
        solver.enough = lambda: any("grid 3" in text for text in told)
        return study(_made(), {}, solver, tmp_path / "film", wanted=aims, witnessed=False, say=told.append)

    found = ended()
    solved = set(tmp_path.rglob("outcome.json"))
    for quantity in found.quantities:
        assert [rung.reason == "" for rung in quantity.rungs] == [True, True, False], quantity.rungs
        assert "a person said that it is enough" in quantity.ended
        assert quantity.status == "not converged" and quantity.uncertainty
    assert any("a person said that it is enough" in remark for remark in found.remarks)
    again = ended()  # resumed after a kill: nothing further is solved, and nothing of what was there is lost
    assert set(tmp_path.rglob("outcome.json")) == solved
    assert [q.model_dump(exclude={"rungs"}) for q in again.quantities] == [
        q.model_dump(exclude={"rungs"}) for q in found.quantities
    ]


@pytest.mark.long
def test_a_wall_of_ideal_metal_that_moves_by_less_than_a_pixel_moves_the_value_in_proportion(
    outputs: Path,
) -> None:
    """A wall jumps one pixel or none: 0.005 of 1.37 moved a band's edge by 37 %, exactly 0.4 %."""
    code = """from simkit.describe import *

def describe(p):
    metal = Block(id="metal", medium=PerfectConductor(), x=(-inf, inf), y=(-2 * p.b, 2 * p.b), z=(-inf, inf))
    box = Block(id="box", medium=vacuum(), x=(-p.a / 2, p.a / 2), y=(-p.b / 2, p.b / 2), z=(-inf, inf))
    cavity = Resonator(id="cavity", dimensions="2D", field="Ez", bodies=(metal, box), background=vacuum(),
                       search=Frequencies(lowest=p.lowest, highest=p.highest))
    return Problem(scenes=(cavity,), quantities=(ResonanceFrequency(id="f", scene="cavity"),))
"""
    rows = [
        {"id": "a", "value": 1.37, "unit": "um", "origin": "paper", "quotation": "a box of 1.37 um"},
        {"id": "b", "value": 1.05, "unit": "um", "origin": "paper", "quotation": "1.05 um high"},
        {"id": "lowest", "value": 0.55, "unit": "c/um", "origin": "numerical"},
        {"id": "highest", "value": 0.7, "unit": "c/um", "origin": "numerical"},
    ]
    made = from_document(document(described(code, rows)), declared(rows), code)
    solver = _solver(outputs)
    climbed = climb(groups_of(made, {})[0], solver, {"f": within(0.02)}, 60.0, most=2)
    moved = next(s for s in sensitivities(climbed, solver, lambda cpu_s: True)["f"] if s.parameter == "a")
    solver.close()
    assert moved.tried == "1.375 um" and "2 pixels" in moved.reason
    exact = [np.hypot(1 / (2 * a), 1 / 2.1) for a in (1.37, 1.375)]
    # Two pixels of the coarse grid are a tenth of the box: no straight line any more.
    assert moved.relative == pytest.approx(1 - exact[1] / exact[0], rel=0.35), moved
