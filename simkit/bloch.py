"""Bands of a two-dimensional photonic crystal from Bloch-periodic unit cells and harmonic inversion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import meep as mp

from simkit.grid import whole_pixels
from simkit.resonance import Mode, resonances

# Off every symmetry axis of square, rectangular and hexagonal cells, so that no mode is missed by symmetry.
SOURCE = (0.1234, 0.0567)
PROBE = (0.0711, -0.1543)


def bloch_modes(
    run: Any,
    geometry: Sequence[Any],
    cell: Any,
    k_points: Sequence[Any],
    component: int,
    band: tuple[float, float],
    resolution: float = 32,
    time: float = 300.0,
    max_error: float = 1e-3,
    min_Q: float = 500.0,
    default_material: Any = None,
    label: str = "bands",
) -> list[list[Mode]]:
    """Modes at every k, ascending in frequency, one list a k.

    cell: mp.Vector3(ax, ay) in lattice units; k_points: mp.Vector3 in 2 pi / lattice unit (Meep's convention, as
    mp.Vector3(0.5, 0)); band: (lo, hi) in c / lattice unit; component: mp.Ez (TM of Joannopoulos) or mp.Hz. Source and
    probe lie off every symmetry axis. Spurious modes are dropped by |error| and |Q|. A mode may still be missed when the
    probe sits near its node: a band that jumps or ends is a reason to look, not a gap. For a supercell the folded bands
    appear as well.
    """
    for size in (cell.x, cell.y):
        if size:
            whole_pixels(size, resolution)
    centre, width = (band[0] + band[1]) / 2, band[1] - band[0]
    place = [mp.Vector3(x * cell.x, y * cell.y) for x, y in (SOURCE, PROBE)]
    found = []
    for number, k in enumerate(k_points):

        def build(k: Any = k) -> Any:
            return mp.Simulation(
                cell_size=cell,
                geometry=list(geometry),
                resolution=resolution,
                k_point=k,
                default_material=default_material or mp.Medium(),
                sources=[
                    mp.Source(mp.GaussianSource(centre, fwidth=width), component=component, center=place[0])
                ],
            )

        modes = resonances(
            run,
            build,
            component,
            place[1],
            centre,
            width,
            time / 2,
            max_error,
            min_Q,
            f"{label}: k {number + 1}",
        )
        found.append(sorted(modes, key=lambda m: m.frequency))
    return found
