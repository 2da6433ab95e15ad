"""The cell of a Simulation: its edges, the part without absorbing layers, epsilon over it. In cylindrical cells x is r."""

from __future__ import annotations

from typing import Any

import meep as mp
import numpy as np

AXES = "xyz"


def is_cylindrical(sim: Any) -> bool:
    """Whether x is the radius. Meep sets `dimensions` to 2 once the simulation is initialised."""
    return bool(sim.is_cylindrical or sim.dimensions == mp.CYLINDRICAL)


def edges(sim: Any) -> dict[str, tuple[float, float]]:
    """{axis: (low, high)} of the cell, um; axes without extent are left out. A radius starts at 0."""
    size = {name: getattr(sim.cell_size, name) for name in AXES if getattr(sim.cell_size, name) > 0}
    return {n: (0.0, s) if n == "x" and is_cylindrical(sim) else (-s / 2, s / 2) for n, s in size.items()}


def interior(sim: Any, pml_only: bool = False) -> dict[str, tuple[float, float]]:
    """{axis: (low, high)} of the cell without absorbing layers, um; axes without extent are left out.

    pml_only: count mp.Absorber as interior (a metal may touch it).
    """
    inner = {}
    for name, (low, high) in edges(sim).items():
        number = AXES.index(name)
        radial = name == "x" and is_cylindrical(sim)
        for absorber in sim.boundary_layers:
            if absorber.direction not in (mp.ALL, number, mp.R if number == 0 else number):
                continue
            if pml_only and isinstance(absorber, mp.Absorber):
                continue
            if absorber.side in (mp.ALL, mp.Low) and not radial:
                low += absorber.thickness
            if absorber.side in (mp.ALL, mp.High):
                high -= absorber.thickness
        inner[name] = (low, high)
    return inner


def names_of(sim: Any) -> dict[str, str]:
    """What the cell's axes are called: x is r in a cylindrical cell."""
    return {name: "r" if name == "x" and is_cylindrical(sim) else name for name in AXES}


def epsilon(sim: Any, frequency: float) -> np.ndarray:
    """Re epsilon over the cell at `frequency`, one array axis for each axis of `edges`; 3D cells in the plane z = 0."""
    ends = edges(sim)
    if not is_cylindrical(sim):
        plane = mp.Vector3(sim.cell_size.x, sim.cell_size.y, 0) if len(ends) == 3 else sim.cell_size
        values = np.real(
            sim.get_array(component=mp.Dielectric, center=mp.Vector3(), size=plane, frequency=frequency)
        )
        return values.reshape(values.shape[0], -1) if len(ends) > 1 else values.ravel()
    # Meep 1.25 counts one of three components of cylindrical arrays at a frequency: ask for the geometry instead
    places = {n: _middles(*ends[n], sim.resolution) if n in ends else np.zeros(1) for n in AXES}
    values = np.real(sim.get_epsilon_grid(places["x"], places["y"], places["z"], frequency=frequency))
    return values.reshape([places[n].size for n in ends])


def _middles(low: float, high: float, resolution: float) -> np.ndarray:
    count = max(1, round((high - low) * resolution))
    return low + (np.arange(count) + 0.5) * (high - low) / count
