"""Bands and guided modes through the solver, against published gaps and dispersion relations."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from simkit.runs import BandsRun
from tests.sim.simkit.simkit_script import need_meep
from tests.sim.solving.solve_kit import block, index, solve
from tests.sim.solving.test_solve_monitors import slab_index

pytestmark = pytest.mark.sim
FREE = (-1e20, 1e20)


@pytest.fixture(autouse=True, scope="module")
def _meep() -> None:
    need_meep()


def rods(center=(0.0, 0.0, 0.0), scale: float = 1.0):
    return (
        {
            "type": "cylinder",
            "id": "rod",
            "center": tuple(scale * c for c in center),
            "radius": 0.2 * scale,
            "axis": "z",
            "bounds": FREE,
            "medium": {"kind": "medium", "epsilon": 8.9},
        },
    )


def test_the_gap_of_rods_is_joannopoulos_own_and_scales_with_the_lattice(tmp_path):
    k = ((0.5, 0.0, 0.0), (0.5, 0.5, 0.0))
    common = {"size": (1.0, 1.0, 0.0), "count": 3, "polarisation": "tm", "k_points": k}
    one = solve(
        tmp_path / "one",
        BandsRun(
            lattice=((1, 0, 0), (0, 1, 0), (0, 0, 1)),
            geometry=rods(),
            resolution=32,
            group_velocity=True,
            unit="a",
            **common,
        ),
    )
    half = solve(
        tmp_path / "half",
        BandsRun(
            lattice=((0.5, 0, 0), (0, 0.5, 0), (0, 0, 1)), geometry=rods(scale=0.5), resolution=64, **common
        ),
    )
    assert one.code == 0 and half.code == 0, one.stderr + half.stderr
    frequency = one.raw["bands/frequency"]
    assert (frequency[1, 0], frequency[0, 1]) == pytest.approx(
        (0.32241, 0.44251), rel=2e-3
    )  # M of band 1, X of band 2
    assert half.raw["bands/frequency"] / 2 == pytest.approx(frequency, rel=1e-5)
    assert half.raw["bands/k_cartesian"] == pytest.approx(2 * np.array(k))
    assert np.abs(one.raw["bands/group_velocity"]).shape == (2, 3, 3)
    assert np.abs(one.raw["bands/group_velocity"][1, 0]) == pytest.approx(
        [0, 0, 0], abs=1e-3
    )  # standing at M
    assert one.raw["stats/steps"] == 2 and one.log["stop"]["met"]


def test_no_band_of_another_symmetry_is_missed_on_the_way_from_k_to_k(tmp_path):
    """Begun from the fields of the k before, bands 6 and 7 of 12 and the highest were up to 6 % too high near Gamma."""
    steps = [n / 9 for n in range(10)]
    way = (
        [(s / 2, 0, 0) for s in steps]
        + [(0.5, s / 2, 0) for s in steps[1:]]
        + [(0.5 - s / 2,) * 2 + (0,) for s in steps[1:]]
    )
    found = {}
    for order, k in (("there", way), ("back", way[::-1])):
        run = BandsRun(
            lattice=((1, 0, 0), (0, 1, 0), (0, 0, 1)),
            geometry=[{**rods()[0], "medium": {"kind": "medium", "epsilon": 4.0}}],
            size=(1.0, 1.0, 0.0),
            count=12,
            polarisation="tm",
            k_points=tuple(k),
            resolution=24,
            background={"kind": "medium", "index": 1.0},
        )
        found[order] = solve(tmp_path / order, run).raw["bands/frequency"]
    assert found["there"][:, :11] == pytest.approx(found["back"][::-1, :11], rel=1e-4, abs=1e-4)
    alone = solve(tmp_path / "alone", replace(run, k_points=way[24:25], count=18)).raw["bands/frequency"]
    assert found["there"][24, :11] == pytest.approx(alone[0, :11], rel=1e-4)


def test_a_body_in_a_hexagonal_lattice_is_where_it_was_put(tmp_path):
    lattice = ((0.5, math.sqrt(0.75), 0), (0.5, -math.sqrt(0.75), 0), (0, 0, 1))
    common = {
        "lattice": lattice,
        "size": (1.0, 1.0, 0.0),
        "count": 2,
        "polarisation": "tm",
        "resolution": 20,
        "k_points": ((0.5, 0, 0),),
    }
    glass = {"kind": "medium", "epsilon": 8.9}
    corners = ((-0.2, -0.1), (0.2, -0.1), (0.2, 0.1), (-0.2, 0.1))
    bodies = (
        rods(),
        rods((0.3, 0.2, 0)),
        (block(glass, x=(-0.2, 0.2), y=(-0.1, 0.1)),),
        ({"type": "prism", "id": "p", "vertices": corners, "axis": "z", "bounds": FREE, "medium": glass},),
    )
    found = [
        solve(tmp_path / str(i), BandsRun(geometry=body, **common)).raw["bands/frequency"]
        for i, body in enumerate(bodies)
    ]
    assert found[1] == pytest.approx(found[0], rel=3e-3)  # a lattice moved as a whole
    assert found[3] == pytest.approx(found[2], rel=1e-5)


def test_modes_of_a_slab_are_found_at_their_frequency_and_unguided_ones_are_not(tmp_path):
    band = (0.6, 0.64)
    run = BandsRun(
        lattice=((1, 0, 0), (0, 4, 0), (0, 0, 1)),
        size=(0.0, 1.0, 0.0),
        geometry=(block(index(3.0), y=(-0.1, 0.1)),),
        count=2,
        polarisation="tm",
        resolution=60,
        find_k_at=band,
        k_range=(1.3, 0.65, 1.9),
    )
    done = solve(tmp_path, run)
    assert done.code == 0, done.stderr
    exact = np.array([f * slab_index(3.0, 0.2, f) for f in band])
    assert done.raw["modes/k"][:, 0] == pytest.approx(exact, rel=2e-3)
    assert np.isnan(done.raw["modes/k"][:, 1]).all()
    slope = (band[1] - band[0]) / (exact[1] - exact[0])
    assert done.raw["modes/group_velocity"][:, 0].mean() == pytest.approx(slope, rel=5e-3)


def test_a_medium_with_poles_is_refused_where_its_frequency_is_unknown(tmp_path):
    metal = {
        "kind": "medium",
        "epsilon": 1.0,
        "poles": [{"kind": "drude", "frequency": 1.0, "damping": 0.01, "strength": 1.0}],
    }
    run = BandsRun(
        lattice=((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        size=(1.0, 1.0, 0.0),
        geometry=(block(metal, x=(-0.1, 0.1)),),
        count=2,
        polarisation="tm",
        resolution=16,
        k_points=((0.5, 0, 0),),
    )
    done = solve(tmp_path, run)
    assert done.code == 4 and "MaterialError" in done.stderr and done.log["outcome"] == "failed"
