"""Plane stacks and periodic cells through the solver, against Fresnel and the transfer matrix."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from simkit_script import need_meep, stack_rt
from solve_kit import block, index, solve, stack_runs

from simkit.runs import Layer, Monitor, Run, Source, Stop

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
    r, t, full = measured(tmp_path, *stack_runs(((index(2.0), -0.1003, 0.2297), (index(1.5), 0.2297, 1e20)), BAND,
                                                resolution=120))
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
        "dimensions": "2D", "cell": (0.4, 8.0, 0.0), "resolution": 40.0, "layers": (Layer("pml", "y", 1.5),),
        "sources": (Source("current", "Ez", (0, -2.3, 0), (0.4, 0, 0), f, 0.2, wave_vector=(kx, 0, 0)),),
        "stop": Stop("settled", 1e-7, 1000.0, 0.0), "bloch": (kx, 0.0, 0.0),
    }
    back = Monitor("flux", (0, -1.5, 0), (0.4, 0, 0), (f,))
    first = Run(geometry=(), monitors={"back": back}, **common)
    second = Run(geometry=(block(index(n), y=(0, 1e20)),), subtract={"back": (first.digest(), "back")},
                 monitors={"back": back, "on": Monitor("flux", (0, 1.5, 0), (0.4, 0, 0), (f,))}, **common)
    r, t, _ = measured(tmp_path, first, second)
    inside = n * math.cos(math.asin(math.sin(angle) / n))
    exact = ((math.cos(angle) - inside) / (math.cos(angle) + inside)) ** 2
    assert r[0] == pytest.approx(exact, abs=1e-3) and t[0] == pytest.approx(1 - exact, abs=1e-3)
