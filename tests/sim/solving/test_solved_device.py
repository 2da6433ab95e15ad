"""Guides into structures against theory: straight ones, a gap seen from two sides, a coupler, a film across a wide guide."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.linalg import eigh_tridiagonal

from simkit.arrange import Numerics, arrange
from tasks.reproduce.measuring import Curve
from tasks.reproduce.oracles import oracle
from tests.sim.solving.described_kit import problem, values

pytestmark = pytest.mark.sim
FAR = 1e20
CORE, CLADDING, WAVELENGTH = 2.0, 1.444, 1.55
REFLECTED, LOST = {"type": "port_reflectance", "id": "R"}, {"type": "loss", "id": "L"}
PASSED = {"type": "port_transmittance", "id": "T", "port": "out"}


def block(name: str, x: tuple[float, float], y: tuple[float, float], index: float = CORE) -> dict[str, Any]:
    return {
        "type": "block",
        "id": name,
        "medium": {"kind": "medium", "index": index},
        "x": list(x),
        "y": list(y),
        "z": [-FAR, FAR],
    }


def device(*bodies: dict[str, Any], sides: str = "-x+x", center: float = 0.0, **more: Any) -> dict[str, Any]:
    ports = [
        {"id": name, "side": side, "center": center} for name, side in (("in", sides[:2]), ("out", sides[2:]))
    ]
    return {
        "type": "device",
        "dimensions": "2D",
        "bodies": bodies,
        "background": {"kind": "medium", "index": CLADDING},
        "polarization": "Ez",
        "ports": ports,
        "source": "in",
        "band": {"type": "line", "wavelength": WAVELENGTH},
        **more,
    }


def test_a_straight_guide_passes_all_light_of_a_band(tmp_path: Path) -> None:
    band = {"type": "wavelengths", "shortest": 1.45, "longest": 1.65}
    made = problem(
        device(block("guide", (-FAR, FAR), (-0.2, 0.2)), polarization="Hz", band=band),
        {**PASSED, "mode": 1},
        REFLECTED,
        LOST,
    )
    for quantity, found in zip(made.quantities, values(tmp_path, made, samples=5).values(), strict=True):
        assert isinstance(found, Curve)
        assert found.y == pytest.approx(oracle(made.scenes[0], quantity, {}, found.x)[1].y, abs=2e-3), (
            quantity.id
        )


@pytest.mark.parametrize("polarization", ["Ez", "Hz"])
def test_a_wide_band_of_a_film_that_guides_weakly_comes_in_as_one_mode(
    tmp_path: Path, polarization: str
) -> None:
    """A source of one shape radiates at the band's ends, where the mode has another, and one that is cut where the mode still is at
    its edges: the film had no value over this band for Ez, and none at all for Hz (an index of 1.498 in 1.45)."""
    film = device(
        block("film", (-FAR, FAR), (-0.0925, 0.0925)),
        background={"kind": "medium", "index": 1.45},
        band={"type": "wavelengths", "shortest": 1.44, "longest": 1.71},
        polarization=polarization,
    )
    found = values(tmp_path, problem(film, {**PASSED, "mode": 1}), 22, samples=9)["T"]
    assert isinstance(found, Curve) and found.y == pytest.approx(1, abs=2e-3)


@pytest.mark.long
def test_a_gap_is_the_same_from_every_side(tmp_path: Path) -> None:
    own, back = {**PASSED, "id": "T1", "mode": 1}, {**REFLECTED, "id": "R1", "mode": 1}
    first = values(
        tmp_path,
        problem(
            device(block("a", (-FAR, -0.1), (-0.2, 0.2)), block("b", (0.1, FAR), (-0.2, 0.2))),
            PASSED,
            own,
            REFLECTED,
            back,
            LOST,
        ),
        15,
    )
    other = values(
        tmp_path,
        problem(
            device(block("a", (-0.2, 0.2), (-FAR, -0.1)), block("b", (-0.2, 0.2), (0.1, FAR)), sides="+y-y"),
            PASSED,
            own,
            REFLECTED,
            back,
            LOST,
        ),
        15,
    )
    for name, value in first.items():
        assert value.value == pytest.approx(other[name].value, abs=1e-6), name
    assert 0.8 < first["T1"].value < first["T"].value and 0.02 < first["R1"].value < first["R"].value
    assert first["L"].value > 0.005  # radiated at the gap


def supermodes(gap: float, width: float, length: float) -> float:
    """Power that is left in one guide after it ran beside the other: overlaps and indices of exact TE modes."""
    step = 0.005
    y = np.arange(-4, 4, step) + step / 2
    one, two = (np.abs(y - side * (gap + width) / 2) < width / 2 for side in (1, -1))

    def modes(core: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        k = 2 * np.pi / WAVELENGTH
        squares, fields = eigh_tridiagonal(
            k**2 * np.where(core, CORE**2, CLADDING**2) - 2 / step**2,
            np.full(y.size - 1, 1 / step**2),
            select="v",
            select_range=((k * CLADDING) ** 2, (k * CORE) ** 2),
        )
        return np.sqrt(squares[::-1]), fields[:, ::-1]

    k, both = modes(one | two)
    shares = (modes(one)[1][:, 0] @ both[:, :2]) ** 2
    return float(abs(np.sum(shares * np.exp(1j * k[:2] * length))) ** 2)


@pytest.mark.long
def test_a_coupler_passes_what_its_supermodes_leave_in_the_guide(tmp_path: Path) -> None:
    through, beside = block("through", (-FAR, FAR), (0.25, 0.65)), block("beside", (0, 10), (-0.65, -0.25))
    made = problem(device(through, beside, center=0.45), {**PASSED, "mode": 1})
    assert values(tmp_path, made, 20)["T"].value == pytest.approx(supermodes(0.5, 0.4, 10), abs=0.02)


def test_a_guide_above_a_denser_substrate_carries_its_own_mode(tmp_path: Path) -> None:
    """Across both the first mode is one of the substrate: the straight guide of every chip had none that stayed the same."""
    ground = block("ground", (-FAR, FAR), (-FAR, -1.6), 3.48)
    oxide = block("oxide", (-FAR, FAR), (-1.6, 0.0), CLADDING)
    film = [block("film", (-FAR, 0.0), (0.0, 0.4)), block("more", (0.3, FAR), (0.0, 0.4))]
    made = device(ground, oxide, *film, center=0.2)
    own = [{**PASSED, "mode": 1}, {**REFLECTED, "mode": 1}]
    found = values(tmp_path, problem(made, *own), 20)
    alone = values(tmp_path, problem(device(*film, center=0.2), *own), 20)
    for name, value in found.items():
        assert value.value == pytest.approx(alone[name].value, abs=0.02), name
    assert 0.7 < alone["T"].value < 0.99


def splitter(at: float = 0.0, **more: Any) -> dict[str, Any]:
    arms = [block(name, (3, FAR), (at + y - 0.25, at + y + 0.25)) for name, y in (("u", 0.5), ("d", -0.5))]
    made = device(
        block("in", (-FAR, 0), (at - 0.25, at + 0.25)), block("wide", (0, 3), (at - 1, at + 1)), *arms, **more
    )
    ports = (("in", "-x", at), ("up", "+x", at + 0.5), ("down", "+x", at - 0.5))
    return {**made, "ports": [{"id": name, "side": side, "center": c} for name, side, c in ports]}


@pytest.mark.parametrize("polarization", ["Ez", "Hz"])
def test_half_of_a_symmetric_device_passes_what_the_whole_one_does(tmp_path: Path, polarization: str) -> None:
    """One that lies off the axis is solved whole."""
    quantities = [{**PASSED, "port": "up"}, {**REFLECTED, "mode": 1}, {"type": "loss", "id": "L"}]
    half, whole = (
        values(tmp_path, problem(splitter(at, polarization=polarization), *quantities), 15)
        for at in (0.0, 0.2)
    )
    for name, value in half.items():
        assert value.value == pytest.approx(whole[name].value, abs=1e-5), name


def test_what_arms_beside_each_other_carry_is_the_same_at_every_plane(tmp_path: Path) -> None:
    """By the modes of either arm alone the second one carried 0.034 to 0.064: what is radiated between arms looks like some of each."""
    arms = [block(name, (5.2, FAR), (y - 0.4, y + 0.4)) for name, y in (("u", 0.8), ("d", -0.8))]
    made = device(block("in", (-FAR, 0), (-0.4, 0.4)), block("wide", (0, 5.2), (-1.5, 1.5)), *arms)
    made["ports"] = [*made["ports"][:1], {"id": "up", "side": "+x", "center": 0.8}]
    made["ports"].append({"id": "down", "side": "+x", "center": -0.8})
    own = [{**PASSED, "id": f"T{n}", "port": ("up", "down"), "mode": n} for n in (1, 2)]
    near, far = (values(tmp_path, problem(made, *own), 20, padding=p) for p in (1.0, 1.4))
    assert near["T1"].value == pytest.approx(far["T1"].value, rel=6e-3)
    assert near["T2"].value == pytest.approx(far["T2"].value, rel=0.03)


@pytest.mark.long
def test_a_film_across_a_wide_guide_is_a_fabry_perot(tmp_path: Path) -> None:
    core, film, thickness = 1.5, 2.2, 0.15
    made = problem(
        device(
            block("guide", (-FAR, FAR), (-1.5, 1.5), core),
            block("film", (0, thickness), (-FAR, FAR), film),
            background={"kind": "medium", "index": 1.4},
            band={"type": "line", "wavelength": 1.0},
        ),
        {**PASSED, "mode": 1},
        {**REFLECTED, "mode": 1},
    )
    found = values(tmp_path, made, 30)
    r = (core - film) / (core + film)
    round_trip = np.exp(2j * np.pi * film * thickness)
    exact = abs((1 - r**2) * round_trip / (1 - r**2 * round_trip**2)) ** 2
    assert found["T"].value == pytest.approx(exact, abs=0.01)
    assert found["R"].value == pytest.approx(1 - exact, abs=0.01)


@pytest.mark.long
def test_a_tee_splits_evenly_and_passes_as_much_either_way(tmp_path: Path) -> None:
    arm, across = block("arm", (-FAR, 0.1), (-0.1, 0.1), 3.4), block("across", (-0.1, 0.1), (-FAR, FAR), 3.4)
    ports = [{"id": "west", "side": "-x"}, {"id": "north", "side": "+y"}, {"id": "south", "side": "-y"}]
    scene = {**device(arm, across), "ports": ports}
    shares = [
        {"type": "port_transmittance", "id": f"{port}_{mode or 'all'}", "port": port, "mode": mode}
        for port in ("north", "south")
        for mode in (None, 1)
    ]
    found = values(tmp_path, problem({**scene, "source": "west"}, *shares, REFLECTED, LOST), 14)
    share = {name: value.value for name, value in found.items()}
    assert share["north_all"] == pytest.approx(share["south_all"], abs=1e-3)
    assert (
        0.05 < share["north_1"] == pytest.approx(share["south_1"], abs=1e-3)
        and share["north_1"] < share["north_all"]
    )
    back = {"type": "port_transmittance", "id": "west_1", "port": "west", "mode": 1}
    turned = values(tmp_path, problem({**scene, "source": "north"}, back), 14)  # Lorentz reciprocity
    assert turned["west_1"].value == pytest.approx(share["north_1"], rel=0.02)


def test_all_power_at_a_port_of_a_crossing_is_the_same_for_every_padding(tmp_path: Path) -> None:
    """Radiated light crosses the plane of a port as well: further out, on a longer line, more of it did, and the
    padding grew for ever."""
    arm, across = block("arm", (-FAR, FAR), (-0.25, 0.25)), block("across", (-0.25, 0.25), (-FAR, FAR))
    ports = [{"id": name, "side": side} for name, side in (("in", "-x"), ("out", "+x"), ("up", "+y"))]
    scene = {**device(arm, across), "ports": ports}
    asked = [{"type": "port_transmittance", "id": name, "port": name} for name in ("out", "up")]
    near, far = (values(tmp_path, problem(scene, *asked), 16, padding=padding) for padding in (1.0, 1.8))
    for name in ("out", "up"):
        assert near[name].value == pytest.approx(far[name].value, abs=3e-3)


def test_light_in_the_corners_of_a_small_crossing_counts_once(tmp_path: Path) -> None:
    """Planes that cut each other there gave 1.035 of the light that comes in, and no value."""
    arm, across = (
        block("arm", (-FAR, FAR), (-0.25, 0.25), 2.83),
        block("across", (-0.25, 0.25), (-FAR, FAR), 2.83),
    )
    ports = [{"id": f"p{n}", "side": side} for n, side in enumerate(("-x", "+x", "-y", "+y"))]
    scene = {**device(arm, across, source="p0", polarization="Hz"), "ports": ports}
    scene["background"] = {"kind": "medium", "index": 1.444}
    scene["band"] = {"type": "wavelengths", "shortest": 1.5, "longest": 1.6}
    found = values(tmp_path, problem(scene, {"type": "loss", "id": "lost"}), 20)
    assert not isinstance(found["lost"], str), found["lost"]
    assert (
        np.abs(found["lost"].y).max() < 2e-3
    )  # four planes that meet: what is radiated between the guides crosses them


@pytest.mark.long
def test_a_branch_splits_evenly_and_loses_little(tmp_path: Path) -> None:
    def arm(name: str, side: int) -> dict[str, Any]:
        return {
            "type": "prism",
            "id": name,
            "medium": {"kind": "medium", "index": CORE},
            "bounds": [-FAR, FAR],
            "axis": "z",
            "vertices": [[0, -0.25], [2.5, side * 0.7 - 0.25], [2.5, side * 0.7 + 0.25], [0, 0.25]],
        }

    ports = [
        {"id": "stem", "side": "-x"},
        {"id": "north", "side": "+x", "center": 0.7},
        {"id": "south", "side": "+x", "center": -0.7},
    ]
    scene = {
        **device(
            block("stem", (-FAR, 0), (-0.25, 0.25)),
            arm("up", 1),
            arm("down", -1),
            block("a", (2.5, FAR), (0.45, 0.95)),
            block("b", (2.5, FAR), (-0.95, -0.45)),
        ),
        "ports": ports,
    }
    shares = [{"type": "port_transmittance", "id": port, "port": port} for port in ("north", "south")]
    made = problem({**scene, "source": "stem"}, *shares, REFLECTED, LOST)
    found = {name: value.value for name, value in values(tmp_path, made, 20).items()}
    # Meep averages slanted faces that cross unevenly: 0.6 % between the arms at 20 pixels, 0.1 % at 40.
    assert found["north"] == pytest.approx(found["south"], rel=0.01) and found["north"] > 0.4
    assert found["R"] < 0.01 and 0 <= found["L"] < 0.2


def field(name: str, start: tuple[float, float], end: tuple[float, float], **more: Any) -> dict[str, Any]:
    return {"type": "device_field", "id": name, "start": [*start, 0], "end": [*end, 0], **more}


@pytest.mark.long
@pytest.mark.parametrize("polarization", ["Ez", "Hz"])
def test_the_field_in_a_straight_guide_is_that_of_its_mode(tmp_path: Path, polarization: str) -> None:
    main = "Ez" if polarization == "Ez" else "Ey"
    made = problem(
        device(block("guide", (-FAR, FAR), (-0.2, 0.2)), polarization=polarization),
        field("along", (-0.6, 0), (0.7, 0), field=main),
        field("across", (0.1, -0.7), (0.1, 0.7), field=main),
        field("map", (-0.5, -0.6), (0.4, 0.6), field=main),
    )
    found = values(tmp_path, made, 30)
    assert found["along"].x[[0, -1]] == pytest.approx([-0.6, 0.7], abs=0.05) and found[
        "along"
    ].y == pytest.approx(1, abs=0.02)
    guide = {
        "type": "waveguide",
        "dimensions": "2D",
        "bodies": [block("guide", (-FAR, FAR), (-0.2, 0.2))],
        "background": made.scenes[0].background.model_dump(),
        "wavelength": WAVELENGTH,
        "polarization": polarization,
    }
    profile = problem(
        guide,
        {
            "type": "guided_profile",
            "id": "p",
            "component": polarization,
            "start": [0, -0.7, 0],
            "end": [0, 0.7, 0],
        },
    )
    y = found["across"].x
    exact = oracle(profile.scenes[0], profile.quantities[0], {}, y)[1].y
    if polarization == "Hz":  # Ey is Hz over the permittivity, but for a constant
        exact = exact * np.where(np.abs(y) < 0.2, 1, (CORE / CLADDING) ** 2)
    away = np.abs(np.abs(y) - 0.2) > 0.05
    assert found["across"].y[away] == pytest.approx(exact[away], abs=0.02)
    table = found["map"].table
    assert found["map"].labels == ("x", "y") and np.ptp(table, axis=0).max() < 0.02
    assert table[:, table.shape[1] // 2] == pytest.approx(1, abs=0.03)


@pytest.mark.long
def test_the_field_of_a_gap_stands_before_it_and_is_weaker_behind(tmp_path: Path) -> None:
    made = problem(
        device(block("a", (-FAR, -0.1), (-0.2, 0.2)), block("b", (0.1, FAR), (-0.2, 0.2))),
        {**REFLECTED, "mode": 1},
        {**PASSED, "mode": 1},
        field("before", (-0.9, 0), (-0.3, 0), field="Ez"),
        field("behind", (0.5, 0), (1.1, 0)),
    )
    found = values(tmp_path, made, 25)
    wave = found["before"].y
    assert (wave.max() - wave.min()) / (wave.max() + wave.min()) == pytest.approx(
        found["R"].value ** 0.5, rel=0.15
    )
    assert found["behind"].y.mean() == pytest.approx(found["T"].value, rel=0.05)


@pytest.mark.parametrize(
    ("quantity", "words"),
    [
        (field("f", (-0.5, 0), (0.5, 0), field="Ex"), "has no Ex in two dimensions; it has Ez"),
        (field("f", (0, 0), (0, 0)), "differ along 0 axes"),
    ],
)
def test_where_no_field_of_a_device_is(quantity: dict[str, Any], words: str) -> None:
    made = problem(device(block("guide", (-FAR, FAR), (-0.2, 0.2))), quantity)
    with pytest.raises(ValueError, match=words):
        arrange(made.scenes[0], made.quantities, Numerics(30), {})


def grating(period: float, teeth: int, etched: float, polarization: str = "Ez") -> dict[str, Any]:
    """A guide with shallow grooves in its upper face from x = 0 on."""
    groove = {
        "type": "block",
        "id": "groove",
        "medium": {"kind": "medium", "index": CLADDING},
        "x": [0, period / 2],
        "y": [0.2 - etched, 0.2],
        "z": [-FAR, FAR],
    }
    row = {"type": "repeat", "body": groove, "count": teeth, "step": [period, 0, 0]}
    return device(block("guide", (-FAR, FAR), (-0.2, 0.2)), row, polarization=polarization)


@pytest.mark.long
def test_a_grating_in_a_guide_radiates_where_its_period_says_and_as_much_as_is_lost(tmp_path: Path) -> None:
    period = 0.85
    up, down = (
        {"type": "device_pattern", "id": name, "side": side, "over": "incoming"}
        for name, side in (("up", "+y"), ("down", "-y"))
    )
    crossed = [
        {"type": "power_through", "id": name, "start": [-1, y, 0], "end": [16, y, 0], "towards": side}
        for name, y, side in (("U", 0.9, "+y"), ("D", -0.9, "-y"))
    ]
    beam = {**up, "id": "beam", "over": "maximum"}
    found = values(tmp_path, problem(grating(period, 12, 0.08), up, down, beam, LOST, *crossed), 25)
    shares = [np.trapezoid(found[side].y, found[side].x) for side in ("up", "down")]
    assert min(shares) > 0.01 and sum(shares) == pytest.approx(found["L"].value, rel=0.02)
    assert [found["U"].value, found["D"].value] == pytest.approx(shares, rel=0.05)
    assert found["beam"].y == pytest.approx(found["up"].y / found["up"].y.max())
    step = 0.001
    y = np.arange(-3, 3, step) + step / 2
    k = 2 * np.pi / WAVELENGTH
    squares = np.where(np.abs(y) < 0.2, CORE**2, CLADDING**2)
    squares = np.where((y > 0.12) & (y < 0.2), (CORE**2 + CLADDING**2) / 2, squares)  # half of it grooves
    index = (
        np.sqrt(
            eigh_tridiagonal(
                k**2 * squares - 2 / step**2,
                np.full(y.size - 1, 1 / step**2),
                select="i",
                select_range=(y.size - 1, y.size - 1),
            )[0][0]
        )
        / k
    )
    exact = np.degrees(np.arcsin((index - WAVELENGTH / period) / CLADDING))
    for side in ("up", "down"):
        beam = found[side].y > found[side].y.max() / 2
        assert np.degrees(np.average(found[side].x[beam], weights=found[side].y[beam])) == pytest.approx(
            exact, abs=1
        ), side


@pytest.mark.long
def test_light_that_leaves_a_gap_flat_is_no_pattern(tmp_path: Path) -> None:
    made = problem(
        device(block("a", (-FAR, -0.4), (-0.2, 0.2)), block("b", (0.4, FAR), (-0.2, 0.2))),
        {"type": "device_pattern", "id": "up", "side": "+y"},
    )
    assert "too flat for the cell to hold it" in values(tmp_path, made, 20)["up"]


@pytest.mark.parametrize(
    ("scene", "side", "words"),
    [
        (grating(0.85, 4, 0.08), "+x", "a guide leaves on +x"),
        (
            device(block("guide", (-FAR, FAR), (-0.2, 0.2)), block("wall", (1, 2), (0.2, FAR), 1.0)),
            "+y",
            "body wall reaches without",
        ),
    ],
)
def test_a_pattern_where_no_homogeneous_medium_follows_is_refused(
    scene: dict[str, Any], side: str, words: str
) -> None:
    made = problem(scene, {"type": "device_pattern", "id": "up", "side": side})
    with pytest.raises(ValueError, match=re.escape(words)):
        arrange(made.scenes[0], made.quantities, Numerics(resolution=20), {})
