"""Frequency of a ring resonator's mode, written by hand after Meep's tutorial: a survey of the band, then the mode alone."""

from __future__ import annotations

import sys

import meep as mp
from ladder import climb

INNER, WIDTH, INDEX, LOW, HIGH = 1.0, 1.0, 3.4, 0.105, 0.13
survey: list[float] = []


def modes(resolution: float, centre: float, width: float, time: float) -> list:
    """What the harmonic inversion finds."""
    pml, pad = 4.0, 4.0
    size = 2 * (INNER + WIDTH + pad + pml)
    rings = [mp.Cylinder(INNER + WIDTH, material=mp.Medium(index=INDEX)), mp.Cylinder(INNER)]
    place = mp.Vector3(INNER + 0.1)
    sim = mp.Simulation(
        cell_size=mp.Vector3(size, size),
        geometry=rings,
        resolution=resolution,
        symmetries=[mp.Mirror(mp.Y)],
        boundary_layers=[mp.PML(pml)],
        sources=[mp.Source(mp.GaussianSource(centre, fwidth=width), mp.Ez, place)],
    )
    found = mp.Harminv(mp.Ez, place, centre, width)
    sim.run(mp.after_sources(found), until_after_sources=time)
    return list(found.modes)


def frequency(resolution: float) -> float:
    """Of the mode in the band; the survey is made once, at the first resolution."""
    if not survey:
        best = max(modes(resolution, (LOW + HIGH) / 2, HIGH - LOW, 300), key=lambda mode: abs(mode.amp))
        survey.append(best.freq)
    return float(max(modes(resolution, survey[0], 0.01, 600), key=lambda mode: abs(mode.amp)).freq)


climb(frequency, 10, float(sys.argv[1]))
