"""First-order efficiency of a binary phase grating, written by hand after Meep's tutorial."""

from __future__ import annotations

import sys

import meep as mp
import numpy as np
from ladder import climb

PERIOD, DEPTH, INDEX, FREQUENCY = 2.2, 0.5, 1.5, 2.0


def first_order(resolution: float) -> float:
    """Power in the order +1 over the incident power."""
    pml, pad = 1.0, 1.0
    size = np.ceil((2 * pml + 2 * pad + DEPTH) * resolution) / resolution
    front = -size / 2 + pml + pad
    glass = mp.Medium(index=INDEX)
    common = dict(
        cell_size=mp.Vector3(PERIOD, size),
        resolution=resolution,
        boundary_layers=[mp.PML(pml, mp.Y)],
        k_point=mp.Vector3(),
        symmetries=[mp.Mirror(mp.X)],
        sources=[
            mp.Source(
                mp.GaussianSource(FREQUENCY, fwidth=0.2 * FREQUENCY),
                mp.Ez,
                mp.Vector3(0, -size / 2 + pml + 0.2),
                size=mp.Vector3(PERIOD),
            )
        ],
    )
    plane, probe = mp.Vector3(0, size / 2 - pml - 0.3), mp.Vector3(0.123 * PERIOD, size / 2 - pml - 0.3)
    flat = mp.Simulation(default_material=glass, **common)
    flux = flat.add_flux(FREQUENCY, 0, 1, mp.FluxRegion(center=plane, size=mp.Vector3(PERIOD)))
    flat.run(until_after_sources=mp.stop_when_fields_decayed(20, mp.Ez, probe, 1e-6))
    incident = mp.get_fluxes(flux)[0]
    ridges = [
        mp.Block(
            mp.Vector3(PERIOD, front + size / 2), center=mp.Vector3(0, (front - size / 2) / 2), material=glass
        ),
        mp.Block(mp.Vector3(PERIOD / 2, DEPTH), center=mp.Vector3(0, front + DEPTH / 2), material=glass),
    ]
    ridged = mp.Simulation(geometry=ridges, **common)
    flux = ridged.add_mode_monitor(FREQUENCY, 0, 1, mp.FluxRegion(center=plane, size=mp.Vector3(PERIOD)))
    ridged.run(until_after_sources=mp.stop_when_fields_decayed(20, mp.Ez, probe, 1e-6))
    modes = ridged.get_eigenmode_coefficients(flux, [2], eig_parity=mp.ODD_Z + mp.EVEN_Y)
    return float(abs(modes.alpha[0, 0, 0]) ** 2 / incident / 2)  # the even mode is both orders


climb(first_order, 20, float(sys.argv[1]))
