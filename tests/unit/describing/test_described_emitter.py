"""Emitters: what may be described, the dipole alone and among bodies, exact mirrors, ratios and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from scipy.special import j0

from simkit.arrange import Arrangement, Numerics, arrange
from simkit.describe.base import RESOLVED
from simkit.describe.problem import Problem
from simkit.runs import dump, load
from tasks.reproduce.measuring import NotMeasured, measure
from tasks.reproduce.oracles import oracle

FAR = [-1e20, 1e20]
AIR = {"kind": "medium", "index": 1}
MIRROR = {
    "type": "block",
    "id": "mirror",
    "medium": {"kind": "perfect_conductor"},
    "x": FAR,
    "y": FAR,
    "z": [-1e20, 0],
}
BAND = {"type": "frequencies", "lowest": 0.9, "highest": 1.1}


def made(kind: str = "purcell_factor", quantity: dict[str, Any] | None = None, **scene: Any) -> Problem:
    whole = {
        "type": "emitter",
        "id": "s",
        "dimensions": "3D",
        "bodies": [MIRROR],
        "background": AIR,
        "position": [0, 0, 0.1],
        "orientation": "z",
        "band": {"type": "line", "wavelength": 1},
        **scene,
    }
    measured = {"type": kind, "id": "p", "scene": "s", **(quantity or {})}
    return Problem.model_validate({"scenes": [whole], "quantities": [measured]}, context=RESOLVED)


def arranged(problem: Problem) -> Arrangement:
    return arrange(problem.scenes[0], problem.quantities, Numerics(20.0, samples=3), {})


@pytest.mark.unit
@pytest.mark.parametrize(
    ("scene", "words"),
    [
        ({"dimensions": "1D"}, "'2D' or '3D'"),
        ({"background": {"kind": "perfect_conductor"}}, "inside a perfect conductor"),
    ],
)
def test_what_no_emitter_is(scene: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        made(**scene)


@pytest.mark.unit
def test_an_ideal_mirror_is_a_mirror_plane_and_the_dipole_alone_has_a_cell_of_its_own() -> None:
    mirror = {**MIRROR, "z": [-1e20, 0.4]}
    arrangement = arranged(made(bodies=[mirror], position=[0.7, 0, 0.5]))
    empty, bodies = arrangement.runs["empty"], arrangement.runs["bodies"]
    assert load(dump(bodies)).digest() == bodies.digest()
    assert bodies.mirrors == (("z", -1),) and not (bodies.stack or bodies.geometry or empty.mirrors)
    assert bodies.sources[0].center == pytest.approx((0, 0, 0.1)) and bodies.dimensions == "cylindrical"
    assert [layer.axis for layer in empty.layers] == ["x", "z"] and empty.cell < bodies.cell


@pytest.mark.unit
def test_where_absorbers_end_the_cell_the_dipole_alone_stands_in_the_same() -> None:
    """What they throw back cancels there: in a cell of its own a dipole beside next to nothing was 0.8 % off."""
    silver = {
        "eps_inf": 4.0,
        "poles": [{"kind": "drude", "f0": 7.0, "gamma": 0.05, "sigma": 1.0}],
        "band_um": [0.5, 2],
    }
    half = {
        "type": "block",
        "id": "silver",
        "medium": {"kind": "medium", "material": "silver"},
        "x": FAR,
        "y": [-1e20, 0],
        "z": FAR,
    }
    problem = made(dimensions="2D", bodies=[half], position=[0, 0.3, 0])
    runs = arrange(problem.scenes[0], problem.quantities, Numerics(20.0, samples=3), {"silver": silver}).runs
    assert "absorber" in {layer.kind for layer in runs["bodies"].layers}
    assert runs["empty"].cell == runs["bodies"].cell and runs["empty"].sources == runs["bodies"].sources


@pytest.mark.unit
@given(
    at=st.tuples(st.floats(-2, 2), st.floats(-2, 2), st.floats(-2, 2)),
    steps=st.tuples(st.integers(-40, 40), st.integers(-40, 40), st.integers(-40, 40)),
    orientation=st.sampled_from("xyz"),
    dims=st.sampled_from(["2D", "3D"]),
)
def test_places_that_lie_alike_on_the_grid_share_the_dipole_alone(
    at: tuple[float, ...], steps: tuple[int, ...], orientation: str, dims: str
) -> None:
    """A line current in air was solved at each of 25 places, at two fifths of what the disc beside it cost."""
    ball = {"type": "sphere", "id": "b", "medium": {"kind": "medium", "index": 2}, "radius": 3}
    body = (
        {**ball, "type": "cylinder"}
        if dims == "2D"
        else {**ball, "type": "block", "x": [-3, 3], "y": [-3, 3]}
    )
    body = body if dims == "2D" else {k: v for k, v in body.items() if k != "radius"} | {"z": [-3, 3]}
    flat = (*at[:2], at[2] if dims == "3D" else 0.0)
    moved = tuple(
        value + (step / 20 if dims == "3D" or i < 2 else 0.0)
        for i, (value, step) in enumerate(zip(flat, steps, strict=True))
    )
    runs = [
        arranged(made(dimensions=dims, bodies=[body], position=list(place), orientation=orientation)).runs
        for place in (flat, moved)
    ]
    one, other = (found["empty"] for found in runs)
    assert (
        one.cell == other.cell
        or max(abs(a - b) for a, b in zip(one.cell, other.cell, strict=True)) <= 0.1 + 1e-9
    )
    for run, found in zip((one, other), runs, strict=True):
        (source,), (among,) = run.sources, found["bodies"].sources
        assert all(0 <= value < 1 / 20 for value in source.center)
        apart = [(a - b) * 20 for a, b in zip(among.center, source.center, strict=True)]
        assert all(abs(value - round(value)) < 1e-5 for value in apart)
    assert one.sources[0].center == pytest.approx(other.sources[0].center, abs=1e-6)


@pytest.mark.unit
@pytest.mark.parametrize(
    ("axis", "orientation", "component", "m"),
    [("z", "z", "Ez", 0), ("z", "x", "Ex", 1), ("x", "x", "Ez", 0), ("y", "z", "Ex", 1)],
)
def test_bodies_that_revolve_about_a_line_through_the_dipole_fit_a_cylindrical_cell(
    axis: str, orientation: str, component: str, m: int
) -> None:
    bounds = {name: [-1e20, 1e20] for name in "xyz"} | {axis: [-1e20, 0]}
    glass = {"type": "block", "id": "glass", "medium": {"kind": "medium", "index": 1.5}, **bounds}
    centre = [0.3, 0.3, 0.3]
    centre["xyz".index(axis)] = 0.6
    ball = {
        "type": "sphere",
        "id": "ball",
        "medium": {"kind": "medium", "index": 2},
        "center": centre,
        "radius": 0.1,
    }
    place = [0.3, 0.3, 0.3]
    run = arranged(made(bodies=[glass, ball], position=place, orientation=orientation)).runs["bodies"]
    (source,) = run.sources
    assert (run.dimensions, run.m, source.component, source.center) == (
        "cylindrical",
        m,
        component,
        (0, 0, 0.3),
    )
    assert run.geometry[0]["z"] == pytest.approx([-1e20, 0], abs=2e-6 / run.resolution)
    assert run.geometry[1]["center"] == (0, 0, 0.6) and not run.mirrors
    place["xyz".index(axis)] = 0.2
    place[("xyz".index(axis) + 1) % 3] = 0.31
    assert (
        arranged(made(bodies=[glass, ball], position=place, orientation=orientation))
        .runs["bodies"]
        .dimensions
        == "3D"
    )


@pytest.mark.unit
def test_bodies_before_a_mirror_move_with_it_and_have_images() -> None:
    film = {**MIRROR, "id": "film", "medium": {"kind": "medium", "index": 2}, "z": [0.4, 0.7]}
    run = arranged(made(bodies=[{**MIRROR, "z": [-1e20, 0.4]}, film], position=[0, 0, 1.0])).runs["bodies"]
    assert [film[1:] for film in run.stack] == [
        pytest.approx((-0.3, 0)),
        pytest.approx((0, 0.3)),
    ] and not run.smoothing
    behind = arranged(made(bodies=[MIRROR, {**film, "z": [-0.3, 0]}])).runs["bodies"]
    assert behind.mirrors == () and len(behind.stack) == 0  # the film overlaps the metal: no mirror plane
    metal = {"kind": "medium", "epsilon": 1, "poles": [{"kind": "drude", "frequency": 4, "damping": 0.1}]}
    run = arranged(made(bodies=[{**MIRROR, "medium": metal}])).runs["bodies"]
    assert run.stack[0][1:] == (-run.cell[2] / 2, 0) and [layer.kind for layer in run.layers] == [
        "pml",
        "absorber",
    ]


@pytest.mark.unit
def test_mirror_planes_through_the_dipole_save_work() -> None:
    box = {
        "type": "block",
        "id": "box",
        "medium": {"kind": "medium", "index": 3},
        "x": [-0.1, 0.1],
        "y": [-0.2, 0.2],
        "z": [-0.1, 0.1],
    }
    run = arranged(made(dimensions="3D", bodies=[box], position=[0, 0, 0.3], orientation="x")).runs["bodies"]
    assert run.mirrors == (("x", -1), ("y", 1)) and run.smoothing and run.dimensions == "3D"


@pytest.mark.unit
def test_a_pattern_is_for_finite_bodies_and_shows_nothing_behind_a_mirror() -> None:
    pattern = {"zero": "z", "towards": "x"}
    with pytest.raises(ValidationError, match="both are 'x'"):
        made("radiation_pattern", quantity={**pattern, "zero": "x"})
    glass = {**MIRROR, "medium": {"kind": "medium", "index": 1.5}}
    with pytest.raises(ValueError, match="carries light away sideways"):
        arranged(made("radiation_pattern", bodies=[glass], quantity=pattern))
    problem = made("radiation_pattern", orientation="x", quantity={**pattern, "over": "isotropic"})
    arrangement = arranged(problem)
    assert set(arrangement.runs) == {"far_empty", "far"}
    views = arrangement.facts["patterns"]["p"]
    assert views[46] == (-1, 0.0, 0.0) and views[0][1:] == (1, 0) and len(views) == 180
    where = np.array(arrangement.runs["far"].monitors["far"].directions)
    polar = (
        np.stack([where[:, 2], 0 * where[:, 0], -where[:, 0]], 1) * where[:, 2:]
    )  # cos^2 in the plane of the dipole
    raw = {
        name: {"far/fields": np.concatenate([polar, polar], 1)[:, None], "far/directions": where}
        for name in arrangement.runs
    }
    found = measure(problem.scenes[0], problem.quantities[0], arrangement, raw)
    assert found.axis == "angle" and found.y[0] == pytest.approx(1.5) and found.y[90] == 0
    assert found.y[:45] == pytest.approx(1.5 * np.cos(found.x[:45]) ** 2)


@pytest.mark.unit
def test_a_factor_is_for_one_line_and_a_spectrum_for_a_band() -> None:
    with pytest.raises(ValueError, match="over a band it is a PurcellSpectrum"):
        arranged(made(band=BAND))
    problem = made("purcell_spectrum", band=BAND)
    raw = {
        name: {"ldos/frequency": np.array([0.9, 1.0, 1.1]), "ldos/ldos": np.array(values)}
        for name, values in (("empty", [1.0, 2.0, 1.0]), ("bodies", [1.5, 4.0, 0.5]))
    }
    assert measure(problem.scenes[0], problem.quantities[0], arranged(problem), raw).y == pytest.approx(
        [1.5, 2.0, 0.5]
    )
    raw["bodies"]["ldos/ldos"] = np.array([1.0, -1.0, 1.0])
    with pytest.raises(NotMeasured, match="gains power at frequency 1"):
        measure(problem.scenes[0], problem.quantities[0], arranged(problem), raw)
    raw["empty"]["ldos/ldos"] = np.array([1.0, 1e-5, 1.0])
    with pytest.raises(NotMeasured, match="alone is dark at frequency 1"):
        measure(problem.scenes[0], problem.quantities[0], arranged(problem), raw)


def exact(bodies: list[dict[str, Any]], height: float, orientation: str, **scene: Any) -> float:
    problem = made(bodies=bodies, position=[0, 0, height], orientation=orientation, **scene)
    return oracle(problem.scenes[0], problem.quantities[0], {})[1].value


@pytest.mark.unit
@pytest.mark.parametrize("height", [0.01, 0.1, 0.37, 4.0])
def test_a_dipole_before_an_ideal_mirror_has_its_closed_form(height: float) -> None:
    x = 4 * np.pi * height
    across = 1 - 3 * (np.cos(x) / x**2 - np.sin(x) / x**3)
    along = 1 - 1.5 * (np.sin(x) / x + np.cos(x) / x**2 - np.sin(x) / x**3)
    assert [exact([MIRROR], height, o) for o in "zxy"] == pytest.approx([across, along, along], abs=1e-9)
    flat = {**MIRROR, "z": FAR, "y": [-1e20, 0]}
    line = made(bodies=[flat], position=[0, height, 0], orientation="z", dimensions="2D")
    assert oracle(line.scenes[0], line.quantities[0], {})[1].value == pytest.approx(1 - j0(x), abs=1e-9)


@pytest.mark.unit
def test_dipoles_among_films_where_the_answer_is_known() -> None:
    assert exact([MIRROR], 0.1, "z") == pytest.approx(1.85074, abs=1e-5)
    lid = {
        **MIRROR,
        "id": "lid",
        "z": [0.4, 1e20],
    }  # a cavity below cut-off: 3 wavelengths / (4 heights), and darkness
    assert [exact([MIRROR, lid], 0.2, o) for o in "zx"] == pytest.approx([1.875, 0], abs=1e-9)
    glass = {**MIRROR, "medium": {"kind": "medium", "index": 2}}
    assert exact([{**glass, "z": [-40, 40]}], 0, "x") == pytest.approx(2, abs=1e-4)  # in the bulk: its index
    assert exact([glass], 30.0, "x") == pytest.approx(1, abs=2e-3)
    layered = [{**glass, "z": [-1e20, -0.2]}, {**glass, "z": [-0.2, 0]}]
    assert exact(layered, 0.1, "z") == pytest.approx(exact([glass], 0.1, "z"), abs=1e-12)
    metal = {
        "kind": "medium",
        "epsilon": 1,
        "poles": [{"kind": "drude", "frequency": 30, "damping": 0.001, "strength": 1}],
    }
    assert exact([{**MIRROR, "medium": metal}], 0.1, "z") == pytest.approx(1.85, abs=0.06)  # nearly ideal


@pytest.mark.unit
def test_no_theory_where_bodies_are_no_films_or_the_dipole_touches_one() -> None:
    ball = {
        "type": "sphere",
        "id": "ball",
        "medium": {"kind": "medium", "index": 3},
        "center": [0, 0, 0],
        "radius": 0.1,
    }
    for bodies, height in (([], 0.1), ([MIRROR, ball], 0.3), ([MIRROR], 0.0)):
        problem = made(bodies=bodies, position=[0, 0, height])
        assert oracle(problem.scenes[0], problem.quantities[0], {}) is None
