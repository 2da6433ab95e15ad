"""What of a description is evaluated together: a scene with its quantities, or the points of sweeps."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from schemas.errors import ReproLabError
from simkit.arrange import Needs, Numerics, arrange, known_after, needs
from simkit.describe.document import used
from simkit.describe.measured import Made
from simkit.describe.problem import Problem, Sweep, quantity_of
from simkit.describe.scene import Quantity, Scene
from simkit.runs import AnyRun
from tasks.reproduce.describing.in_sandbox import Description, DescriptionRefused
from tasks.reproduce.measuring import COUNT, Curve, Map, Scalar
from tasks.reproduce.solving.one_run import Solver
from tasks.reproduce.solving.steady_grid import steady
from tasks.reproduce.solving.varying import Missing, Outcome, Value, one_line, scene_values, spent_by
from tasks.reproduce.uncertainty.ladder import LITTLE, fitting

SWEEP_POINTS = 9
_PLAIN = str.maketrans({".": "_", "-": "m", "+": "_"})
MUCH_FINER = 1.25  # than half of a sweep's points need: not asked of all of them


@dataclass(frozen=True)
class Group:
    """What is evaluated together: the quantities of a scene, or sweeps of it over one parameter (its points: values of that).

    rungs: grids of its ladder so far, pixels per unit, of the thinnest film or narrowest gap of all points; each point has its own
    beside them (`_grids`).
    """

    name: str
    description: Description
    materials: Mapping[str, Any]
    ids: tuple[str, ...]
    sweeps: tuple[Sweep, ...] = ()
    points: tuple[float, ...] = ()
    rungs: tuple[float, ...] = ()

    @property
    def sweep(self) -> Sweep | None:
        """One of its sweeps, for what they have in common: the parameter and its range."""
        return self.sweeps[0] if self.sweeps else None

    def of(self, name: str) -> str:
        """The quantity that is called so, or that the sweep of that name is made of."""
        return next((sweep.of for sweep in self.sweeps if sweep.id == name), name)

    @property
    def rests_on(self) -> frozenset[str]:
        """Ids of the parameters that its values rest on: neither the one that it is swept over nor where sweeps begin and end."""
        plain = {key: value for key, value in self.description.parametric.items() if key != "sweeps"}
        swept = frozenset() if self.sweep is None else frozenset({self.sweep.parameter})
        return used(plain, self.description.parameters) - swept

    @property
    def whole(self) -> bool:
        """Whether it is a sweep over whole numbers: what a count is swept over has nothing between its points."""
        return self.sweep is not None and self.sweep.parameter in self.description.counted

    def quantities(self, problem: Problem) -> list[Quantity]:
        """The quantities that are measured."""
        wanted = {self.of(name) for name in self.ids}
        wanted |= {
            name for q in problem.quantities if isinstance(q, Made) and q.id in wanted for name in q.parts
        }
        return [quantity for quantity in problem.quantities if quantity.id in wanted]

    def arranged(self, problem: Problem) -> list[Quantity]:
        """These and what other sweeps of the scene over the same parameter measure, so that all of them share their runs."""
        own = self.quantities(problem)
        if self.sweep is None:
            return own
        scene, kinds = own[0].scene, {q.id: q for q in problem.quantities}
        beside = {s.of for s in problem.sweeps if s.parameter == self.sweep.parameter} - {
            s.of for s in self.sweeps
        }
        for quantity in [kinds[name] for name in beside]:
            beside |= set(quantity.parts) if isinstance(quantity, Made) else set()
        taken = {q.id for q in own} | {
            name for name in beside if kinds[name].scene == scene and not isinstance(kinds[name], Made)
        }
        return [quantity for quantity in problem.quantities if quantity.id in taken]

    def needs(self) -> Needs:
        """What the grid must be like, for all points; of patterns for all but the few that need a much finer one (`_grids`)."""
        found = self._needs
        usual = math.inf if found[0].alone else MUCH_FINER * statistics.median(n.resolution for n in found)
        return replace(found[-1], resolution=max(n.resolution for n in found if n.resolution <= usual))

    @cached_property
    def _needs(self) -> list[Needs]:
        return [
            steady(needs(self.scene(problem), self.materials, self.arranged(problem)), self.scene(problem))
            for problem in self._problems({})
        ]

    def evaluate(
        self,
        numerics: Numerics,
        solver: Solver,
        changed: Mapping[str, float] | None = None,
        materials: Mapping[str, Any] | None = None,
        known: Sequence[Mapping[str, Any]] = (),
        told: str = "",
    ) -> Outcome:
        """Values for these numerics; `changed`: parameter values in base units; materials: instead of the confirmed ones;
        known: of an outcome with the same parameters and points; told: what it is for, to be said while it is solved."""
        media = self.materials if materials is None else materials
        try:
            problems = self._problems(changed or {})
        except DescriptionRefused as error:
            return Outcome({name: Missing(one_line(error), "not described") for name in self.ids})
        start = known if len(known) == len(problems) else [None] * len(problems)
        grids = [replace(numerics, resolution=own) for own in self._grids(numerics.resolution)]
        if every := self._at_once(problems, grids):
            whole = scene_values(
                self.scene(problems[0]),
                [quantity for own in every for quantity in own.values()],
                grids[0],
                media,
                known=start[0],
                solver=solver,
                place=f"{told}, {len(problems)} points at once",
            )
            return self.as_curve(
                [
                    replace(whole, values={name: whole.values[quantity.id] for name, quantity in own.items()})
                    for own in every
                ]
            )
        asked = [
            partial(
                scene_values,
                self.scene(problem),
                self.arranged(problem),
                grid,
                media,
                known=one,
                place=f"{told}, point {number} of {len(problems)}" if self.sweep else told,
            )
            for number, (problem, grid, one) in enumerate(zip(problems, grids, start, strict=True), 1)
        ]
        first, further = asked[0](solver=solver), [partial(_with_solver, one) for one in asked[1:]]
        with solver.finishing(len(further), first.cost_s):
            solver.ahead(further, first.cost_s)
            outcomes = [first, *(one(solver) for one in further)]
        return first if self.sweep is None else self.as_curve(outcomes)

    def begins(self, numerics: Numerics) -> list[str]:
        """Digests of the runs that it begins with."""
        return [run.digest() for _, run in self.runs_at(numerics)]

    def coarsest(self) -> list[tuple[str, AnyRun]]:
        """Its runs on the first grid, with their names."""
        try:
            first = fitting(self.needs())
        except (ReproLabError, ValueError, ArithmeticError, KeyError):
            return []
        return self.with_rung(first).runs_at(Numerics(resolution=first))

    def runs_at(self, numerics: Numerics) -> list[tuple[str, AnyRun]]:
        """Runs with their names, before any of them has shown anything; none where nothing can be arranged."""
        found, problems = [], self._problems({})
        grids = [replace(numerics, resolution=own) for own in self._grids(numerics.resolution)]
        asked = [self.arranged(problem) for problem in problems]
        if every := self._at_once(problems, grids):
            asked = [[quantity for own in every for quantity in own.values()]]
        for number, quantities in enumerate(asked):
            try:
                made = arrange(self.scene(problems[number]), quantities, grids[number], self.materials)
            except (ReproLabError, ValueError, ArithmeticError, KeyError, StopIteration):
                return []
            place = (
                f", {self.sweep.parameter} = {self.points[number]:.4g}" if self.sweep and not every else ""
            )
            found += [(f"{name}{place}", run) for name, run in made.runs.items()]
        return found

    @property
    def same_scene(self) -> bool:
        """Whether it is a sweep that changes only what is measured: all of its points come from the same fields."""
        return bool(self._at_once(self._problems({}), [Numerics(1.0)] * len(self.points)))

    def _at_once(self, problems: Sequence[Problem], grids: Sequence[Numerics]) -> list[dict[str, Quantity]]:
        """What each point of a sweep that changes only what is measured asks of the scene, by its name; what is measured at once bears
        names of its own but at the first. Empty where the points differ in more."""
        if self.sweep is None or len(problems) < 2 or len(set(grids)) > 1:
            return []
        first, arranged = self.scene(problems[0]), [self.arranged(problem) for problem in problems]
        if any(isinstance(q, Made) for q in arranged[0]) or any(
            self.scene(problem) != first for problem in problems[1:]
        ):
            return []
        names = ["", *(f"_at_{x:.12g}".translate(_PLAIN) for x in self.points[1:])]
        return [
            {q.id: q.model_copy(update={"id": f"{q.id}{name}"}) for q in own}
            for name, own in zip(names, arranged, strict=True)
        ]

    def _grids(self, resolution: float) -> list[float]:
        """Each point's grid at a rung of the ladder: the same, so that the curve is smooth, or one two, three ... times finer where
        a point needs a much finer one (a film that is swept begins thin). Of plain films: from the coarsest that it needs itself, each
        step at least as long as the ladder's, so that an error judged by these is no smaller than it is."""
        found = self._needs
        if self.sweep is None or resolution not in self.rungs:
            return [resolution for _ in found]
        steps = self.rungs[: self.rungs.index(resolution) + 1]
        grids = []
        for need in found:
            if not need.alone:
                usual = MUCH_FINER * steps[0]
                return [resolution * max(1, math.ceil(need.resolution / usual - 1e-9)) for need in found]
            own = min(steps[0], fitting(need))
            for before, rung in itertools.pairwise(steps):
                own = fitting(need, own * rung / before, LITTLE)
            grids.append(own)
        return grids

    def evaluate_moved(
        self,
        outcome: Outcome,
        numerics: Numerics,
        solver: Solver,
        parameter: str,
        value: float,
        told: str = "",
    ) -> Outcome:
        """Values with one parameter (base units) changed, starting from what `outcome` of the declared ones knows."""
        declared = self.description.parameters.values()[parameter]
        share = abs(value / declared - 1) if declared else math.inf
        start = [
            known_after(outcome.scene, known, share) if outcome.scene is not None else {}
            for known in outcome.known
        ]
        return self.evaluate(numerics, solver, {parameter: value}, known=start, told=told)

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
        """The sweeps' curves from the outcome of each point (one without a value is left out), or the maps of their spectra."""
        values: dict[str, Value] = {}
        sampled: dict[str, Value] = {}
        lost: dict[str, Missing] = {}
        for sweep in self.sweeps:
            own = [_number_of_one(outcome.values[sweep.of]) for outcome in outcomes]
            if any(isinstance(value, Curve) for value in own):
                values[sweep.id] = self._map(own)
                continue
            values[sweep.id] = curve = self._curve(own)
            if isinstance(curve, Curve):
                sampled |= self._sampled(sweep, curve, outcomes)
                if (point := self._lost(own)) is not None:
                    lost[sweep.id] = point
        spent, measured = spent_by(outcomes), {s.of for s in self.sweeps if isinstance(values[s.id], Curve)}
        if not measured:
            return Outcome(values, spent)
        return Outcome(
            values,
            spent,
            outcomes[0].arrangement,
            outcomes[0].raw,
            outcomes[0].scene,
            tuple(outcome.known[0] if outcome.known else {} for outcome in outcomes),
            max(
                outcome.unsettled
                for outcome in outcomes
                if any(not isinstance(outcome.values[name], Missing) for name in measured)
            ),
            any(outcome.cut for outcome in outcomes),
            sampled,
            lost,
        )

    def _curve(self, values: Sequence[Value]) -> Curve | Missing:
        """Numbers of all points as a curve. Between whole numbers nothing stands in for the one that is lost."""
        assert self.sweep is not None
        good = [(x, value) for x, value in zip(self.points, values, strict=True) if isinstance(value, Scalar)]
        between = self.whole and not all(isinstance(value, Scalar) for value in values[1:-1])
        if between or len(good) < max(2 if self.whole else 3, len(values) - 1):
            return self._lost(values) or Missing("no single numbers")
        return Curve(
            np.array([point for point, _ in good]),
            np.array([value.value for _, value in good]),
            COUNT if self.whole else "parameter",
            good[0][1].power,
        )

    def _lost(self, values: Sequence[Value]) -> Missing | None:
        """The first point without a value, and why; None where all have one."""
        assert self.sweep is not None
        lost = ((x, v) for x, v in zip(self.points, values, strict=True) if isinstance(v, Missing))
        at = self.sweep.parameter
        return next((replace(value, reason=f"at {at} = {x:g}: {value.reason}") for x, value in lost), None)

    def _sampled(self, sweep: Sweep, curve: Curve, outcomes: Sequence[Outcome]) -> dict[str, Value]:
        """A curve with what the samples of the spectra under it leave open; nothing where it has none under it."""
        there = [
            outcome.sampled[sweep.of]
            for x, outcome in zip(self.points, outcomes, strict=True)
            if sweep.of in outcome.sampled and x in curve.x
        ]
        if not there:
            return {}
        if isinstance(lost := next((v for v in there if not isinstance(v, Scalar)), None), Missing):
            return {sweep.id: lost}
        values = [value.value for value in there if isinstance(value, Scalar)]
        return {sweep.id: replace(curve, y=np.array(values))}

    def _map(self, values: Sequence[Value]) -> Curve | Missing:
        """The spectra of all points side by side; on the frequencies of the first."""
        assert self.sweep is not None
        curves = [value for value in values if isinstance(value, Curve)]
        first, lost = curves[0], self._lost(values)
        if lost is None and any(
            c.x.shape != first.x.shape or not np.allclose(c.x, first.x, rtol=1e-6, atol=0) for c in curves
        ):
            lost = Missing(f"its band changes with {self.sweep.parameter}; a map needs one band")
        if lost is not None:
            return lost
        return Map.of(
            (first.x, np.array(self.points)),
            np.column_stack([c.y for c in curves]),
            (first.axis, self.sweep.parameter),
            (first.axis, COUNT if self.whole else "parameter"),
            first.power,
        )


def _number_of_one(value: Value) -> Value:
    """A spectrum at one wavelength as a number."""
    return Scalar(float(value.y[0]), value.power) if isinstance(value, Curve) and len(value.y) == 1 else value


def groups_of(description: Description, materials: Mapping[str, Any]) -> list[Group]:
    """The scenes with their quantities, then the sweeps, those of a scene over one parameter from and to the same values together:
    they share their runs. What only sweeps answer is not solved on its own as well."""
    problem = description.problem
    swept = _only_swept(problem)
    alone = {
        scene.id: tuple(q.id for q in problem.quantities if q.scene == scene.id and q.id not in swept)
        for scene in problem.scenes
    }
    groups = [Group(scene, description, materials, names) for scene, names in alone.items() if names]
    plain = description.resolved()
    together: dict[tuple[str, str, float, float], list[Sweep]] = {}
    for sweep in plain.sweeps:
        scene = quantity_of(plain, sweep.of).scene
        low, high = sorted((float(sweep.low), float(sweep.high)))
        together.setdefault((scene, sweep.parameter, low, high), []).append(sweep)
    for (_, parameter, low, high), sweeps in together.items():
        ids = tuple(sweep.id for sweep in sweeps)
        group = Group(ids[0], description, materials, ids, tuple(sweeps))
        points = description.whole(parameter) if group.whole else np.linspace(low, high, SWEEP_POINTS)
        groups.append(group.with_points([float(x) for x in points]))
    return groups


def _only_swept(problem: Problem) -> set[str]:
    """Quantities that answer no target while sweeps of them do, and what these are functions of."""
    answering = [sweep.of for sweep in problem.sweeps if sweep.answers]
    functions = {q.id: set(q.parts) for q in problem.quantities if isinstance(q, Made)}
    below = set(answering).union(*(functions.get(name, set()) for name in answering))
    wanted = {q.id for q in problem.quantities if q.answers or q.id not in below}
    wanted |= {name for function in wanted for name in functions.get(function, set())}
    return below - wanted


def _with_solver(ask: Callable[..., Outcome], solver: Solver) -> Outcome:
    found = ask(solver=solver)
    solver.one_less()
    return found
