"""Values of a description's quantities for given parameter values and numerics: arranged, solved, measured.

One failing quantity never takes others with it: what gave no value is `Missing`, with its cause.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from schemas.errors import ReproLabError
from simkit.arrange import Arrangement, Needs, Numerics, arrange, found, known_after, needs, refined
from simkit.describe.measured import Measured as Measure
from simkit.describe.problem import Problem, Sweep
from simkit.describe.scene import Quantity, Scene
from simkit.runs import AnyRun
from tasks.reproduce.describing.in_sandbox import Description, DescriptionRefused
from tasks.reproduce.measuring import (
    COUNT,
    Curve,
    Map,
    Measured,
    NotMeasured,
    Raw,
    Scalar,
    measure,
    still_to_come,
)
from tasks.reproduce.measuring.unsettled import unsettled
from tasks.reproduce.solving.one_run import Budget, RunFailed, Solver
from tasks.reproduce.solving.run_cost import cost_of
from tasks.reproduce.uncertainty.free import parted, values_of
from tasks.reproduce.uncertainty.ladder import LITTLE, fitting

__all__ = ["Budget", "Group", "Missing", "Outcome", "Solver", "groups_of", "scene_values"]
SWEEP_POINTS = 9


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

    cpu_s: of all its runs, as measured (kept ones as well). cost_s: as the budget is charged for them; decisions rest on it.
    known: what another grid can start from, for each point of a sweep (one for a scene). unsettled: share of the fields that
    was still to come when runs ended that had not settled. cut: whether one of them ended because its CPU time was used up.
    """

    values: Mapping[str, Value]
    cpu_s: float = 0.0
    cost_s: float = 0.0
    arrangement: Arrangement | None = None
    raw: Raw = field(default_factory=dict)
    scene: Scene | None = None
    known: tuple[Mapping[str, Any], ...] = ()
    unsettled: float = 0.0
    cut: bool = False

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
) -> Outcome:
    """All quantities of a resolved scene, those with functions of their own last. Raises PrerequisiteError only.

    known: what another grid showed; where it leads to no value, everything is looked for anew.
    """
    trusted, free = parted(quantities)
    outcome = _trusted(scene, trusted, numerics, materials, solver, known)
    return (
        replace(outcome, values={**outcome.values, **_free(free, outcome.values, solver)})
        if free
        else outcome
    )


def _free(free: Sequence[Measure], values: Mapping[str, Value], solver: Solver) -> dict[str, Value]:
    return {
        name: Missing(value) if isinstance(value, str) else value
        for name, value in values_of(free, values, solver.allow_degraded).items()
    }


def _trusted(
    scene: Scene,
    quantities: Sequence[Quantity],
    numerics: Numerics,
    materials: Mapping[str, Any],
    solver: Solver,
    known: Mapping[str, Any] | None = None,
) -> Outcome:
    try:
        arrangement = arrange(scene, quantities, numerics, materials, known)
    except (ReproLabError, ValueError, ArithmeticError, KeyError, StopIteration) as error:
        if len(quantities) > 1:  # find out whose fault it is
            return _joined(
                [_trusted(scene, [quantity], numerics, materials, solver) for quantity in quantities]
            )
        return Outcome({quantities[0].id: Missing(_one_line(error), "not arranged")}, scene=scene)
    raw: Raw = {}
    failed: dict[str, RunFailed] = {}
    words = f"{scene.id} {{}}, resolution {numerics.resolution:g}"
    used = _solve(arrangement, raw, failed, solver, scene.id, words)
    if (further := refined(scene, quantities, numerics, materials, arrangement, raw)) is not None:
        arrangement = further
        used += _solve(arrangement, raw, failed, solver, scene.id, words)
    values = {quantity.id: _measured(scene, quantity, arrangement, raw, failed) for quantity in quantities}
    if known and any(isinstance(value, Missing) for value in values.values()):
        anew = _trusted(scene, quantities, numerics, materials, solver)
        return replace(
            anew, cpu_s=anew.cpu_s + _sum(solver.kept, used), cost_s=anew.cost_s + _sum(solver.costs, used)
        )
    return Outcome(
        values,
        _sum(solver.kept, used),
        _sum(solver.costs, used),
        arrangement,
        raw,
        scene,
        (found(scene, quantities, arrangement, raw),),
        still_to_come(arrangement, raw),
        any(np.any(data.get("stats/cut", 0)) for data in raw.values()),
    )


def _with_solver(ask: Callable[..., Outcome], solver: Solver) -> Outcome:
    return ask(solver=solver)


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


def _sum(seconds: Mapping[str, float], digests: Sequence[str]) -> float:
    return sum(seconds.get(digest, 0.0) for digest in digests)


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
        return Missing(_one_line(error), "numerics" if unsettled(raw) else "not measured")
    except (KeyError, IndexError, ValueError, ArithmeticError, np.linalg.LinAlgError) as error:
        if failed:
            first = next(iter(failed.values()))
            return Missing(_one_line(first), first.failure.failure_class)
        return Missing(f"its reducer failed: {type(error).__name__}: {_one_line(error)}")
    finite = (
        np.isfinite(found.value)
        if isinstance(found, Scalar)
        else bool(len(found.y)) and np.all(np.isfinite(found.y))
    )
    return found if finite else Missing("its value is not finite", "numerics")


@dataclass(frozen=True)
class Group:
    """What is evaluated together: the quantities of a scene, or one sweep (its points: values of one parameter).

    rungs: grids of its ladder so far, pixels per unit, of the thinnest film or narrowest gap of all points; each point has its own
    beside them (`_grids`).
    """

    name: str
    description: Description
    materials: Mapping[str, Any]
    ids: tuple[str, ...]
    sweep: Sweep | None = None
    points: tuple[float, ...] = ()
    rungs: tuple[float, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether it is a sweep over whole numbers: what a count is swept over has nothing between its points."""
        return self.sweep is not None and self.sweep.parameter in self.description.counted

    def quantities(self, problem: Problem) -> list[Quantity]:
        """The quantities that are measured."""
        wanted = {self.sweep.of} if self.sweep else set(self.ids)
        wanted |= {
            name for q in problem.quantities if isinstance(q, Measure) and q.id in wanted for name in q.of
        }
        return [quantity for quantity in problem.quantities if quantity.id in wanted]

    def needs(self) -> Needs:
        """What the grid must be like, for all points."""
        found = [
            needs(self.scene(problem), self.materials, self.quantities(problem))
            for problem in self._problems({})
        ]
        return Needs(max(need.resolution for need in found), found[-1].whole)

    def evaluate(
        self,
        numerics: Numerics,
        solver: Solver,
        changed: Mapping[str, float] | None = None,
        materials: Mapping[str, Any] | None = None,
        known: Sequence[Mapping[str, Any]] = (),
    ) -> Outcome:
        """Values for these numerics; `changed`: parameter values in base units; materials: instead of the confirmed ones;
        known: of an outcome with the same parameters and points."""
        media = self.materials if materials is None else materials
        try:
            problems = self._problems(changed or {})
        except DescriptionRefused as error:
            return Outcome({name: Missing(_one_line(error), "not described") for name in self.ids})
        start = known if len(known) == len(problems) else [None] * len(problems)
        grids = [replace(numerics, resolution=own) for own in self._grids(numerics.resolution)]
        asked = [
            partial(scene_values, self.scene(problem), self.quantities(problem), grid, media, known=one)
            for problem, grid, one in zip(problems, grids, start, strict=True)
        ]
        outcomes = [asked[0](solver=solver)]
        solver.ahead([partial(_with_solver, one) for one in asked[1:]], outcomes[0].cost_s)
        outcomes += [one(solver=solver) for one in asked[1:]]
        return outcomes[0] if self.sweep is None else self.as_curve(outcomes)

    def begins(self, numerics: Numerics) -> list[str]:
        """Digests of the runs that it begins with, before any of them has shown anything; none where nothing can be arranged."""
        found = []
        for problem, own in zip(self._problems({}), self._grids(numerics.resolution), strict=True):
            grid = replace(numerics, resolution=own)
            try:
                made = arrange(self.scene(problem), self.quantities(problem), grid, self.materials)
            except (ReproLabError, ValueError, ArithmeticError, KeyError, StopIteration):
                return []
            found += [run.digest() for run in made.runs.values()]
        return found

    def _grids(self, resolution: float) -> list[float]:
        """Each point's grid at a rung of the ladder. Of plain films: from the coarsest that it needs itself, each step at least
        as long as the ladder's, so that an error judged by these is no smaller than it is."""
        problems = self._problems({})
        if self.sweep is None or resolution not in self.rungs:
            return [resolution for _ in problems]
        steps = self.rungs[: self.rungs.index(resolution) + 1]
        grids = []
        for problem in problems:
            need = needs(self.scene(problem), self.materials, self.quantities(problem))
            if not need.alone:
                return [resolution for _ in problems]
            own = min(steps[0], fitting(need.whole, need.resolution))
            for before, rung in itertools.pairwise(steps):
                own = fitting(need.whole, own * rung / before, LITTLE)
            grids.append(own)
        return grids

    def evaluate_moved(
        self, outcome: Outcome, numerics: Numerics, solver: Solver, parameter: str, value: float
    ) -> Outcome:
        """Values with one parameter (base units) changed, starting from what `outcome` of the declared ones knows."""
        declared = self.description.parameters.values()[parameter]
        share = abs(value / declared - 1) if declared else math.inf
        start = [
            known_after(outcome.scene, known, share) if outcome.scene is not None else {}
            for known in outcome.known
        ]
        return self.evaluate(numerics, solver, {parameter: value}, known=start)

    def with_rung(self, resolution: float) -> Group:
        """The same with one more rung of its ladder."""
        return replace(self, rungs=(*self.rungs, resolution))

    def with_points(self, points: Sequence[float]) -> Group:
        """The same sweep at other points."""
        return replace(self, points=tuple(sorted(points)))

    def _problems(self, changed: Mapping[str, float]) -> list[Problem]:
        if self.sweep is None:
            return [self.description.resolved(changed)]
        return [self.description.resolved({**changed, self.sweep.parameter: x}) for x in self.points]

    def scene(self, problem: Problem) -> Scene:
        """The scene that is simulated."""
        first = self.quantities(problem)[0]
        return problem.scene(first.scene)

    def as_curve(self, outcomes: Sequence[Outcome]) -> Outcome:
        """The sweep's curve from the outcome of each point (one without a value is left out), or the map of its spectra."""
        assert self.sweep is not None
        values = [outcome.values[self.sweep.of] for outcome in outcomes]
        spent = sum(outcome.cpu_s for outcome in outcomes), sum(outcome.cost_s for outcome in outcomes)
        values = [
            Scalar(float(v.y[0]), v.power) if isinstance(v, Curve) and len(v.y) == 1 else v for v in values
        ]
        if any(isinstance(value, Curve) for value in values):
            return self._as_map(values, outcomes, spent)
        good = [(x, value) for x, value in zip(self.points, values, strict=True) if isinstance(value, Scalar)]
        if len(good) < max(2 if self.whole else 3, len(values) - 1):
            reason = next(
                (
                    f"at {self.sweep.parameter} = {x:g}: {value.reason}"
                    for x, value in zip(self.points, values, strict=True)
                    if isinstance(value, Missing)
                ),
                "no single numbers",
            )
            return Outcome({self.sweep.id: Missing(reason)}, *spent)
        x = np.array([point for point, _ in good])
        curve = Curve(
            x,
            np.array([value.value for _, value in good]),
            COUNT if self.whole else "parameter",
            good[0][1].power,
        )
        return self._swept(curve, outcomes, spent)

    def _as_map(
        self, values: Sequence[Value], outcomes: Sequence[Outcome], spent: tuple[float, float]
    ) -> Outcome:
        """The spectra of all points side by side; on the frequencies of the first."""
        assert self.sweep is not None
        curves = [value for value in values if isinstance(value, Curve)]
        lost = next(
            (
                f"at {self.sweep.parameter} = {x:g}: {value.reason}"
                for x, value in zip(self.points, values, strict=True)
                if isinstance(value, Missing)
            ),
            "",
        )
        first = curves[0]
        if not lost and any(
            c.x.shape != first.x.shape or not np.allclose(c.x, first.x, rtol=1e-6, atol=0) for c in curves
        ):
            lost = f"its band changes with {self.sweep.parameter}; a map needs one band"
        if lost:
            return Outcome({self.sweep.id: Missing(lost)}, *spent)
        found = Map.of(
            (first.x, np.array(self.points)),
            np.column_stack([c.y for c in curves]),
            (first.axis, self.sweep.parameter),
            (first.axis, COUNT if self.whole else "parameter"),
            first.power,
        )
        return self._swept(found, outcomes, spent)

    def _swept(self, curve: Curve, outcomes: Sequence[Outcome], spent: tuple[float, float]) -> Outcome:
        assert self.sweep is not None
        known = tuple(outcome.known[0] if outcome.known else {} for outcome in outcomes)
        return Outcome(
            {self.sweep.id: curve},
            *spent,
            outcomes[0].arrangement,
            outcomes[0].raw,
            outcomes[0].scene,
            known,
            max(
                outcome.unsettled
                for outcome in outcomes
                if not isinstance(outcome.values[self.sweep.of], Missing)
            ),
            any(outcome.cut for outcome in outcomes),
        )


def groups_of(description: Description, materials: Mapping[str, Any]) -> list[Group]:
    """The scenes with their quantities, then the sweeps."""
    problem = description.problem
    groups = [
        Group(
            scene.id, description, materials, tuple(q.id for q in problem.quantities if q.scene == scene.id)
        )
        for scene in problem.scenes
    ]
    plain = description.resolved()
    for sweep in plain.sweeps:
        group = Group(sweep.id, description, materials, (sweep.id,), sweep)
        low, high = sorted((float(sweep.low), float(sweep.high)))
        points = description.whole(sweep.parameter) if group.whole else np.linspace(low, high, SWEEP_POINTS)
        groups.append(group.with_points([float(x) for x in points]))
    return groups


def _joined(outcomes: Sequence[Outcome]) -> Outcome:
    good = next((outcome for outcome in outcomes if outcome.arrangement is not None), outcomes[0])
    values = {name: value for outcome in outcomes for name, value in outcome.values.items()}
    return replace(
        good,
        values=values,
        cpu_s=sum(outcome.cpu_s for outcome in outcomes),
        unsettled=max(outcome.unsettled for outcome in outcomes),
        cut=any(outcome.cut for outcome in outcomes),
        cost_s=sum(outcome.cost_s for outcome in outcomes),
    )


def _subtracted(run: AnyRun) -> set[str]:
    return {digest for digest, _ in getattr(run, "subtract", {}).values()}


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:500]
