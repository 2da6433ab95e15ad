"""What a sweep over films costs: the light without layers is solved once, and no point pays for the thinnest one's grid."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.arrange import Numerics, arrange, needs
from simkit.arrange.unit_cell import BROADEST, NARROWEST
from simkit.describe.__main__ import described
from simkit.describe.base import RESOLVED
from simkit.describe.document import document
from simkit.describe.problem import Problem, Sweep
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.measuring import Curve, Scalar
from tasks.reproduce.solving.estimate import costs_before
from tasks.reproduce.solving.groups import MUCH_FINER, Group, groups_of
from tasks.reproduce.solving.varying import Missing, Outcome
from tasks.reproduce.uncertainty.few_points import Beside
from tasks.reproduce.uncertainty.ladder import APART, fitting, next_rungs
from tests.unit.describing.described_fixture import CODE, FILM

pytestmark = pytest.mark.unit
AIR, GLASS = {"kind": "medium", "index": 1.0}, {"kind": "medium", "index": 1.7}


def cell(thickness: float, angle: float, period: float | None = None) -> Problem:
    film: dict[str, Any] = {"type": "film", "medium": AIR, "thickness": thickness}
    if period:
        film["pattern"] = [{"type": "bar", "medium": GLASS, "x": (-period / 4, period / 4)}]
    return Problem.model_validate(
        {
            "scenes": [
                {
                    "type": "unit_cell",
                    "id": "s",
                    "layers": [film],
                    "below": GLASS,
                    "above": AIR,
                    "light_from": "below",
                    "period": (period,) if period else (),
                    "polarization": "p" if angle else "x",
                    "angle": angle,
                    "band": {"type": "line", "wavelength": 1.55},
                }
            ],
            "quantities": [{"type": "reflectance", "id": "R", "scene": "s"}],
        },
        context=RESOLVED,
    )


@settings(deadline=None, max_examples=60)
@given(
    thick=st.tuples(st.floats(0.02, 2), st.floats(0.02, 2)),
    resolution=st.floats(15, 200),
    padding=st.floats(0.7, 3),
    angle=st.sampled_from([0.0, 0.3, 0.9]),
    period=st.sampled_from([None, 0.7]),
)
def test_the_reference_is_the_same_whatever_the_layers_are(
    thick: tuple[float, float], resolution: float, padding: float, angle: float, period: float | None
) -> None:
    """And as far from its source as in the structure, or what is subtracted is another light (R of -6 %)."""
    numerics = Numerics(resolution, padding=padding)
    pairs = []
    for thickness in thick:
        problem = cell(thickness, angle, period)
        runs = arrange(problem.scenes[0], problem.quantities, numerics, {}).runs
        pairs.append([runs[name] for name in sorted(runs)])
    (reference, structure), (other, _) = pairs
    assert reference.digest() == other.digest() and reference.sources[0].width == structure.sources[0].width
    ways = [
        run.monitors["reflection"].center[i] - run.sources[0].center[i]
        for run in (reference, structure)
        for i in [1 if angle or period else 2]
    ]
    assert ways[0] == pytest.approx(ways[1], abs=1e-9) and ways[0] > 0


@settings(deadline=None, max_examples=60)
@given(angle=st.floats(0.05, 1.3), period=st.one_of(st.none(), st.floats(0.3, 3)))
def test_a_pulse_for_one_angle_is_as_short_as_the_nearest_onset_of_an_order_allows(
    angle: float, period: float | None
) -> None:
    problem = cell(0.3, angle, period)
    run = next(iter(arrange(problem.scenes[0], problem.quantities, Numerics(30.0), {}).runs.values()))
    (source,), f = run.sources, 1 / 1.55
    assert run.dimensions == "2D" and run.bloch is not None
    onsets = [
        abs(run.bloch[0] + (order / period if period else 0)) / index
        for order in range(-12, 13)
        for index in (1.0, 1.7)
    ]
    assert NARROWEST * f * 0.999 <= source.width <= BROADEST * f * 1.001
    assert source.width <= max(NARROWEST * f, min(abs(f - onset) for onset in onsets)) * 1.001


@settings(deadline=None, max_examples=40)
@given(
    points=st.lists(st.floats(0.02, 1.0), min_size=3, max_size=6, unique=True).map(sorted),
    steps=st.lists(st.floats(APART, 2), min_size=1, max_size=3),
)
def test_each_point_of_a_sweep_climbs_its_own_ladder(points: list[float], steps: list[float]) -> None:
    """Twenty gaps were solved on the grid of the thinnest, at five times its neighbours' cost; no step is shorter than the
    ladder's, or its error would be taken for smaller than it is."""
    made = from_document(document(described(CODE, FILM)), declared(FILM), CODE)
    ends = {"id": "over_t", "of": "R", "parameter": "t", "low": points[0], "high": points[-1]}
    sweep = Sweep.model_validate(ends, context={"resolved": True})
    group = Group("over_t", made, {}, ("over_t",), (sweep,), tuple(points))
    need = group.needs()
    rungs = [fitting(need)]
    for step in steps:
        rungs.append(next_rungs(need, rungs[-1], step, 1)[0])
    for rung in rungs:
        group = group.with_rung(rung)
    tables = [group._grids(rung) for rung in rungs]
    for point, first in zip(points, tables[0], strict=True):
        problem = made.resolved({"t": point})
        own = needs(problem.scenes[0], {}, [q for q in problem.quantities if q.id == "R"])
        assert min(own.resolution, rungs[0]) <= first <= rungs[0]
    for k, rung in enumerate(rungs[1:]):
        for before, after in zip(tables[k], tables[k + 1], strict=True):
            assert after / before >= rung / rungs[k] * (1 - 1e-9)
    assert group._grids(rungs[0] * 1.01) == [rungs[0] * 1.01] * len(points)  # of no rung: as asked


PERIODIC = [*FILM, {"id": "w", "value": 400, "unit": "nm", "origin": "assumption", "assumption_id": "A2"}]
RIDGES = CODE.replace(
    "thickness=p.t)",
    "thickness=p.t, pattern=[Bar(medium=Medium(index=2 * p.n), x=(-p.w / 4, p.w / 4))])",
).replace('light_from="below", polar', 'light_from="below", period=(p.w,), polar')


@settings(deadline=None, max_examples=40)
@given(
    points=st.lists(st.floats(0.02, 1.0), min_size=3, max_size=9, unique=True).map(sorted),
    step=st.floats(APART, 2),
)
def test_the_points_of_a_sweep_over_patterns_share_a_grid_but_for_the_thin_ones(
    points: list[float], step: float
) -> None:
    """The lowest of thirty ridges had all of them solved on 40 to 75 pixels per um where 15 to 35 were enough: 1,400 CPU seconds."""
    made = from_document(document(described(RIDGES, PERIODIC)), declared(PERIODIC), RIDGES)
    ends = {"id": "over_t", "of": "R", "parameter": "t", "low": points[0], "high": points[-1]}
    sweep = Sweep.model_validate(ends, context={"resolved": True})
    group = Group("over_t", made, {}, ("over_t",), (sweep,), tuple(points))
    own = []
    for point in points:
        problem = made.resolved({"t": point})
        own.append(needs(problem.scenes[0], {}, [q for q in problem.quantities if q.id == "R"]).resolution)
    first = fitting(group.needs())
    group = group.with_rung(first).with_rung(first * step)
    grids = group._grids(first)
    assert all(grid >= need / MUCH_FINER * (1 - 1e-9) for grid, need in zip(grids, own, strict=True))
    assert sum(grid == first for grid in grids) >= len(grids) / 2 and first <= max(
        1.25 * 1.7 * sorted(own)[len(own) // 2], 20
    )
    assert group._grids(first * step) == pytest.approx([step * grid for grid in grids])


SWEEPS = """OrderEfficiency(id="T", scene="film", side="transmitted", order=[0]),
        Measured(id="lost", scene="film", of=["T"], code=LOST)), sweeps=(
        Sweep(id="R_t", of="R", parameter="t", low=p.w / 4, high=p.w), Sweep(id="T_t", of="T", parameter="t", low=p.w / 4, high=p.w),
        Sweep(id="lost_t", of="lost", parameter="t", low=p.w / 4, high=p.w), Sweep(id="R_n", of="R", parameter="n", low=p.n, high=2 * p.n)))
"""
TWO = RIDGES.replace('Transmittance(id="T", scene="film")))\n', SWEEPS).replace(
    "def describe", 'LOST = "def measure(T):\\n    return 1 - T"\n\ndef describe'
)


def test_sweeps_of_one_scene_over_one_parameter_are_solved_together() -> None:
    """Transmittance and phase of thirty widths were solved twice, and a resonance and its Q each at points and grids of its own."""
    made = from_document(document(described(TWO, PERIODIC)), declared(PERIODIC), TWO)
    groups = [group for group in groups_of(made, {}) if group.sweep]
    assert [group.ids for group in groups] == [("R_t", "T_t", "lost_t"), ("R_n",)]
    together, apart = groups
    assert {q.id for q in together.quantities(made.resolved())} == {"R", "T", "lost"}
    assert (together.of("T_t"), apart.of("R_n"), apart.of("R")) == ("T", "R", "R")
    assert together.begins(Numerics(60.0)) and together.begins(Numerics(60.0)) != apart.begins(Numerics(60.0))


def test_a_point_without_one_of_its_values_keeps_the_other() -> None:
    """Of two curves over a parameter the one that lacks a point is shorter, and one that lacks many has its reason."""
    made = from_document(document(described(TWO, PERIODIC)), declared(PERIODIC), TWO)
    group = next(group for group in groups_of(made, {}) if group.sweep)
    none = Missing("no line")
    there = [{"R": Scalar(0.1 * k), "T": none if k == 4 else Scalar(k), "lost": none} for k in range(9)]
    outcome = group.as_curve([Outcome(values, {f"run{k}": (1.0, 2.0)}) for k, values in enumerate(there)])
    R, T, lost = (outcome.values[name] for name in ("R_t", "T_t", "lost_t"))
    assert isinstance(R, Curve) and R.x.tolist() == list(group.points) and R.y[4] == pytest.approx(0.4)
    assert isinstance(T, Curve) and T.x.size == 8 and 4.0 not in T.y
    assert isinstance(lost, Missing) and "no line" in lost.reason
    assert outcome.cost_s == 18 and Beside.of(group, outcome).places == tuple(range(9))


@pytest.mark.attack("answers", "a period of any size is arranged in a moment")
@pytest.mark.parametrize("period", [60.0, 1e4, 1e9])
def test_a_period_with_orders_without_number_is_no_long_count(period: float) -> None:
    problem = cell(0.3, 0.4, period)
    run = next(iter(arrange(problem.scenes[0], problem.quantities, Numerics(0.5), {}).runs.values()))
    assert run.sources[0].width == pytest.approx(NARROWEST / 1.55)


def test_what_only_a_sweep_answers_is_solved_and_foreseen_at_its_points_alone() -> None:
    code = TWO.replace('id="R_t", of="R",', 'id="R_t", of="R", answers=["fig1"],')
    made = from_document(document(described(code, PERIODIC)), declared(PERIODIC), code)
    groups = {group.name: group for group in groups_of(made, {})}
    assert "R" not in groups["film"].ids and "T" in groups["film"].ids
    costs = [cost for cost in costs_before(made, {}) if cost.name.startswith("R_t ")]
    assert (
        len({cost.digest for cost in costs}) == len(costs) >= len(groups["R_t"].points) - 1
    )  # one is the film itself
    assert any("t = " in cost.name for cost in costs)
