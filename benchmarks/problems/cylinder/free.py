"""Scattering efficiency of a dielectric cylinder, light polarised along its axis, written by hand."""

from __future__ import annotations

import sys

import meep as mp
import numpy as np
from ladder import climb

RADIUS, INDEX, FREQUENCY = 0.525, 1.55, 1 / 0.6328


def efficiency(resolution: float) -> float:
    """Scattered power over the power that falls on the cylinder."""
    pml, gap, half = 0.6, 0.3, RADIUS + 0.15
    size = 2 * np.ceil((half + gap + pml) * resolution) / resolution
    common = dict(
        cell_size=mp.Vector3(size, size),
        boundary_layers=[mp.PML(pml)],
        resolution=resolution,
        k_point=mp.Vector3(),
        symmetries=[mp.Mirror(mp.Y)],
        sources=[
            mp.Source(
                mp.GaussianSource(FREQUENCY, fwidth=0.2 * FREQUENCY, is_integrated=True),
                mp.Ez,
                mp.Vector3(-size / 2 + pml),
                size=mp.Vector3(0, size),
            )
        ],
    )
    sides = [
        mp.FluxRegion(center=mp.Vector3(-half), size=mp.Vector3(0, 2 * half), weight=-1),
        mp.FluxRegion(center=mp.Vector3(half), size=mp.Vector3(0, 2 * half)),
        mp.FluxRegion(center=mp.Vector3(0, half), size=mp.Vector3(2 * half)),
        mp.FluxRegion(center=mp.Vector3(0, -half), size=mp.Vector3(2 * half), weight=-1),
    ]
    probe = mp.Vector3(half, 0.1)
    empty = mp.Simulation(**common)
    box = empty.add_flux(FREQUENCY, 0, 1, *sides)
    front = empty.add_flux(
        FREQUENCY, 0, 1, mp.FluxRegion(center=mp.Vector3(-half), size=mp.Vector3(0, 2 * half))
    )
    empty.run(until_after_sources=mp.stop_when_fields_decayed(20, mp.Ez, probe, 1e-6))
    intensity, incident = mp.get_fluxes(front)[0] / (2 * half), empty.get_flux_data(box)
    body = mp.Simulation(geometry=[mp.Cylinder(RADIUS, material=mp.Medium(index=INDEX))], **common)
    box = body.add_flux(FREQUENCY, 0, 1, *sides)
    body.load_minus_flux_data(box, incident)
    body.run(until_after_sources=mp.stop_when_fields_decayed(20, mp.Ez, probe, 1e-6))
    return float(mp.get_fluxes(box)[0] / intensity / (2 * RADIUS))


climb(efficiency, 30, float(sys.argv[1]))
