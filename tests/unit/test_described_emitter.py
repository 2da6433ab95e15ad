"""Emitters: what may be described, one cell for both runs, exact mirrors, ratios and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from simkit.arrange import Arrangement, Numerics, arrange
from simkit.describe.base import RESOLVED
from simkit.describe.problem import Problem
from simkit.runs import dump, load
from tasks.measuring import NotMeasured, measure
from tasks.oracles import oracle

FAR = [-1e20, 1e20]
AIR = {"kind": "medium", "index": 1}
MIRROR = {"type": "block", "id": "mirror", "medium": {"kind": "perfect_conductor"}, "x": FAR, "y": FAR, "z": [-1e20, 0]}
BAND = {"type": "frequencies", "lowest": 0.9, "highest": 1.1}


def made(kind: str = "purcell_factor", **scene: Any) -> Problem:
    whole = {"type": "emitter", "id": "s", "dimensions": "3D", "bodies": [MIRROR], "background": AIR,
             "position": [0, 0, 0.1], "orientation": "z", "band": {"type": "line", "wavelength": 1}, **scene}
    quantity = {"type": kind, "id": "p", "scene": "s"}
    return Problem.model_validate({"scenes": [whole], "quantities": [quantity]}, context=RESOLVED)


def arranged(problem: Problem) -> Arrangement:
    return arrange(problem.scenes[0], problem.quantities, Numerics(20.0, samples=3), {})


@pytest.mark.unit
@pytest.mark.parametrize(("scene", "words"), [
    ({"dimensions": "1D"}, "'2D' or '3D'"),
    ({"background": {"kind": "perfect_conductor"}}, "inside a perfect conductor"),
])
def test_what_no_emitter_is(scene: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        made(**scene)


@pytest.mark.unit
def test_both_runs_share_cell_and_place_and_the_mirror_is_exact() -> None:
    arrangement = arranged(made())
    empty, bodies = arrangement.runs["empty"], arrangement.runs["bodies"]
    assert load(dump(bodies)).digest() == bodies.digest()
    assert (empty.cell, empty.sources, empty.monitors) == (bodies.cell, bodies.sources, bodies.monitors)
    assert bodies.stack[0][1:] == (-bodies.cell[2] / 2, 0) and not bodies.geometry and not empty.stack
    assert [layer.axis for layer in empty.layers] == ["x", "y", "z"]


@pytest.mark.unit
def test_mirror_planes_through_the_dipole_save_work() -> None:
    ball = {"type": "sphere", "id": "ball", "medium": {"kind": "medium", "index": 3}, "center": [0, 0, 0], "radius": 0.1}
    run = arranged(made(dimensions="3D", bodies=[ball], position=[0, 0, 0.3], orientation="x")).runs["bodies"]
    assert run.mirrors == (("x", -1), ("y", 1)) and run.smoothing


@pytest.mark.unit
def test_a_factor_is_for_one_line_and_a_spectrum_for_a_band() -> None:
    with pytest.raises(ValueError, match="over a band it is a PurcellSpectrum"):
        arranged(made(band=BAND))
    problem = made("purcell_spectrum", band=BAND)
    raw = {name: {"ldos/frequency": np.array([0.9, 1.0, 1.1]), "ldos/ldos": np.array(values)}
           for name, values in (("empty", [1.0, 2.0, 1.0]), ("bodies", [1.5, 4.0, 0.5]))}
    assert measure(problem.scenes[0], problem.quantities[0], arranged(problem), raw).y == pytest.approx([1.5, 2.0, 0.5])
    raw["bodies"]["ldos/ldos"] = np.array([1.0, -1.0, 1.0])
    with pytest.raises(NotMeasured, match="gains power at frequency 1"):
        measure(problem.scenes[0], problem.quantities[0], arranged(problem), raw)
    raw["empty"]["ldos/ldos"] = np.array([1.0, 1e-5, 1.0])
    with pytest.raises(NotMeasured, match="alone is dark at frequency 1"):
        measure(problem.scenes[0], problem.quantities[0], arranged(problem), raw)


@pytest.mark.unit
def test_the_exact_mirror() -> None:
    values = [oracle(p.scenes[0], p.quantities[0], {})[1].value for p in (made(), made(orientation="x"))]
    assert values == pytest.approx([1.85074, 0.29013], abs=1e-5)
    assert oracle(made(bodies=[]).scenes[0], made().quantities[0], {}) is None
