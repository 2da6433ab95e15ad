"""The ring resonator against its exact mode, from description to value."""

from __future__ import annotations

from pathlib import Path

import pytest
from described_kit import AIR, problem, values

from tasks.oracles import oracle

DRUDE = {"kind": "medium", "epsilon": 1, "poles": [{"kind": "drude", "frequency": 1.0, "damping": 0.001, "strength": 1}]}


@pytest.mark.sim
def test_a_ring_s_mode_agrees_with_its_bessel_and_hankel_roots(tmp_path: Path) -> None:
    ring = {"type": "ring", "id": "ring", "medium": {"kind": "medium", "index": 3.4}, "center": [0, 0, 0], "inner": 1,
            "outer": 2, "filling": AIR, "bounds": [-1e20, 1e20]}
    made = problem({"type": "resonator", "dimensions": "2D", "field": "Ez", "bodies": [ring], "background": AIR,
                    "search": {"type": "frequencies", "lowest": 0.105, "highest": 0.13}},
                   {"type": "resonance_frequency", "id": "f"}, {"type": "quality_factor", "id": "q"})
    found = values(tmp_path, made, 8)
    exact = {q.id: oracle(made.scenes[0], q, {}) for q in made.quantities}
    assert found["f"].value == pytest.approx(exact["f"][1].value, rel=3e-3)
    assert found["q"].value == pytest.approx(exact["q"][1].value, rel=0.03)


@pytest.mark.sim
def test_a_surface_plasmon_s_frequency_at_its_wavenumber(tmp_path: Path) -> None:
    metal = {"type": "block", "id": "metal", "medium": DRUDE, "y": [-1e20, 0]}
    made = problem({"type": "resonator", "dimensions": "2D", "field": "Hz", "bodies": [metal], "background": AIR,
                    "periodic": [{"axis": "x", "k": 0.8}],
                    "search": {"type": "frequencies", "lowest": 0.5, "highest": 0.65}},
                   {"type": "resonance_frequency", "id": "f", "choose": "strongest"})
    found = values(tmp_path, made, 30)
    assert found["f"].value == pytest.approx(0.572575, rel=2e-3)  # k^2 = f^2 eps/(1 + eps), eps = 1 - 1/f^2
