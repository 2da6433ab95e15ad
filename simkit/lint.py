"""Findings about a Simulation before it runs: PML, wrap-around, seams, resolution. Warnings, never a verdict."""

from __future__ import annotations

import math
from typing import Any

import meep as mp
import numpy as np

from simkit.bounds import bounds_of, is_aligned_block
from simkit.cell import AXES, interior, is_cylindrical
from simkit.cell import edges as edges_of
from simkit.interfaces import NODE_BLOCK_PX
from simkit.media import distinct_axes, epsilon_of, is_dispersive

FEATURE_PX = 8
WAVELENGTH_PX = 10
MAX_SEAM_BLOCKS = 60  # pairs are compared one by one


def check_geometry(run: Any, sim: Any) -> list[str]:
    """Record and return findings; every Meep run is checked like this automatically."""
    found = findings(sim)
    for text in found:
        run.warn(text)
    run.check("geometry_findings", float(len(found)), "1", "number of findings of sk.check_geometry")
    return found


def findings(sim: Any) -> list[str]:
    """One sentence a finding, with names, numbers and the fix. Empty when nothing was found."""
    try:
        return [*_objects(sim), *_sources_and_monitors(sim), *_seams(sim), *_resolution(sim)]
    except (AttributeError, TypeError, ValueError) as error:
        return [f"geometry could not be checked ({type(error).__name__}: {error}); look at sk.picture_of."]


def _objects(sim: Any) -> list[str]:
    found = []
    inner, without_pml, edges = interior(sim), interior(sim, pml_only=True), edges_of(sim)
    for number, item in enumerate(sim.geometry):
        name = f"object {number} ({type(item).__name__})"
        low, high = bounds_of(item)
        for i, axis in enumerate(AXES):
            if axis not in edges:
                continue
            a, b = low[i], high[i]
            bottom, top = edges[axis]
            if axis == "x" and is_cylindrical(sim):
                a = max(a, bottom)  # a body around the axis of rotation ends there
            if b < bottom or a > top:
                found.append(
                    f"{name} lies entirely outside the cell along {axis}: {a:g} .. {b:g} against {bottom:g} .. {top:g}."
                )
                continue
            absorbing = inner[axis] != edges[axis]
            finite_out = (a < bottom - 1e-6 and math.isfinite(a)) or (b > top + 1e-6 and math.isfinite(b))
            if sim.k_point is not False and finite_out and absorbing and sim.ensure_periodicity:
                found.append(
                    f"{name} reaches beyond the cell along {axis} ({a:g} .. {b:g}, cell {bottom:g} .. {top:g}); with"
                    " k_point set it wraps round through the PML to the other side. Draw it with sk.half_space or sk.layer."
                )
            bottom_in, top_in = without_pml[axis]
            inside = a < bottom_in - 1e-6 or b > top_in + 1e-6
            in_pml = (bottom_in, top_in) != (bottom, top) and inside
            touches_copy = sim.k_point is not False and (
                (bottom_in > bottom and b >= top - 1e-6) or (top_in < top and a <= bottom + 1e-6)
            )
            if (in_pml or touches_copy) and _is_metal(item.material, sim):
                where = "inside the PML" if in_pml else "touching the PML through the periodic boundary"
                found.append(
                    f"{name} is a metal {where} along {axis}; such runs blow up. End it half a wavelength before the PML"
                    " or use mp.Absorber."
                )
    return found


def _is_metal(material: Any, sim: Any) -> bool:
    if not isinstance(material, mp.Medium) or not is_dispersive(material):
        return False
    frequencies = np.array(_frequencies(sim))
    return any((epsilon_of(material, frequencies, axis).real < 0).any() for axis in distinct_axes(material))


def _frequencies(sim: Any) -> list[float]:
    found = [float(getattr(s.src, "frequency", 0) or 0) for s in sim.sources]
    return [f for f in found if f > 0] or [1.0]


def _sources_and_monitors(sim: Any) -> list[str]:
    places = [(f"source {i}", s.center, s.size) for i, s in enumerate(sim.sources)]
    for i, monitor in enumerate(sim.dft_objects):
        for j, region in enumerate(getattr(monitor, "regions", []) or []):
            places.append((f"monitor {i} region {j}", region.center, region.size))
    found = []
    for name, centre, size in places:
        for axis, (low, high) in interior(sim).items():
            position, extent = getattr(centre, axis), getattr(size, axis)
            if extent == 0 and not low - 1e-9 <= position <= high + 1e-9:
                found.append(
                    f"{name} lies in the PML or outside the cell: {axis} = {position:g}, interior {low:g} .. {high:g}."
                    " Move it inside."
                )
    return found


def _seams(sim: Any) -> list[str]:
    blocks = [(i, bounds_of(o)) for i, o in enumerate(sim.geometry) if is_aligned_block(o)]
    if len(blocks) > MAX_SEAM_BLOCKS:
        return []
    pixel = 1 / sim.resolution
    axes = [AXES.index(a) for a in edges_of(sim)]
    found = []
    for p, (i, (low_i, high_i)) in enumerate(blocks):
        for j, (low_j, high_j) in blocks[p + 1 :]:
            for axis in axes:
                overlap = all(low_i[k] < high_j[k] and low_j[k] < high_i[k] for k in axes if k != axis)
                gaps = [
                    (low_j[axis] - high_i[axis], high_i[axis]),
                    (low_i[axis] - high_j[axis], high_j[axis]),
                ]
                for gap, place in gaps:
                    touching = sim.eps_averaging and abs(gap) <= 1e-9
                    if (
                        overlap
                        and (touching or 1e-9 < gap < pixel)
                        and not _covered(sim, axis, place + gap / 2, (i, j))
                    ):
                        found.append(
                            f"objects {i} and {j} abut or leave a gap of {max(gap, 0.0):.3g} um at {AXES[axis]} ="
                            f" {place:g}: a seam of the default material. Paint the wider one through and overlay"
                            " the other (sk.stack)."
                        )
    return found[:3]


def _covered(sim: Any, axis: int, position: float, pair: tuple[int, int]) -> bool:
    for number, item in enumerate(sim.geometry):
        low, high = bounds_of(item)
        if number not in pair and low[axis] < position < high[axis]:
            return True
    return False


def _resolution(sim: Any) -> list[str]:
    found = []
    edges = edges_of(sim)
    highest = max(_frequencies(sim))
    index = 1.0
    media = [o.material for o in sim.geometry] + [sim.default_material]
    for medium in media:
        if isinstance(medium, mp.Medium):
            index = max(
                index, *(float(np.sqrt(epsilon_of(medium, highest, a)).real) for a in distinct_axes(medium))
            )
    per_wavelength = sim.resolution / (index * highest)
    if per_wavelength < WAVELENGTH_PX:
        found.append(
            f"{per_wavelength:.1f} pixels per wavelength in the densest medium (n = {index:.2f} at f = {highest:.3g}); use"
            f" resolution {math.ceil(WAVELENGTH_PX * index * highest)} or more."
        )
    smallest = math.inf
    for item in sim.geometry:
        low, high = bounds_of(item)
        pixel = 1 / sim.resolution
        for axis, (bottom, top) in edges.items():
            i = AXES.index(axis)
            width = min(high[i], top) - max(low[i], bottom)
            # Interface nodes painted on purpose are not features.
            if width > 0 and abs(width - NODE_BLOCK_PX * pixel) > 1e-6 * pixel:
                smallest = min(smallest, width)
    if smallest * sim.resolution < FEATURE_PX:
        found.append(
            f"the thinnest feature ({smallest:.4g} um) has {smallest * sim.resolution:.1f} pixels; {FEATURE_PX} are usual,"
            " otherwise show convergence with several resolutions."
        )
    return found
