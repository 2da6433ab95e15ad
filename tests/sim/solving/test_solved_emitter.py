"""A dipole above an ideal mirror against its exact decay, from description to value."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tasks.reproduce.oracles import oracle
from tests.sim.solving.described_kit import AIR, problem, values

IDEAL = {"kind": "perfect_conductor"}
FAR = [-1e20, 1e20]


@pytest.mark.sim
def test_a_line_current_before_a_mirror_over_a_band(tmp_path: Path) -> None:
    mirror = {"type": "block", "id": "mirror", "medium": IDEAL, "x": FAR, "y": [-1e20, 0], "z": FAR}
    made = problem(
        {
            "type": "emitter",
            "dimensions": "2D",
            "bodies": [mirror],
            "background": AIR,
            "position": [0, 0.3, 0],
            "orientation": "z",
            "band": {"type": "frequencies", "lowest": 0.8, "highest": 1.2},
        },
        {"type": "purcell_spectrum", "id": "p"},
    )
    found = values(tmp_path, made, 30, samples=11)["p"]
    exact = oracle(made.scenes[0], made.quantities[0], {}, found.x)[1].y
    assert found.y == pytest.approx(exact, abs=0.02)


@pytest.mark.sim
@pytest.mark.parametrize(("orientation", "place"), [("z", [0.437, 0.123, 0]), ("x", [0.8, 0, 0])])
def test_among_bodies_of_nothing_a_dipole_radiates_as_alone(
    tmp_path: Path, orientation: str, place: list[float]
) -> None:
    """In a cell of its own, wherever it lies on the grid."""
    nothing = {"kind": "medium", "index": 1.0000001}
    made = problem(
        {
            "type": "emitter",
            "dimensions": "2D",
            "bodies": [{"type": "cylinder", "id": "disc", "medium": nothing, "radius": 0.9, "bounds": FAR}],
            "background": AIR,
            "position": place,
            "orientation": orientation,
            "band": {"type": "frequencies", "lowest": 0.6, "highest": 0.8},
        },
        {"type": "purcell_spectrum", "id": "p"},
    )
    assert values(tmp_path, made, 20, samples=5)["p"].y == pytest.approx(1, abs=1e-4)


@pytest.mark.sim
@pytest.mark.parametrize(("orientation", "off"), [("z", 2e-3), ("x", 5e-3)])
def test_a_dipole_a_tenth_of_a_wavelength_above_a_mirror(
    tmp_path: Path, orientation: str, off: float
) -> None:
    mirror = {"type": "block", "id": "mirror", "medium": IDEAL, "x": FAR, "y": FAR, "z": [-1e20, 0.3]}
    made = problem(
        {
            "type": "emitter",
            "dimensions": "3D",
            "bodies": [mirror],
            "background": AIR,
            "position": [0.2, 0, 0.4],
            "orientation": orientation,
            "band": {"type": "line", "wavelength": 1},
        },
        {"type": "purcell_factor", "id": "p"},
    )
    exact = oracle(made.scenes[0], made.quantities[0], {})[1].value
    assert exact == pytest.approx({"z": 1.85074, "x": 0.29013}[orientation], abs=1e-5)
    assert values(tmp_path, made, 20)["p"].value == pytest.approx(exact, abs=off)


@pytest.mark.sim
@pytest.mark.parametrize("metal", [pytest.param(False, marks=pytest.mark.long), True])
def test_a_dipole_above_a_half_space(tmp_path: Path, metal: bool) -> None:
    medium = (
        {"kind": "medium", "index": 1.5}
        if not metal
        else {
            "kind": "medium",
            "epsilon": 1,
            "poles": [{"kind": "drude", "frequency": 4.0, "damping": 0.3, "strength": 1}],
        }
    )
    body = {"type": "block", "id": "body", "medium": medium, "x": FAR, "y": FAR, "z": [-1e20, 0]}
    made = problem(
        {
            "type": "emitter",
            "dimensions": "3D",
            "bodies": [body],
            "background": AIR,
            "position": [0, 0, 0.1],
            "orientation": "z",
            "band": {"type": "line", "wavelength": 1},
        },
        {"type": "purcell_factor", "id": "p"},
    )
    exact = oracle(made.scenes[0], made.quantities[0], {})[1].value
    assert values(tmp_path, made, 30)["p"].value == pytest.approx(exact, rel=0.015)


@pytest.mark.sim
@pytest.mark.parametrize("side", [1, -1])
def test_a_dipole_before_a_mirror_radiates_as_it_and_its_image(tmp_path: Path, side: int) -> None:
    """Below a mirror it was lost: Meep 1.25 puts no point source there."""
    behind = sorted((0, -side * 1e20))
    mirror = {"type": "block", "id": "mirror", "medium": IDEAL, "x": FAR, "y": FAR, "z": behind}
    made = problem(
        {
            "type": "emitter",
            "dimensions": "3D",
            "bodies": [mirror],
            "background": AIR,
            "position": [0, 0, side * 0.3],
            "orientation": "x",
            "band": {"type": "line", "wavelength": 1},
        },
        {"type": "radiation_pattern", "id": "e", "zero": "z", "towards": "x", "over": "isotropic"},
        {"type": "radiation_pattern", "id": "h", "zero": "z", "towards": "y"},
    )
    for quantity, found in zip(made.quantities, values(tmp_path, made, 20).values(), strict=True):
        exact = oracle(made.scenes[0], quantity, {}, found.x)[1].y
        assert found.axis == "angle" and found.y == pytest.approx(exact, abs=0.015 * exact.max())


@pytest.mark.sim
@pytest.mark.parametrize("side", [1, -1])
def test_a_line_of_dipoles_before_a_mirror_in_two_dimensions(tmp_path: Path, side: int) -> None:
    behind = sorted((0, -side * 1e20))
    mirror = {"type": "block", "id": "mirror", "medium": IDEAL, "x": behind, "y": FAR, "z": FAR}
    made = problem(
        {
            "type": "emitter",
            "dimensions": "2D",
            "bodies": [mirror],
            "background": AIR,
            "position": [side * 0.3, 0, 0],
            "orientation": "z",
            "band": {"type": "line", "wavelength": 1},
        },
        {"type": "radiation_pattern", "id": "e", "zero": "x", "towards": "y"},
    )
    found = values(tmp_path, made, 30)["e"]
    assert found.y == pytest.approx(oracle(made.scenes[0], made.quantities[0], {}, found.x)[1].y, abs=0.015)


@pytest.mark.sim
@pytest.mark.parametrize(
    ("orientation", "height", "resolution"),
    [("z", 0.1, 24), pytest.param("isotropic", 0.1, 30, marks=pytest.mark.long)],
)
def test_a_dipole_above_glass_sends_into_the_glass_what_its_plane_waves_say(
    tmp_path: Path, orientation: str, height: float, resolution: float
) -> None:
    """1.5 % of the largest power, cusp at the critical angle and all beyond it included. Of all directions 1.9, 1.7, 1.1, 0.7 % on 20, 24,
    30, 36 pixels."""
    glass = {"type": "block", "id": "glass", "medium": {"kind": "medium", "index": 1.5}}
    made = problem(
        {
            "type": "emitter",
            "dimensions": "3D",
            "bodies": [{**glass, "x": FAR, "y": FAR, "z": [-1e20, 0]}],
            "background": AIR,
            "position": [0, 0, height],
            "orientation": orientation,
            "band": {"type": "line", "wavelength": 1},
        },
        {"type": "half_space_pattern", "id": "e", "side": "-z", "towards": "x", "over": "isotropic"},
        {"type": "cone_share", "id": "b", "side": "-z", "over": "side", "lowest": math.asin(1 / 1.5)},
        {"type": "cone_share", "id": "a", "side": "-z", "over": "alone"},
    )
    found = values(tmp_path, made, resolution)
    exact = [oracle(made.scenes[0], q, {}, getattr(found[q.id], "x", None))[1] for q in made.quantities]
    assert found["e"].y == pytest.approx(exact[0].y, abs=0.015 * exact[0].y.max())
    assert found["b"].value == pytest.approx(exact[1].value, rel=0.01)
    assert found["a"].value == pytest.approx(exact[2].value, rel=0.02)
