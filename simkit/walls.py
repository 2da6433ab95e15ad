"""Walls behind absorbing layers of cells that a wave vector makes periodic."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import meep as mp


def wall(sim: Any, directions: Iterable[Any]) -> None:
    """A perfect conductor at both ends of the cell along Meep's `directions`, behind its absorbing layers.

    A wave vector makes Meep's cell periodic along all its axes: there two half-spaces would touch inside the absorbers, and at a
    face of a medium whose permittivity is negative somewhere (beyond a pole, however far from the band) waves that run backwards
    grow: glass of a table on air, E in the plane of incidence, on every grid and Courant factor. Without such a medium a cell
    needs no wall, and absorbs a little better.
    """
    if sim.fields is None:
        sim.init_sim()
    for along in directions:
        for side in (mp.Low, mp.High):
            sim.set_boundary(side, along, mp.Metallic)
