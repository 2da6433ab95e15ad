"""Partial waves of several cylinders against what any of them must obey: continuity, energy, reciprocity, images."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tasks.reproduce.oracles import oracle
from tests.sim.solving.described_kit import problem

pytestmark = pytest.mark.unit
METAL = {
    "kind": "medium",
    "epsilon": 1.0,
    "poles": [{"kind": "drude", "frequency": 1.0, "damping": 0.05, "strength": 12.0}],
}
FREQUENCY = 1.25


def cylinder(name: str, x: float, y: float, radius: float, medium: Any) -> dict[str, Any]:
    filled = medium if isinstance(medium, dict) else {"kind": "medium", "index": medium}
    return {"type": "cylinder", "id": name, "medium": filled, "radius": radius, "center": [x, y, 0]}


def told(
    bodies: list[dict[str, Any]], polarization: str, quantity: dict[str, Any], x: Any = (), **more: Any
) -> Any:
    scene = {
        "type": "scatterer",
        "dimensions": "2D",
        "bodies": bodies,
        "background": {"kind": "medium", "index": 1.2},
        "direction": "+x",
        "polarization": polarization,
        "band": {"type": "line", "wavelength": 1 / FREQUENCY},
        **more,
    }
    made = problem(scene, {"id": "q", **quantity})
    found = oracle(made.scenes[0], made.quantities[0], {}, np.array(x if len(x) else [FREQUENCY], float))
    return None if found is None else found[1].y


def section(bodies: list[dict[str, Any]], polarization: str, process: str, **more: Any) -> float:
    return float(told(bodies, polarization, {"type": "cross_section", "process": process}, **more)[0])


places = st.floats(-0.6, 0.6)
media = st.one_of(st.floats(1.0, 3.5), st.just(METAL))
sizes = st.floats(0.02, 0.25)


@st.composite
def clusters(draw: st.DrawFn) -> list[dict[str, Any]]:
    """One to four cylinders that do not touch, some of them with a core of something else."""
    found: list[dict[str, Any]] = []
    for number in range(draw(st.integers(1, 4))):
        x, y, radius = draw(places), draw(places), draw(sizes)
        assume(
            all(
                np.hypot(x - b["center"][0], y - b["center"][1]) > 1.05 * (radius + b["radius"])
                for b in found
            )
        )
        found.append(cylinder(f"b{number}", x, y, radius, draw(media)))
        if draw(st.booleans()):
            found.append(cylinder(f"c{number}", x, y, draw(st.floats(0.3, 0.9)) * radius, draw(media)))
    return found


@settings(max_examples=25, deadline=None)
@given(bodies=clusters(), polarization=st.sampled_from("zy"))
def test_what_is_scattered_to_all_sides_is_what_the_forward_wave_lost(
    bodies: list[dict[str, Any]], polarization: str
) -> None:
    angles = np.linspace(0, 2 * np.pi, 361)[:-1]
    far = told(bodies, polarization, {"type": "far_field", "over": "incident"}, angles)
    scattered, absorbed, lost = (
        section(bodies, polarization, process) for process in ("scattering", "absorption", "extinction")
    )
    assert far.mean() * 2 * np.pi == pytest.approx(scattered, rel=1e-8)
    assert scattered + absorbed == pytest.approx(lost, rel=1e-12)
    assert absorbed >= -1e-10 * lost
    if all("index" in body["medium"] for body in bodies):
        assert absorbed == pytest.approx(0, abs=1e-8 * lost)


@settings(max_examples=20, deadline=None)
@given(bodies=clusters(), polarization=st.sampled_from("zy"), turn=st.floats(0, 6.28))
def test_fields_along_a_face_go_on_through_it(
    bodies: list[dict[str, Any]], polarization: str, turn: float
) -> None:
    for body in bodies:
        normal = np.array([np.cos(turn), np.sin(turn)])
        values = []
        for step in (-1e-6, 1e-6):
            at = np.array(body["center"][:2]) + normal * body["radius"] * (1 + step)
            point = {"type": "point_field", "at": [*at, 0]}
            names = ("Ez",) if polarization == "z" else ("Ex", "Ey")
            values.append([told(bodies, polarization, {**point, "field": name})[0] for name in names])
        (one, other), largest = np.array(values), np.max(values)
        if polarization == "z":
            assert one == pytest.approx(other, abs=1e-3 * largest)
        else:  # of magnitudes alone only what lies along a face on the axes is continuous
            turn = float(np.round(turn / (np.pi / 2)) * (np.pi / 2))
            along = int(abs(np.cos(turn)) > 0.5)
            pair = []
            for step in (-1e-6, 1e-6):
                at = np.array(body["center"][:2]) + np.array([np.cos(turn), np.sin(turn)]) * body[
                    "radius"
                ] * (1 + step)
                pair.append(
                    told(
                        bodies,
                        polarization,
                        {"type": "point_field", "at": [*at, 0], "field": ("Ex", "Ey")[along]},
                    )[0]
                )
            assert pair[0] == pytest.approx(pair[1], abs=2e-3 * largest)


@settings(max_examples=15, deadline=None)
@given(bodies=clusters(), polarization=st.sampled_from("zy"))
def test_light_the_other_way_loses_as_much(bodies: list[dict[str, Any]], polarization: str) -> None:
    one, other = (section(bodies, polarization, "extinction", direction=way) for way in ("+x", "-x"))
    assert one == pytest.approx(other, rel=1e-9)


@pytest.mark.parametrize("polarization", "zy")
def test_far_apart_each_is_alone(polarization: str) -> None:
    pair = [cylinder("a", 0, -400, 0.2, 2.0), cylinder("b", 0, 400, 0.1, METAL)]
    alone = sum(section([body], polarization, "extinction") for body in pair)
    assert section(pair, polarization, "extinction") == pytest.approx(alone, rel=0.01)


@pytest.mark.parametrize("polarization", "zy")
def test_a_shell_of_the_core_s_own_medium_is_none_and_a_ring_is_a_hollow_rod(polarization: str) -> None:
    plain = [cylinder("a", 0.1, 0, 0.2, 2.0)]
    shelled = [*plain, cylinder("b", 0.1, 0, 0.12, 2.0)]
    painted_over = [cylinder("b", 0.1, 0, 0.12, 3.0), *plain]
    for bodies in (shelled, painted_over):
        assert section(bodies, polarization, "scattering") == pytest.approx(
            section(plain, polarization, "scattering")
        )
    air = {"kind": "medium", "index": 1.0}
    ring = {
        "type": "ring",
        "id": "r",
        "medium": {"kind": "medium", "index": 2.0},
        "inner": 0.12,
        "outer": 0.2,
    }
    hollow = [{**ring, "filling": air, "center": [0.1, 0, 0]}]
    assert section(hollow, polarization, "scattering") == pytest.approx(
        section([*plain, cylinder("b", 0.1, 0, 0.12, air)], polarization, "scattering")
    )


def test_two_of_a_repeat_are_two_and_what_touches_or_is_no_cylinder_has_no_theory() -> None:
    one = cylinder("a", 0, -0.3, 0.2, 2.0)
    repeat = {"type": "repeat", "body": one, "count": 2, "step": [0, 0.6, 0]}
    both = [one, cylinder("b", 0, 0.3, 0.2, 2.0)]
    assert section([repeat], "z", "scattering") == pytest.approx(section(both, "z", "scattering"))
    scattering = {"type": "cross_section", "process": "scattering"}
    block = {"type": "block", "id": "c", "medium": METAL, "x": [1, 2], "y": [0, 1], "z": [-1e20, 1e20]}
    many = {**repeat, "count": 500}
    for bodies in ([one, cylinder("b", 0.1, 0, 0.2, 2.0)], [one, block], [many]):
        assert told(bodies, "z", scattering) is None
