"""One sandbox for the runs of a study: what one run does takes no other with it."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from simkit.arrange import Numerics, arrange
from simkit.describe.__main__ import described
from simkit.describe.document import document
from simkit.runs import Run, dump
from tasks.files.store import Store
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.measuring import Map
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.solving import one_run
from tasks.reproduce.solving.jobs import solved, solving_job
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.run_left import RunFailed
from tasks.reproduce.solving.session import Place, Session
from tasks.reproduce.solving.varying import Missing, scene_values
from tests.sim.simkit.simkit_script import MEEP_PYTHON, ROOT
from tests.unit.describing.described_fixture import CODE, FILM
from tests.unit.solving.test_solving_sweeps import _group

pytestmark = pytest.mark.sim


def _runs(resolution: float = 40.0) -> dict[str, Run]:
    made = from_document(document(described(CODE, FILM)), declared(FILM), CODE).resolved()
    return dict(arrange(made.scenes[0], made.quantities, Numerics(resolution, samples=3), {}).runs)  # type: ignore[arg-type]


@pytest.fixture
def solver(tmp_path: Path) -> Iterator[Solver]:
    """With an empty store."""
    made = Solver(Store(tmp_path), find_meep(), Budget(100.0), cpu_limit_s=2.0)
    yield made
    made.close()


def test_a_run_that_reaches_its_limit_leaves_the_sandbox_to_the_others(solver: Solver) -> None:
    reference, structure = _runs().values()
    first = solver.solve(reference)
    long = next(iter(_runs(8000.0).values()))
    with pytest.raises(RunFailed) as caught:
        solver.solve(long)
    assert caught.value.failure.failure_class == "budget" and 1.5 < solver.ran[long.digest()] < 4
    assert solver.costs[long.digest()] == 2, "what a run may use at most is what it is charged"
    broken = replace(structure, background={"kind": "medium", "epsilon": -2.0}, subtract={})
    with pytest.raises(RunFailed) as caught:
        solver.solve(broken)
    assert caught.value.failure.failure_class in ("numerics", "physics")
    second = solver.solve(structure)
    assert first["stats/stop_met"] == second["stats/stop_met"] == 1
    assert solver.ran[structure.digest()] < 0.5  # no start of its own: importing Meep takes longer
    log = json.loads((solver.entry(structure.digest()) / "log.json").read_text())
    assert log["outcome"] == "finished" and log["digest"] == structure.digest()


def test_a_sandbox_that_is_ended_loses_its_run_and_is_opened_again(tmp_path: Path) -> None:
    cancel = threading.Event()
    session = Session(Place(find_meep(), 60.0), cancel)
    reference = next(iter(_runs().values()))
    long = next(iter(_runs(8000.0).values()))
    with session.solving(lambda folder: _lay_out(long, folder), 50.0, on_poll=lambda _: cancel.set()) as (
        _,
        result,
    ):
        assert result.stop_reason == "cancelled" and result.cpu_s > 0
    cancel.clear()
    with session.solving(lambda folder: _lay_out(reference, folder), 50.0) as (folder, result):
        assert result.ok and (folder / "raw.npz").is_file()
    assert not folder.exists()
    session.close()
    assert not folder.parents[1].exists()


@pytest.mark.attack("outputs", "the run fails with the reason, the sandbox is opened anew")
@pytest.mark.parametrize("left", ['{"exit_code": 0}', '{"exit_code": 0, "cpu_s": NaN}', "[" * 3000, "7"])
def test_an_end_that_does_not_fit(tmp_path: Path, left: str) -> None:
    session = Session(Place(find_meep(), 60.0))

    def forge(folder: Path) -> None:
        (folder / "run.json").write_text(dump(next(iter(_runs(8000.0).values()))))
        (folder / "ended.json").write_text(left)

    with session.solving(forge, 50.0) as (_, result):
        assert not result.ok and result.stderr_tail.startswith("ended.json does not fit: ")
    with session.solving(lambda folder: _lay_out(next(iter(_runs().values())), folder), 50.0) as (
        folder,
        result,
    ):
        assert result.ok and (folder / "raw.npz").is_file()
    session.close()


def _lay_out(run: Run, folder: Path) -> None:
    (folder / "run.json").write_text(dump(run))


def test_processes_that_cannot_fork_solve_in_their_order_and_end_at_a_failure(tmp_path: Path) -> None:
    reference, structure = _runs().values()
    for number, run in enumerate(
        (reference, structure, replace(reference, background={"kind": "no such medium"})), 1
    ):
        own = tmp_path / f"{number:06d}"
        (own / "subtract").mkdir(parents=True)
        (own / "run.json").write_text(dump(run))
        (own / "job.json").write_text(json.dumps({"cpu_s": 20.0}))
    shutil.copy(
        _solved_alone(tmp_path / "alone", reference),
        tmp_path / "000002" / "subtract" / f"{reference.digest()}.npz",
    )
    code = (
        "import meep, pathlib, sys; meep.with_mpi = lambda: True; from simkit.solve.serving import serve; "
        "serve(pathlib.Path(sys.argv[1]))"
    )
    done = subprocess.run(
        [MEEP_PYTHON, "-c", code, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode > 0 and not (tmp_path / "000003" / "ended.json").exists()
    for number in (1, 2):
        ended = json.loads((tmp_path / f"{number:06d}" / "ended.json").read_text())
        assert (
            ended["exit_code"] == 0
            and 0 < ended["cpu_s"] < 5
            and (tmp_path / f"{number:06d}" / "raw.npz").is_file()
        )


def test_a_run_killed_by_a_signal_is_said_to_be(solver: Solver) -> None:
    reference = next(iter(_runs().values()))
    session = solver._sandbox()
    with session.solving(
        lambda folder: solver._lay_out(reference, folder), 0.5, ("--probe", "100000000")
    ) as (_, result):
        assert result.signal == signal.SIGXCPU and result.stop_reason == "cpu" and result.exit_code is None


def _solved_alone(folder: Path, run: Run) -> Path:
    folder.mkdir()
    (folder / "run.json").write_text(dump(run))
    subprocess.run([MEEP_PYTHON, "-m", "simkit.solve", str(folder)], cwd=ROOT, check=True, timeout=60)
    return folder / "raw.npz"


def test_a_run_ends_with_what_it_has_when_its_share_is_used_up_and_goes_on_when_more_is_there(
    solver: Solver,
) -> None:
    reference = _runs()["reference"]
    solver.ends_at = 12.0
    cut = solver.solve(reference)
    assert cut["stats/cut"] == 1 and not cut["stats/stop_met"] and 12 <= cut["stats/meep_time"] < 13
    assert solver.has(reference) and list(solver.ran) == [reference.digest()]
    solver.ends_at = 11.0  # as far as it may go
    assert solver.has(reference)
    solver.ends_at = None
    assert not solver.has(reference)
    whole = solver.solve(reference)
    assert whole["stats/stop_met"] and not whole["stats/cut"] and solver.has(reference)


def test_runs_that_do_not_fit_in_what_is_left_are_not_begun(solver: Solver) -> None:
    made = from_document(document(described(CODE, FILM)), declared(FILM), CODE).resolved()
    solver.budget = Budget(0.05)
    found = scene_values(made.scenes[0], made.quantities, Numerics(400.0), {}, solver)
    assert not solver.ran and {value.cause for value in found.values.values()} == {"budget"}  # type: ignore[union-attr]
    assert "foreseen" in found.values["R"].reason  # type: ignore[union-attr]


def test_what_a_run_will_take_is_foreseen_from_those_like_it(solver: Solver) -> None:
    """How long light rings in a structure no model of its cell tells; a grid before tells it."""
    first, finer = (_runs(resolution)["reference"] for resolution in (40.0, 60.0))
    alone = solver.foreseen_s(finer)
    solver.lasted["film reference"] = 400.0
    solver.expect(finer, "film reference")
    assert solver.foreseen_s(finer) > 3 * alone and solver.foreseen_s(first) < alone
    solver.budget = Budget(2 * alone)
    assert solver.beyond([finer]) is not None and solver.beyond([first]) is None
    solver.budget = Budget(100.0)
    found = solver.solve(first, "", "film structure")
    assert solver.lasted["film structure"] == found["stats/meep_time"]


def test_another_worker_ends_a_run_where_the_sender_s_budget_does(solver: Solver) -> None:
    reference = _runs()["reference"]
    solver.ends_at = 12.0
    job = solving_job(reference, solver, "film")
    assert job.until == 12.0
    solved(job, solver)
    assert solver.solve(reference)["stats/cut"] == 1
    solved(job.model_copy(update={"until": None}), solver)
    assert not solver.solve(reference)["stats/cut"]


def test_a_run_with_minutes_to_go_is_ended_where_a_person_says_that_it_is_enough(tmp_path: Path) -> None:
    """The grid under way went on for half an hour after it. Runs that came before stay, and the sandbox serves further ones."""
    reference, structure = _runs().values()
    said: list[float] = []
    solver = Solver(Store(tmp_path), find_meep(), Budget(3000.0), enough=lambda: bool(said))
    solver.solve(reference)
    solver.progress = lambda share, remaining, label: said.append(remaining or 0.0)
    with pytest.raises(RunFailed) as caught:
        solver.solve(next(iter(_runs(16000.0).values())))
    assert "enough" in caught.value.failure.reason and max(said) > 60
    said.clear()
    solver.progress = None
    assert solver.has(reference) and solver.solve(structure)["stats/stop_met"] == 1
    solver.close()


def _has_runs(solver: Solver, count: int) -> bool:
    return len(list(solver.store.root.glob("runs/*/outcome.json"))) >= count


@pytest.mark.parametrize("side_by_side", [1, 2])
def test_a_grid_of_a_sweep_that_is_nearly_done_is_finished(tmp_path: Path, side_by_side: int) -> None:
    """At 27 of 28 points a person said that it is enough, and all of the grid was dropped."""
    group, numerics = _group((0.1, 0.15, 0.2, 0.25, 0.3)), Numerics(40.0)
    for left_s in (one_run.LAST_POINTS_S, 0.0):
        solver = Solver(Store(tmp_path / f"{left_s}"), find_meep(), Budget(300.0), side_by_side=side_by_side)
        solver.enough = partial(_has_runs, solver, 4)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(one_run, "LAST_POINTS_S", left_s)
            patch.setattr(one_run, "WORTH_S", 0.0)  # cheap points in several sandboxes as well
            found = group.evaluate(numerics, solver).values["over_t"]
            finer = group.evaluate(replace(numerics, resolution=60.0), solver).values["over_t"]
        solver.close()
        if left_s:
            assert isinstance(found, Map) and found.grid[1].tolist() == list(group.points)
        else:
            assert isinstance(found, Missing) and "enough" in found.reason
        assert isinstance(finer, Missing) and "enough" in finer.reason
