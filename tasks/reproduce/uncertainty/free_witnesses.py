"""Does the value of a function of the writer's own come from the fields? Harder tries than trusted reducers need.

All at the finest rung, whose value is reported; of a sweep in its scene as it is declared, on the finest grid that can be afforded.
Null data: all ordinates zero, which a remembered number does not notice.
Tiny changes: random noise of a millionth, to which an honest value answers a little and smoothly; one that is quantised or
looks up the data does not; a small difference of large numbers answers more, in proportion to the noise.
Carried by the data: of a parameter's effect, the share that is left when the function is given the moved data with the parameters
that were not moved; a formula of parameters has none. No known feature: over distorted copies of the curves it is no line through a
number that trusted code has; what is one, or could not be tried, is undecided. A sweep, whose curve has no feature of the spectra
below it, may be of one, where it is that to a thousandth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from schemas.base import digest
from schemas.reproduce.simulations.numerics import Witness
from simkit.describe.measured import Measured as Free
from simkit.describe.media import names_of_materials
from tasks.reproduce.describing.recognising import SETS, distorted, likeness
from tasks.reproduce.measuring import Curve, Map, Measured
from tasks.reproduce.solving.groups import Group
from tasks.reproduce.solving.one_run import Solver
from tasks.reproduce.solving.varying import Missing, Outcome, Value, measured
from tasks.reproduce.uncertainty.climbed import Climb
from tasks.reproduce.uncertainty.error_parts import difference, scale_of
from tasks.reproduce.uncertainty.free import Argument, answered, arguments, parted
from tasks.reproduce.uncertainty.witnesses import (
    DISTURBED,
    MOVED,
    ROUGHEST,
    TINY,
    blank,
    dilated,
    dilation_witness,
    disturb,
    moved_parameters,
)

ENOUGH, DEAD = (
    0.2,
    0.01,
)  # response to null data, and to a blank structure: enough, or none; between them nothing is known
RESPONDS = 1e-4  # of the scale, to DISTURBED: a hundredth of it
BARELY = 1e-8  # the same of a place: a narrow line stands where it is whatever happens to its height, so that less is undecided
CARRIED, FORMULA = 0.5, 0.05  # share of a parameter's effect that the data carry
MOVES = 1e-5  # of the scale, when a parameter is moved
TRIES, FEWER = 16, 4
LESS, IN_PROPORTION = (
    0.1,
    0.1,
)  # so much of the noise again in the fewer tries, and how near to that share of the answer
ILL = 3e4  # largest amplification of what answers in proportion
EXACT = 1e-3  # of a known feature that is swept
UNMOVED = 4  # runs but those with a parameter moved: the value, blank, and twice as much for a dilation
_UNTRIED = ("budget", "infrastructure", "environment")
LIKE = "no known feature"
ALL = frozenset(
    {
        LIKE,
        "disturbed raw data",
        "tiny changes",
        "null data",
        "blank structure",
        "moved parameter",
        "carried by the data",
        "dilation",
    }
)


def free_witnesses(
    climb: Climb, solver: Solver, affordable: Callable[[float], bool]
) -> dict[str, tuple[Witness, ...]]:
    """The witnesses of each Measured quantity, or sweep of one, that has a value; those that cost too much are left out."""
    if climb.group.sweep is not None:
        return _of_sweeps(climb, solver, affordable)
    return _of_scene(climb, solver, affordable)


def _of_sweeps(
    climb: Climb, solver: Solver, affordable: Callable[[float], bool]
) -> dict[str, tuple[Witness, ...]]:
    """Of each sweep those of the function that it is made of."""
    group, problem = climb.group, climb.group.description.resolved()
    own = {quantity.id for quantity in parted(group.quantities(problem))[1]}
    of = {sweep.id: sweep.of for sweep in group.sweeps if sweep.of in own and sweep.id in climb.variants}
    if not of:
        return {}
    scene = Group(
        group.scene(problem).id, group.description, group.materials, tuple(dict.fromkeys(of.values()))
    )
    runs, outcomes = UNMOVED + len(moved_parameters(group)), dict(climb.outcomes)
    for resolution in sorted({r for name in of for r, _ in climb.variants[name].rungs}, reverse=True):
        swept = outcomes.get(f"resolution {resolution:g}", climb.coarse)
        if not affordable(runs * swept.cost_s / len(group.points)):
            continue
        numerics = replace(climb.numerics, resolution=resolution)
        alone = Climb(scene, numerics, climb.need, coarse=scene.evaluate(numerics, solver))
        found = _of_scene(alone, solver, affordable, swept=True)
        return {name: found[quantity] for name, quantity in of.items() if quantity in found}
    return {}


def _of_scene(
    climb: Climb, solver: Solver, affordable: Callable[[float], bool], swept: bool = False
) -> dict[str, tuple[Witness, ...]]:
    outcome = climb.finest_outcome
    numerics = replace(climb.numerics, resolution=climb.finest)
    out: dict[str, list[Witness]] = {}
    base: dict[str, Measured] = {}
    free = {q.id: q for q in parted(climb.group.quantities(climb.group.description.resolved()))[1]}
    for name in free:
        value = outcome.values.get(name)
        if value is not None and not isinstance(value, Missing):
            base[name] = value
    if not base:
        return {}
    calls = {name: _calls(free[name], outcome, climb) for name in base}
    answered(
        [(free[name], call) for name, own in calls.items() for call in own], solver.allow_degraded
    )  # in one sandbox
    out |= {
        name: [
            *_of_data(free[name], calls[name], value, solver.allow_degraded),
            _alike(free[name], outcome, climb, solver, swept),
        ]
        for name, value in base.items()
    }
    cost = outcome.cost_s
    if affordable(cost):
        found = blank(climb, solver, numerics)
        for name, value in base.items() if found else ():
            out[name].append(
                _response(
                    "blank structure",
                    value,
                    found.get(name, Missing("no value")),
                    ENOUGH,
                    DEAD,
                    "every body made of its surroundings",
                )
            )
    if (other := dilated(climb.group, numerics)) is not None and affordable(2 * cost):
        values = climb.group.evaluate(other[1], solver, other[0]).values
        for name, value in base.items():
            bigger = values.get(name, Missing("no value"))
            out[name].append(
                Witness(name="dilation", passed=None, detail=bigger.reason[:200])
                if isinstance(bigger, Missing)
                else dilation_witness(value, bigger)
            )
    for parameter in moved_parameters(climb.group):
        if not affordable(cost):
            break
        changed = {parameter: climb.group.description.parameters.values()[parameter] * (1 + MOVED)}
        moved = climb.group.evaluate(numerics, solver, changed)
        if {run.digest() for run in moved.runs.values()} == {run.digest() for run in outcome.runs.values()}:
            continue  # it shapes nothing: what follows is arithmetic
        mixed = {name: found for name in base if (found := _mixed(free[name], moved, outcome))}
        carried = dict(
            zip(
                mixed,
                answered([(free[name], call) for name, call in mixed.items()], solver.allow_degraded),
                strict=True,
            )
        )
        for name, value in base.items():
            out[name] += _moved(
                value, moved.values.get(name, Missing("no value")), carried.get(name, ""), parameter
            )
    return {name: tuple(found) for name, found in out.items()}


def with_sampling(climb: Climb) -> None:
    """Give each number, and each sweep of one, a part of its uncertainty for what the samples of its curves leave open."""
    for name, found in climb.coarse.sampled.items():
        if name not in climb.variants:
            continue
        if isinstance(found, Missing):
            climb.variants[name].missing["sampling"] = found.reason
        else:
            climb.variants[name].changed["sampling"] = (found,)


def free_verdict(climb: Climb, found: Sequence[Witness]) -> bool | None:
    """False: some witness says that the value is not from the fields; None: not all could be tried; True: all passed.

    Tables of materials have a scale of their own and forbid a dilation.
    """
    tables = bool(names_of_materials(dict(climb.group.description.parametric)))
    judged = [w for w in found if w.name != "moved parameter"]
    moved = [w for w in found if w.name == "moved parameter" and w.passed is not None]
    if any(w.passed is False for w in judged) or (moved and not any(w.passed for w in moved)):
        return False
    wanted = ALL - ({"dilation"} if tables else set())
    return True if wanted <= {w.name for w in found} and all(w.passed for w in judged) and moved else None


def _calls(quantity: Free, outcome: Outcome, climb: Climb) -> list[list[Argument]]:
    """Arguments of what needs no simulation: null data, tiny changes, and disturbed raw data where they can be measured: other ones for
    each quantity, as two of the same run answer the same ones alike (the imbalance of two orders moved by 3e-5)."""
    trusted = [
        q
        for q in parted(climb.group.quantities(climb.group.description.resolved()))[0]
        if q.id in quantity.of
    ]
    shaken: Mapping[str, Value] = {
        q.id: measured(outcome, q, disturb(outcome.raw, DISTURBED, turn)) for turn, q in enumerate(trusted)
    }
    plain, other = arguments(quantity, outcome.values), arguments(quantity, shaken)
    assert not isinstance(plain, str)
    data, given = plain[: len(quantity.of)], plain[len(quantity.of) :]
    seed = int(digest([quantity.code, [repr(item) for item in data]], 8), 16)
    noisy = [
        [*(_noisy(item, noise, by) for item in data), *given]
        for by, tries in ((TINY, TRIES), (LESS * TINY, FEWER))
        for noise in (np.random.default_rng(seed),)
        for _ in range(tries)
    ]
    return [
        [*(_null(item) for item in data), *given],
        *noisy,
        *([] if isinstance(other, str) else [other]),
    ]


def _of_data(
    quantity: Free, calls: Sequence[Sequence[Argument]], value: Measured, degraded: bool
) -> list[Witness]:
    null, *answers = answered([(quantity, call) for call in calls], degraded)
    tiny, less = answers[:TRIES], answers[TRIES : TRIES + FEWER]
    shaken = answers[-1] if len(answers) > TRIES + FEWER else "what it is made of could not be measured"
    return [
        _response(
            "disturbed raw data",
            value,
            shaken,
            RESPONDS,
            RESPONDS if getattr(value, "power", 0) == 0 else BARELY,
            f"all recorded values changed by up to {DISTURBED:g} of themselves",
        ),
        _response("null data", value, null, ENOUGH, DEAD, "all measured values zero"),
        _smooth(value, tiny, less),
    ]


def _alike(quantity: Free, outcome: Outcome, climb: Climb, solver: Solver, swept: bool) -> Witness:
    """Whether it is more than arithmetic on one number that trusted code has, or swept and just that: over distorted copies of what
    it sees."""
    trusted = {q.id: q for q in climb.group.quantities(climb.group.description.resolved())}
    values = [outcome.values[name] for name in quantity.of]
    if any(isinstance(value, (Missing, Map)) for value in values):
        return Witness(name=LIKE, passed=None, detail="what it is made of could not be tried")
    sets = [distorted(values, number) for number in range(SETS)]  # type: ignore[arg-type]
    found = likeness(quantity, [trusted[name] for name in quantity.of], sets, solver.allow_degraded)
    return Witness(
        name=LIKE,
        passed=True if not found.kind or (swept and found.kind == "same" and found.off <= EXACT) else None,
        detail=found.words[:200]
        or (f"over {SETS} distorted copies of its curves it is no line through any feature"),
    )


def _smooth(value: Measured, answers: Sequence[Measured | str], less: Sequence[Measured | str]) -> Witness:
    """less: the first answers again, to LESS of the same noise: what answers in proportion is ill conditioned, not looked up."""
    gaps, smaller = (
        [float("inf") if isinstance(answer, str) else difference(value, answer) for answer in found]
        for found in (answers, less)
    )
    least, most = (float(pick(gaps)) / max(scale_of(value), 1e-300) for pick in (min, max))
    linear = most < ILL * TINY and all(
        abs(small - LESS * gap) <= IN_PROPORTION * LESS * gap
        for small, gap in zip(smaller, gaps, strict=False)
    )
    said = f"{TRIES} times random noise of {TINY:g} of the scale"
    if not 0 < least:
        return Witness(
            name="tiny changes",
            response=0.0,
            passed=False,
            detail=f"{said}: it does not move, as what is "
            "quantised or remembered; interpolate between samples",
        )
    return Witness(
        name="tiny changes",
        response=min(most, 1e300),
        passed=most < ROUGHEST * TINY or linear,
        detail=f"{said}: it answers in proportion" if linear else said,
    )


def _mixed(quantity: Free, moved: Outcome, outcome: Outcome) -> list[Argument]:
    """The moved data with the parameters that were not moved; nothing where there is none."""
    data, plain, count = (
        arguments(quantity, moved.values),
        arguments(quantity, outcome.values),
        len(quantity.of),
    )
    return [] if isinstance(data, str) or isinstance(plain, str) else [*data[:count], *plain[count:]]


def _moved(value: Measured, other: Value, carried: Measured | str, parameter: str) -> list[Witness]:
    """Whether the value moves with a parameter, and what share of it the data carry."""
    if isinstance(other, Missing):
        return [Witness(name="moved parameter", of=parameter, passed=None, detail=other.reason[:160])]
    scale = max(scale_of(value), 1e-300)
    whole = difference(value, other) / scale
    found = [
        Witness(
            name="moved parameter",
            of=parameter,
            response=min(whole, 1e300),
            passed=whole > MOVES,
            detail=f"{parameter} + {MOVED:.0%}",
        )
    ]
    if isinstance(carried, str) or max(whole, through := difference(value, carried) / scale) < MOVES:
        return found
    share = 1.0 if through >= whole else through / whole
    return [
        *found,
        Witness(
            name="carried by the data",
            of=parameter,
            response=share,
            passed=_enough(share, CARRIED, FORMULA),
            detail=f"{parameter} + {MOVED:.0%}: {share:.0%} of the effect comes through the fields",
        ),
    ]


def _response(
    name: str, value: Measured, other: Value | Measured | str, enough: float, dead: float, detail: str
) -> Witness:
    if isinstance(other, (str, Missing)):  # it noticed
        reason, never = (other, False) if isinstance(other, str) else (other.reason, other.cause in _UNTRIED)
        return Witness(name=name, passed=None if never else True, detail=f"{detail}: {reason[:160]}")  # type: ignore[arg-type]
    response = difference(value, other) / max(scale_of(value), 1e-300)
    return Witness(
        name=name, response=min(response, 1e300), passed=_enough(response, enough, dead), detail=detail
    )  # type: ignore[arg-type]


def _enough(response: float, enough: float, dead: float) -> bool | None:
    return True if response >= enough else False if response < dead else None


def _noisy(item: Argument, noise: np.random.Generator, by: float) -> Argument:
    if isinstance(item, Curve):
        return replace(item, y=item.y + by * scale_of(item) * noise.standard_normal(item.y.shape))
    return item * (1 + by * noise.standard_normal())


def _null(item: Argument) -> Argument:
    return replace(item, y=np.zeros_like(item.y)) if isinstance(item, Curve) else 0.0
