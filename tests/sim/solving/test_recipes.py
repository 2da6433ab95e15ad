"""CONTRIBUTING.md's recipe for a quantity, followed to the letter: it is described, solved, and lies on its theory."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.house.recipes import copied, followed, tried

pytestmark = pytest.mark.sim

SLAB = """
from simkit.describe import *


def describe(p):
    core = Block(id="core", medium=Medium(index=p.core), y=(-p.thickness / 2, p.thickness / 2))
    guide = Waveguide(id="guide", dimensions="2D", bodies=(core,), background=Medium(index=p.cladding),
                      wavelength=p.wavelength, polarization="Ez")
    return Problem(scenes=[guide], quantities=[PhaseVelocity(id="v", scene="guide"), EffectiveIndex(id="n", scene="guide")])
"""


def test_the_recipe_for_a_quantity_gives_a_value_with_its_error_beside_its_theory(tmp_path: Path) -> None:
    tree = copied(tmp_path / "tree")
    assert followed("A quantity", tree) == 11
    said = tried(
        tree,
        """
        import sys
        import reprolab
        from tests.unit.house.test_scenes import lacking
        assert [*lacking()] == []
        given = {"thickness": "400 nm", "wavelength": "1000 nm", "core": 2.0, "cladding": 1.45}
        solved = reprolab.solve(sys.argv[1], given, outputs=sys.argv[2])
        v, n = solved["v"], solved["n"]
        assert v.uncertainty and abs(v.value - v.theory.value) < max(v.uncertainty, 1e-4), v
        assert abs(v.value * n.value - 1) < 1e-6
        print(v)
        """,
        SLAB,
        str(tmp_path / "out"),
    )
    assert "v" in said
