"""A sweep is a curve of single numbers over one parameter: refined where it turns, and one lost point loses no others."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.arrange import Numerics
from simkit.describe.__main__ import described
from simkit.describe.document import document
from simkit.describe.errors import DescriptionError
from simkit.describe.problem import Sweep
from tasks.reproduce.describing import in_sandbox
from tasks.reproduce.describing.in_sandbox import DescriptionRefused, declared, describe, from_document
from tasks.reproduce.measuring import Curve, Scalar
from tasks.reproduce.solving.groups import Group, groups_of
from tasks.reproduce.solving.one_run import Budget
from tasks.reproduce.solving.varying import Missing, Outcome
from tasks.reproduce.uncertainty.aims import Demand, within
from tasks.reproduce.uncertainty.beside import theory
from tasks.reproduce.uncertainty.climbing import climb
from tasks.reproduce.uncertainty.error_parts import Variants, parts_of
from tasks.reproduce.uncertainty.few_points import Beside
from tasks.reproduce.uncertainty.free_witnesses import with_sampling
from tasks.reproduce.uncertainty.ladder import fitting
from tasks.reproduce.uncertainty.sampling import hanging, refined, settled, turning, with_places
from tasks.reproduce.uncertainty.witnesses import moved_parameters
from tests.unit.describing.described_fixture import CODE, FILM

pytestmark = pytest.mark.unit


def _group(points: tuple[float, ...]) -> Group:
    made = from_document(document(described(CODE, FILM)), declared(FILM), CODE)
    ends = {"id": "over_t", "of": "R", "parameter": "t", "low": 0.05, "high": 0.4}
    sweep = Sweep.model_validate(ends, context={"resolved": True})
    return Group("over_t", made, {}, ("over_t",), (sweep,), points)


def _solver(budget: float) -> Any:
    return SimpleNamespace(
        enough=lambda: False,
        budget=Budget(budget),
        ahead=lambda calls, each_s: None,
        tell=lambda words: None,
        foreseen_s=lambda run: 0.0,
    )


def test_points_that_gave_no_value_are_left_out_or_named() -> None:
    points = (0.1, 0.2, 0.3, 0.4)
    outcomes = [
        Outcome({"R": Scalar(x**2)}, {f"at {x}": (1.0, 2.0), "their guide": (0.5, 1.0)}) for x in points
    ]
    found = _group(points).as_curve(outcomes)
    curve = found.values["over_t"]
    assert isinstance(curve, Curve) and curve.axis == "parameter" and found.cpu_s == 4.5 and found.cost_s == 9
    assert np.allclose(curve.y, np.square(points))
    lost = Outcome({"R": Missing("no mode was found")})
    fewer = _group(points).as_curve([lost, *outcomes[1:]]).values["over_t"]
    assert isinstance(fewer, Curve) and fewer.x.tolist() == [0.2, 0.3, 0.4]
    assert (
        "t = 0.1: no mode was found" in _group(points).as_curve([lost, *outcomes[1:]]).lost["over_t"].reason
    )
    assert not found.lost
    gone = _group(points).as_curve([lost, lost, *outcomes[2:]]).values["over_t"]
    assert isinstance(gone, Missing) and "t = 0.1: no mode was found" in gone.reason


def test_points_are_added_where_the_curve_turns() -> None:
    x = np.linspace(0, 1, 9)
    finer = refined(Curve(x, np.exp(-(((x - 0.5) / 0.08) ** 2))))
    added = np.setdiff1d(finer, x)
    assert added.size and np.all(np.abs(added - 0.5) < 0.4) and np.min(np.abs(added - 0.5)) < 0.1


def test_each_point_is_the_description_with_another_value() -> None:
    group = _group((0.1, 0.2))
    thick = [group.description.resolved({"t": x}).scenes[0].layers[0].thickness for x in group.points]
    assert thick == [0.1, 0.2] and group.needs().resolution >= 40


def test_points_are_added_around_an_extremum_until_its_place_is_known() -> None:
    """Nine points left the place of a maximum open by 1.5 %."""
    x = np.linspace(60, 360, 9)
    for _ in range(4):
        curve = Curve(x, 1 + np.cos((x - 183) / 90) * np.exp(-x / 300), "parameter")
        x = np.union1d(x, turning(curve, 0.002))
    dense = np.linspace(60, 360, 100001)
    exact = dense[np.argmax(1 + np.cos((dense - 183) / 90) * np.exp(-dense / 300))]
    top = int(np.argmax(curve.y))
    vertex = np.polyfit(curve.x[top - 1 : top + 2] - curve.x[top], curve.y[top - 1 : top + 2], 2)
    assert (
        abs(curve.x[top] - vertex[1] / (2 * vertex[0]) - exact) < 0.002 * exact
        and turning(curve, 0.002).size == 0
    )
    assert 11 <= x.size <= 17
    assert turning(Curve(x, x, "parameter"), 0.002).size == 0  # no extremum, no points


STACK = """from simkit.describe import *

def describe(p):
    pair = (Film(medium=Medium(index=p.high_index), thickness=p.t), Film(medium=Medium(index=p.n), thickness=p.t))
    stack = UnitCell(id="stack", below=vacuum(), layers=pair * p.count("pairs"), above=vacuum(), light_from="below",
                     polarization="x", band=Line(wavelength=p.longest))
    return Problem(scenes=(stack,), quantities=(Reflectance(id="R", scene="stack"),),
                   sweeps=(Sweep(id="S", of="R", parameter="pairs", low=p.first, high=p.last),))
"""
PAIRS = [
    FILM[0],
    FILM[1],
    {"id": "longest", "value": 800, "unit": "nm", "origin": "assumption", "assumption_id": "A4"},
    {"id": "high_index", "value": 2.3, "origin": "assumption", "assumption_id": "A2"},
    {"id": "pairs", "value": 4, "origin": "assumption", "assumption_id": "A3", "count": True},
    {"id": "first", "value": 2, "origin": "numerical"},
    {"id": "last", "value": 5, "origin": "numerical"},
]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Descriptions are run in this process."""
    monkeypatch.setattr(
        in_sandbox,
        "_described",
        lambda code, entries, store, allow: from_document(
            document(described(code, list(entries))), declared(entries), code
        ),
    )


def test_a_count_is_swept_over_whole_numbers(here: None) -> None:
    """A sweep over the number of periods or the azimuthal order was not possible."""
    made = describe(STACK, PAIRS, store=None)  # type: ignore[arg-type]
    group = next(g for g in groups_of(made, {}) if g.sweep is not None)
    assert group.points == (2, 3, 4, 5) and group.whole
    assert [len(problem.scenes[0].layers) for problem in group._problems({})] == [4, 6, 8, 10]  # type: ignore[union-attr]
    assert len(made.resolved().scenes[0].layers) == 8  # type: ignore[union-attr]
    curve = group.as_curve([Outcome({"R": Scalar(0.1 * x)}) for x in group.points]).values["S"]
    assert isinstance(curve, Curve) and curve.axis == "count" and curve.x.tolist() == [2, 3, 4, 5]
    _, exact = theory(group, "S", curve, {})  # type: ignore[misc]
    assert np.all(np.diff(exact.y) > 0)
    variants = Variants([(r, curve) for r in (20.0, 30.0, 40.0)])
    assert {p.part: p.value for p in parts_of(variants)[0]}[
        "sampling"
    ] == 0  # nothing lies between whole numbers


def test_a_whole_number_that_the_paper_states_may_be_a_count(here: None) -> None:
    """The plan's inputs are never declared as counts; they can be swept all the same."""
    stated = {"id": "pairs", "value": 4, "origin": "paper", "quotation": "a stack of 4 pairs"}
    made = describe(STACK, [stated if item["id"] == "pairs" else item for item in PAIRS], store=None)  # type: ignore[arg-type]
    [group] = [g for g in groups_of(made, {}) if g.sweep is not None]
    assert group.whole and group.points == (2, 3, 4, 5)
    half = {**stated, "value": 4.5, "quotation": "4.5 pairs"}
    with pytest.raises(DescriptionError, match="no whole number without unit"):
        describe(STACK, [half if item["id"] == "pairs" else item for item in PAIRS], store=None)  # type: ignore[arg-type]


def test_a_count_that_is_a_number_as_well_is_swept_as_a_count(here: None) -> None:
    """A block of rods from -p.rings * a on, over range(-n, n + 1): swept as a number, its rods stood where the first ones did."""
    code = STACK.replace("thickness=p.t)", "thickness=p.t / p.pairs)")
    stated = {"id": "pairs", "value": 4, "origin": "paper", "quotation": "a stack of 4 pairs"}
    made = describe(code, [stated if item["id"] == "pairs" else item for item in PAIRS], store=None)  # type: ignore[arg-type]
    [group] = [g for g in groups_of(made, {}) if g.sweep is not None]
    sizes = [
        (len(problem.scenes[0].layers), float(problem.scenes[0].layers[0].thickness))  # type: ignore[union-attr]
        for problem in group._problems({})
    ]
    assert group.whole and [n for n, _ in sizes] == [4, 6, 8, 10]
    assert sizes[0][1] == pytest.approx(2 * sizes[2][1])
    assert "pairs" not in moved_parameters(group) and "t" in moved_parameters(group)


@pytest.mark.parametrize(
    ("change", "words"),
    [({"last": 5.5}, "two different whole numbers"), ({"last": 2}, "two different whole numbers")],
)
def test_what_no_sweep_over_a_count_is(here: None, change: dict[str, float], words: str) -> None:
    with pytest.raises(DescriptionRefused, match=words):
        describe(
            STACK, [{**item, "value": change.get(item["id"], item["value"])} for item in PAIRS], store=None
        )  # type: ignore[arg-type]


def test_a_sweep_varies_a_declared_parameter_and_not_what_is_measured(here: None) -> None:
    with pytest.raises(DescriptionRefused, match="parameter 'pears' is not declared; did you mean 'pairs'"):
        describe(STACK.replace('parameter="pairs"', 'parameter="pears"'), PAIRS, store=None)  # type: ignore[arg-type]
    other = STACK.replace(
        'Reflectance(id="R"', '(Reflectance if p.count("pairs") != 3 else Transmittance)(id="R"'
    )
    with pytest.raises(DescriptionRefused, match="changes what is measured"):
        describe(other, PAIRS, store=None)  # type: ignore[arg-type]


def test_a_line_that_the_grid_scatters_gets_no_points_without_end() -> None:
    """Its resonance moved by the grid's own steps: 33 points of a straight line, and no CPU time left for a third grid."""

    class Scattered(Group):
        def evaluate(self, *given: Any, **more: Any) -> Outcome:
            return self.as_curve(
                [
                    Outcome({"R": Scalar(x + 0.004 * np.sin(7e4 * x) + 1 / given[0].resolution ** 2)})
                    for x in self.points
                ]
            )

    plain = _group(tuple(np.linspace(0.05, 0.4, 9)))
    group = Scattered(plain.name, plain.description, {}, plain.ids, plain.sweeps, plain.points)
    made = climb(group, _solver(1e6), {"over_t": within(1e-6)}, 1e6, most=3)
    assert 9 < len(made.group.points) <= 17


@pytest.mark.parametrize("noise", [0.0, 0.002, 0.01, 0.025])
@pytest.mark.parametrize("swing", [0.2, 0.02])
def test_curves_that_the_grid_moves_get_no_points_without_end(noise: float, swing: float) -> None:
    """Each halving that told no more asked for another: 9, 17, 33, 59, 79, 99 points of three smooth curves."""
    rng, drawn = np.random.default_rng(1), {}  # type: ignore[var-annotated]
    curves: dict[str, Any] = {
        "R": lambda x: 0.3 + swing * np.sin(21 * (x - 0.03)),
        "T": lambda x: 0.5 - swing * np.cos(18 * x),
        "A": lambda x: 0.1 + swing / 4 * np.cos(14 * x + 1),
    }

    class Moved(Group):
        def evaluate(self, *given: Any, **more: Any) -> Outcome:
            grid = given[0].resolution
            return self.as_curve(
                [
                    Outcome(
                        {
                            name: Scalar(
                                curve(x) + noise * swing * drawn.setdefault((name, x, grid), rng.normal())
                            )
                            for name, curve in curves.items()
                        }
                    )
                    for x in self.points
                ]
            )

    plain = _group(tuple(np.linspace(0.05, 0.4, 9)))
    sweeps = tuple(plain.sweeps[0].model_copy(update={"id": f"{name}_t", "of": name}) for name in curves)
    names = tuple(sweep.id for sweep in sweeps)
    group = Moved(plain.name, plain.description, {}, names, sweeps, plain.points)
    made = climb(group, _solver(1e6), {name: within(0.02) for name in names}, 1e6, most=2)
    assert 9 < len(made.group.points) <= 40


def test_what_a_number_hangs_on_gets_the_points() -> None:
    """A crossing of a level got points where the curve bends most, which is elsewhere."""
    x = np.linspace(0, 1, 9)
    curve = Curve(x, np.where(x < 0.5, 0.2 * x, 0.1) + 2 * np.exp(-(((x - 0.8) / 0.1) ** 2)))

    def crossing(found: Curve) -> float:
        if np.max(np.diff(found.x)) > 0.4:
            raise ValueError("too few points")
        return float(np.interp(0.05, found.y[:5], found.x[:5]))

    added = hanging(curve, crossing)
    assert added.size and np.max(np.abs(added - 0.25)) <= 0.2
    assert np.min(refined(curve)) > 0.5
    with pytest.raises(ValueError, match="too few"):
        hanging(Curve(x[[0, 8]], curve.y[[0, 8]]), crossing)


def test_rounds_of_points_that_tell_no_more_are_the_last() -> None:
    assert settled([8.0, 5.0], 1) and not settled([8.0, 2.0], 1) and not settled([8.0], 1)
    assert settled([8.0, 3.0, 5.0], 2) and not settled([8.0, 5.0, 3.0], 2) and not settled([8.0, 5.0], 2)


def test_a_sharp_line_is_followed_until_it_is_resolved() -> None:
    """That halving tells no more means nothing before the points show the line."""

    class Line(Group):
        def evaluate(self, *given: Any, **more: Any) -> Outcome:
            return self.as_curve(
                [Outcome({"R": Scalar(0.1 + 0.8 / (1 + ((x - 0.213) / 0.004) ** 2))}) for x in self.points]
            )

    plain = _group(tuple(np.linspace(0.05, 0.4, 9)))
    group = Line(plain.name, plain.description, {}, plain.ids, plain.sweeps, plain.points)
    made = climb(group, _solver(1e6), {"over_t": within(0.02)}, 1e6, most=2)
    near = [x for x in made.group.points if abs(x - 0.213) < 0.004]
    assert len(near) >= 5


@given(st.lists(st.floats(0.0, 0.5), max_size=6), st.integers(3, 12))
def test_a_sweep_begins_with_the_places_that_are_asked_for(asked: list[float], count: int) -> None:
    plain = _group(tuple(np.linspace(0.05, 0.4, count)))
    aim = (Demand(0.01, places=tuple(asked)),)
    points = with_places(plain, {"over_t": aim}).points
    inside = [x for x in asked if 0.05 <= x <= 0.4]
    assert all(x in points for x in inside) and list(points) == sorted(points)
    assert points[0] == pytest.approx(0.05) and points[-1] == pytest.approx(0.4)
    assert len(points) <= count + len(set(inside))
    assert not inside or len(points) >= 3 or count < 3
    gaps = np.diff(points)
    assert np.max(gaps) <= 1.5 * 0.35 / (count - 1) * (1 + 1e-9)


def test_finer_grids_have_the_points_that_the_coarse_one_was_given() -> None:
    """They were solved at the nine first points, so the finest curve, which is the result, was never refined."""

    class Smooth(Group):
        def evaluate(self, *given: Any, **more: Any) -> Outcome:
            seen.append((given[0].resolution, len(self.points)))
            return self.as_curve(
                [Outcome({"R": Scalar(np.cos(14 * x) + 1 / given[0].resolution ** 2)}) for x in self.points]
            )

    seen: list[tuple[float, int]] = []
    plain = _group(tuple(np.linspace(0.05, 0.4, 9)))
    group = Smooth(plain.name, plain.description, {}, plain.ids, plain.sweeps, plain.points)
    made = climb(group, _solver(1e6), {"over_t": within(1e-6)}, 1e6, most=3)
    coarsest = min(resolution for resolution, _ in seen)
    finer = {points for resolution, points in seen if resolution > coarsest}
    assert finer == {len(made.group.points)} and len(made.group.points) > 9


def test_points_are_added_only_where_time_is_left_for_a_finer_grid() -> None:
    """A sweep spent its time on points, and its one grid said nothing of its error."""

    class Smooth(Group):
        def evaluate(self, *given: Any, **more: Any) -> Outcome:
            cost = (
                len(self.points) / 9 * (given[0].resolution / coarsest) ** 4
            )  # 1 for the nine points of the coarse grid
            given[1].budget.charge(cost)
            return replace(
                self.as_curve(
                    [
                        Outcome({"R": Scalar(np.cos(14 * x) + 1 / given[0].resolution ** 2)})
                        for x in self.points
                    ]
                ),
                spent={"": (cost, cost)},
            )

    plain = _group(tuple(np.linspace(0.05, 0.4, 9)))
    group = Smooth(plain.name, plain.description, {}, plain.ids, plain.sweeps, plain.points)
    coarsest = fitting(plain.needs())
    poor, rich = (climb(group, _solver(left), {"over_t": within(1e-3)}, left, most=2) for left in (9.0, 1e6))
    assert len(poor.group.points) == 9 < len(rich.group.points)
    assert [len(made.variants["over_t"].rungs) for made in (poor, rich)] == [2, 2]


DIPOLE = """from simkit.describe import *

def describe(p):
    mirror = Block(id="mirror", medium=PerfectConductor(), z=(-inf, 0))
    above = Emitter(id="above", dimensions="3D", bodies=(mirror,), background=vacuum(), position=(0, 0, p.height),
                    orientation="z", band=Line(wavelength=p.wavelength))
    return Problem(scenes=(above,), quantities=(PurcellFactor(id="F", scene="above"),),
                   sweeps=(Sweep(id="S", of="F", parameter="height", low=p.low, high=p.high),))
"""


def test_theory_stands_beside_each_point_of_a_sweep() -> None:
    lengths = [
        {"id": name, "value": value, "unit": "um", "origin": "assumption", "assumption_id": name}
        for name, value in (("height", 0.1), ("wavelength", 1), ("low", 0.1), ("high", 0.5))
    ]
    made = from_document(document(described(DIPOLE, lengths)), declared(lengths), DIPOLE)
    group = next(g for g in groups_of(made, {}) if g.sweep is not None)
    curve = Curve(np.array([0.1, 0.3]), np.zeros(2), "parameter")
    name, exact = theory(group, "S", curve, {})
    assert (
        exact.y == pytest.approx([1.85074, 1.13786], abs=1e-5)
        and exact.axis == "parameter"
        and "dipole" in name
    )


def test_theory_stands_beside_a_reflectance_over_the_angle() -> None:
    code = CODE.replace(
        "band=Wavelengths(shortest=p.shortest, longest=p.longest)",
        "angle=p.angle, band=Line(wavelength=p.at)",
    )
    code = code.replace('polarization="x"', 'polarization="s"').replace(
        'Transmittance(id="T", scene="film"))',
        '), sweeps=(Sweep(id="S", of="R", parameter="angle", low=p.low, high=p.high),)',
    )
    angles = [
        {"id": name, "value": value, "unit": "deg", "origin": "assumption", "assumption_id": name}
        for name, value in (("angle", 0), ("low", 0), ("high", 60))
    ]
    lengths = [
        {**item, "origin": "assumption", "assumption_id": item["id"], "quotation": ""} for item in FILM[:2]
    ]
    given = [
        *lengths,
        *angles,
        {"id": "at", "value": 600, "unit": "nm", "origin": "assumption", "assumption_id": "A3"},
    ]
    made = from_document(document(described(code, given)), declared(given), code)
    group = next(g for g in groups_of(made, {}) if g.sweep is not None)
    name, exact = theory(group, "S", Curve(np.array([0.0, 0.5, 1.0]), np.zeros(3), "parameter"), {})
    assert name == "transfer matrix" and np.all(np.diff(exact.y) > 0)


@pytest.mark.parametrize("spectra", [False, True])
def test_what_changes_a_sweep_is_solved_at_three_of_its_points(spectra: bool) -> None:
    """A guide's padding was varied at all nine gaps: a third of its nine minutes."""

    class Smooth(Group):
        def evaluate(self, numerics: Any, solver: Any, *given: Any, **more: Any) -> Outcome:
            seen.append(self.points)
            started.append([known["x"] for known in more.get("known", ())])
            moved = 1 + 0.01 * (numerics.padding - 1)

            def value(x: float) -> Any:
                edge = np.tanh(30 * (moved * x - 0.15))
                return Curve(F, edge * F) if spectra else Scalar(edge)

            values = [Outcome({"R": value(x)}, {f"{x}": (1.0, 1.0)}, known=({"x": x},)) for x in self.points]
            return self.as_curve(values)

    F = np.linspace(1.0, 2.0, 5)
    seen: list[tuple[float, ...]] = []
    started: list[list[float]] = []
    plain = _group(tuple(np.linspace(0.05, 0.4, 9)))
    group = Smooth(plain.name, plain.description, {}, plain.ids, plain.sweeps, plain.points)
    base = group.evaluate(Numerics(40.0), None)
    beside = Beside.of(group, base)
    found = beside.evaluate(Numerics(40.0, padding=2.0), None)  # type: ignore[arg-type]
    few = seen[-1]
    assert len(few) == 3 and (few[0], few[-1]) == (0.05, 0.4) and abs(few[1] - 0.15) < 0.05
    assert started[-1] == list(few) and beside.cost_s == pytest.approx(3.0) and found.cost_s == 3.0
    whole = group.evaluate(Numerics(40.0, padding=2.0), None)
    before, after, exact = (o.values["over_t"] for o in (base, found, whole))
    assert isinstance(before, Curve) and isinstance(after, Curve) and isinstance(exact, Curve)
    assert (
        type(after) is type(before) and after.y.shape == before.y.shape and np.array_equal(after.x, before.x)
    )
    there = np.isin(group.points, few)
    changed = (after.y - before.y).reshape(-1, 9) if spectra else (after.y - before.y)[None, :]
    right = (exact.y - before.y).reshape(-1, 9) if spectra else (exact.y - before.y)[None, :]
    assert np.allclose(changed[:, there], right[:, there], atol=1e-12)
    assert np.abs(changed).max() == pytest.approx(
        np.abs(right).max(), rel=1e-9
    )  # the steepest point is among them
    short = Smooth(plain.name, plain.description, {}, plain.ids, plain.sweeps, plain.points[:5])
    Beside.of(short, short.evaluate(Numerics(40.0), None)).evaluate(Numerics(40.0, padding=2.0), None)  # type: ignore[arg-type]
    assert len(seen[-1]) == 5


def test_the_spectra_under_a_sweep_get_the_samples_that_its_numbers_need() -> None:
    """The width of a line over a thickness rested on spectra too coarse for the line, alike on all grids: 39.2 nm for 35.1."""

    class Width(Group):
        def evaluate(self, *given: Any, **more: Any) -> Outcome:
            seen.append(min(given[0].samples, most))
            points = [
                Outcome({"R": Scalar(0.1 * x)}, sampled={"R": Scalar(0.1 * x + left(seen[-1]))})
                for x in self.points
            ]
            run = SimpleNamespace(digest=str(seen[-1]).__str__, dimensions="1D", materials=())
            return replace(self.as_curve(points), arrangement=SimpleNamespace(runs={"run": run}))

    def left(samples: int) -> float:
        return 3 / (samples - 1) ** 2

    plain = _group(tuple(np.linspace(0.05, 0.4, 9)))
    for case in ((801, 1e-2, 401), (801, 1e-6, 801), (101, 1e-3, 101), (801, 1.0, 101)):
        most, wanted, samples = case
        seen: list[int] = []
        group = Width(plain.name, plain.description, {}, plain.ids, plain.sweeps, plain.points)
        made = climb(group, _solver(1e6), {"over_t": within(wanted)}, 1e6, most=2)
        assert made.numerics.samples == seen[-1] == samples
        with_sampling(made)
        part = next(p for p in parts_of(made.variants["over_t"])[0] if p.part == "sampling")
        assert part.value == pytest.approx(left(samples), rel=0.1)
