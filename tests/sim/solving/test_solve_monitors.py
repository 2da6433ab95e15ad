"""Each kind of monitor through the solver, against exact values: radiation, local density of states, modes, resonances."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import hankel1, j0

from simkit.runs import Layer, Monitor, Run, Source, Stop
from tests.sim.simkit.simkit_script import need_meep
from tests.sim.solving.solve_kit import block, index, solve

pytestmark = pytest.mark.sim
BAND = (0.9, 1.0, 1.1)
PLACE = (18.5 / 30, 3.5 / 30, 0.0)  # where the fields are not interpolated
AROUND = (Layer("pml", "x", 1.0), Layer("pml", "y", 1.0))
POINT = Source("current", "Ez", (0, 0, 0), (0, 0, 0), 1.0, 0.4)
SETTLED = Stop("settled", 1e-7, 500.0, 0.0)


@pytest.fixture(autouse=True, scope="module")
def _meep() -> None:
    need_meep()


@pytest.fixture(scope="module")
def emitter(tmp_path_factory):
    """A line current in vacuum with every monitor that sees radiation, solved with mirrors."""
    monitors = {
        "ldos": Monitor("ldos", (0, 0, 0), (0, 0, 0), BAND),
        "box": Monitor("flux_box", (0, 0, 0), (1.4, 1.4, 0), BAND),
        "far": Monitor("far_field", (0, 0, 0), (1.6, 1.6, 0), BAND, count=8, radius=500.0),
        "plane": Monitor("fields", (0, 0, 0), (1.6, 1.0, 0), BAND, components=("Ez",)),
        "point": Monitor("fields", PLACE, (0, 0, 0), BAND, components=("Ez",)),
    }
    run = Run(
        "2D", (4.4, 4.4, 0), 30.0, AROUND, (), (POINT,), monitors, SETTLED, mirrors=(("x", 1), ("y", 1))
    )
    done = solve(tmp_path_factory.mktemp("emitter"), run)
    assert done.code == 0, done.stderr
    return run, done


def test_the_power_of_a_line_current_the_far_field_and_the_field_agree_with_the_hankel_function(emitter):
    _, done = emitter
    raw = done.raw
    f = np.array(BAND)
    place = math.hypot(*PLACE[:2])
    ratio = np.abs(raw["point/Ez"]) / np.abs(hankel1(0, 2 * np.pi * f * place))
    far = np.abs(raw["far/fields"][:, :, 2]) / np.abs(hankel1(0, 2 * np.pi * f * 500.0))
    assert far == pytest.approx(np.broadcast_to(ratio, far.shape), rel=0.025)
    ideal = 2 * np.pi * f / 4 * np.abs(raw["ldos/J"])  # E = (omega/4) I H0(kr)
    assert ratio == pytest.approx(ideal, rel=0.02)
    power = 4 / (2 * np.pi * f) * ratio**2  # of an outgoing cylindrical wave, integral of Re E x H*
    assert raw["box/flux"] == pytest.approx(power, rel=0.015)
    x, y = raw["plane/x"], raw["plane/y"]
    assert raw["plane/Ez"].shape == (3, len(x), len(y)) and raw["plane/weights"].sum() == pytest.approx(
        1.6, rel=1e-6
    )
    i, j = np.argmin(abs(x - PLACE[0])), np.argmin(abs(y - PLACE[1]))
    assert np.abs(raw["plane/Ez"][1, i, j]) == pytest.approx(
        ratio[1] * abs(hankel1(0, 2 * np.pi * math.hypot(x[i], y[j]))), rel=0.01
    )


def test_a_mirror_changes_the_local_density_of_states_as_image_theory_says(tmp_path, emitter):
    run, free = emitter
    h = 0.4
    mirror = replace(
        run,
        geometry=(block({"kind": "perfect_conductor"}, y=(-1e20, -h)),),
        mirrors=(("x", 1),),
        monitors={"ldos": run.monitors["ldos"]},
        stop=Stop("decayed", 1e-7, 500.0, 0.0, "Ez", ((0.5, 0.5, 0),)),
    )
    done = solve(tmp_path, mirror)
    assert done.code == 0 and done.raw["stats/stop_met"] == 1, done.stderr
    exact = 1 - j0(4 * np.pi * np.array(BAND) * h)
    assert done.raw["ldos/ldos"] / free.raw["ldos/ldos"] == pytest.approx(exact, rel=0.01)


def slab_index(core: float, thickness: float, f: float) -> float:
    """Effective index of the lowest even mode with E along the slab, in vacuum."""
    k0 = 2 * np.pi * f
    return brentq(
        lambda n: (
            math.sqrt(core**2 - n**2) * math.tan(k0 * math.sqrt(core**2 - n**2) * thickness / 2)
            - math.sqrt(n**2 - 1)
        ),
        max(1.0, math.sqrt(max(1, core**2 - (0.9999 / (2 * f * thickness)) ** 2))) + 1e-9,
        core - 1e-9,
    )


def test_a_guided_mode_is_launched_keeps_its_power_and_has_the_index_of_the_slab(tmp_path):
    band, plane, parity = (0.6, 0.62, 0.64), (0, 3.0, 0), "EVEN_Y+ODD_Z"
    run = Run(
        "2D",
        (5.0, 5.0, 0),
        44.0,
        AROUND,
        (block(index(3.0), y=(-0.1, 0.1)),),
        (Source("eigenmode", "", (-1.2, 0, 0), plane, 0.62, 0.1, parity=parity),),
        {
            "in": Monitor("flux", (-0.5, 0, 0), plane, band),
            "early": Monitor("fields", (-0.5, 0, 0), (0, 0, 0), band, components=("Ez",)),
            "late": Monitor("fields", (1.0, 0, 0), (0, 0, 0), band, components=("Ez",)),
            "flux": Monitor("flux", (1.0, 0, 0), plane, band),
            "out": Monitor("modes", (1.0, 0, 0), plane, band, parity=parity, count=2),
        },
        SETTLED,
        mirrors=(("y", 1),),
    )
    done = solve(tmp_path, run)
    assert done.code == 0, done.stderr
    raw = done.raw
    assert raw["flux/flux"] == pytest.approx(raw["in/flux"], rel=2e-3)
    forward = raw["out/power"]
    assert forward[0] == pytest.approx(raw["flux/flux"], rel=5e-3) and (forward[1] < 1e-6 * forward[0]).all()
    exact = np.array([slab_index(3.0, 0.2, f) for f in band])
    turned = np.angle(raw["late/Ez"] / raw["early/Ez"]) / (
        2 * np.pi
    )  # over a distance of about five wavelengths
    turns = turned + np.round(exact * band * 1.5 - turned)
    assert turns / (1.5 * np.array(band)) == pytest.approx(exact, rel=6e-3)
    assert (
        raw["out/index"][0] == pytest.approx(exact, rel=6e-3) and (raw["out/index"][0] > raw["out/rim"]).all()
    )
    assert (raw["out/index"][1] < raw["out/rim"][1]).all()  # the next of its parity is not guided


def test_a_closed_box_rings_at_its_frequency_at_two_probes(tmp_path):
    limits = (0.6, 0.8)
    probe = Monitor("resonances", (0.31, 0.27, 0), (0, 0, 0), limits)
    run = Run(
        "2D",
        (1.0, 1.0, 0),
        40.0,
        (),
        (),
        (replace(POINT, center=(0.13, 0.21, 0), frequency=0.7, width=0.3),),
        {
            "one": probe,
            "two": replace(probe, center=(0.11, -0.27, 0)),
            "ring": replace(probe, kind="ringdown"),
            "energy": Monitor("energy", (0, 0, 0), (1, 1, 0), (0.7071,)),
        },
        Stop("time", 0.0, 80.0, 0.0),
    )
    done = solve(tmp_path, run)
    assert done.code == 0, done.stderr
    raw = done.raw
    exact = math.sqrt(0.5)
    for name in ("one", "two"):
        assert raw[f"{name}/frequency"] == pytest.approx([exact], rel=3e-4) and abs(raw[f"{name}/Q"][0]) > 1e6
        assert raw[f"{name}/first_half_frequency"] == pytest.approx([exact], rel=3e-4)
    assert raw["energy/electric"] == pytest.approx(raw["energy/magnetic"], rel=0.02)
    late = raw["ring/value"][raw["ring/time"] > raw["stats/sources_end"]].real
    assert raw["stats/stop_reached"] == pytest.approx(1, abs=0.1)  # nothing left the box
    crossings = np.flatnonzero(np.diff(np.sign(late)))
    step = raw["ring/time"][1] - raw["ring/time"][0]
    assert (len(crossings) - 1) / (2 * step * (crossings[-1] - crossings[0])) == pytest.approx(
        exact, rel=0.01
    )


def test_a_dipole_on_the_axis_radiates_as_the_sine_squared_in_cylindrical_cells(tmp_path):
    layers = (Layer("pml", "x", 1.0), Layer("pml", "z", 1.0))
    monitors = {
        "near": Monitor("flux_box", (0.6, 0, 0), (1.2, 0, 2.0), (1.0,)),
        "wide": Monitor("flux_box", (0.7, 0, 0), (1.4, 0, 2.6), (1.0,)),
        "far": Monitor(
            "far_field",
            (0.65, 0, 0),
            (1.3, 0, 2.2),
            (1.0,),
            radius=500.0,
            directions=((0.5, 0, math.sqrt(0.75)), (1.0, 0, 0)),
        ),
        "plane": Monitor("fields", (0.5, 0, 0.2), (1.0, 0, 0.6), (1.0,), components=("Ez",)),
    }
    run = Run("cylindrical", (2.6, 0, 4.8), 20.0, layers, (), (POINT,), monitors, SETTLED)
    done = solve(tmp_path, run)
    assert done.code == 0, done.stderr
    raw = done.raw
    assert raw["near/flux"] == pytest.approx(raw["wide/flux"], rel=2e-3)
    strength = (np.abs(raw["far/fields"][:, 0, :3]) ** 2).sum(1)
    assert strength[0] / strength[1] == pytest.approx(0.25, rel=0.04)
    shape = raw["plane/Ez"].shape
    assert shape == (1, len(raw["plane/x"]), len(raw["plane/z"])) and raw["plane/x"].min() > 0
    assert raw["plane/weights"].sum() == pytest.approx(math.pi * 1.0 * 0.6, rel=1e-6)
