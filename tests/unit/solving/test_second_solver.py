"""The Fourier modal method against films, our own coupled waves, power, reciprocity, symmetry, and exact outlines."""

from __future__ import annotations

import functools
import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import j1

from simkit.describe.base import RESOLVED
from simkit.describe.problem import Problem
from tasks.reproduce.oracles import oracle
from tasks.reproduce.second.outlines import indicators
from tasks.reproduce.second.plain_cells import Solved, job_of, refused, steps, value_of
from tasks.reproduce.second.program import solved
from tasks.reproduce.second.truncations import FINER, Truncated, left_open

pytestmark = pytest.mark.unit
METAL = {
    "kind": "medium",
    "epsilon": 1.0,
    "poles": [{"kind": "drude", "frequency": 5.0, "damping": 0.1, "strength": 1.0}],
}
KINDS = ("reflectance", "transmittance", "absorptance")


def medium(index: float) -> dict[str, Any]:
    return {"kind": "medium", "index": index}


def film(index: float, thickness: float, *pattern: dict[str, Any]) -> dict[str, Any]:
    return {"type": "film", "medium": medium(index), "thickness": thickness, "pattern": list(pattern)}


def bar(low: float, high: float, of: dict[str, Any]) -> dict[str, Any]:
    return {"type": "bar", "medium": of, "x": [low, high]}


def rectangle(size: tuple[float, float], of: dict[str, Any], turned: float = 0.0) -> dict[str, Any]:
    return {"type": "rectangle", "medium": of, "size": list(size), "rotation": turned}


def cell(*layers: dict[str, Any], **more: Any) -> dict[str, Any]:
    common = {"below": medium(1.5), "above": medium(1.0), "light_from": "below", "polarization": "x"}
    return (
        {"type": "unit_cell", "id": "s", "layers": list(layers), "band": {"type": "line", "wavelength": 1.0}}
        | common
        | more
    )


def problem(scene: dict[str, Any], **quantity: Any) -> tuple[Any, Any]:
    made = Problem.model_validate(
        {"scenes": [scene], "quantities": [{"id": "q", "scene": "s", "type": "reflectance", **quantity}]},
        context=RESOLVED,
    )
    return made.scenes[0], made.quantities[0]


@functools.cache
def kept(job: str) -> dict[str, Any]:
    return solved(json.loads(job))


def second(scene: dict[str, Any], x: list[float], radius: float | None = None, **quantity: Any) -> np.ndarray:
    """The quantity at frequencies x, in this process, with orders up to `radius` (of the third truncation)."""
    made, asked = problem(scene, **quantity)
    assert refused(made, asked, {}) == ""
    radii = steps(made, x, {})
    answer = kept(json.dumps(job_of(made, x, {}, radius or radii[min(2, len(radii) - 1)])))
    orders = np.array(answer["orders"])
    found = [
        Solved(
            f,
            orders,
            np.array(o["reflected"]),
            np.array(o["transmitted"]),
            complex(*o["r"]),
            complex(*o["t"]),
        )
        for f, o in zip(x, answer["lines"], strict=True)
    ]
    return value_of(made, asked, {}, found)


@pytest.mark.parametrize("side", ["below", "above"])
@pytest.mark.parametrize(("polarization", "angle"), [("x", 0.0), ("s", 0.6), ("p", 0.6)])
def test_films_are_the_transfer_matrixs(side: str, polarization: str, angle: float) -> None:
    """A resistive sheet and a lossy metal among them."""
    metal = {"type": "film", "medium": METAL, "thickness": 0.02}
    layers = (film(2.0, 0.13), metal, {"type": "sheet", "resistance": 1.4}, film(1.4, 0.31))
    scene = cell(*layers, light_from=side, polarization=polarization, angle=angle)
    x = [0.8, 1.0, 1.3]
    for kind in KINDS:
        made, asked = problem(scene, type=kind)
        name, exact = oracle(made, asked, {}, np.array(x))
        assert name == "transfer matrix"
        assert second(scene, x, type=kind) == pytest.approx(exact.y, abs=1e-9)
    if not angle:
        for way in ("reflected", "transmitted"):
            made, asked = problem(scene, type="phase", side=way)
            _, exact = oracle(made, asked, {}, np.array(x))
            assert second(scene, x, type="phase", side=way) == pytest.approx(exact.y, abs=1e-8)


@pytest.mark.parametrize("back", [medium(1.0), {"kind": "perfect_conductor"}])
@pytest.mark.parametrize("ridge", [medium(3.48), METAL])
@pytest.mark.parametrize(("polarization", "angle"), [("x", 0.0), ("s", 0.4), ("p", 0.4)])
def test_bars_are_our_own_coupled_waves(back: Any, ridge: Any, polarization: str, angle: float) -> None:
    """The same equations by other code: with the same orders to rounding, order by order."""
    scene = cell(
        film(1.0, 0.2, bar(-0.2, 0.15, ridge), bar(0.1, 0.3, medium(2.0))),
        film(1.7, 0.1),
        film(1.2, 0.1, bar(0.25, 0.55, medium(3.0))),  # beyond the cell: it comes back on the other side
        period=[0.7],
        above=back,
        polarization=polarization,
        angle=angle,
    )
    from tasks.reproduce.oracles.gratings import _orders

    made, _ = problem(scene)
    count = 30
    exact = _orders(made, 1.1, {}, count)
    answer = solved(job_of(made, [1.1], {}, (count + 0.5) / 0.7))
    assert np.array(answer["orders"])[:, 0].tolist() == list(range(-count, count + 1))
    assert answer["lines"][0]["reflected"] == pytest.approx(exact.reflected, abs=1e-7)
    assert answer["lines"][0]["transmitted"] == pytest.approx(exact.transmitted, abs=1e-7)


def test_a_grating_turned_by_ninety_degrees_is_the_same() -> None:
    """Stripes along y as rectangles in a cell of two periods, and along x with the light turned."""
    along_y = film(1.0, 0.3, rectangle((0.3, 0.4), medium(3.0)))
    along_x = film(1.0, 0.3, rectangle((0.3, 0.4), medium(3.0), math.pi / 2))
    one = second(cell(along_y, period=[0.7, 0.4]), [1.0], 6.0)
    other = second(cell(along_x, period=[0.4, 0.7], polarization="y"), [1.0], 6.0)
    bars = second(cell(film(1.0, 0.3, bar(-0.15, 0.15, medium(3.0))), period=[0.7]), [1.0], 6.0)
    assert one == pytest.approx(other, abs=1e-9)
    assert one == pytest.approx(bars, abs=1e-9)


@pytest.mark.parametrize(
    ("body", "angle"),
    [
        ({"type": "disk", "medium": medium(3.0), "radius": 0.2, "center": [0.1, -0.05]}, 0.5),
        (rectangle((0.4, 0.2), medium(3.0), 0.5), 0.0),
        (
            {"type": "polygon", "medium": medium(3.0), "vertices": [[-0.2, -0.2], [0.25, -0.1], [0.0, 0.2]]},
            0.5,
        ),
    ],
)
def test_no_power_is_lost_without_loss_and_a_metal_takes_some(body: dict[str, Any], angle: float) -> None:
    more: dict[str, Any] = {"period": [0.6, 0.5], "polarization": "p", "angle": angle}
    assert second(
        cell(film(1.0, 0.3, body), film(1.4, 0.1), **more), [1.4], 5.0, type="absorptance"
    ) == pytest.approx(0, abs=1e-9)
    mirror = cell(film(1.0, 0.3, body), **more, above={"kind": "perfect_conductor"})
    assert second(mirror, [1.4], 5.0) == pytest.approx(1, abs=1e-9)
    lossy = cell(film(1.0, 0.3, {**body, "medium": METAL}), **more)
    taken = second(lossy, [1.4], 4.0, type="absorptance")
    assert 1e-4 < float(taken[0]) < 1


def test_both_ways_through_are_equal() -> None:
    """Reciprocity: of order 0 the polarisation that came, from below and from above, through no symmetry and with loss."""
    triangle = {"type": "polygon", "medium": METAL, "vertices": [[-0.2, -0.2], [0.25, -0.1], [0.0, 0.2]]}
    layers = (film(1.0, 0.1, triangle), film(1.8, 0.2, rectangle((0.3, 0.2), medium(3.0), 0.4)))
    ways = [
        second(
            cell(*layers, period=[0.5, 0.5], light_from=side), [1.1], 5.0, type="phase", side="transmitted"
        )
        for side in ("below", "above")
    ]
    assert ways[0] == pytest.approx(ways[1], abs=1e-9)


def test_orders_add_up() -> None:
    hole = {"type": "disk", "medium": medium(1.0), "radius": 0.15}
    scene = cell(film(2.0, 0.2, hole), period=[0.6, 0.6], light_from="above")
    powers = [
        second(scene, [1.8], 4.0, type="order_efficiency", side="transmitted", order=[m, n])[0]
        for m in (-1, 0, 1)
        for n in (-1, 0, 1)
    ]
    assert sum(powers) == pytest.approx(second(scene, [1.8], 4.0, type="transmittance")[0], abs=1e-9)


@pytest.mark.parametrize(
    ("body", "radius"),
    [
        ({"type": "disk", "medium": medium(1.0), "radius": 0.15}, 3.0),
        ({"type": "disk", "medium": medium(2.5), "radius": 0.2}, 3.0),
        (rectangle((0.3, 0.2), medium(2.5), 0.4), 3.0),
        (rectangle((0.3, 0.3), METAL), 3.0),
    ],
)
def test_what_three_truncations_leave_open_covers_what_more_orders_change(
    body: dict[str, Any], radius: float
) -> None:
    scene = cell(film(1.0 if body["medium"] != medium(1.0) else 2.0, 0.1, body), period=[0.6, 0.6])
    rungs = [Truncated(0, 0.0, {"q": second(scene, [1.3], radius * FINER**step)}) for step in range(4)]
    stated, off = left_open(rungs[:3], "q")[0], abs(rungs[3].values["q"] - rungs[2].values["q"])[0]
    assert off <= stated


@given(st.floats(-1, 1), st.floats(0.01, 1), st.floats(1, 4))
def test_an_error_that_falls_with_the_highest_order_is_covered(
    exact: float, size: float, order: float
) -> None:
    """Of first order and better, from one side: what is left open is no less than the error."""
    rungs = [
        Truncated(0, 0.0, {"q": np.array([exact + size * FINER ** (-order * step)])}) for step in range(5)
    ]
    assert left_open(rungs, "q")[0] >= abs(rungs[-1].values["q"][0] - exact)


@pytest.mark.parametrize(
    ("scene", "quantity", "why"),
    [
        (cell(film(1.5, 0.1)), {"type": "group_delay", "side": "reflected"}, "it gives reflectance"),
        (cell(film(1.5, 0.1), angle=0.3), {"type": "phase", "side": "reflected"}, "normal incidence"),
        (
            cell(film(1.5, 0.1, bar(-0.1, 0.1, {"kind": "perfect_conductor"})), period=[0.5]),
            {},
            "only solved as the half-space behind",
        ),
        (
            cell(
                {"type": "film", "medium": {"kind": "medium", "epsilon": [2.0, 2.0, 3.0]}, "thickness": 0.1}
            ),
            {},
            "alike along all axes",
        ),
    ],
)
def test_what_it_does_not_solve_it_says(scene: dict[str, Any], quantity: dict[str, Any], why: str) -> None:
    assert why in refused(*problem(scene, **quantity), {})


places = st.floats(-0.7, 0.7)
sizes = st.floats(0.05, 0.9)
bodies = st.one_of(
    st.builds(lambda x, y, r: {"center": [x, y], "radius": r / 2}, places, places, sizes),
    st.builds(
        lambda x, y, w, h, t: {
            "vertices": [
                [x + u * w * math.cos(t) - v * h * math.sin(t), y + u * w * math.sin(t) + v * h * math.cos(t)]
                for u, v in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
            ]
        },
        places,
        places,
        sizes,
        sizes,
        st.one_of(st.just(0.0), st.floats(0.0, 3.2)),
    ),
)
PERIOD = (1.0, 1.3)


def area(body: dict[str, Any]) -> float:
    if "radius" in body:
        return math.pi * body["radius"] ** 2
    x, y = np.array(body["vertices"]).T
    return abs(float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))) / 2


@settings(max_examples=40, deadline=None)
@given(body=bodies, moved=st.tuples(places, places))
def test_outlines_have_their_area_and_move_by_a_phase(
    body: dict[str, Any], moved: tuple[float, float]
) -> None:
    """A body that fits into the cell, wherever it lies: beyond the edge it comes back on the other side."""
    chi = indicators([{"medium": 1, **body}], 2, PERIOD, (6, 6))
    m, n = np.arange(-6, 7)[:, None], np.arange(-6, 7)[None, :]
    if "radius" in body:
        other: dict[str, Any] = {
            **body,
            "center": [c + d for c, d in zip(body["center"], moved, strict=True)],
        }
    else:
        other = {"vertices": [[x + moved[0], y + moved[1]] for x, y in body["vertices"]]}
    turn = np.exp(-2j * np.pi * (m * moved[0] / PERIOD[0] + n * moved[1] / PERIOD[1]))
    there = indicators([{"medium": 1, **other}], 2, PERIOD, (6, 6))
    assert np.allclose(chi.sum(axis=0), (m == 0) & (n == 0), atol=1e-6)  # media fill the cell
    assert np.allclose(chi, chi[:, ::-1, ::-1].conj(), atol=1e-6)  # they are real
    assert np.allclose(there[1], chi[1] * turn, atol=2e-4)
    across = (
        math.hypot(*np.ptp(np.array(body["vertices"]), axis=0)) if "vertices" in body else 2 * body["radius"]
    )
    if across < PERIOD[0]:  # it does not lie upon itself
        assert chi[1, 6, 6].real * PERIOD[0] * PERIOD[1] == pytest.approx(area(body), abs=2e-4)


@settings(max_examples=15, deadline=None)
@given(places, places, sizes)
def test_a_disk_has_the_series_of_a_disk(x: float, y: float, across: float) -> None:
    """Bessel's function, to rounding, wherever it lies and to high orders."""
    chi = indicators([{"medium": 1, "center": [x, y], "radius": across / 2}], 2, PERIOD, (40, 40))
    m, n = np.arange(-40, 41)[:, None] / PERIOD[0], np.arange(-40, 41)[None, :] / PERIOD[1]
    wave = np.pi * across * np.hypot(m, n)
    share = np.where(wave > 0, 2 * j1(wave) / np.where(wave > 0, wave, 1), 1) * np.pi * across**2 / 4
    exact = share * np.exp(-2j * np.pi * (m * x + n * y)) / (PERIOD[0] * PERIOD[1])
    assert np.allclose(chi[1], exact, atol=1e-10)


@settings(max_examples=25, deadline=None)
@given(first=bodies, then=bodies)
def test_what_is_drawn_later_lies_over_what_was_there(first: dict[str, Any], then: dict[str, Any]) -> None:
    alone = indicators([{"medium": 1, **then}], 2, PERIOD, (4, 4))
    both = indicators([{"medium": 1, **first}, {"medium": 2, **then}], 3, PERIOD, (4, 4))
    assert np.allclose(both[2], alone[1], atol=2e-3)
    for bar in ([-0.5, 0.5], [-1e20, 1e20]):
        covered = indicators([{"medium": 1, **first}, {"medium": 2, "x": bar}], 3, PERIOD, (4, 4))
        assert np.allclose(covered[1], 0, atol=1e-9)
