"""Resonators: what may be described, where currents and probes stand, which mode is chosen, what has no Q."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from simkit.arrange import Arrangement, Numerics, arrange, needs, refined
from simkit.describe.base import RESOLVED
from simkit.describe.problem import Problem
from simkit.runs import dump as dumped
from simkit.runs import load
from tasks.reproduce.measuring import NotMeasured, measure
from tasks.reproduce.oracles import oracle
from tasks.reproduce.solving.varying import scene_values

INF = 1e20


def glass(index: float) -> dict[str, Any]:
    return {"kind": "medium", "index": index}


RING = {
    "type": "ring",
    "id": "ring",
    "medium": glass(3.4),
    "center": [0, 0, 0],
    "inner": 1,
    "outer": 2,
    "filling": glass(1),
    "bounds": [-INF, INF],
}
DRUDE = {
    "kind": "medium",
    "epsilon": 1,
    "poles": [{"kind": "drude", "frequency": 1.0, "damping": 0.001, "strength": 1}],
}
SURFACE = {
    "type": "resonator",
    "id": "s",
    "dimensions": "2D",
    "field": "Hz",
    "background": glass(1),
    "bodies": [{"type": "block", "id": "metal", "medium": DRUDE, "y": [-INF, 0]}],
    "periodic": [{"axis": "x", "k": 0.8}],
    "search": {"type": "frequencies", "lowest": 0.5, "highest": 0.65},
}


def made(*quantities: dict[str, Any], **scene: Any) -> Problem:
    whole = {
        "type": "resonator",
        "id": "s",
        "dimensions": "2D",
        "field": "Ez",
        "bodies": [RING],
        "background": glass(1),
        "search": {"type": "frequencies", "lowest": 0.1, "highest": 0.135},
        **scene,
    }
    given = quantities or ({"type": "resonance_frequency", "id": "f"},)
    return Problem.model_validate(
        {"scenes": [whole], "quantities": [{"scene": "s", **q} for q in given]}, context=RESOLVED
    )


def arranged(problem: Problem, resolution: float = 10.0, **more: Any) -> Arrangement:
    return arrange(problem.scenes[0], problem.quantities, Numerics(resolution, **more), {})


def seen(*found: tuple[float, float, float], half: float = 1.0) -> dict[str, Any]:
    """Raw arrays in which every probe sees the modes (frequency, Q, amplitude); half: their Q in the first half over it."""
    f, q, a = (
        (np.array(column, float) for column in zip(*found, strict=True)) if found else (np.array([]),) * 3
    )
    one = {
        "frequency": f,
        "Q": q,
        "amplitude": a.astype(complex),
        "error": np.full(f.shape, 1e-8),
        "duration": np.array(2000.0),
        "first_half_frequency": f,
        "first_half_Q": q * half,
    }
    return {f"probe_{n}_Ez/{key}": value for n in range(3) for key, value in one.items()}


def both(
    problem: Problem, survey: dict[str, Any], alone: dict[str, Any]
) -> tuple[Arrangement, dict[str, Any]]:
    first = arranged(problem)
    further = refined(problem.scenes[0], problem.quantities, Numerics(10.0), {}, first, {"survey_0": survey})
    return (further or first), {"survey_0": survey, "mode_0": alone} if further else {"survey_0": survey}


@pytest.mark.unit
@pytest.mark.parametrize(
    ("scene", "words"),
    [
        ({"field": "all"}, "in 2D field is 'Ez' or 'Hz'"),
        ({"m": 3, "dimensions": "3D", "field": "all"}, "m is the azimuthal order"),
        ({"m": 3, "bodies": [{**RING, "center": [0.1, 0, 0]}]}, "ring is no circle about the origin"),
        ({"m": 3, "periodic": [{"axis": "x"}]}, "open on all sides"),
        ({"periodic": [{"axis": "z"}]}, "allowed, each once: x, y"),
        ({"background": {"kind": "perfect_conductor"}}, "cannot travel"),
    ],
)
def test_what_no_resonator_is(scene: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        made(**scene)


@pytest.mark.unit
def test_currents_and_probes_stand_inside_and_off_all_symmetry_planes() -> None:
    run = arranged(made()).runs["survey_0"]
    assert load(dumped(run)).digest() == run.digest()
    places = [s.center for s in run.sources] + [m.center for m in run.monitors.values()]
    assert len(set(places)) == len(places) == 6
    for x, y, _ in places:
        assert 0 < np.hypot(x, y) < 2
        assert min(abs(x), abs(y), abs(x - y), abs(x + y)) > 0.01
    assert {layer.axis for layer in run.layers} == {"x", "y"}
    assert all(round(side * run.resolution) % 2 == 0 for side in run.cell[:2])


@pytest.mark.unit
def test_radial_pml_is_a_wavelength_thick_and_padding_moves_it_away() -> None:
    sphere = {"type": "sphere", "id": "ball", "medium": glass(3.5), "center": [0, 0, 0], "radius": 1}
    problem = made(dimensions="cylindrical", field="all", bodies=[sphere], m=1)
    run, wide = arranged(problem).runs["survey_0"], arranged(problem, padding=1.4).runs["survey_0"]
    radial = next(layer for layer in run.layers if layer.axis == "x")
    assert radial.side == "high" and radial.thickness >= 1 / 0.1
    assert wide.cell[0] > run.cell[0] and wide.cell[2] > run.cell[2]
    assert run.m == 1


def hole(x: float, index: float = 1.0) -> dict[str, Any]:
    return {"type": "cylinder", "id": "hole", "medium": glass(index), "center": [x, 0, 0], "radius": 0.3}


def repeated(x: float, step: float) -> dict[str, Any]:
    return {"type": "repeat", "body": hole(x), "count": 3, "step": [step, 0, 0]}


EVERYWHERE = {axis: [-INF, INF] for axis in "xyz"}  # as a resolved document has what is not told
GUIDE = {"type": "block", "id": "guide", "medium": glass(3.6), **EVERYWHERE, "y": [-0.6, 0.6]}


@pytest.mark.unit
@pytest.mark.parametrize(
    ("bodies", "same"),
    [
        ((GUIDE, hole(0.7), hole(-0.7)), True),
        ((GUIDE, hole(0.7), hole(-0.8)), False),
        ((GUIDE, hole(0.7)), False),
        ((GUIDE, repeated(0.7, 1.0), repeated(-0.7, -1.0)), True),
        ((GUIDE, repeated(0.7, 1.0), repeated(-0.7, 1.0)), False),
        ((GUIDE, repeated(-1.0, 1.0)), True),
        ((GUIDE, hole(0.7), hole(-0.7, 2.0)), False),
        (
            (hole(0.7), {**GUIDE, "x": [-0.5, 0.5]}, hole(-0.7)),
            False,
        ),  # the guide covers one hole and is cut by the other
        (
            (
                GUIDE,
                {"type": "block", "id": "end", "medium": glass(2), **EVERYWHERE, "x": [3, INF]},
                {"type": "block", "id": "other", "medium": glass(2), **EVERYWHERE, "x": [-INF, -3]},
            ),
            True,
        ),
    ],
)
def test_two_bodies_may_be_each_others_mirror_image(bodies: tuple[dict[str, Any], ...], same: bool) -> None:
    problem = made(
        {"type": "resonance_frequency", "id": "f", "parity_x": "odd"}, bodies=list(bodies), field="Hz"
    )
    if same:
        assert next(iter(arranged(problem).runs.values())).mirrors == (("x", -1),)
    else:
        with pytest.raises(ValueError, match="not symmetric about the plane x = 0"):
            arranged(problem)


@pytest.mark.unit
def test_parity_is_a_mirror_and_needs_symmetric_bodies() -> None:
    quantity = {"type": "resonance_frequency", "id": "f", "parity_y": "odd"}
    assert arranged(made(quantity)).runs["survey_0"].mirrors == (("y", -1),)
    with pytest.raises(ValueError, match="not symmetric about the plane y = 0"):
        arranged(made(quantity, bodies=[{**RING, "center": [0, 0.2, 0]}]))


@pytest.mark.unit
def test_a_circle_needs_half_of_its_cell_where_its_modes_may_be_turned() -> None:
    def mirrors(*quantities: dict[str, Any], **scene: Any) -> tuple[Any, ...]:
        return arranged(made(*quantities, **scene)).runs["survey_0"].mirrors

    assert mirrors() == mirrors({"type": "quality_factor", "id": "q"}) == (("y", 1),)
    assert mirrors(field="Hz") == (
        ("y", -1),
    )  # H even, so that the mode without a node along phi is seen too
    assert mirrors({"type": "resonance_frequency", "id": "f"}, {"type": "mode_volume", "id": "v"}) == ()
    dot = {"type": "cylinder", "id": "dot", "medium": glass(2), "center": [0.5, 0, 0], "radius": 0.2}
    assert mirrors(bodies=[RING, dot]) == ()
    assert mirrors(periodic=[{"axis": "x", "period": 8}]) == ()


@pytest.mark.unit
def test_surface_waves_get_a_thin_bloch_cell_exact_interfaces_and_absorbers_in_the_metal() -> None:
    problem = made(**SURFACE)
    run = arranged(problem, 40.0).runs["survey_0"]
    assert run.bloch == (0.8, 0, 0) and run.cell[0] == pytest.approx(0.1)
    assert [(layer.kind, layer.axis) for layer in run.layers] == [("absorber", "y")]
    assert (
        run.stack_axis == "y"
        and run.stack[0][1:] == (-run.cell[1] / 2, 0)
        and not run.geometry
        and not run.smoothing
    )


@pytest.mark.unit
def test_the_second_run_is_narrow_and_rings_long_enough() -> None:
    arrangement, _ = both(made(), seen((0.1182, 77.3, 1.0), (0.1260, 20.0, 0.5)) | {}, {})
    assert arrangement.facts["final"] == {}  # two modes and 'only': nothing is guessed
    arrangement, _ = both(
        made({"type": "quality_factor", "id": "q", "choose": "strongest"}),
        seen((0.1182, 400.0, 1.0), (0.1260, 20.0, 0.5)),
        {},
    )
    run = arrangement.runs["mode_0"]
    low, high = next(iter(run.monitors.values())).frequencies
    assert low < 0.1182 < high < 0.1260
    assert run.stop.max_time >= 3 * 400 / (np.pi * 0.1182)


@pytest.mark.unit
def test_choice_of_a_mode() -> None:
    found = seen((0.1182, 77.3, 1.0), (0.1260, 500.0, 0.5))
    values = {}
    for choose in ("strongest", "nearest", "highest_q"):
        problem = made(
            {
                "type": "resonance_frequency",
                "id": "f",
                "choose": choose,
                "within": {"type": "frequencies", "lowest": 0.117, "highest": 0.134},
            }
        )
        values[choose] = measure(problem.scenes[0], problem.quantities[0], *both(problem, found, found)).value
    assert values == {"strongest": 0.1182, "nearest": 0.1260, "highest_q": 0.1260}


@pytest.mark.unit
@pytest.mark.parametrize(
    ("survey", "alone", "words"),
    [
        (seen(), seen(), "no mode between 0.1 and 0.135"),
        (
            seen((0.1182, 77.3, 1.0), (0.1260, 20.0, 0.5)),
            seen(),
            "several modes between 0.1 and 0.135: 0.1182 .* choose",
        ),
        (
            {key: value for key, value in seen((0.1182, 77.3, 1.0)).items() if key.startswith("probe_0")}
            | {key: value for key, value in seen().items() if not key.startswith("probe_0")},
            seen(),
            "two probes see",
        ),
        (seen((0.1182, 77.3, 1.0)), seen((0.1182, 77.3, 1.0), half=1.4), "Q at 0.1182 is not steady"),
        (seen((0.1182, 1e7, 1.0)), seen((0.1182, -3e6, 1.0)), "no loss is seen"),
        (seen((0.1182, 77.0, 1.0)), seen((0.1182, -77.0, 1.0)), "grows"),
    ],
)
def test_what_has_no_quality_factor(survey: dict[str, Any], alone: dict[str, Any], words: str) -> None:
    problem = made({"type": "quality_factor", "id": "q"})
    with pytest.raises(NotMeasured, match=words):
        measure(problem.scenes[0], problem.quantities[0], *both(problem, survey, alone))


@pytest.mark.unit
def test_a_closed_resonator_has_a_frequency_and_no_quality_factor() -> None:
    rod = {
        "type": "cylinder",
        "id": "rod",
        "medium": glass(3),
        "center": [0, 0, 0],
        "radius": 0.2,
        "axis": "z",
        "bounds": [-INF, INF],
    }
    periodic = [{"axis": "x", "period": 1, "k": 0.5}, {"axis": "y", "period": 1}]
    problem = made(
        {"type": "resonance_frequency", "id": "f"},
        {"type": "quality_factor", "id": "q"},
        bodies=[rod],
        periodic=periodic,
    )
    found = seen((0.12, 1e9, 1.0))
    assert measure(problem.scenes[0], problem.quantities[0], *both(problem, found, found)).value == 0.12
    with pytest.raises(NotMeasured, match="lossless and has no Q"):
        measure(problem.scenes[0], problem.quantities[1], *both(problem, found, found))
    assert needs(problem.scenes[0], {}).whole == (0.5,)


@pytest.mark.unit
def test_the_ring_s_exact_mode() -> None:
    problem = made(
        {"type": "resonance_frequency", "id": "f"},
        {"type": "quality_factor", "id": "q"},
        search={"type": "frequencies", "lowest": 0.115, "highest": 0.122},
    )
    (name, f), (_, q) = (oracle(problem.scenes[0], quantity, {}) for quantity in problem.quantities)
    assert name == "Bessel and Hankel functions"
    assert f.value == pytest.approx(0.1181917, rel=1e-6) and f.power == -1
    assert q.value == pytest.approx(77.255, rel=1e-4)


@pytest.mark.unit
def test_an_order_in_two_dimensions_is_solved_along_the_radius() -> None:
    problem = made({"type": "quality_factor", "id": "q"}, m=3)
    run = arranged(problem).runs["survey_0"]
    assert run.dimensions == "cylindrical" and run.m == 3 and run.cell[1:] == (0, 0)
    assert {source.component for source in run.sources} == {"Ez"} and needs(problem.scenes[0], {}).whole == (
        1.0,
        2.0,
    )
    (exact, other) = (
        oracle(p.scenes[0], p.quantities[0], {})
        for p in (problem, made({"type": "quality_factor", "id": "q"}, m=4))
    )
    assert exact[1].value == pytest.approx(77.255, rel=1e-4) and other is None


PROFILE = {"type": "mode_profile", "id": "p", "start": [0.1, 0, 0], "end": [3, 0, 0]}
VOLUME = {"type": "mode_volume", "id": "v"}
WATCHED = ({"type": "quality_factor", "id": "q"}, PROFILE, VOLUME)


@pytest.mark.unit
def test_fields_of_a_mode_are_recorded_late_and_with_its_other_quantities() -> None:
    problem = made(*WATCHED, m=3)
    arrangement, _ = both(problem, seen((0.1182, 77.0, 1.0)), {})
    assert len(arrangement.runs) == 2
    run = arrangement.runs["mode_0"]
    line, around = (run.monitors[f"fields_{q.mark}"] for q in problem.quantities[1:])
    assert line.start == pytest.approx(0.1 * run.stop.max_time) and run.complex_fields
    assert line.components == ("Ez",) and around.components == ("Ez", "Dz")
    assert (
        around.size[0] == pytest.approx(2 + 0.5 / 0.1182)
        and around.size[0] < run.cell[0] - run.layers[0].thickness
    )
    assert load(dumped(run)).digest() == run.digest()


@pytest.mark.unit
@pytest.mark.parametrize(
    ("quantity", "words"),
    [
        ({**PROFILE, "end": [3, 1, 0]}, "nothing changes along y"),
        ({**PROFILE, "end": [3, 1, 1]}, "differ along 3 axes; one is a line, two are a rectangle"),
        ({**PROFILE, "start": [0, 0, 0], "end": [0, 0, 1]}, "nothing changes along z"),
        ({**PROFILE, "component": "Hz"}, "has no Hz; it has Ez, Hx, Hy"),
        ({**PROFILE, "start": [-1, 0, 0]}, "a radius is 0 or more"),
    ],
)
def test_lines_that_show_no_profile(quantity: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        both(made(quantity, m=3), seen((0.1182, 77.0, 1.0)), {})


def recorded(beside: float) -> dict[str, Any]:
    """A field of which `beside` of its largest value is another mode."""
    x = np.linspace(0, 3.2, 33)
    one, other = np.sin(x), np.cos(2 * x)
    fields = np.array([one, one + beside * other], complex)
    _, line, around = (f"fields_{q.mark}" for q in made(*WATCHED, m=3).quantities)
    return {
        f"{line}/x": x,
        f"{line}/Ez": fields,
        f"{around}/x": x,
        f"{around}/weights": 2 * np.pi * x * 0.1,
        f"{around}/Ez": fields,
        f"{around}/Dz": 4 * fields,
    }


@pytest.mark.unit
def test_profiles_and_volumes_of_recorded_fields() -> None:
    problem = made(*WATCHED, m=3)
    mode = seen((0.1182, 77.0, 1.0))
    arrangement, raw = both(problem, mode, mode | recorded(0.0))
    _, p, v = (measure(problem.scenes[0], q, arrangement, raw) for q in problem.quantities)
    assert (
        p.y == pytest.approx(np.sin(p.x), abs=1e-4)
        and (p.x[0], p.x[-1]) == (0.1, 3.0)
        and p.axis == "position"
    )
    r = raw["mode_0"][f"fields_{problem.quantities[2].mark}/x"]
    assert v.power == 2 and v.value == pytest.approx(
        2 * np.pi * np.sum(0.1 * r * np.sin(r) ** 2),
        rel=2e-3,
    )
    for q in problem.quantities[1:]:
        with pytest.raises(NotMeasured, match="holds another mode"):
            measure(problem.scenes[0], q, *both(problem, mode, mode | recorded(0.2)))


class Kept:
    """Answers from raw arrays by the run's width: the survey's, then the narrow run's."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        self.answers, self.kept, self.costs, self.widths = list(answers), {}, {}, []

    def ahead(self, calls: Any, each_s: float) -> None:
        """Nothing is solved ahead."""

    def beyond(self, runs: Any) -> None:
        """All are paid for."""

    def expect(self, run: Any, alike: str) -> None:
        """Nothing is known of others."""

    def solve(self, run: Any, words: str, alike: str) -> dict[str, Any]:
        self.widths.append(run.sources[0].width)
        return self.answers.pop(0)


@pytest.mark.unit
def test_the_harness_rings_the_found_mode_alone() -> None:
    problem = made({"type": "quality_factor", "id": "q"})
    solver = Kept(seen((0.1182, 74.0, 1.0)), seen((0.1182, 77.3, 1.0)))
    outcome = scene_values(problem.scenes[0], problem.quantities, Numerics(10.0), {}, solver)  # type: ignore[arg-type]
    assert outcome.values["q"].value == 77.3 and list(outcome.raw) == ["survey_0", "mode_0"]
    assert solver.widths[1] < solver.widths[0]
