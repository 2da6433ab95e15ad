"""The one resolution of a debug run: half the designed one, but fine enough to mean something."""

from __future__ import annotations

import numpy as np

from schemas.reproduce.materials.prepared_material import MaterialRecord
from schemas.reproduce.simulations.design import Design
from tasks.reproduce.materials.drude_lorentz import Pole, drude_lorentz

PIXELS_PER_WAVELENGTH = 8  # specification: minimum viable resolution lambda/8


def debug_scale(design: Design, materials: tuple[MaterialRecord, ...], factor: float) -> float:
    """resolution_scale of a debug run, at most 1.

    The factor, or the next larger scale the design itself names (it keeps edges on the grid) that has at least eight
    pixels in the shortest wavelength inside the densest of `materials`.
    """
    if design.resolution is None:  # described: the harness chooses pixels
        return 1.0
    needed = (
        max((PIXELS_PER_WAVELENGTH * _index(m) / m.band_um[0] for m in materials), default=0.0)
        / design.resolution
    )
    allowed = sorted({factor, *(s for s in design.convergence_scales if factor < s <= 1), 1.0})
    return next((scale for scale in allowed if scale >= needed - 1e-9), 1.0)


def _index(record: MaterialRecord) -> float:
    """The largest real refractive index in the material's band."""
    if record.axes:
        return max(_index(axis) for axis in record.axes)
    if record.index is not None:
        return max(1.0, record.index)
    low, high = record.band_um
    frequency = np.linspace(1 / high, 1 / low, 41)
    poles = [Pole(p.kind, p.f0, p.gamma, p.sigma) for p in record.poles]
    epsilon = drude_lorentz(frequency, record.eps_inf or 1.0, poles)
    # inside a metal nothing oscillates that the grid must follow: its index counts where it transmits
    index = np.where(epsilon.real > 0, np.sqrt(epsilon).real, 1.0)
    return max(1.0, float(index.max()))
