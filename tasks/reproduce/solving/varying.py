"""Values of a description's quantities for given parameter values and numerics: arranged, solved, measured.

One failing quantity never takes others with it: what gave no value is `Missing`, with its cause.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from schemas.errors import ReproLabError
from simkit.arrange import Arrangement, Numerics, arrange, found, refined
from simkit.describe.measured import Made
from simkit.describe.scene import Quantity, Scene
from simkit.runs import AnyRun
from tasks.reproduce.measuring import (
    Measured,
    NotMeasured,
    Raw,
    Scalar,
    measure,
    still_to_come,
)
from tasks.reproduce.measuring.unsettled import unsettled
from tasks.reproduce.solving.one_run import Solver
from tasks.reproduce.solving.run_cost import cost_of
from tasks.reproduce.solving.run_left import RunFailed
from tasks.reproduce.uncertainty.free import features_of, parted, values_of

_CANNOT = (ReproLabError, ValueError, ArithmeticError, KeyError, StopIteration)  # of an arrangement


@dataclass(frozen=True)
class Missing:
    """A quantity without a value, and why. cause: a class of tasks/reproduce/failures.py, or 'not measured'."""

    reason: str
    cause: str = "not measured"

    @property
    def failure_class(self) -> str:
        """The class of failure: what was described and cannot be had is the description's, unless a run failed."""
        return {"not measured": "physics", "not arranged": "code", "not described": "code"}.get(
            self.cause, self.cause
        )


Value = Measured | Missing


@dataclass(frozen=True)
class Outcome:
    """Values by quantity, raw data and arrangement of the scene.

    spent: of each of its runs by digest, kept ones as well: CPU seconds as measured, and as the budget is charged for them.
    known: what another grid can start from, for each point of a sweep (one for a scene). unsettled: share of the fields that
    was still to come when runs ended that had not settled. cut: whether one of them ended because its CPU time was used up.
    sampled: of numbers from functions of one's own, the same with what the samples of their curves leave open.
    lost: of a sweep's curve, the point without a value and why, where there is one.
    """

    values: Mapping[str, Value]
    spent: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    arrangement: Arrangement | None = None
    raw: Raw = field(default_factory=dict)
    scene: Scene | None = None
    known: tuple[Mapping[str, Any], ...] = ()
    unsettled: float = 0.0
    cut: bool = False
    sampled: Mapping[str, Value] = field(default_factory=dict)
    lost: Mapping[str, Missing] = field(default_factory=dict)

    @property
    def cpu_s(self) -> float:
        """Of all its runs, as measured."""
        return sum(measured_s for measured_s, _ in self.spent.values())

    @property
    def cost_s(self) -> float:
        """The same as the budget is charged; decisions rest on it."""
        return sum(charged for _, charged in self.spent.values())

    @property
    def runs(self) -> Mapping[str, AnyRun]:
        """The runs by name."""
        return self.arrangement.runs if self.arrangement else {}

    def same_runs(self, other: Outcome) -> bool:
        """Whether it rests on the same runs."""
        return [run.digest() for run in self.runs.values()] == [run.digest() for run in other.runs.values()]


def scene_values(
    scene: Scene,
    quantities: Sequence[Quantity],
    numerics: Numerics,
    materials: Mapping[str, Any],
    solver: Solver,
    known: Mapping[str, Any] | None = None,
    place: str = "",
) -> Outcome:
    """All quantities of a resolved scene, those with functions of their own last. Raises PrerequisiteError only.

    known: what another grid showed; where it leads to no value, everything is looked for anew. place: in a sweep, to be told.
    """
    trusted, free = parted(quantities)
    outcome = _trusted(scene, trusted, numerics, materials, solver, known, place)
    if len(trusted) == len(quantities):
        return outcome
    read, left = map(_or_missing, features_of(quantities, outcome.values))
    values, sampled = map(_or_missing, values_of(free, outcome.values, solver.allow_degraded))
    every = {**outcome.values, **read, **values}
    for one in quantities:  # what its parts lack for is why it has none
        lost = every.get(one.id)
        parts = [every.get(name) for name in one.parts] if isinstance(one, Made) else []
        if isinstance(lost, Missing) and (why := [part for part in parts if isinstance(part, Missing)]):
            every[one.id] = replace(lost, cause=why[0].cause)
    return replace(outcome, values=every, sampled=left | sampled)


def _or_missing(values: Mapping[str, Measured | str]) -> dict[str, Value]:
    return {name: Missing(value) if isinstance(value, str) else value for name, value in values.items()}


def _trusted(
    scene: Scene,
    quantities: Sequence[Quantity],
    numerics: Numerics,
    materials: Mapping[str, Any],
    solver: Solver,
    known: Mapping[str, Any] | None = None,
    place: str = "",
) -> Outcome:
    def one_by_one(error: Exception, used: Sequence[str] = ()) -> Outcome:
        if len(quantities) > 1:  # find out whose fault it is
            return _joined(
                [_trusted(scene, [quantity], numerics, materials, solver) for quantity in quantities]
            )
        lost = Missing(one_line(error), "not arranged")
        return Outcome({quantities[0].id: lost}, _spent(solver, used), scene=scene)

    try:
        arrangement = arrange(scene, quantities, numerics, materials, known)
    except _CANNOT as error:
        return one_by_one(error)
    raw: Raw = {}
    failed: dict[str, RunFailed] = {}
    words = f"{scene.id} {{}}, resolution {numerics.resolution:.4g}{_varied(numerics)}{place}"
    used = _solve(arrangement, raw, failed, solver, scene.id, words)
    try:
        further = refined(scene, quantities, numerics, materials, arrangement, raw)
    except _CANNOT as error:
        return one_by_one(error, used)
    if further is not None:
        arrangement = further
        used += _solve(arrangement, raw, failed, solver, scene.id, words)
    values = {quantity.id: _measured(scene, quantity, arrangement, raw, failed) for quantity in quantities}
    if known and any(isinstance(value, Missing) for value in values.values()):
        anew = _trusted(scene, quantities, numerics, materials, solver)
        return replace(anew, spent={**_spent(solver, used), **anew.spent})
    return Outcome(
        values,
        _spent(solver, used),
        arrangement,
        raw,
        scene,
        (found(scene, quantities, arrangement, raw),),
        still_to_come(arrangement, raw),
        any(np.any(data.get("stats/cut", 0)) for data in raw.values()),
    )


def _varied(numerics: Numerics) -> str:
    """What is another than usual, in words."""
    factors = (("absorber", "absorber"), ("padding", "free distances"), ("run_time", "bound on time"))
    told = [f"{words} x {factor:g}" for name, words in factors if (factor := getattr(numerics, name)) != 1]
    return "".join(f", {one}" for one in told)


def _solve(
    arrangement: Arrangement, raw: Raw, failed: dict[str, RunFailed], solver: Solver, scene: str, words: str
) -> list[str]:
    """Solve the runs that are neither in `raw` nor `failed`, into these; their digests."""
    solved = []
    waiting = {name: run for name, run in arrangement.runs.items() if name not in raw and name not in failed}
    for name, run in waiting.items():
        solver.expect(run, f"{scene} {name}")
    if (beyond := solver.beyond(waiting.values())) is not None:
        failed |= {name: beyond for name in arrangement.runs if name not in raw}
        return []
    alone = {
        name: run
        for name, run in arrangement.runs.items()
        if name not in raw and name not in failed and not _subtracted(run)
    }
    solver.ahead(
        [partial(_solve_one, run, words.format(name), f"{scene} {name}") for name, run in alone.items()],
        sum(map(cost_of, alone.values())) / max(1, len(alone)),
    )
    for name, run in arrangement.runs.items():
        if name in raw or name in failed:
            continue
        broken = [failed[other] for other in failed if arrangement.runs[other].digest() in _subtracted(run)]
        try:
            if broken:
                raise broken[0]
            raw[name] = solver.solve(run, words.format(name), f"{scene} {name}")
        except RunFailed as error:
            failed[name] = error
        solved.append(run.digest())
    return solved


def _solve_one(run: AnyRun, words: str, alike: str, solver: Solver) -> None:
    solver.solve(run, words, alike)


def _spent(solver: Solver, digests: Sequence[str]) -> dict[str, tuple[float, float]]:
    return {digest: (solver.kept.get(digest, 0.0), solver.costs.get(digest, 0.0)) for digest in digests}


def spent_by(outcomes: Sequence[Outcome]) -> dict[str, tuple[float, float]]:
    """What the runs of several outcomes cost; a run that they share counts once."""
    return {digest: cost for outcome in outcomes for digest, cost in outcome.spent.items()}


def measured(outcome: Outcome, quantity: Quantity, raw: Raw | None = None) -> Value:
    """A quantity of an outcome again, from other raw data."""
    if outcome.arrangement is None or outcome.scene is None:
        return Missing("nothing was arranged")
    return _measured(outcome.scene, quantity, outcome.arrangement, outcome.raw if raw is None else raw, {})


def _measured(
    scene: Scene, quantity: Quantity, arrangement: Arrangement, raw: Raw, failed: Mapping[str, RunFailed]
) -> Value:
    try:
        found = measure(scene, quantity, arrangement, raw)
    except NotMeasured as error:
        return Missing(one_line(error), "numerics" if unsettled(raw) else "not measured")
    except (KeyError, IndexError, ValueError, ArithmeticError, np.linalg.LinAlgError) as error:
        if failed:
            first = next(iter(failed.values()))
            return Missing(one_line(first), first.failure.failure_class)
        return Missing(f"its reducer failed: {type(error).__name__}: {one_line(error)}")
    finite = (
        np.isfinite(found.value)
        if isinstance(found, Scalar)
        else bool(len(found.y)) and np.all(np.isfinite(found.y))
    )
    return found if finite else Missing("its value is not finite", "numerics")


def _joined(outcomes: Sequence[Outcome]) -> Outcome:
    good = next((outcome for outcome in outcomes if outcome.arrangement is not None), outcomes[0])
    values = {name: value for outcome in outcomes for name, value in outcome.values.items()}
    return replace(
        good,
        values=values,
        spent=spent_by(outcomes),
        unsettled=max(outcome.unsettled for outcome in outcomes),
        cut=any(outcome.cut for outcome in outcomes),
    )


def _subtracted(run: AnyRun) -> set[str]:
    return {digest for digest, _ in getattr(run, "subtract", {}).values()}


def one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:500]
