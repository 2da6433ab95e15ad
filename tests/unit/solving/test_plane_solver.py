"""Finite elements in a plane against dispersion relations, Fresnel, Mie, reciprocity, power, and far finer grids."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from simkit.describe.base import RESOLVED
from simkit.describe.problem import Problem
from tasks.reproduce.oracles import oracle
from tasks.reproduce.second import planes
from tasks.reproduce.second.finite_elements import cells, lit, matrix, modes, passed, plane_wave, stretched
from tasks.reproduce.second.outlines import shares
from tasks.reproduce.second.plain_cells import NotSolved
from tasks.reproduce.second.plane_fields import fields
from tasks.reproduce.second.truncations import LEAST, Truncated, left_open

pytestmark = pytest.mark.unit
FAR, WAVELENGTH = 1e20, 1.55
CORE, CLADDING = 2.0, 1.444
METAL = {
    "kind": "medium",
    "epsilon": 1.0,
    "poles": [{"kind": "drude", "frequency": 5.0, "damping": 0.3, "strength": 1.0}],
}
PASSED = {"type": "port_transmittance", "port": "out"}
IN_MODE = {**PASSED, "mode": 1}
BACK = {"type": "port_reflectance", "mode": 1}
SECTIONS = [{"type": "cross_section", "process": name} for name in ("scattering", "absorption", "extinction")]


def medium(index: float) -> dict[str, Any]:
    return {"kind": "medium", "index": index}


def block(name: str, x: tuple[float, float], y: tuple[float, float], index: float = CORE) -> dict[str, Any]:
    return {"type": "block", "id": name, "medium": medium(index), "x": x, "y": y, "z": (-FAR, FAR)}


def device(*bodies: dict[str, Any], ports: str = "-x+x", **more: Any) -> dict[str, Any]:
    sides = [{"id": "in", "side": ports[:2], "center": 0}, {"id": "out", "side": ports[2:], "center": 0}]
    common = {"dimensions": "2D", "background": medium(CLADDING), "polarization": "Ez", "source": "in"}
    light = {"band": {"type": "line", "wavelength": WAVELENGTH}, "ports": sides}
    return {"type": "device", "id": "s", "bodies": bodies} | common | light | more


def taper(half: float, narrow: float, wide: float, **more: Any) -> dict[str, Any]:
    slanted = [(-half, -narrow / 2), (half, -wide / 2), (half, wide / 2), (-half, narrow / 2)]
    between = {"type": "prism", "id": "t", "medium": medium(CORE), "vertices": slanted, "bounds": (-FAR, FAR)}
    ends = (
        block("a", (-FAR, -half), (-narrow / 2, narrow / 2)),
        block("b", (half, FAR), (-wide / 2, wide / 2)),
    )
    return device(*ends, between, **more)


def scatterer(*bodies: dict[str, Any], **more: Any) -> dict[str, Any]:
    common = {"dimensions": "2D", "background": medium(1.0), "direction": "+x", "polarization": "z"}
    light = {"band": {"type": "line", "wavelength": 0.6}}
    return {"type": "scatterer", "id": "s", "bodies": bodies} | common | light | more


def rod(radius: float, of: Any, x: float = 0.0, y: float = 0.0) -> dict[str, Any]:
    place = {"center": (x, y, 0), "axis": "z", "bounds": (-FAR, FAR)}
    return {"type": "cylinder", "id": "c", "medium": of, "radius": radius} | place


def problem(scene: dict[str, Any], *quantities: dict[str, Any]) -> tuple[Any, Any]:
    asked = [{"id": f"q{n}", "scene": "s", **quantity} for n, quantity in enumerate(quantities)]
    made = Problem.model_validate({"scenes": [scene], "quantities": asked}, context=RESOLVED)
    return made.scenes[0], made.quantities


def second(scene: dict[str, Any], *quantities: dict[str, Any], step: float) -> list[float]:
    """Each quantity on one grid, in this process."""
    made, asked = problem(scene, *quantities)
    job = planes.job_of(made, [made.band.frequencies()[0]], {}, step)
    found = planes.read(fields(job), job)
    return [float(planes.value_of(made, one, {}, found)[0]) for one in asked]


def told(scene: dict[str, Any], quantity: dict[str, Any]) -> tuple[float, float, float]:
    """(value, what three grids leave open, the finest of them)."""
    made, (asked,) = problem(scene, quantity)
    assert planes.refused(made, asked, {}) == ""
    f, steps = [made.band.frequencies()[0]], planes.steps(made, [made.band.frequencies()[0]], {})
    rungs, every = [], (asked, *planes.beside(asked))
    for step in steps[:LEAST]:
        job = planes.job_of(made, f, {}, step)
        found = planes.read(fields(job), job)
        rungs.append(Truncated(0, 0.0, {one.id: planes.value_of(made, one, {}, found) for one in every}))
    left = max(float(left_open(rungs, one.id)[0]) for one in every)
    return float(rungs[-1].values[asked.id][0]), left, steps[LEAST - 1]


def slab(width: float, number: int, polarization: str) -> float:
    """Index of a mode of the core between claddings, from its dispersion relation."""
    k, ratio = 2 * np.pi / WAVELENGTH, 1.0 if polarization == "Ez" else (CORE / CLADDING) ** 2

    def mismatch(n: float) -> float:
        inside, beside = k * math.sqrt(CORE**2 - n**2), k * math.sqrt(n**2 - CLADDING**2)
        return inside * width / 2 - math.atan(ratio * beside / inside) - number * np.pi / 2

    return float(brentq(mismatch, CLADDING + 1e-12, CORE - 1e-12))


@pytest.mark.parametrize("polarization", ["Ez", "Hz"])
def test_modes_of_a_slab_have_the_indices_of_its_dispersion_relation(polarization: str) -> None:
    """With an error of second order; as many as there are."""
    width, off = 0.9, []
    for step in (40.0, 80.0):
        side, count, absorbing = 2 * np.pi / WAVELENGTH / step, round(8 * step), round(step)
        y = (np.arange(count + 1) - count / 2) / step
        core = np.diff(np.clip(y, -width / 2, width / 2)) * step
        share = np.stack([1 - core, core])[:, None, :].repeat(2, axis=1)
        made = cells(share, np.array([CLADDING**2, CORE**2], complex), polarization, side)
        a = matrix(made, np.ones(2, complex), stretched(count, (absorbing, absorbing), side, CLADDING))
        line = np.arange(count + 1) + count + 1
        between = a[line][:, line + count + 1]
        around = float(np.angle(plane_wave(side, CLADDING**2, polarization)[0]))
        found = modes(a[line][:, line], between, side * CORE, around, 4)
        assert len(found) == 2
        index = [np.angle(mode.turn) / side for mode in found]
        off.append(np.abs(np.array(index) - [slab(width, n, polarization) for n in range(2)]))
    assert np.all(off[1] < 1e-3) and np.all(off[0] / off[1] > 3.4)


@pytest.mark.parametrize("polarization", ["Ez", "Hz"])
def test_a_film_is_airys(polarization: str) -> None:
    """Plane waves straight into a film, nothing changes along y: T of second order, R + T = 1 but for the absorber."""
    thickness, off = 0.5, []
    airy = 1 / (1 + ((CORE - 1 / CORE) / 2 * math.sin(2 * np.pi * CORE * thickness / WAVELENGTH)) ** 2)
    for step in (20, 40):
        side, count, absorbing = 2 * np.pi / WAVELENGTH / step, 8 * step, 2 * step
        film = np.zeros(count)
        film[4 * step : 4 * step + step // 2] = 1
        share = np.stack([1 - film, film])[:, :, None].repeat(2, axis=2)
        made = cells(share, np.array([1.0, CORE**2], complex), polarization, side)
        a = matrix(made, stretched(count, (absorbing, absorbing), side, 1.0), np.ones(2, complex))
        node = np.arange((count + 1) * 3).reshape(count + 1, 3)
        turn, power = plane_wave(side, 1.0, polarization)
        wave = np.repeat(turn ** np.arange(count + 1), 3)
        u = lit(a, wave, np.repeat(np.arange(count + 1) >= 3 * step, 3).astype(float))
        through = passed(a, u, node[5 * step], node[5 * step + 1]) / (2 * power)
        back = passed(a, u, node[2 * step + 5], node[2 * step + 4]) / (2 * power)
        assert through + back == pytest.approx(1, abs=5e-5)
        off.append(abs(through - airy))
    assert off[1] < 2e-3 and off[0] / off[1] > 3


@pytest.mark.parametrize("polarization", ["Ez", "Hz"])
@pytest.mark.parametrize("ports", ["-x+x", "+y-y"])
def test_a_straight_guide_passes_all_light(polarization: str, ports: str) -> None:
    across, along = (-0.2, 0.2), (-FAR, FAR)
    x, y = (along, across) if "x" in ports else (across, along)
    guide = device(block("g", x, y), polarization=polarization, ports=ports)
    through, back, lost = second(guide, IN_MODE, BACK, {"type": "loss"}, step=30)
    assert through == pytest.approx(1, abs=1e-5)
    assert back == pytest.approx(0, abs=1e-6) and 0 <= lost < 1e-3


def test_a_guide_turned_by_ninety_degrees_passes_the_same() -> None:
    gap = (block("a", (-FAR, -0.1), (-0.2, 0.2)), block("b", (0.1, FAR), (-0.2, 0.2)))
    turned = tuple({**body, "x": body["y"], "y": body["x"]} for body in gap)
    one = second(device(*gap, polarization="Hz"), PASSED, IN_MODE, BACK, step=20)
    assert second(device(*turned, ports="-y+y", polarization="Hz"), PASSED, IN_MODE, BACK, step=20) == (
        pytest.approx(one, abs=1e-9)
    )


@pytest.mark.parametrize("polarization", ["Ez", "Hz"])
def test_modes_pass_a_step_as_well_from_either_side(polarization: str) -> None:
    """Reciprocity, of both modes of the wide guide, through nothing symmetric and with loss."""
    lossy = rod(0.15, METAL, 0.1, 0.2)
    step = (block("a", (-FAR, 0), (-0.2, 0.2)), block("b", (0, FAR), (-0.35, 0.75)), lossy)
    for mode in (1, 2):
        there = second(device(*step, polarization=polarization), {**PASSED, "mode": mode}, step=16)
        back = {"source": "out", "mode": mode, "polarization": polarization}
        assert there == pytest.approx(
            second(device(*step, **back), {**IN_MODE, "port": "in"}, step=16), rel=1e-4
        )
        assert there[0] > 1e-3


def test_power_that_leaves_is_what_came_in() -> None:
    """Of a wide window around everything, without loss; what a metal takes is missing."""
    post = rod(0.1, medium(3.0), 0.0, 0.1)
    guide = block("g", (-FAR, FAR), (-0.3, 0.3))
    (lost,) = second(device(guide), {"type": "loss"}, step=20)
    (radiated,) = second(device(guide, post), {"type": "loss"}, step=20)
    (taken,) = second(device(guide, {**post, "medium": METAL}), {"type": "loss"}, step=20)
    assert abs(lost) < 1e-3 < radiated < taken < 1


@pytest.mark.parametrize(
    ("of", "light"),
    [
        (medium(2.0), {"polarization": "z", "direction": "+x"}),
        (medium(2.0), {"polarization": "x", "direction": "-y"}),
        (METAL, {"polarization": "z", "direction": "+y"}),
        (METAL, {"polarization": "y", "direction": "-x"}),
    ],
)
def test_a_cylinder_is_mies(of: Any, light: dict[str, str]) -> None:
    """Off the grid's nodes, each process within what is stated; what does not absorb absorbs nothing."""
    scene = scatterer(rod(0.2, of, 0.03, -0.05), **light)
    for section in SECTIONS:
        made, (asked,) = problem(scene, section)
        found = oracle(made, asked, {}, np.array([1 / 0.6]))
        assert found is not None and found[0] == "partial waves"
        value, left, _ = told(scene, section)
        assert abs(value - float(found[1].y[0])) <= left
        if section["process"] == "absorption" and of is not METAL:
            assert abs(value) < 1e-12


def test_a_shell_and_a_pair_are_mies() -> None:
    ring = {"type": "ring", "id": "r", "medium": medium(2.0), "center": (0, 0, 0), "inner": 0.1, "outer": 0.2}
    shell = {**ring, "bounds": (-FAR, FAR), "filling": medium(1.5)}
    pair = {"type": "repeat", "body": rod(0.1, medium(2.5), -0.2), "count": 2, "step": (0.4, 0.1, 0)}
    for body in (shell, pair):
        scene = scatterer(body, background=medium(1.2))
        made, (asked,) = problem(scene, SECTIONS[0])
        found = oracle(made, asked, {}, np.array([1 / 0.6]))
        assert found is not None
        value, left, _ = told(scene, SECTIONS[0])
        assert abs(value - float(found[1].y[0])) <= left < 0.1 * value


@settings(max_examples=4, deadline=None)
@given(
    half=st.floats(0.2, 0.6),
    narrow=st.floats(0.3, 0.6),
    more=st.floats(1.2, 2.2),
    polarization=st.sampled_from(["Ez", "Hz"]),
    quantity=st.sampled_from([IN_MODE, BACK, PASSED]),
)
def test_what_three_grids_state_of_a_taper_holds_a_far_finer_one(
    half: float, narrow: float, more: float, polarization: str, quantity: dict[str, Any]
) -> None:
    scene = taper(half, narrow, more * narrow, polarization=polarization)
    value, left, step = told(scene, quantity)
    finer = second(scene, quantity, step=1.5 * step)[0]
    assert abs(value - finer) <= left


lengths = st.floats(0.05, 2.0)
places = st.floats(-1.0, 1.0)


@settings(max_examples=40, deadline=None)
@given(
    x=places, y=places, size=lengths, pixel=st.floats(0.03, 0.2), turn=st.floats(0, 1.5), round_=st.booleans()
)
def test_cells_share_the_area_of_what_is_drawn(
    x: float, y: float, size: float, pixel: float, turn: float, round_: bool
) -> None:
    """All of a cell is of some medium, the areas are the bodies', and a whole pixel moves them by a cell."""
    corners = [
        (u * math.cos(turn) - v * math.sin(turn), u * math.sin(turn) + v * math.cos(turn))
        for u, v in (
            (-size / 2, -size / 4),
            (size / 2, -size / 4),
            (size / 2, size / 4),
            (-size / 2, size / 4),
        )
    ]

    def drawn(by: float) -> Any:
        body: dict[str, Any] = {"medium": 1}
        if round_:
            body |= {"center": [x + by, y], "radius": size / 2}
        else:
            body |= {"vertices": [[x + by + u, y + v] for u, v in corners]}
        count = 2 * math.ceil(2.5 / pixel)
        return shares([body], 2, [-count * pixel / 2] * 2, pixel, [count, count])

    share = drawn(0.0)
    assert share.sum(axis=0) == pytest.approx(np.ones(share.shape[1:]), abs=1e-9) and share.min() > -1e-12
    area = np.pi * size**2 / 4 if round_ else size**2 / 2
    assert share[1].sum() * pixel**2 == pytest.approx(area, rel=2e-4)
    assert np.allclose(drawn(pixel)[1][1:], share[1][:-1], atol=1e-6)


def test_an_upright_edge_cuts_cells_exactly_and_later_bodies_cover() -> None:
    wide = {"medium": 1, "vertices": [[-9, 0.13], [9, 0.13], [9, 9], [-9, 9]]}
    over = {"medium": 2, "vertices": [[0.21, -9], [9, -9], [9, 9], [0.21, 9]]}
    share = shares([wide, over], 3, [0.0, 0.0], 0.1, [4, 3])
    assert share[1][0] == pytest.approx([0, 0.7, 1]) and share[2][:, 0] == pytest.approx([0, 0, 0.9, 1])
    assert share[1][2] == pytest.approx([0, 0.07, 0.1])
    corner = {"medium": 1, "vertices": [[0, 0], [0.4, 0], [0.4, 0.1], [0.1, 0.1], [0.1, 0.3], [0, 0.3]]}
    assert shares([corner], 2, [0.0, 0.0], 0.1, [4, 3])[1].T == pytest.approx(
        np.array([[1, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0]])
    )


@pytest.mark.parametrize(
    ("scene", "quantity", "why"),
    [
        (device(block("g", (-FAR, FAR), (-0.2, 0.2)), dimensions="3D"), PASSED, "two dimensions"),
        (
            device(block("g", (-FAR, FAR), (-0.2, 0.2))),
            {"type": "port_delay", "port": "out", "start": 0, "end": 0},
            "power",
        ),
        (
            device(block("g", (-FAR, FAR), (-0.2, 0.2)), {**rod(0.1, medium(1.0)), "axis": "x"}),
            PASSED,
            "lie in the plane",
        ),
        (
            device(block("g", (-FAR, FAR), (-0.2, 0.2)), rod(0.1, {"kind": "perfect_conductor"})),
            PASSED,
            "conductors",
        ),
        (
            device(block("g", (-FAR, FAR), (-0.2, 0.2)), rod(0.1, {"kind": "medium", "epsilon": (2, 2, 3)})),
            PASSED,
            "alike",
        ),
        (device(block("g", (-FAR, FAR), (-0.2, 0.2), 1.2)), PASSED, "guides nothing"),
        (
            device(block("g", (-FAR, FAR), (-0.2, 0.2)), block("h", (-FAR, FAR), (-2, -1))),
            PASSED,
            "dense body beside",
        ),
        (
            scatterer(rod(0.1, medium(2.0)), background={"kind": "medium", "epsilon": -2}),
            SECTIONS[0],
            "without loss",
        ),
        (scatterer(rod(0.1, medium(2.0))), {"type": "point_field", "at": (1, 0, 0)}, "power"),
    ],
)
def test_what_it_does_not_solve_it_says(scene: dict[str, Any], quantity: dict[str, Any], why: str) -> None:
    made, (asked,) = problem(scene, quantity)
    assert why in planes.refused(made, asked, {})


def test_a_mode_that_is_not_guided_is_said() -> None:
    guide = block("g", (-FAR, FAR), (-0.2, 0.2))
    with pytest.raises(NotSolved, match="comes in is not guided"):
        second(device(guide, mode=2), PASSED, step=20)
    with pytest.raises(NotSolved, match="port out does not guide mode 2"):
        second(device(guide), {**PASSED, "mode": 2}, step=20)


@pytest.mark.parametrize(
    "change",
    [
        lambda answer: answer["lines"].pop(),
        lambda answer: answer["lines"][0]["power"].pop(),
        lambda answer: answer["lines"][0]["modes"][1].append(0.5),
        lambda answer: answer["lines"][0]["power"].__setitem__(0, float("nan")),
        lambda answer: answer["lines"][0].pop("guided"),
        lambda answer: answer.update(nodes=7),
    ],
)
def test_an_answer_that_does_not_fit_is_none(change: Any) -> None:
    made, _ = problem(device(block("g", (-FAR, FAR), (-0.2, 0.2))), PASSED)
    job = planes.job_of(made, [1 / WAVELENGTH], {}, 15)
    answer = fields(job)
    assert len(planes.read(answer, job)) == 1
    change(answer)
    with pytest.raises((ValueError, KeyError, TypeError)):
        planes.read(answer, job)


def test_more_light_than_came_in_is_no_value() -> None:
    made, (asked,) = problem(device(block("g", (-FAR, FAR), (-0.2, 0.2))), PASSED)
    with pytest.raises(NotSolved, match="more light leaves"):
        planes.value_of(made, asked, {}, [planes.Solved(1, (0.2, 0.9), ((0.2,), (0.9,)))])
