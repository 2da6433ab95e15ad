"""Phases and delays against theory: a slab by transfer matrix, a guide by its dispersion relation, a bend by its arms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tasks.reproduce.measuring import Curve
from tasks.reproduce.oracles import oracle
from tests.sim.solving.described_kit import problem, values
from tests.sim.solving.test_solved_device import block, device

pytestmark = pytest.mark.sim
FAR = 1e20
BAND = {"type": "wavelengths", "shortest": 0.9, "longest": 1.2}
QUANTITIES = [
    {"type": kind, "id": f"{kind}_{side}", "side": side}
    for kind in ("phase", "group_delay")
    for side in ("transmitted", "reflected")
]


def slab(**more: Any) -> dict[str, Any]:
    layers = [
        {"type": "film", "medium": {"kind": "medium", "index": n}, "thickness": t}
        for n, t in ((2.0, 0.3), (1.5, 0.2))
    ]
    return {
        "type": "unit_cell",
        "below": {"kind": "medium", "index": 1.2},
        "layers": layers,
        "light_from": "below",
        "above": {"kind": "medium", "index": 1.5},
        "polarization": "x",
        "band": BAND,
        **more,
    }


def bars(polarization: str) -> dict[str, Any]:
    """The same films, drawn as bars that fill their period, as a grating is solved."""
    scene = slab(period=[0.4], polarization=polarization)
    for film in scene["layers"]:
        film["pattern"] = [{"type": "bar", "medium": film["medium"], "x": [-0.1, 0.1]}]
    return scene


@pytest.mark.parametrize(
    "scene", [slab(), slab(light_from="above"), bars("x"), bars("y")], ids=["1D", "turned", "Hz", "Ez"]
)
def test_a_slab_turns_and_delays_light_as_its_transfer_matrix_says(
    tmp_path: Path, scene: dict[str, Any]
) -> None:
    theory = problem({**slab(), "light_from": scene["light_from"]}, *QUANTITIES)
    for quantity, found in zip(
        theory.quantities, values(tmp_path, problem(scene, *QUANTITIES), 60, samples=21).values(), strict=True
    ):
        assert isinstance(found, Curve), found
        exact = oracle(theory.scenes[0], quantity, {}, found.x)
        assert exact is not None and exact[0] == "transfer matrix"
        scale = 1.0 if quantity.type == "phase" else float(np.max(np.abs(exact[1].y)))
        assert found.y == pytest.approx(exact[1].y, abs=0.03 * scale), quantity.id


@pytest.mark.long
def test_a_straight_guide_turns_light_by_beta_l_and_a_bend_by_its_arms(tmp_path: Path) -> None:
    band = {"type": "wavelengths", "shortest": 1.5, "longest": 1.6}
    asked = [
        {"type": kind, "id": kind, "port": "out", "start": -0.6, "end": 0.6}
        for kind in ("port_phase", "port_delay")
    ]
    made = problem(device(block("guide", (-FAR, FAR), (-0.2, 0.2)), band=band), *asked)
    found = values(tmp_path, made, 25, samples=9)
    for quantity in made.quantities:
        exact = oracle(made.scenes[0], quantity, {}, found[quantity.id].x)
        assert exact is not None
        assert found[quantity.id].y == pytest.approx(exact[1].y, rel=0.005, abs=0.03), (
            quantity.id
        )  # of 8 radian
    arms = [block("in", (-FAR, 0.2), (-0.2, 0.2)), block("up", (-0.2, 0.2), (-0.2, FAR))]
    bend = values(tmp_path, problem(device(*arms, sides="-x+y", band=band), *asked), 25, samples=9)
    assert isinstance(bend["port_delay"], Curve), bend["port_delay"]
    # across the corner light goes a shorter way than along both arms to its middle
    assert 0.6 < np.mean(bend["port_delay"].y) / np.mean(found["port_delay"].y) < 1.2


@pytest.mark.parametrize("side", ["transmitted", "reflected"])
def test_a_longer_way_before_and_behind_a_film_turns_no_phase(tmp_path: Path, side: str) -> None:
    """The grid's dispersion over the free distances stood in it: 0.006 radian for twice the way, where the film's own error was
    less."""
    asked = [{"type": "phase", "id": "phase", "side": side}]
    short, long = (
        values(tmp_path, problem(bars("y"), *asked), 40, samples=11, padding=padding)["phase"]
        for padding in (1.0, 2.0)
    )
    assert isinstance(short, Curve) and isinstance(long, Curve)
    assert np.max(np.abs(short.y - long.y)) < 3e-4
