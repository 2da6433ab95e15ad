"""Ends of a solver's run: slow light is waited for, growth stops it, bad input is one line and a code."""

from __future__ import annotations

import json
import struct
from dataclasses import replace

import numpy as np
import pytest

from simkit.runs import Layer, Monitor, Run, Source, Stop
from tests.sim.simkit.simkit_script import need_meep
from tests.sim.solving.solve_kit import block, index, solve, stack_runs

pytestmark = pytest.mark.sim


@pytest.fixture(autouse=True, scope="module")
def _meep() -> None:
    need_meep()


def band_edge() -> Run:
    """Fourteen quarter-wave pairs at the lower edge of their gap, where light is slowest; on whole pixels at 24."""
    layers, place = [], -4.0
    for _ in range(14):
        layers += [(index(3.0), place, place + 1 / 12), (index(1.5), place + 1 / 12, place + 0.25)]
        place += 0.25
    band = tuple(float(f) for f in np.linspace(0.72, 0.79, 15))
    return Run(
        "1D",
        (0.0, 0.0, 12.0),
        24.0,
        (Layer("pml", "z", 1.0),),
        (),
        (Source("current", "Ex", (0, 0, -4.8), (0, 0, 0), 0.75, 0.25),),
        {"on": Monitor("flux", (0, 0, 3.5), (0, 0, 0), band)},
        Stop("settled", 1e-6, 20_000.0, 0.0),
        smoothing=False,
        stack=tuple(layers),
    )


def test_light_at_a_band_edge_has_left_before_its_field_is_called_settled(tmp_path):
    run = band_edge()
    settled = solve(tmp_path / "settled", run)
    late = solve(tmp_path / "late", replace(run, stop=Stop("time", 0.0, 3500.0, 0.0)))
    assert settled.code == 0 and settled.raw["stats/stop_met"] == 1, settled.stderr
    assert settled.raw["stats/meep_time"] < 3000 and late.raw["stats/stop_reached"] < 1e-9
    moved = settled.raw["on/flux"] - late.raw["on/flux"]
    assert (
        np.abs(moved).max() < 2e-3 * late.raw["on/flux"].max()
    )  # Meep's own rule at 1e-4: a tenth of it and more
    assert (
        np.abs(moved / late.raw["on/flux"])[late.raw["on/flux"] > 0.01 * late.raw["on/flux"].max()].max()
        < 5e-3
    )


def test_a_bound_that_ends_a_run_is_not_called_met_and_progress_reaches_the_end(tmp_path):
    run = band_edge()
    done = solve(tmp_path, replace(run, stop=Stop("settled", 1e-6, 60.0, 0.0)))
    assert done.code == 0 and done.raw["stats/stop_met"] == 0 and not done.log["stop"]["met"]
    assert all(
        np.isfinite(values).all() for values in done.raw.values()
    )  # else the harness takes it for growth
    assert "not met within 60" in done.log["warnings"][0]
    assert json.loads((tmp_path / "progress.json").read_text())["fraction"] == 1.0


def test_what_a_run_that_had_to_end_says_is_still_to_come_is_no_less_than_what_came(tmp_path):
    """Slow light, whose DFTs stand still while it is under way."""
    run = replace(band_edge(), stop=Stop("settled", 1e-12, 20_000.0, 0.0))
    late = solve(tmp_path / "late", replace(run, stop=Stop("time", 0.0, 3500.0, 0.0))).raw["on/flux"]
    usable = 0
    for until in (200, 400, 700, 1000, 1300):
        ended = solve(tmp_path / f"{until}", run, "--until", str(until))
        assert ended.code == 0 and ended.raw["stats/cut"] == 1 and not ended.raw["stats/stop_met"]
        told = float(np.sqrt(ended.raw["stats/settled_to"]))
        usable += told < 0.01
        came = np.abs(ended.raw["on/flux"] - late).max() / late.max()
        assert came < 2 * told, (until, came, told)
    assert usable > 1
    patient = solve(tmp_path / "patient", run, "--patience", "300")
    assert (
        not patient.raw["stats/stop_met"]
        and not patient.raw["stats/cut"]
        and patient.raw["stats/settled_to"] <= 1e-7
    )
    assert np.abs(patient.raw["on/flux"] - late).max() < 1e-3 * late.max()


def cavity(pairs: int) -> Run:
    """A half-wave layer between quarter-wave mirrors for a frequency of 1; the monitor asks for 0.6 alone."""
    high, low = (index(3.0), 1 / 12), (index(1.5), 1 / 6)
    layers, place = [], -2.25
    for medium, thick in [*[high, low] * pairs, (index(3.0), 1 / 6), *[low, high] * pairs]:
        layers.append((medium, place, place + thick))
        place += thick
    return replace(
        band_edge(),
        stack=tuple(layers),
        sources=(Source("current", "Ex", (0, 0, -4.8), (0, 0, 0), 0.8, 0.5),),
        monitors={"on": Monitor("flux", (0, 0, 3.5), (0, 0, 0), (0.6,))},
        stop=Stop("settled", 1e-12, 20_000.0, 0.0),
    )


def test_a_run_of_many_times_what_it_needs_does_not_wait_for_light_that_its_monitors_do_not_see(tmp_path):
    run = cavity(7)
    late = solve(tmp_path / "late", replace(run, stop=Stop("time", 0.0, 3000.0, 0.0)))
    patient = solve(tmp_path / "patient", run, "--patience", "300")
    assert late.raw["stats/stop_reached"] > 1e-7  # of the energy: the mode is still there
    assert patient.raw["stats/meep_time"] < 1000 and not patient.raw["stats/cut"]
    assert patient.raw["on/flux"] == pytest.approx(late.raw["on/flux"], rel=1e-3)


@pytest.mark.parametrize("component", [pytest.param("Ez", marks=pytest.mark.long), "Ey"])
def test_a_pulse_of_three_to_one_leaves_an_empty_cell(tmp_path, component):
    """Cut where Meep cuts it by default it leaves a static field, and the run takes four times as long, or to its bound."""
    low, high = 1 / 1.35, 1 / 0.48
    source = Source(
        "current", component, (-0.9, 0, 0), (0, 3.6, 0), (low + high) / 2, high - low, integrated=True
    )
    run = Run(
        "2D",
        (3.6, 3.6, 0),
        25.0,
        (Layer("pml", "x", 0.8), Layer("pml", "y", 0.8)),
        (),
        (source,),
        {
            "through": Monitor(
                "flux", (0.5, 0, 0), (0, 0.8, 0), tuple(float(f) for f in np.linspace(low, high, 9))
            )
        },
        Stop("settled", 1e-9, 1350.0, 5.4),
        bloch=(0, 0, 0),
    )
    settled = solve(tmp_path / "settled", run)
    assert settled.code == 0 and settled.raw["stats/stop_met"] == 1, settled.stderr
    left = settled.raw["stats/sources_end"] + 2 * 3.6  # twice across the cell
    assert settled.raw["stats/meep_time"] < left and settled.raw["stats/settled_to"] <= 1e-10
    late = solve(tmp_path / "late", replace(run, stop=Stop("time", 0.0, 200.0, 0.0)))
    np.testing.assert_allclose(settled.raw["through/flux"], late.raw["through/flux"], rtol=1e-3)


def slit(resolution: float = 40.0) -> Run:
    """A period of slits in an ideal metal, whose fields turn and cancel for ever at a level that says nothing."""
    metal = {"kind": "perfect_conductor"}
    return Run(
        "2D",
        (1.0, 7.4, 0),
        resolution,
        (Layer("pml", "y", 1.3),),
        (block(metal, x=(-0.5, -0.075), y=(-0.35, 0.35)), block(metal, x=(0.075, 0.5), y=(-0.35, 0.35))),
        (Source("current", "Hz", (0, -2.1, 0), (1.0, 0, 0), 0.63, 0.49, integrated=True),),
        {
            "through": Monitor(
                "flux", (0, 1.5, 0), (1.0, 0, 0), tuple(float(f) for f in np.linspace(1 / 2.6, 1 / 1.15, 31))
            )
        },
        Stop("settled", 1e-9, 5200.0, 10.4),
        bloch=(0, 0, 0),
        mirrors=(("x", -1),),
    )


def test_fields_whose_changes_turn_and_cancel_end_a_run_that_has_settled(tmp_path):
    """Their sizes do not fall, so that the run was ended by patience, at five times its length, and told as not met."""
    run = slit()
    settled = solve(tmp_path / "settled", run)
    assert settled.code == 0 and settled.raw["stats/stop_met"] == 1, settled.stderr
    assert settled.raw["stats/meep_time"] < 300
    late = solve(tmp_path / "late", replace(run, stop=Stop("time", 0.0, 600.0, 0.0))).raw["through/flux"]
    np.testing.assert_allclose(settled.raw["through/flux"], late, atol=2e-4 * late.max())


def with_pole(epsilon: float, **pole):
    return {"kind": "medium", "epsilon": epsilon, "poles": [pole]}


def test_growth_ends_a_run_with_its_own_code_and_no_raw_data(tmp_path):
    gain = with_pole(2.0, kind="lorentz", frequency=1.0, damping=0.1, strength=-0.02)
    run = Run(
        "1D",
        (0, 0, 2.0),
        20.0,
        (),
        (),
        (Source("current", "Ex", (0, 0, 0.13), (0, 0, 0), 1.0, 0.5),),
        {},
        Stop("time", 0.0, 3000.0, 0.0),
        background=gain,
        bloch=(0, 0, 0),
    )
    (tmp_path / "raw.npz").write_bytes(b"of an earlier try")
    refused = solve(tmp_path, run)
    assert refused.code == 4 and "grows at" in refused.stderr and refused.stderr.count("\n") == 1
    metal = with_pole(1.0, kind="drude", frequency=1.0, damping=0.001, strength=49.0)
    touching = Run(
        "2D",
        (2.0, 3.0, 0),
        20.0,
        (Layer("pml", "y", 0.7),),
        (block(metal, y=(0, 1e20)),),
        (Source("current", "Hz", (0, -0.5, 0), (0.3, 0, 0), 1.6, 0.6),),
        {},
        Stop("time", 0.0, 2000.0, 0.0),
        bloch=(0, 0, 0),
    )
    grown = solve(tmp_path, touching)
    assert grown.code == 3 and "FieldGrowth" in grown.stderr and not (tmp_path / "raw.npz").exists()
    assert grown.log["outcome"] == "failed" and grown.log["growth"]["largest_field"] > 1
    assert grown.log["growth"]["history"][-1][0] < 1500


def test_what_cannot_be_solved_is_one_line(tmp_path):
    first, second = stack_runs(((index(2.0), 0.0, 0.3),), (0.9, 1.1))
    missing = solve(tmp_path / "missing", second)
    assert missing.code == 2 and f"{first.digest()}.npz" in missing.stderr and missing.stderr.count("\n") == 1
    coarse = replace(first, monitors={"back": replace(first.monitors["back"], frequencies=(1.0,))})
    other = solve(tmp_path / "other", coarse)
    unfit = solve(tmp_path / "unfit", second, **{f"d_{first.digest()}": other})
    assert unfit.code == 2 and "same grid, mirrors, place and frequencies" in unfit.stderr
    named = solve(tmp_path / "named", replace(first, background={"kind": "medium", "material": "gold"}))
    assert named.code == 4 and "'gold'" in named.stderr
    pointless = solve(tmp_path / "pointless", replace(first, stop=Stop("decayed", 1e-6, 100.0, 0.0)))
    assert pointless.code == 2 and "no component or no point" in pointless.stderr
    broken = solve(tmp_path / "broken", replace(first, sources=(replace(first.sources[0], component="Eq"),)))
    assert broken.code == 2 and "component 'Eq'" in broken.stderr


def test_a_probe_times_steps_and_a_picture_shows_the_cell(tmp_path):
    run = Run(
        "2D",
        (3.0, 4.0, 0),
        20.0,
        (Layer("pml", "y", 1.0),),
        (block(index(2.0), x=(-0.5, 0.5), y=(-0.3, 0.3)),),
        (Source("current", "Ez", (0, -0.8, 0), (3, 0, 0), 1.0, 0.2),),
        {
            "on": Monitor("flux", (0, 0.8, 0), (3, 0, 0), (1.0,)),
            "ring": Monitor("resonances", (0, 0.1, 0), (0, 0, 0), (0.8, 1.2), components=("Ez",)),
        },
        Stop("settled", 1e-6, 300.0, 0.0),
        bloch=(0, 0, 0),
    )
    timed = solve(tmp_path, run, "--probe", "40")
    assert timed.code == 0, timed.stderr
    found = json.loads((tmp_path / "probe.json").read_text())
    assert 0 < found["cpu_s_per_step"] < 0.1 and found["cpu_s_per_look"] > 0 and found["window"] >= 8 / 1.2
    assert found["pixels"] == 60 * 80 and found["memory_bytes"] > 1e7
    assert found["steps_bound"] == pytest.approx((300 + found["sources_end"]) * 40, abs=1) and not timed.raw
    drawn = solve(tmp_path, run, "--picture")
    assert drawn.code == 0, drawn.stderr
    data = (tmp_path / "picture.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and min(struct.unpack(">II", data[16:24])) > 200
    cell = json.loads((tmp_path / "cell.json").read_text())
    assert cell["size"] == [3, 4, 0] and cell["interior"]["y"] == [-1, 1] and cell["unit"] == "um"
    [body] = cell["objects"]
    assert (body["kind"], body["material"], body["low"][:2], body["high"][:2]) == (
        "block",
        "index 2.0",
        [-0.5, -0.3],
        [0.5, 0.3],
    )
    assert {m["name"]: m["center"] for m in cell["monitors"]} == {"on": [0, 0.8, 0], "ring": [0, 0.1, 0]}
    peak = max(cell["sources"][0]["spectrum"], key=lambda pair: pair[1])
    assert peak[0] == pytest.approx(1.0, abs=0.01) and peak[1] == 1.0


@pytest.mark.long
def test_a_ringing_is_taken_until_fields_grow_from_noise(tmp_path):
    """A hollow fibre's TE02: radial PML lets E along r grow from rounding noise by e each 200 units, and the stage lost its target."""

    def ring(inner: float, filling: float) -> dict:
        return {
            **{
                "type": "ring",
                "id": "high",
                "medium": index(2.8),
                "filling": index(filling),
                "center": (0, 0, 0),
            },
            **{"inner": inner, "outer": inner + 0.15, "bounds": (-1e20, 1e20)},
        }

    run = Run(
        "cylindrical",
        (17 / 3, 0.0, 4 / 27),
        27.0,
        (Layer("pml", "x", 1.0129, "high"),),
        (ring(3.96, 1.55), ring(3.48, 1.55), ring(3.0, 1.0)),
        tuple(
            Source("current", field, (r, 0, z), (0, 0, 0), 0.64361, 0.025)
            for field, r, z in (("Ey", 1.6856, -0.0094), ("Ex", 2.7544, 0.0154))
        ),
        {"probe": Monitor("resonances", (0.6989, 0, -0.0039), (0, 0, 0), (0.627, 0.66), components=("Ey",))},
        Stop("time", 1e-9, 3900.0, 0.0),
        background=index(1.55),
        bloch=(0.0, 0.0, 0.526965),
        m=0.0,
    )
    found = solve(tmp_path / "both", run)
    assert found.code == 0 and "fields grew from noise" in found.log["warnings"][0], found.stderr
    alone = solve(tmp_path / "alone", replace(run, sources=run.sources[:1]))
    assert not alone.log["warnings"] and found.raw["stats/meep_time"] < 0.8 * alone.raw["stats/meep_time"]
    for name in ("frequency", "Q"):
        assert found.raw[f"probe/{name}"][0] == pytest.approx(alone.raw[f"probe/{name}"][0], rel=1e-5)
