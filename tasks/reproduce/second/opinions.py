"""The second solver's opinion of what was measured: at a few points of a curve, with both uncertainties, and whether both agree."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schemas.reproduce.planning.plan import Plan, Stage
from schemas.reproduce.simulations.numerics import QuantityResult, SecondOpinion, StudyResult, Truncation
from simkit.describe.measured import Made
from simkit.describe.scene import Quantity
from tasks.limited import limited
from tasks.reproduce.measuring import Curve, Map, Scalar
from tasks.reproduce.second.plain_cells import NotSolved
from tasks.reproduce.second.truncations import METHODS, Climbed, Method, least_s, method_of, truncated
from tasks.reproduce.solving.groups import Group
from tasks.reproduce.uncertainty.climbed import Climb
from tasks.reproduce.uncertainty.error_parts import on_grids, parts_of, total
from tasks.reproduce.uncertainty.free import behind

Array = NDArray[np.float64]
Say = Callable[[str], None]
SWEPT, ALONE = 7, 41  # points of a sweep, its highest and lowest besides; of a spectrum by hand
WANTED = 0.005  # of the value, where the first solver knows it better
TELLING = 0.1  # of its largest value: what is known worse agrees with anything
AGREED = 0.95  # of a curve's points that must agree, as with a theory
CHEAP_S, CHEAP_SHARE = 60.0, 0.5  # CPU seconds that an opinion may take, or that share of the first solver's
IRREGULAR_S, IRREGULAR_SHARE = 300.0, 2.0  # the same where the ladder of grids has no order


@dataclass(frozen=True)
class Asked:
    """A quantity at some of its points: scenes to solve, each at its frequencies, and which of the points they are."""

    scenes: tuple[tuple[Any, Quantity, tuple[float, ...]], ...]
    places: Array | None  # x, (n,); None of a number
    index: NDArray[np.int64]


def answering(plan: Plan, stage: Stage, study: StudyResult) -> tuple[frozenset[str], frozenset[str]]:
    """(what carries the plan's claim, what answers its other targets) of a stage's quantities.

    What fails later was asked as what agrees: only a target's part in the plan and the first solver's ladder of grids decide how much
    an opinion may cost, no value.
    """
    roles = {target.target_id: plan.role(stage, target) for target in stage.numeric_targets}
    claim = {q.id for q in study.quantities if any(roles.get(name) == "claim" for name in q.answers)}
    others = {q.id for q in study.quantities if any(name in roles for name in q.answers)} - claim
    return frozenset(claim), frozenset(others)


def is_irregular(result: QuantityResult) -> bool:
    """Whether the first solver's ladder of grids has no order."""
    return len(result.rungs) > 2 and result.observed_order is None


def budget_s(made: Climb, result: QuantityResult) -> float:
    """CPU seconds that an opinion may cost: cheap beside the first solver, more where its ladder is irregular.

    No value takes part in it, neither ours nor the paper's.
    """
    first = sum(outcome.cost_s for _, outcome in made.outcomes)
    floor, share = (IRREGULAR_S, IRREGULAR_SHARE) if is_irregular(result) else (CHEAP_S, CHEAP_SHARE)
    return max(floor, share * first)


def with_opinions(
    study: StudyResult,
    climbs: Sequence[Climb],
    materials: Mapping[str, Any],
    asked: Collection[str],
    beside: Collection[str] = (),
    *,
    allow_degraded: bool = False,
    most_s: float | None = None,
    say: Say | None = None,
    enough: Callable[[], bool] = bool,
) -> StudyResult:
    """The study with a second solver's opinion of each quantity that is asked for and that one solves.

    A quantity with a theory beside it needs none. most_s: CPU seconds of each; otherwise `budget_s`. beside: asked for after these,
    and those of one scene share one such limit where their ladder is regular. enough: whether a person said that what is there is
    enough: then no further one is asked.
    """
    found: dict[str, SecondOpinion] = {}
    results = {q.id: q for q in study.quantities if q.status != "no value" and q.oracle is None}
    for made in climbs:
        shared_s = 0.0
        own = [name for name in made.group.ids if name in asked]
        more = [name for name in made.group.ids if name in beside and name not in asked]
        for name in [name for name in (*own, *more) if name in results]:
            if enough():
                if say is not None:
                    say(f"not asked of {name}: a person said that it is enough")
                continue
            sharing = name in more and not is_irregular(results[name])
            limit = budget_s(made, results[name]) if most_s is None else most_s
            opinion = opinion_of(
                made,
                results[name],
                materials,
                max(0.0, limit - shared_s) if sharing else limit,
                allow_degraded=allow_degraded,
                say=say,
            )
            if opinion is not None:
                found[name] = opinion
                shared_s += opinion.cpu_s if sharing else 0.0
    if not found:
        return study
    quantities = tuple(
        q.model_copy(update={"second": found[q.id]}) if q.id in found else q for q in study.quantities
    )
    return study.model_copy(
        update={"quantities": quantities, "cpu_s": study.cpu_s + sum(one.cpu_s for one in found.values())}
    )


def opinion_of(
    made: Climb,
    result: QuantityResult,
    materials: Mapping[str, Any],
    most_s: float,
    *,
    allow_degraded: bool = False,
    say: Say | None = None,
) -> SecondOpinion | None:
    """The opinion of one quantity or sweep; None of what it does not solve. Whatever fails is said and costs nothing else."""
    variants = made.variants[result.id]
    parts, _, points = parts_of(variants)
    told = on_grids(variants).value
    if isinstance(told, Map) or isinstance(behind(made.group.description.problem, result.id), Made):
        return None
    known = np.array([total(parts) or 0.0]) if isinstance(told, Scalar) else points
    sure = result.uncertainty is not None and known is not None
    method = METHODS["fmm"]
    try:
        method = method_of(scene_of(made.group, result.id))
        asked = asked_of(made.group, result.id, told, method.POINTS)
        if any(method.refused(scene, quantity, materials) for scene, quantity, _ in asked.scenes):
            return None
        first = np.array([told.value]) if isinstance(told, Scalar) else told.y[asked.index]
        doubt = known[asked.index] if sure and known is not None else np.zeros(len(asked.index))
        values, left, truncations, ended = limited(
            lambda: solved(asked, materials, float(np.max(doubt)), most_s, allow_degraded, say),
            "the second solver's opinion",
            cpu_s=max(600.0, most_s),
        )
    except NotSolved as error:
        return SecondOpinion(solver=method.NAME, reason=str(error))
    except Exception as error:  # noqa: BLE001  a second opinion is no reason to end
        return SecondOpinion(
            solver=method.NAME, reason=f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        )
    together, gap = doubt + left, np.abs(first - values)
    telling = float(np.max(left)) <= TELLING * float(np.max(np.abs(values)))
    apart = bool(np.mean(gap <= together) < AGREED)
    worst = int(np.argmax(gap / together))
    return _opinion(method, asked, values, left, worst, truncations, ended).model_copy(
        update={
            "first": float(first[worst]),
            "together": float(together[worst]),
            "agrees": False if sure and apart else True if sure and telling else None,
        }
    )


def scene_of(group: Group, name: str) -> Any:
    """The scene of a quantity or sweep, as described."""
    problem = group.description.problem
    return problem.scene(next(q for q in problem.quantities if q.id == group.of(name)).scene)


def asked_of(group: Group, name: str, finest: Any, points: int) -> Asked:
    """Scenes and frequencies of a quantity or sweep, at some of the points where it is known, or of its band."""
    if group.sweep is not None:
        x = finest.x if isinstance(finest, Curve) else np.array(group.points)
        index = some(x, finest.y if isinstance(finest, Curve) else x, SWEPT)
        scenes = []
        for place in x[index]:
            problem = group.description.resolved({group.sweep.parameter: float(place)})
            quantity = next(q for q in problem.quantities if q.id == group.of(name))
            scene: Any = problem.scene(quantity.scene)
            scenes.append((scene, quantity, (scene.band.frequencies()[0],)))
        return Asked(tuple(scenes), x[index], index)
    problem = group.description.resolved()
    quantity = next(q for q in problem.quantities if q.id == name)
    scene = problem.scene(quantity.scene)
    band = getattr(scene, "band", None)
    if band is None:
        return Asked(((scene, quantity, ()),), None, np.zeros(0, int))
    low, high = band.frequencies()
    x = finest.x if isinstance(finest, Curve) else np.linspace(low, high, points if high > low else 1)
    index = some(x, finest.y if isinstance(finest, Curve) else x, points)
    single = isinstance(finest, Scalar) or high == low
    return Asked(((scene, quantity, tuple(x[index].tolist())),), None if single else x[index], index)


def some(x: Array, y: Array, most: int) -> NDArray[np.int64]:
    """Indices of points spread over a curve, with its highest and lowest, ascending."""
    spread = np.linspace(0, x.size - 1, min(most, x.size)).round().astype(int)
    return np.unique([*spread, int(np.argmax(y)), int(np.argmin(y))])


def solved(
    asked: Asked,
    materials: Mapping[str, Any],
    known: float,
    most_s: float,
    allow_degraded: bool,
    say: Say | None,
    wanted: float = WANTED,
) -> tuple[Array, Array, list[tuple[int, Array, float]], str]:
    """(values, what is left open, truncations (orders, values, CPU seconds), why it ended early) at the asked points.

    known: how well the first solver knows it; the second need not know it better. Raises NotSolved.
    """
    least = sum(least_s(scene, lines, materials) for scene, _, lines in asked.scenes)
    if least > most_s:
        raise NotSolved(
            f"three truncations need about {least:.0f} s of CPU time, {most_s:.0f} s are allowed"
            if math.isfinite(least)
            else "three truncations need more orders than are allowed: its periods are many wavelengths long"
        )
    found: list[Climbed] = []
    for scene, quantity, lines in asked.scenes:
        found.append(
            truncated(
                scene,
                [quantity],
                lines,
                materials,
                wanted=wanted,
                known=known,
                budget_s=most_s / len(asked.scenes),
                allow_degraded=allow_degraded,
                say=say,
            )
        )
    name = asked.scenes[0][1].id
    deep = min(len(one.rungs) for one in found)  # of a sweep, whose points may end at different truncations
    truncations = [
        (
            max(one.rungs[i - deep].orders for one in found),
            np.concatenate([one.rungs[i - deep].values[name] for one in found]),
            sum(one.rungs[i - deep].cpu_s for one in found),
        )
        for i in range(deep)
    ]
    values = np.concatenate([one.rungs[-1].values[name] for one in found])
    left = np.concatenate([one.uncertainty[name] for one in found])
    return values, left, truncations, next((one.ended for one in found if one.ended), "")


def alone(
    group: Group,
    name: str,
    materials: Mapping[str, Any],
    most_s: float,
    wanted: float,
    *,
    method: Method,
    allow_degraded: bool = False,
    say: Say | None = None,
) -> SecondOpinion:
    """What a second solver says of a quantity or sweep by itself, at ALONE points of a curve."""
    try:
        asked = asked_of(group, name, None, ALONE)
        for scene, quantity, _ in asked.scenes:
            if why := method.refused(scene, quantity, materials):
                raise NotSolved(why)
        values, left, truncations, ended = limited(
            lambda: solved(asked, materials, 0.0, most_s, allow_degraded, say, wanted),
            "the second solver",
            cpu_s=max(600.0, most_s),
        )
    except NotSolved as error:
        return SecondOpinion(solver=method.NAME, reason=str(error))
    return _opinion(method, asked, values, left, int(np.argmax(left)), truncations, ended)


def _opinion(
    method: Method,
    asked: Asked,
    values: Array,
    left: Array,
    worst: int,
    truncations: Sequence[tuple[int, Array, float]],
    ended: str,
) -> SecondOpinion:
    return SecondOpinion(
        solver=method.NAME,
        reason=ended,
        value=float(values[worst]),
        uncertainty=float(left[worst]),
        at=None if asked.places is None else float(asked.places[worst]),
        points=_points(asked, values, left),
        truncations=_told(truncations, worst),
    )


def _points(asked: Asked, values: Array, left: Array) -> tuple[tuple[float, float, float], ...]:
    if asked.places is None:
        return ()
    return tuple(zip(asked.places.tolist(), values.tolist(), left.tolist(), strict=True))


def _told(truncations: Sequence[tuple[int, Array, float]], worst: int) -> tuple[Truncation, ...]:
    return tuple(
        Truncation(orders=orders, value=float(rung[worst]), cpu_s=cpu_s)
        for orders, rung, cpu_s in truncations
    )
