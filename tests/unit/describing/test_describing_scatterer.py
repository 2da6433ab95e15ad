"""Far fields of scatterers: what is placed, exact partial waves by known facts, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simkit.arrange import Arrangement, Numerics, arrange
from simkit.describe.base import RESOLVED
from simkit.describe.problem import Problem
from simkit.runs import dump, load
from tasks.reproduce.measuring import measure
from tasks.reproduce.oracles import oracle

AIR = {"kind": "medium", "index": 1}
ROD = {
    "type": "cylinder",
    "id": "rod",
    "medium": {"kind": "medium", "index": 1.5},
    "radius": 0.3,
    "center": [0, 0, 0],
}
BALL = {
    "type": "sphere",
    "id": "ball",
    "medium": {"kind": "medium", "index": 1.5},
    "radius": 0.01,
    "center": [0, 0, 0],
}


def made(body: dict[str, Any], *quantities: dict[str, Any], **scene: Any) -> Problem:
    whole = {
        "type": "scatterer",
        "id": "s",
        "dimensions": "2D" if body is ROD else "3D",
        "bodies": [body],
        "background": AIR,
        "polarization": "z",
        "band": {"type": "line", "wavelength": 1},
        **scene,
    }
    return Problem.model_validate(
        {"scenes": [whole], "quantities": [{"scene": "s", **q} for q in quantities]}, context=RESOLVED
    )


def far(name: str = "q", **more: Any) -> dict[str, Any]:
    return {"type": "far_field", "id": name, **more}


def along(start: list[float], end: list[float], **more: Any) -> dict[str, Any]:
    return {"type": "field_along", "id": "a", "start": start, "end": end, **more}


def arranged(problem: Problem, samples: int = 11) -> Arrangement:
    return arrange(problem.scenes[0], problem.quantities, Numerics(30.0, samples=samples), {})


def exact(problem: Problem, x: np.ndarray) -> np.ndarray:
    return oracle(problem.scenes[0], problem.quantities[0], {}, x)[1].y


@pytest.mark.unit
def test_far_fields_subtract_the_incident_ones_and_lines_lie_outside_the_box() -> None:
    problem = made(ROD, far(over="incident"), far("r"), along([2, -1, 0], [2, 1, 0]))
    arrangement = arranged(problem, samples=301)
    q, r, a = (quantity.mark for quantity in problem.quantities)
    empty, bodies = arrangement.runs["empty"], arrangement.runs["bodies"]
    assert load(dump(bodies)).digest() == bodies.digest()
    assert {name: run for name, (run, _) in bodies.subtract.items()} == dict.fromkeys(
        (f"far_{q}", f"far_{r}", f"along_{a}"), empty.digest()
    )
    assert set(empty.monitors) - set(bodies.monitors) == {"incident", "centre"}
    assert len(bodies.monitors[f"far_{q}"].directions) == 300
    assert bodies.monitors[f"along_{a}"].directions[150] == (2, 0, 0)


@pytest.mark.unit
@pytest.mark.parametrize(
    ("quantity", "words"),
    [
        (far(towards="x"), "its plane is that of the light's direction"),
        (far(towards="z"), "found towards='z'"),
        (along([-1, 0, 0], [1, 0, 0]), "there a NearField is measured"),
        (along([2, 0, 0], [2, 0, 0]), "are one point"),
        (along([2, 0, 1], [2, 1, 0]), "in two dimensions z is 0"),
    ],
)
def test_what_is_no_far_field(quantity: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        arranged(made(ROD, quantity))


@pytest.mark.unit
def test_patterns_are_relative_to_their_maximum_or_to_the_incident_light() -> None:
    problem = made(ROD, far(), far("i", over="incident"))
    arrangement = arranged(problem)
    one, other = problem.quantities
    where = np.array(arrangement.runs["bodies"].monitors[f"far_{one.mark}"].directions)
    electric = np.tile([0, 0, 1.0], (len(where), 1)) * (1 + where[:, :1])  # twice as strong forward as aside
    fields = np.concatenate([electric, np.cross(where, electric)], 1)[:, None]
    raw = {
        "empty": {"incident/flux": np.array([4 * arrangement.facts["area"]])},
        "bodies": {
            f"far_{q.mark}/{key}": value
            for q in (one, other)
            for key, value in (("fields", fields), ("directions", where))
        },
    }
    relative, absolute = (measure(problem.scenes[0], q, arrangement, raw) for q in problem.quantities)
    assert (relative.axis, relative.y[0], relative.y[90]) == ("angle", 1, pytest.approx(0, abs=1e-12))
    assert relative.y[45] == pytest.approx(0.25) and (relative.power, absolute.power) == (0, 1)
    assert absolute.y[45] == pytest.approx(
        arrangement.runs["bodies"].monitors[f"far_{other.mark}"].radius / 4
    )


@pytest.mark.unit
def test_a_line_without_a_scattered_field_sees_the_incident_wave() -> None:
    problem = made(ROD, along([2, -1, 0], [3, 1, 0]))
    arrangement = arranged(problem)
    places = np.array(arrangement.runs["bodies"].monitors[f"along_{problem.quantities[0].mark}"].directions)
    scattered = np.zeros((len(places), 1, 6), complex)
    wave = 0.5j * np.exp(2j * np.pi * places[:, 0])
    raw = {
        "empty": {"centre/Ez": np.array([0.5j])},
        "bodies": {
            f"along_{problem.quantities[0].mark}/directions": places,
            f"along_{problem.quantities[0].mark}/fields": scattered,
        },
    }
    found = measure(problem.scenes[0], problem.quantities[0], arrangement, raw)
    assert (
        found.y == pytest.approx(1) and found.x[-1] == pytest.approx(np.sqrt(5)) and found.axis == "position"
    )
    scattered[:, 0, 2] = wave  # in step with the incident wave: twice the field everywhere
    assert measure(problem.scenes[0], problem.quantities[0], arrangement, raw).y == pytest.approx(4)


@pytest.mark.unit
@pytest.mark.parametrize("polarization", ["z", "y"])
@pytest.mark.parametrize("body", [ROD, BALL])
def test_the_exact_pattern_holds_the_exact_cross_section(body: dict[str, Any], polarization: str) -> None:
    angle = np.linspace(0, 2 * np.pi, 721)[:-1]
    total = exact(
        made(body, {"type": "cross_section", "id": "c", "process": "scattering"}, polarization=polarization),
        np.array([1.0]),
    )[0]
    if body is ROD:
        pattern = exact(made(body, far(over="incident"), polarization=polarization), angle)
        assert pattern.mean() * 2 * np.pi == pytest.approx(total, rel=1e-9)
        return
    parallel, across = (
        exact(made(body, far(over="incident", towards=axis), polarization=polarization), angle)
        for axis in "yz"
    )
    ring = (parallel + across)[:361] * np.sin(
        angle[:361]
    )  # both planes of polarisation: the mean over the azimuth
    assert np.sum(ring) * (angle[1] - angle[0]) * np.pi == pytest.approx(total, rel=1e-4)
    own = parallel if polarization == "y" else across
    assert own / own.max() == pytest.approx(np.cos(angle) ** 2, abs=0.01)  # a small ball is a dipole


@pytest.mark.unit
@pytest.mark.parametrize("polarization", ["z", "y"])
def test_the_exact_field_around_a_cylinder_where_it_is_known(polarization: str) -> None:
    far_off = along([3000, 5000, 0], [3000.0001, 5000, 0])
    problem = made({**ROD, "radius": 1e-3}, far_off, polarization=polarization, dimensions="2D")
    assert exact(problem, np.array([0.0])) == pytest.approx(1, abs=1e-6)
    glass = {**ROD, "medium": AIR}
    assert exact(
        made(glass, along([0.1, 2, 0], [3, -2, 0]), polarization=polarization, dimensions="2D"),
        np.linspace(0, 2, 5),
    ) == pytest.approx(1, abs=1e-9)
    turned = made(
        ROD, along([0, 2, 0], [1, 3, 0]), polarization={"z": "z", "y": "x"}[polarization], direction="+y"
    )
    plain = made(ROD, along([2, 0, 0], [3, -1, 0]), polarization=polarization)
    assert exact(turned, np.array([0, 1.0])) == pytest.approx(exact(plain, np.array([0, 1.0])), abs=1e-12)


@pytest.mark.unit
def test_what_things_are_called_makes_no_other_run() -> None:
    """A stage that described the same lens with other ids solved it again, 230 CPU seconds."""
    one = arranged(made(ROD, far(), along([2, -1, 0], [2, 1, 0]))).runs
    named = {**ROD, "id": "another"}
    seen = {**along([2, -1, 0], [2, 1, 0]), "id": "b"}
    other = arranged(made(named, far("seen"), seen, dimensions="2D")).runs
    wider = arranged(made(ROD, far(), along([2, -1, 0], [2, 1.1, 0]))).runs
    assert [run.digest() for run in one.values()] == [run.digest() for run in other.values()]
    assert one["bodies"].digest() != wider["bodies"].digest()
