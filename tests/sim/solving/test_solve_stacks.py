"""Plane stacks and periodic cells through the solver, against Fresnel and the transfer matrix."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from simkit.runs import Layer, Monitor, Run, Source, Stop
from tests.sim.simkit.simkit_script import GERMANIUM, GOLD, epsilon, need_meep, stack_rt
from tests.sim.solving.solve_kit import block, index, solve, stack_runs

pytestmark = pytest.mark.sim
BAND = tuple(float(f) for f in np.linspace(0.8, 1.2, 5))


@pytest.fixture(autouse=True, scope="module")
def _meep() -> None:
    need_meep()


def measured(folder, first: Run, second: Run):
    """R and T of the structure's run, and what its process left."""
    empty = solve(folder / "reference", first)
    assert empty.code == 0, empty.stderr
    full = solve(folder / "structure", second, **{f"d_{first.digest()}": empty})
    assert full.code == 0, full.stderr
    incident = empty.raw["back/flux"]
    return -full.raw["back/flux"] / incident, full.raw["on/flux"] / incident, full


def test_a_film_between_nodes_gives_the_airy_formula(tmp_path):
    r, t, full = measured(
        tmp_path,
        *stack_runs(((index(2.0), -0.1003, 0.2297), (index(1.5), 0.2297, 1e20)), BAND, resolution=120),
    )
    exact_r, exact_t = stack_rt([1.0, 2.0, 1.5], [0.33], np.array(BAND))
    assert r == pytest.approx(exact_r, abs=1.2e-3) and t == pytest.approx(exact_t, abs=1.2e-3)
    assert r + t == pytest.approx(np.ones(len(BAND)), abs=1e-5)
    assert full.raw["stats/stop_met"] == 1 and full.raw["stats/stop_reached"] <= 1e-9
    assert full.raw["stats/steps"] > 0 and full.raw["stats/pixels"] == 960
    assert full.log["outcome"] == "finished" and full.log["cpu_s"] > 0


def test_an_oblique_wave_in_a_periodic_cell_obeys_fresnel(tmp_path):
    f, angle, n = 1.0, math.radians(30), 1.5
    kx = f * math.sin(angle)
    common: dict[str, Any] = {
        "dimensions": "2D",
        "cell": (0.4, 8.0, 0.0),
        "resolution": 40.0,
        "layers": (Layer("pml", "y", 1.5),),
        "sources": (Source("current", "Ez", (0, -2.3, 0), (0.4, 0, 0), f, 0.2, wave_vector=(kx, 0, 0)),),
        "stop": Stop("settled", 1e-7, 1000.0, 0.0),
        "bloch": (kx, 0.0, 0.0),
    }
    back = Monitor("flux", (0, -1.5, 0), (0.4, 0, 0), (f,))
    first = Run(geometry=(), monitors={"back": back}, **common)
    second = Run(
        geometry=(block(index(n), y=(0, 1e20)),),
        subtract={"back": (first.digest(), "back")},
        monitors={"back": back, "on": Monitor("flux", (0, 1.5, 0), (0.4, 0, 0), (f,))},
        **common,
    )
    r, t, _ = measured(tmp_path, first, second)
    inside = n * math.cos(math.asin(math.sin(angle) / n))
    exact = ((math.cos(angle) - inside) / (math.cos(angle) + inside)) ** 2
    assert r[0] == pytest.approx(exact, abs=1e-3) and t[0] == pytest.approx(1 - exact, abs=1e-3)


def test_germanium_on_gold_is_exact_between_nodes(tmp_path):
    band = tuple(float(f) for f in np.linspace(1.35, 1.75, 5))
    layers = (
        ({"kind": "medium", "material": "germanium"}, 0.0, 0.0153),
        ({"kind": "medium", "material": "gold"}, 0.0153, 0.6),
    )
    materials = {"germanium": GERMANIUM, "gold": GOLD}
    r, t, _ = measured(
        tmp_path,
        *stack_runs(
            layers, band, resolution=200, materials=materials, stop=Stop("settled", 1e-5, 2000.0, 0.0)
        ),
    )
    indices = [1.0, *(np.sqrt(epsilon(m, np.array(band))) for m in (GERMANIUM, GOLD)), 1.0]
    exact, _ = stack_rt(indices, [0.0153, 0.5847], np.array(band))
    assert r == pytest.approx(exact, abs=9e-3) and np.abs(t).max() < 1e-4


def test_a_resistive_sheet_a_quarter_wave_before_ideal_metal_absorbs_all(tmp_path):
    band = (0.75, 1.0)
    first, second = stack_runs((({"kind": "perfect_conductor"}, 0.25, 1e20),), band, resolution=80)
    r, _, _ = measured(tmp_path / "stack", first, replace(second, sheets=((0.0, 1.0),)))
    thin = {
        "dimensions": "3D",
        "bloch": (0, 0, 0),
        "smoothing": True,
    }  # the same, drawn: a cell without lateral extent
    empty, drawn = (
        replace(run, monitors={name: replace(m, axis="z") for name, m in run.monitors.items()}, **thin)
        for run in (first, second)
    )
    mirror = (block({"kind": "perfect_conductor"}, z=(0.25, 1e20)),)
    also, _, _ = measured(
        tmp_path / "drawn",
        empty,
        replace(
            drawn,
            stack=(),
            geometry=mirror,
            sheets=((0.0, 1.0),),
            subtract={"back": (empty.digest(), "back")},
        ),
    )
    assert also == pytest.approx(r, abs=1e-6)
    quarter = np.tan(np.pi / 2 * np.array(band))
    impedance = 1 / (1 + 1 / (1j * quarter))  # the sheet beside the shorted line; Salisbury's screen
    assert r == pytest.approx(np.abs((impedance - 1) / (impedance + 1)) ** 2, abs=3e-3)


def test_the_second_polarisation_of_a_film_with_two_indices_sees_the_second(tmp_path):
    film = {"kind": "medium", "epsilon": [2.0, 4.0, 4.0]}
    r, _, _ = measured(tmp_path, *stack_runs(((film, 0.0, 0.33),), BAND, component="Ey", resolution=120))
    assert r == pytest.approx(stack_rt([1.0, 2.0, 1.0], [0.33], np.array(BAND))[0], abs=1.5e-3)


def test_a_body_over_the_edge_of_a_period_comes_back_on_the_other_side_and_not_through_the_pml(tmp_path):
    f = (1.0,)
    common: dict[str, Any] = {
        "dimensions": "2D",
        "cell": (0.8, 5.0, 0.0),
        "resolution": 15.0,
        "layers": (Layer("pml", "y", 1.0),),
        "sources": (Source("current", "Ez", (0, -1.4, 0), (0.8, 0, 0), 1.0, 0.3),),
        "bloch": (0.0, 0.0, 0.0),
        "stop": Stop("settled", 1e-7, 1000.0, 0.0),
        "monitors": {"on": Monitor("flux", (0, 1.2, 0), (0.8, 0, 0), f)},
    }
    rod = {
        "type": "cylinder",
        "id": "rod",
        "radius": 0.2,
        "axis": "z",
        "bounds": (-1e20, 1e20),
        "medium": index(3.0),
    }
    found = [
        solve(tmp_path / str(i), Run(geometry=bodies, **common)).raw["on/flux"][0]
        for i, bodies in enumerate(
            (
                ({**rod, "center": (0, 0, 0)},),
                ({**rod, "center": (0.4, 0, 0)},),
                ({**rod, "center": (-2.0, 0, 0)},),
                ({"type": "repeat", "body": {**rod, "center": (0, 0, 0)}, "count": 3, "step": (0.8, 0, 0)},),
                ({**rod, "center": (0, 0, 0)}, {**rod, "center": (0, 4.5, 0)}),
            )
        )
    ]
    assert found == pytest.approx([found[0]] * 5, rel=1e-9)
