"""Slabs and a coupler by MPB against the dispersion relation of films, from description to value."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

from tasks.reproduce.oracles import oracle
from tests.sim.solving.described_kit import problem, values

GLASS = {"kind": "medium", "index": 1.444}


def film(name: str, low: float, high: float, index: float) -> dict:
    return {
        "type": "block",
        "id": name,
        "medium": {"kind": "medium", "index": index},
        "x": [-1e20, 1e20],
        "y": [low, high],
        "z": [-1e20, 1e20],
    }


@pytest.mark.sim
def test_the_supermodes_of_a_directional_coupler(tmp_path: Path) -> None:
    made = problem(
        {
            "type": "waveguide",
            "dimensions": "2D",
            "wavelength": 1.55,
            "polarization": "Ez",
            "background": GLASS,
            "bodies": [film("one", -0.55, -0.15, 2.0), film("two", 0.15, 0.55, 2.0)],
        },
        {"type": "effective_index", "id": "n1"},
        {"type": "effective_index", "id": "n2", "mode": 2},
        *(
            {
                "type": "guided_profile",
                "id": f"p{mode}",
                "mode": mode,
                "start": [0, -1.5, 0],
                "end": [0, 1.5, 0],
            }
            for mode in (1, 2)
        ),
        {"type": "beat_length", "id": "beat"},
        {"type": "effective_index", "id": "n3", "mode": 3},
    )
    found = values(tmp_path, made, 80)
    assert found["n1"].value == pytest.approx(1.787922, rel=2e-4)
    assert found["n2"].value == pytest.approx(1.692442, rel=2e-4)
    assert found["beat"].value == pytest.approx(8.1169, rel=2e-3)
    assert "not guided" in found["n3"]
    for quantity in made.quantities[2:4]:
        profile = found[quantity.id]
        assert profile.y == pytest.approx(oracle(made.scenes[0], quantity, {}, profile.x)[1].y, abs=0.01)


@pytest.mark.sim
@pytest.mark.parametrize("polarization", ["Ez", "Hz"])
def test_a_silicon_slab_s_effective_and_group_index(tmp_path: Path, polarization: str) -> None:
    lorentz = {
        "kind": "medium",
        "epsilon": 7.9,
        "poles": [{"kind": "lorentz", "frequency": 3.0, "damping": 0, "strength": 3.9}],
    }
    made = problem(
        {
            "type": "waveguide",
            "dimensions": "2D",
            "wavelength": 1.55,
            "polarization": polarization,
            "background": GLASS,
            "bodies": [{**film("core", -0.11, 0.11, 1), "medium": lorentz}],
        },
        {"type": "effective_index", "id": "n"},
        {"type": "group_index", "id": "g"},
    )
    for quantity, value in zip(made.quantities, values(tmp_path, made, 100).values(), strict=True):
        assert value.value == pytest.approx(oracle(made.scenes[0], quantity, {})[1].value, rel=3e-3), (
            quantity.id
        )


@pytest.mark.sim
def test_a_wire_s_quasi_te_mode_lies_between_cladding_and_slab(tmp_path: Path) -> None:
    wire = {**film("wire", -0.225, 0.225, 3.476), "z": [-0.11, 0.11]}
    made = problem(
        {
            "type": "waveguide",
            "dimensions": "3D",
            "wavelength": 1.55,
            "polarization": "Hz",
            "background": GLASS,
            "bodies": [wire],
        },
        {"type": "effective_index", "id": "n"},
        {"type": "group_index", "id": "g"},
        {
            "type": "guided_profile",
            "id": "across",
            "component": "Ey",
            "start": [0, -0.5, 0],
            "end": [0, 0.5, 0],
        },
        {
            "type": "guided_profile",
            "id": "map",
            "component": "Ey",
            "start": [0, -0.5, -0.4],
            "end": [0, 0.5, 0.4],
        },
    )
    found = values(tmp_path, made, 20)
    assert 2.3 < found["n"].value < 2.6  # 2.45 by several mode solvers; the slab of the same height has 2.85
    assert 4.0 < found["g"].value < 4.6
    across = found["across"]
    assert across.y == pytest.approx(across.y[::-1], abs=0.02) and across.y.argmax() in (49, 50, 51)
    (y, z), table = found["map"].grid, found["map"].table
    assert (y[0], y[-1], z[0], z[-1]) == (-0.5, 0.5, -0.4, 0.4) and table == pytest.approx(
        table[:, ::-1], abs=0.02
    )
    middle = table[:, z.size // 2] / table[:, z.size // 2].max()
    assert middle == pytest.approx(np.interp(y, across.x, across.y), abs=0.06)


@pytest.mark.sim
@pytest.mark.parametrize("turned", [False, True])
def test_a_core_that_is_denser_for_light_across_it_guides_up_to_that_index(
    tmp_path: Path, turned: bool
) -> None:
    """A homogenised grating (2.87 along, 4.93 across): its mode was no guided one, beyond the root of the first of both."""
    along, across = (4.93, 2.87) if turned else (2.87, 4.93)
    core = {**film("core", -0.3, 0.3, 1.0), "medium": {"kind": "medium", "epsilon": [along, across, across]}}
    made = problem(
        {
            "type": "waveguide",
            "dimensions": "2D",
            "wavelength": 1.55,
            "polarization": "Hz",
            "background": {"kind": "medium", "index": 1.32},
            "bodies": [core],
        },
        {"type": "effective_index", "id": "n"},
    )

    def misfit(n: float) -> float:  # of Hz even across the film, (q / along) tan(q w / 2) = g / outside
        q, g = np.sqrt(along * (1 - n**2 / across)), np.sqrt(n**2 - 1.32**2)
        turn = np.pi / 1.55 * 0.6 * q
        return float(q / along * np.sin(turn) - g / 1.32**2 * np.cos(turn))

    exact = brentq(misfit, 1.3201, np.sqrt(across) - 1e-6)
    assert values(tmp_path, made, 60)["n"].value == pytest.approx(exact, rel=2e-3)


INDEX, GROUP = {"type": "effective_index", "id": "n"}, {"type": "group_index", "id": "g"}


def layers(polarization: str, **more: object) -> dict:
    """A film across x in air, once a period."""
    body = {**film("film", -1e20, 1e20, 2.5), "x": [-0.05, 0.07]}
    given = {
        "wavelength": 1.55,
        "period": 0.3,
        "supercell": 0.9,
        "background": {"kind": "medium", "index": 1.0},
    }
    return {
        "type": "waveguide",
        "dimensions": "2D",
        "polarization": polarization,
        "bodies": [body],
        **given,
        **more,
    }


@pytest.mark.sim
@pytest.mark.parametrize("polarization", ["Ez", "Hz"])
def test_bloch_waves_of_layers_lie_on_the_trace_of_their_matrix(tmp_path: Path, polarization: str) -> None:
    """The second band, with one wave along the layers, has this wavelength in one polarisation alone."""
    made = problem(layers(polarization), INDEX, GROUP, {**INDEX, "id": "n2", "mode": 2})
    found = values(tmp_path, made, 150)
    for quantity in made.quantities[:2]:
        exact = oracle(made.scenes[0], quantity, {})[1].value
        assert found[quantity.id].value == pytest.approx(exact, rel=2e-3), quantity.id
    exact = oracle(made.scenes[0], made.quantities[2], {})
    if polarization == "Ez":
        assert found["n2"].value == pytest.approx(exact[1].value, rel=2e-3)
    else:
        assert exact is None and "in a gap, or above the light line" in found["n2"]


@pytest.mark.sim
def test_a_band_that_has_a_wavelength_at_several_wave_vectors_has_no_index(tmp_path: Path) -> None:
    """Band 2 is the lower one of two that cross, once between the wave vectors that are looked at."""
    body = {**film("film", -1e20, 1e20, 1.7), "x": [-0.05, 0.2]}
    more = {
        "wavelength": 1.15,
        "period": 0.5,
        "background": {"kind": "medium", "index": 1.2},
        "bodies": [body],
    }
    made = problem(layers("Ez", **more), *({**INDEX, "id": f"n{mode}", "mode": mode} for mode in (1, 2, 3)))
    found = values(tmp_path, made)
    assert "in a gap" in found["n1"] and "band 2 is folded" in found["n2"]
    assert found["n3"].value == pytest.approx(
        oracle(made.scenes[0], made.quantities[2], {})[1].value, rel=1e-2
    )


@pytest.mark.sim
def test_a_guide_that_does_not_change_along_x_has_its_indices_when_it_is_called_periodic(
    tmp_path: Path,
) -> None:
    slab = {
        "type": "waveguide",
        "dimensions": "2D",
        "wavelength": 1.55,
        "polarization": "Hz",
        "background": GLASS,
        "bodies": [film("core", -0.6, 0.6, 2.2)],
    }
    second = {**INDEX, "id": "n2", "mode": 2}
    called = problem({**slab, "period": 0.3}, INDEX, GROUP, second)
    found, plain = values(tmp_path, called, 60), values(tmp_path, problem(slab, INDEX, GROUP, second), 60)
    for quantity in called.quantities:
        assert found[quantity.id].value == pytest.approx(plain[quantity.id].value, rel=1e-5), quantity.id
        exact = oracle(called.scenes[0], quantity, {})[1].value
        assert found[quantity.id].value == pytest.approx(exact, rel=5e-4), quantity.id
    wire = {
        **slab,
        "dimensions": "3D",
        "bodies": [{**film("wire", -0.225, 0.225, 3.476), "z": [-0.11, 0.11]}],
    }
    one, other = (
        values(tmp_path, problem({**wire, **more}, INDEX, GROUP), 20) for more in ({}, {"period": 0.2})
    )
    for name in ("n", "g"):
        assert other[name].value == pytest.approx(one[name].value, rel=3e-3), (
            name
        )  # on 20 pixels both are 5e-3 off


@pytest.mark.sim
def test_a_subwavelength_grating_and_a_guide_in_a_crystal_lie_on_their_bands(tmp_path: Path) -> None:
    """The frequencies at the wave vectors found, as of a Crystal; the light of a film of holes flows back along one of its bands."""
    grating = {
        "type": "waveguide",
        "dimensions": "2D",
        "wavelength": 1.55,
        "polarization": "Hz",
        "background": {"kind": "medium", "index": 1.32},
        "bodies": [{**film("core", -0.3, 0.3, 2.85), "x": [-0.08, 0.08]}],
        "period": 0.32,
    }
    hole = {
        "type": "cylinder",
        "medium": {"kind": "medium", "index": 1.0},
        "radius": 0.126,
        "bounds": [-1e20, 1e20],
    }
    a, row = 0.42, 0.42 * 3**0.5 / 2
    holes = [{**hole, "id": f"h{n + 2}", "center": [a / 2 * (n % 2), n * row, 0]} for n in (-2, -1, 1, 2, 3)]
    crystal = {
        **grating,
        "background": {"kind": "medium", "index": 2.83},
        "bodies": holes,
        "period": a,
        "supercell": 6 * row,
    }
    for scene, mode, resolution in ((grating, 1, 50), (crystal, 7, 30)):
        own = [{**quantity, "mode": mode} for quantity in (INDEX, GROUP)]
        found = values(tmp_path, problem(scene, *own), resolution)
        f, n, cells = 1 / scene["wavelength"], found["n"].value, scene.get("supercell", 4.32)
        lattice = {"type": "vectors", "vectors": [[scene["period"], 0, 0], [0, cells, 0]]}
        step, kinds = 1e-3, {"type": "band_frequency", "band": mode}
        same = problem(
            {
                "type": "crystal",
                "lattice": lattice,
                "polarization": "te",
                **{name: scene[name] for name in ("bodies", "background")},
            },
            *(
                {**kinds, "id": f"f{i + 1}", "k": [n * f * scene["period"] * (1 + i * step), 0, 0]}
                for i in (-1, 0, 1)
            ),
        )
        there = values(tmp_path, same, resolution)
        assert there["f1"].value == pytest.approx(f, rel=1e-6)
        slope = (there["f2"].value - there["f0"].value) / (2 * step * n * f)
        assert found["g"].value == pytest.approx(1 / abs(slope), rel=1e-3)
