"""The ring resonator against its exact mode, from description to value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tasks.reproduce.oracles import oracle
from tests.sim.solving.described_kit import AIR, problem, values

DRUDE = {
    "kind": "medium",
    "epsilon": 1,
    "poles": [{"kind": "drude", "frequency": 1.0, "damping": 0.001, "strength": 1}],
}


@pytest.mark.sim
@pytest.mark.long
def test_a_ring_s_mode_agrees_with_its_bessel_and_hankel_roots(tmp_path: Path) -> None:
    ring = {
        "type": "ring",
        "id": "ring",
        "medium": {"kind": "medium", "index": 3.4},
        "center": [0, 0, 0],
        "inner": 1,
        "outer": 2,
        "filling": AIR,
        "bounds": [-1e20, 1e20],
    }
    made = problem(
        {
            "type": "resonator",
            "dimensions": "2D",
            "field": "Ez",
            "bodies": [ring],
            "background": AIR,
            "search": {"type": "frequencies", "lowest": 0.105, "highest": 0.13},
        },
        {"type": "resonance_frequency", "id": "f"},
        {"type": "quality_factor", "id": "q"},
        {"type": "line_width", "id": "width"},
        {"type": "line_width", "id": "broad", "over": "frequency"},
        {"type": "decay_time", "id": "t"},
        {"type": "ring_down", "id": "energy", "duration": 300},
        {"type": "ring_down", "id": "field", "duration": 20, "what": "field"},
    )
    found = values(tmp_path, made, 8)
    exact = {q.id: oracle(made.scenes[0], q, {}, getattr(found[q.id], "x", None)) for q in made.quantities}
    assert found["f"].value == pytest.approx(exact["f"][1].value, rel=3e-3)
    assert found["q"].value == pytest.approx(exact["q"][1].value, rel=0.03)
    for name, power in (("width", 1), ("broad", -1)):
        assert found[name].value == pytest.approx(exact[name][1].value, rel=0.03)
        assert found[name].power == exact[name][1].power == power
    # The ring-down in time, which the harmonic inversion knows nothing of, tells the same.
    assert found["t"].value == pytest.approx(exact["t"][1].value, rel=0.03)
    assert found["t"].value == pytest.approx(found["q"].value / (2 * 3.14159265 * found["f"].value), rel=2e-3)
    assert found["energy"].y == pytest.approx(exact["energy"][1].y, abs=0.02) and found["energy"].y[-1] < 0.1
    assert found["field"].y == pytest.approx(exact["field"][1].y, abs=0.04)


def disk(index: float, lowest: float, highest: float, **more: Any) -> dict[str, Any]:
    body = {
        "type": "cylinder",
        "id": "disk",
        "medium": {"kind": "medium", "index": index},
        "center": [0, 0, 0],
        "radius": 1,
        "axis": "z",
        "bounds": [-1e20, 1e20],
    }
    return {
        "type": "resonator",
        "dimensions": "2D",
        "field": "Ez",
        "bodies": [body],
        "background": AIR,
        "search": {"type": "frequencies", "lowest": lowest, "highest": highest},
        **more,
    }


@pytest.mark.sim
def test_the_profile_and_volume_of_a_disk_s_mode(tmp_path: Path) -> None:
    made = problem(
        disk(3.0, 0.22, 0.3, m=3),
        {"type": "quality_factor", "id": "q"},
        {"type": "mode_profile", "id": "p", "component": "Ez", "start": [0.1, 0, 0], "end": [2, 0, 0]},
        {"type": "mode_volume", "id": "v"},
    )
    found = values(tmp_path, made, 20)
    exact = {q.id: oracle(made.scenes[0], q, {}, getattr(found[q.id], "x", None))[1] for q in made.quantities}
    assert found["q"].value == pytest.approx(exact["q"].value, rel=0.01)
    assert found["p"].y == pytest.approx(exact["p"].y, abs=0.01)
    assert found["v"].value == pytest.approx(exact["v"].value, rel=0.01)


@pytest.mark.sim
@pytest.mark.long
def test_a_standing_wave_between_mirrors_has_half_the_area_of_the_rotating_one(tmp_path: Path) -> None:
    volume = {"type": "mode_volume", "id": "v"}
    round_trip = problem(disk(3.5, 0.215, 0.24, m=3), volume)
    found = values(
        tmp_path, problem(disk(3.5, 0.215, 0.24), {**volume, "parity_x": "odd", "parity_y": "even"}), 9
    )
    exact = oracle(round_trip.scenes[0], round_trip.quantities[0], {})[1]
    assert found["v"].value == pytest.approx(exact.value / 2, rel=0.04)


@pytest.mark.long
@pytest.mark.sim
@pytest.mark.long
def test_what_a_disk_s_mode_radiates_has_the_lobes_of_its_order(tmp_path: Path) -> None:
    made = problem(
        disk(3.0, 0.23, 0.3),
        {
            "type": "mode_pattern",
            "id": "p",
            "parity_x": "odd",
            "parity_y": "even",
            "zero": "x",
            "towards": "y",
            "choose": "highest_q",
        },
    )
    found = values(tmp_path, made, 14)["p"]
    exact = oracle(made.scenes[0], made.quantities[0], {}, found.x)[1]
    assert found.axis == "angle" and found.y == pytest.approx(exact.y, abs=0.04)
    lobes = np.sum((found.y > np.roll(found.y, 1)) & (found.y >= np.roll(found.y, -1)) & (found.y > 0.5))
    assert lobes == 6 and exact.y.max() == pytest.approx(1)


@pytest.mark.unit
def test_the_exact_pattern_of_a_disk_s_mode_is_the_wave_of_its_parities() -> None:
    """Of the third order: Ez even in y is cos, and the electric field of an Hz even in y is odd."""
    x = np.array([0.0, np.pi / 6, np.pi / 2])
    bands = {"Ez": (0.23, 0.3), "Hz": (0.3, 0.345)}
    for field, parity, zero, expected in (
        ("Ez", "parity_y", "x", [1, 0, 0]),
        ("Ez", "parity_x", "x", [0, 1, 1]),
        ("Hz", "parity_y", "x", [0, 1, 1]),
        ("Hz", "parity_y", "y", [1, 0, 0]),
    ):
        made = problem(
            {**disk(3.0, *bands[field]), "field": field},
            {
                "type": "mode_pattern",
                "id": "p",
                "zero": zero,
                "towards": "xy".replace(zero, ""),
                "choose": "highest_q",
                parity: "even",
            },
        )
        found = oracle(made.scenes[0], made.quantities[0], {}, x)
        assert found is not None and found[1].y == pytest.approx(expected, abs=1e-12)
    assert oracle(made.scenes[0], made.quantities[0].model_copy(update={"parity_y": None}), {}, x) is None


@pytest.mark.sim
@pytest.mark.long
def test_a_disk_s_mode_as_a_map_has_the_lobes_of_its_order(tmp_path: Path) -> None:
    made = problem(
        disk(3.0, 0.23, 0.3),
        {
            "type": "mode_profile",
            "id": "map",
            "parity_x": "odd",
            "parity_y": "even",
            "start": [-1.2, -1.4, 0],
            "end": [1.2, 1.4, 0],
            "choose": "highest_q",
        },
    )
    found = values(tmp_path, made, 10)["map"]
    exact = oracle(made.scenes[0], made.quantities[0], {}, found.x)[1]
    assert found.labels == ("x", "y") and found.table.shape == exact.table.shape
    assert np.sqrt(np.mean((found.y - exact.y) ** 2)) < 0.01 and found.y.max() == 1


@pytest.mark.sim
def test_a_surface_plasmon_s_frequency_at_its_wavenumber(tmp_path: Path) -> None:
    metal = {"type": "block", "id": "metal", "medium": DRUDE, "y": [-1e20, 0]}
    made = problem(
        {
            "type": "resonator",
            "dimensions": "2D",
            "field": "Hz",
            "bodies": [metal],
            "background": AIR,
            "periodic": [{"axis": "x", "k": 0.8}],
            "search": {"type": "frequencies", "lowest": 0.5, "highest": 0.65},
        },
        {"type": "resonance_frequency", "id": "f", "choose": "strongest"},
    )
    found = values(tmp_path, made, 30)
    assert found["f"].value == pytest.approx(0.572575, rel=2e-3)  # k^2 = f^2 eps/(1 + eps), eps = 1 - 1/f^2


@pytest.mark.sim
@pytest.mark.parametrize("order", [1, -1])
def test_a_slab_on_an_ideal_mirror_begins_at_the_mirror_s_face(tmp_path: Path, order: int) -> None:
    """Drawn first, the metal lost the nodes on its face to the slab, which was a pixel thicker than described."""
    slab = {
        "type": "block",
        "id": "slab",
        "medium": {"kind": "medium", "index": 3.4},
        "x": [0, 1],
        "y": [-1e20, 1e20],
        "z": [-1e20, 1e20],
    }
    mirror = {**slab, "id": "mirror", "medium": {"kind": "perfect_conductor"}, "x": [-1e20, 0]}
    made = problem(
        {
            "type": "resonator",
            "dimensions": "2D",
            "field": "Ez",
            "background": AIR,
            "periodic": [{"axis": "y"}],
            "bodies": [mirror, slab][::order],
            "search": {"type": "wavelengths", "shortest": 1.8, "longest": 2.1},
        },
        {"type": "resonance_frequency", "id": "f", "choose": "nearest"},
        {"type": "quality_factor", "id": "q", "choose": "nearest"},
    )
    found = values(tmp_path, made, 20)
    phase = 3.5 * np.pi - 0.5j * np.log(4.4 / 2.4)  # exp(2 i n k t) = -(n + 1) / (n - 1)
    assert found["f"].value == pytest.approx(phase.real / 3.4 / (2 * np.pi), rel=0.02)
    assert found["q"].value == pytest.approx(phase.real / (-2 * phase.imag), rel=0.03)


@pytest.mark.sim
def test_an_opening_in_an_endless_metal_is_open(tmp_path: Path) -> None:
    """A metal that is endless along an axis was drawn over the openings in it: a groove vanished, and nothing said so."""
    metal = {"type": "block", "id": "metal", "medium": {"kind": "perfect_conductor"}}
    box = {"type": "block", "id": "box", "medium": AIR, "x": [-0.8, 0.8], "y": [-0.5, 0.5]}
    endless = [-1e20, 1e20]
    made = problem(
        {
            "type": "resonator",
            "dimensions": "2D",
            "field": "Ez",
            "bodies": [{**metal, "x": endless, "y": [-1, 1], "z": endless}, {**box, "z": endless}],
            "background": AIR,
            "search": {"type": "frequencies", "lowest": 0.5, "highest": 0.7},
        },
        {"type": "resonance_frequency", "id": "f"},
    )
    exact = np.hypot(1 / 1.6, 1 / 1.0) / 2
    assert values(tmp_path, made, 20)["f"].value == pytest.approx(exact, rel=2e-3)


@pytest.mark.sim
def test_between_metal_plates_no_light_is_lost_and_none_is_sent_into_the_metal(tmp_path: Path) -> None:
    """Plates were followed by free space and absorbers of many wavelengths; where metal was in the middle, nothing was excited."""
    endless = [-1e20, 1e20]
    metal = {"type": "block", "medium": {"kind": "perfect_conductor"}, "x": endless, "z": endless}
    scene = {
        "type": "resonator",
        "dimensions": "2D",
        "field": "Ez",
        "bodies": [
            {**metal, "id": "low", "y": [-2, -0.7]},
            {**metal, "id": "middle", "y": [-0.1, 0.2]},
            {**metal, "id": "high", "y": [0.7, 1.5]},
        ],
        "background": AIR,
        "periodic": [{"axis": "x", "period": 1, "k": 0.2}],
        "search": {"type": "frequencies", "lowest": 0.8, "highest": 0.9},
    }
    made = problem(scene, {"type": "resonance_frequency", "id": "f"}, {"type": "quality_factor", "id": "q"})
    found = values(tmp_path, made, 20)
    assert not isinstance(found["f"], str), found
    assert found["f"].value == pytest.approx(np.hypot(0.2, 1 / (2 * 0.6)), rel=2e-3)
    assert isinstance(found["q"], str) and "lossless" in found["q"]
