"""Plasmons, metal gaps and films, and an absorbing slab, by Meep against the exact roots, from description to value; a whole study."""

from __future__ import annotations

from pathlib import Path

import pytest

from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.files.store import Store
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.oracles import oracle
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.whole_study import study
from tasks.reproduce.uncertainty.aims import within
from tests.sim.solving.described_kit import problem, values
from tests.unit.describing.test_damped_guide import metal
from tests.unit.describing.test_described_waveguide import film

pytestmark = pytest.mark.sim
INF = 1e20
INDEX, GROUP, LENGTH = (
    {"type": name, "id": name} for name in ("effective_index", "group_index", "propagation_length")
)


def guide(bodies: list[dict], background: float, wavelength: float, polarization: str = "Hz") -> dict:
    return {
        "type": "waveguide",
        "dimensions": "2D",
        "wavelength": wavelength,
        "polarization": polarization,
        "background": {"kind": "medium", "index": background},
        "bodies": bodies,
    }


PLASMON = guide([{**film(-INF, 0.013, name="metal"), "medium": metal()}], 1.0, 0.45)
GAP = guide([{**film(-INF, INF, name="metal"), "medium": metal()}, film(0, 0.05, 1.0, "gap")], 1.0, 0.8)
LAYER = guide([{**film(-0.02, 0.02, name="metal"), "medium": metal()}], 1.5, 0.6)
ABSORBING = {
    "kind": "medium",
    "epsilon": 9,
    "poles": [{"kind": "lorentz", "frequency": 2.0, "damping": 0.4, "strength": 0.6}],
}
SLAB = guide([{**film(-0.15, 0.15, name="core"), "medium": ABSORBING}], 1.45, 0.8, "Ez")


@pytest.mark.parametrize(
    ("scene", "resolutions", "index", "length"),
    [(PLASMON, (50, 100), 3e-3, 1e-2), (GAP, (100, 200), 2e-3, 1e-2), (SLAB, (50, 100), 3e-3, 1e-2)],
    ids=["plasmon", "gap", "absorbing slab"],
)
def test_index_and_length_run_into_the_exact_ones_with_the_square_of_the_pixel(
    tmp_path: Path, scene: dict, resolutions: tuple[int, int], index: float, length: float
) -> None:
    made = problem(scene, INDEX, LENGTH, GROUP)
    n, far, group = (oracle(made.scenes[0], q, {})[1].value for q in made.quantities)
    coarse, fine = (values(tmp_path, made, resolution) for resolution in resolutions)
    off = [found["effective_index"].value / n - 1 for found in (coarse, fine)]
    assert 0.2 < off[1] / off[0] < 0.35 and abs(off[1]) < index
    assert fine["propagation_length"].value == pytest.approx(far, rel=length)
    assert fine["group_index"].value == pytest.approx(group, rel=1e-2)


def test_both_modes_of_a_metal_film_and_their_fields(tmp_path: Path) -> None:
    """Mode 1 has the higher index and runs the shorter way; its H is odd across the film, and that of mode 2 even."""
    shown = {"type": "guided_profile", "component": "Hz", "start": [0, -0.4, 0], "end": [0, 0.4, 0]}
    made = problem(
        LAYER,
        *({**LENGTH, "id": f"L{mode}", "mode": mode} for mode in (1, 2)),
        *({**shown, "id": f"p{mode}", "mode": mode} for mode in (1, 2)),
    )
    found = values(tmp_path, made, 150)
    for quantity in made.quantities[:2]:
        assert found[quantity.id].value == pytest.approx(
            oracle(made.scenes[0], quantity, {})[1].value, rel=3e-2
        )
    assert found["L2"].value > 5 * found["L1"].value
    for quantity in made.quantities[2:]:
        profile = found[quantity.id]
        exact = oracle(made.scenes[0], quantity, {}, profile.x)[1].y
        apart = abs(abs(profile.x) - 0.02) > 0.01  # at the faces it has an edge, which pixels round
        assert profile.y[apart] == pytest.approx(exact[apart], abs=0.03) and profile.y == pytest.approx(
            exact, abs=0.05
        )
    middle = len(found["p1"].y) // 2
    assert found["p1"].y[middle] < 0.05 and found["p2"].y[middle] > 0.5


STUDIED = """
from simkit.describe import *


def describe(p):
    metal = Medium(epsilon=p.far, poles=(Pole(kind="drude", frequency=1 / p.plasma, damping=1 / p.lasts),))
    below = Block(id="metal", medium=metal, y=(-inf, 0))
    guide = Waveguide(id="face", dimensions="2D", bodies=(below,), background=vacuum(), wavelength=p.wavelength, polarization="Hz")
    return Problem(scenes=[guide], quantities=[EffectiveIndex(id="n", scene="face"), PropagationLength(id="L", scene="face"),
                                               Attenuation(id="loss", scene="face")])
"""
GIVEN = [
    {"id": "far", "value": 5.0, "unit": "1", "origin": "paper", "quotation": "epsilon 5 far above"},
    {
        "id": "plasma",
        "value": 138.0,
        "unit": "nm",
        "origin": "paper",
        "quotation": "a plasma wavelength of 138 nm",
    },
    {"id": "lasts", "value": 20.0, "unit": "um", "origin": "paper", "quotation": "one collision each 20 um"},
    {"id": "wavelength", "value": 450.0, "unit": "nm", "origin": "paper", "quotation": "light of 450 nm"},
]


def test_a_whole_study_states_an_uncertainty_that_holds_the_exact_values(tmp_path: Path) -> None:
    made = from_document(document(described(STUDIED, GIVEN)), declared(GIVEN), STUDIED)
    solver = Solver(Store(tmp_path), find_meep(), Budget(200.0))
    aims = {"n": within(0.01), "L": within(0.05), "loss": within(0.05)}
    for found in study(made, {}, solver, tmp_path / "face", wanted=aims).quantities:
        assert found.status == "converged", (found.id, found.reason)
        assert (
            found.oracle is not None
            and found.oracle.theory == "complex roots of the dispersion relation of films"
        )
        assert found.oracle.within and abs(found.oracle.difference) <= found.uncertainty, (
            found.id,
            found.oracle,
        )
        assert found.from_fields is not False, found.witnesses
