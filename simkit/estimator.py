"""Run time and memory of a Meep 1.25 simulation on one core, before it runs.

Model fitted on 59 configurations (one core of a 2.6 GHz Xeon; rms 12.5 % in time, 8 % in memory). A cell with one axis
is costed as two-dimensional with one pixel across.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from simkit.errors import GeometryError

MIB = 2**20
PROCESS_MIB = 72.0
BYTES_PER_DFT_VALUE = 16
CACHE_MIB = 4.0


@dataclass(frozen=True)
class _Cost:
    """Nanoseconds per pixel and step (base, pml, pole), factors (complex_, hz, cache), ns per chunk and step; bytes."""

    base: float
    pml: float
    pole: float
    complex_: float
    hz: float
    cache: float
    chunk: float
    bytes_base: float
    bytes_pml: float
    bytes_pole: float
    bytes_complex: float
    setup_s: float


_COST = {
    2: _Cost(2.454, 3.737, 2.606, 2.064, 1.230, 0.403, 3314.0, 56.0, 20.5, 53.0, 1.62, 1.0e-6),
    3: _Cost(6.608, 7.941, 3.724, 2.113, 1.0, 1.108, 21998.0, 108.0, 98.0, 158.0, 1.99, 1.8e-6),
}


@dataclass(frozen=True)
class Estimate:
    """steps, pixels (of the full cell), run_s and setup_s (wall seconds on one core), memory_mib."""

    steps: int
    pixels: int
    run_s: float
    setup_s: float
    memory_mib: float


def estimate(
    cell: Sequence[float],
    resolution: float,
    run_time: float,
    absorber: Sequence[float] = (0.0, 0.0, 0.0),
    mirrors: str = "",
    complex_fields: bool = False,
    magnetic_2d: bool = False,
    pole_chunks: float = 0.0,
    dft_values: int = 0,
    courant: float = 0.5,
) -> Estimate:
    """Cost of `run_time` Meep time units (source 10/fwidth + transit or 10 Q/(pi f)).

    cell: lengths of the 1-3 computed axes, um. absorber: total PML or Absorber thickness per axis, both sides, um.
    mirrors: axes with a mirror plane, e.g. "xy". complex_fields: Bloch vector that is not 0. magnetic_2d: Hz in 2D.
    pole_chunks: sum over poles of the chunk-volume fraction holding the material. dft_values: points x frequencies x
    components of all monitors. Raises GeometryError for impossible numbers.
    """
    sizes = [float(s) for s in cell if s > 0]
    if not 1 <= len(sizes) <= 3 or resolution <= 0 or run_time <= 0 or not 0 < courant <= 1:
        raise GeometryError(
            f"estimate: need 1-3 positive cell lengths, resolution, run_time > 0, 0 < courant <= 1; found cell {list(cell)},"
            f" resolution {resolution}, run_time {run_time}, courant {courant}."
        )
    cost = _COST[max(2, len(sizes))]
    pixels, interior, chunks = 1, 1.0, 1
    for axis, size, thickness in zip("xyz", sizes, absorber, strict=False):
        pixels *= max(1, round(size * resolution))
        interior *= max(0.0, 1 - thickness / size)
        if thickness:
            chunks *= 2 if axis in mirrors else 3
    absorbing = 1 - interior
    computed = pixels / 2 ** len(mirrors)
    per_step = cost.base + cost.pml * absorbing + cost.pole * pole_chunks
    per_step *= (cost.hz if magnetic_2d else 1.0) * (cost.complex_ if complex_fields else 1.0)
    touched = 60.0 if len(sizes) < 3 else 105 + 90 * absorbing + 200 * pole_chunks
    working_set = computed * touched * (2 if complex_fields else 1) / MIB
    beyond_cache = math.log10(max(working_set, 1e-9) / CACHE_MIB) / 1.5
    per_step *= 1 + cost.cache * min(1.0, max(0.0, beyond_cache))
    steps = math.ceil(run_time * resolution / courant)
    stored = cost.bytes_base + cost.bytes_pml * absorbing + cost.bytes_pole * pole_chunks
    stored *= cost.bytes_complex if complex_fields else 1.0
    return Estimate(
        steps=steps,
        pixels=pixels,
        run_s=steps * (computed * per_step + cost.chunk * chunks) * 1e-9,
        setup_s=computed * cost.setup_s,
        memory_mib=PROCESS_MIB + (computed * stored + BYTES_PER_DFT_VALUE * dft_values) / MIB,
    )
