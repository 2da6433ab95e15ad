"""Two scenes whose numbers make a target climb grid for grid: most of each one's own error drops out of the difference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.files.store import Store
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.whole_study import study
from tasks.reproduce.uncertainty.aims import Demand, Pair
from tasks.reproduce.uncertainty.climbed import Climb
from tasks.reproduce.uncertainty.error_parts import parts_of, total

pytestmark = pytest.mark.sim
CODE = """from simkit.describe import *

def describe(p):
    def guide(name, n):
        core = Block(id="core", medium=Medium(index=n), y=(-p.w / 2, p.w / 2))
        return Waveguide(id=name, dimensions="2D", bodies=(core,), background=vacuum(), wavelength=p.l, polarization="Ez")

    return Problem(scenes=(guide("up", p.n + p.s), guide("down", p.n - p.s)),
                   quantities=(EffectiveIndex(id="a", scene="up", answers=("S",)), EffectiveIndex(id="b", scene="down", answers=("S",))))
"""
ROWS = [
    {"id": "w", "value": 0.5, "unit": "um", "origin": "paper", "quotation": "0.5 um wide"},
    {"id": "l", "value": 1.55, "unit": "um", "origin": "paper", "quotation": "at 1.55 um"},
    {"id": "n", "value": 2.0, "unit": "1", "origin": "paper", "quotation": "an index of 2.0"},
    {"id": "s", "value": 0.001, "unit": "1", "origin": "paper", "quotation": "steps of 0.001"},
]


def _index(core: float) -> float:
    """Of the fundamental mode with E along z of a slab 0.5 um wide in vacuum at 1.55 um: tan(q w/2) = g/q."""

    def misfit(n: float) -> float:
        q, g = np.sqrt(core**2 - n**2), np.sqrt(n**2 - 1)
        return float(q * np.sin(np.pi * 0.5 / 1.55 * q) - g * np.cos(np.pi * 0.5 / 1.55 * q))

    return float(brentq(misfit, np.sqrt(max(1.0, core**2 - 1.55**2)) + 1e-9, core - 1e-9))


def test_a_derivative_is_known_on_the_grids_that_both_of_its_ends_have(tmp_path: Path) -> None:
    """Each end alone was asked for a thousandth of what it must be known to, on six grids and for half an hour."""
    made = from_document(document(described(CODE, ROWS)), declared(ROWS), CODE)
    pair = Pair("a", "b", lambda one, other: one.value - other.value, lambda d: 0.005 * abs(d))
    aim = (Demand(0.005, words="S", pair=pair),)
    climbs: list[Climb] = []
    solver = Solver(Store(tmp_path), find_meep(), Budget(60.0))
    study(
        made,
        {},
        solver,
        tmp_path / "study",
        wanted={"a": aim, "b": aim},
        examine=False,
        on_climb=climbs.append,
    )
    both = {name: v for climb in climbs for name, v in climb.variants.items()}
    grids = [[resolution for resolution, _ in both[name].rungs] for name in "ab"]
    assert grids[0] == grids[1] and len(grids[0]) <= 3
    told = pair.variants(both)
    assert told is not None
    exact, left = _index(2.001) - _index(1.999), total(parts_of(told)[0])
    assert left is not None and abs(told.finest.value - exact) <= left <= 0.01 * exact
