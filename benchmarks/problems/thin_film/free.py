"""Reflectance of a film, written by hand: 200 nm of index 2.3 in air, 500 to 800 nm."""

from __future__ import annotations

import sys

import meep as mp
import numpy as np
from ladder import climb

THICKNESS, INDEX, LOW, HIGH, COUNT = 0.2, 2.3, 1 / 0.8, 1 / 0.5, 101


def reflectance(resolution: float) -> tuple[list[float], list[float]]:
    """Frequencies and R."""
    centre, width, pml, pad = (LOW + HIGH) / 2, HIGH - LOW, 1.0, 0.8
    size = 2 * np.ceil((pml + pad + THICKNESS / 2) * resolution) / resolution
    common = dict(
        cell_size=mp.Vector3(z=size),
        dimensions=1,
        resolution=resolution,
        boundary_layers=[mp.PML(pml)],
        sources=[
            mp.Source(
                mp.GaussianSource(centre, fwidth=1.2 * width), mp.Ex, mp.Vector3(z=-size / 2 + pml + 0.1)
            )
        ],
    )
    plane = mp.FluxRegion(center=mp.Vector3(z=-size / 2 + pml + 0.4))
    stop = mp.stop_when_fields_decayed(20, mp.Ex, mp.Vector3(z=size / 2 - pml - 0.1), 1e-9)
    empty = mp.Simulation(**common)
    flux = empty.add_flux(centre, width, COUNT, plane)
    empty.run(until_after_sources=stop)
    incident, fields = np.array(mp.get_fluxes(flux)), empty.get_flux_data(flux)
    film = mp.Simulation(
        geometry=[mp.Block(mp.Vector3(mp.inf, mp.inf, THICKNESS), material=mp.Medium(index=INDEX))], **common
    )
    flux = film.add_flux(centre, width, COUNT, plane)
    film.load_minus_flux_data(flux, fields)
    film.run(
        until_after_sources=mp.stop_when_fields_decayed(20, mp.Ex, mp.Vector3(z=size / 2 - pml - 0.1), 1e-9)
    )
    return list(mp.get_flux_freqs(flux)), list(-np.array(mp.get_fluxes(flux)) / incident)


climb(reflectance, 50, float(sys.argv[1]))
