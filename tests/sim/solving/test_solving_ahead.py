"""Runs solved side by side: the same results, runs and budget as one after the other, and no way to hang."""

from __future__ import annotations

import re
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from schemas.errors import PrerequisiteError
from schemas.reproduce.simulations.numerics import StudyResult
from simkit.arrange import Numerics
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.files.store import Store
from tasks.reproduce.describing.in_sandbox import Description, declared, from_document
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.solving import one_run
from tasks.reproduce.solving.groups import groups_of
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.whole_study import study
from tasks.reproduce.uncertainty.aims import Demand, within
from tests.flow.kit import wait_until
from tests.unit.describing.described_fixture import CODE, FILM

pytestmark = pytest.mark.sim


@pytest.fixture(autouse=True)
def _however_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_run, "WORTH_S", 0.0)


def _made(code: str = CODE) -> Description:
    return from_document(document(described(code, FILM)), declared(FILM), code)


def _told(result: StudyResult) -> dict[str, Any]:
    """What does not depend on how long anything took."""
    plain = result.model_dump(mode="json", exclude={"cpu_s", "solved", "runs", "drawings"})
    for quantity in plain["quantities"]:
        for rung in quantity["rungs"]:
            rung.pop("cpu_s")
    return plain


def test_side_by_side_gives_what_one_after_the_other_gives(tmp_path: Path) -> None:
    found, at_once = [], []
    for count in (1, 3):
        solver = Solver(Store(tmp_path / f"store{count}"), find_meep(), Budget(200.0), side_by_side=count)
        at_once.append(_most_at_once(solver))
        found.append(
            (
                study(
                    _made(),
                    {},
                    solver,
                    tmp_path / f"out{count}",
                    wanted={"R": within(0.02), "T": within(0.02)},
                ),
                solver,
            )
        )
    (alone, first), (beside, second) = found
    assert _told(alone) == _told(beside)
    assert set(first.ran) == set(second.ran) == {path.name.split("-")[0] for path in _runs(second)}
    assert first.budget.used == second.budget.used and first.costs == second.costs
    assert at_once[0]() == 1 and at_once[1]() > 1


def _runs(solver: Solver) -> list[Path]:
    folder = solver.store.entry("runs", "any").parent
    return list(folder.iterdir()) if folder.is_dir() else []


def _most_at_once(solver: Solver) -> Any:
    lock, under_way, most = threading.Lock(), [0], [0]
    solve = type(solver)._solve

    def counted(self: Solver, *arguments: Any) -> None:
        with lock:
            under_way[0] += 1
            most[0] = max(most[0], under_way[0])
        try:
            solve(self, *arguments)
        finally:
            with lock:
                under_way[0] -= 1

    solver.__class__ = type("Counted", (type(solver),), {"_solve": counted})
    return lambda: most[0]


@pytest.mark.parametrize(("cores", "least"), [(1, 2), (2, 1)])
def test_none_has_a_third_grid_before_all_have_a_second(tmp_path: Path, cores: int, least: int) -> None:
    """But where a core has nothing else to begin, because the last one that lacks a second is under way on another."""
    code = CODE.replace('id="film"', "id=name").replace("thickness=p.t", "thickness=thickness")
    code = code.replace("film = UnitCell", "films = [UnitCell").replace(
        "longest=p.longest))", "longest=p.longest))"
    )
    names = "('thin', p.t / 2), ('film', p.t), ('thick', p.t * 2)"
    code = code.replace(
        "longest=p.longest))\n", f"longest=p.longest))\n        for name, thickness in ({names})]\n"
    ).replace("scenes=(film,), quantities=(", "scenes=tuple(films), quantities=(")
    asked = "Reflectance(id='R' + film.id, scene=film.id) for film in films"
    code = code[: code.index("quantities=(")] + f"quantities=tuple({asked}))\n"
    solver = Solver(Store(tmp_path / "store"), find_meep(), Budget(200.0), side_by_side=cores)
    begun: list[tuple[str, str]] = []
    solve = Solver._solve

    def seen(self: Solver, run: Any, digest: str, label: str) -> None:
        if found := re.match(r"(\w+) structure, resolution ([\d.]+)$", label):
            begun.append((found[1], found[2]))
        solve(self, run, digest, label)

    solver.__class__ = type("Seen", (Solver,), {"_solve": seen})
    study(
        _made(code),
        {},
        solver,
        tmp_path / "out",
        wanted={f"R{n}": within(1e-4) for n in ("thin", "film", "thick")},
    )
    grids: dict[str, list[str]] = {}
    counts = []
    for name, grid in begun:
        if grid not in grids.setdefault(name, []):
            grids[name].append(grid)
        counts.append([len(grids.get(one, [])) for one in ("thin", "film", "thick")])
    assert max(counts[-1]) > 2
    assert all(min(now) >= least for now in counts if max(now) > 2), counts
    assert all(sorted(now)[1] >= 2 for now in counts if max(now) > 2), "only one may lack it"


def test_a_run_that_two_ask_for_is_solved_once(tmp_path: Path) -> None:
    solver = Solver(Store(tmp_path), find_meep(), Budget(200.0), side_by_side=2)
    (group,) = groups_of(_made(), {})
    try:
        solver.ahead([partial(group.evaluate, Numerics(resolution=40))] * 4, 1.0)
        assert len(_runs(solver)) == 2 == len(solver.ran)
        assert solver.budget.used == 0 and solver.costs == {}, "who asks ahead is charged nothing"
        group.evaluate(Numerics(resolution=40), solver)
        assert solver.budget.used > 0 and len(solver.ran) == 2
    finally:
        solver.close()


@pytest.mark.parametrize("when", ["under way", "about to begin"])
def test_a_fault_ends_what_is_under_way(tmp_path: Path, when: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One call breaks while another solves for hours, or opens its sandbox; nothing more begins, nobody waits for the end."""
    opened = Solver._sandbox

    def late(self: Solver) -> Any:
        wait_until(lambda: when == "under way" or self.budget.left == 0, "the halt")
        return opened(self)

    monkeypatch.setattr(Solver, "_sandbox", late)
    solver = Solver(Store(tmp_path), find_meep(), Budget(1e6), side_by_side=2)
    (group,) = groups_of(_made(), {})
    later: list[Solver] = []

    def breaks(_: Solver) -> None:
        wait_until(lambda: _runs(solver), "a run under way")
        raise PrerequisiteError("the disk is full", found="0 bytes", fix="make room")

    try:
        with pytest.raises(PrerequisiteError, match="the disk is full"):
            solver.ahead(
                [partial(group.evaluate, Numerics(resolution=200_000)), breaks, later.append, later.append],
                1.0,
            )
    finally:
        solver.close()
    assert not later and not _runs(solver), "the store holds no half of a run"


TWO = CODE.replace(
    "    return Problem(scenes=(film,), quantities=",
    '    thin = UnitCell(id="thin", below=vacuum(), layers=(Film(medium=Medium(index=p.n), thickness=p.t / 2),), above=vacuum(),\n'
    '                    light_from="below", polarization="x", band=Wavelengths(shortest=p.shortest, longest=p.longest))\n'
    '    return Problem(scenes=(film, thin), quantities=(Reflectance(id="r", scene="thin"),) + ',
)


@pytest.mark.parametrize("count", [1, 2])
def test_what_counts_gets_its_grids_before_what_does_not(tmp_path: Path, count: int) -> None:
    """A share radiated, for the margin, held both processors with its fourth grid while what the verdict hangs on waited."""
    told: list[str] = []
    wanted = {
        name: (Demand(0.001, words=name, light=name != "r"),) for name in ("R", "T", "r")
    }  # the first scene's are the ones that do not count
    solver = Solver(Store(tmp_path / "store"), find_meep(), Budget(200.0), side_by_side=count)
    found = study(_made(TWO), {}, solver, tmp_path / "out", wanted=wanted, examine=False, say=told.append)
    finer = [line.partition(":")[0] for line in told if re.search(r"grid [3-9] of", line)]
    assert count > 1 or finer == ["thin", "thin", "film", "film"]
    assert all(quantity.status == "converged" for quantity in found.quantities)
    assert {path.name.split("-")[0] for path in _runs(solver)} == set(solver.ran)
