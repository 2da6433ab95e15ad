"""Reflectance, transmittance and absorptance of a plane stack at normal incidence (1D, two runs)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import meep as mp
import numpy as np

from simkit.errors import GeometryError
from simkit.grid import even_cell, whole_pixels
from simkit.interfaces import node_layers
from simkit.media import along_axis, as_medium, distinct_axes, epsilon_of, is_dispersive
from simkit.pictures import picture_of
from simkit.stability import check_stable
from simkit.stops import stop_when_decayed

OPAQUE_AMPLITUDE = 1e-5
THICKEST_OPAQUE_UM = 2.5


@dataclass(frozen=True)
class PlaneWaveResult:
    """frequency (c/um), wavelength_nm, R, T, A: arrays (n,), ascending frequency. A = 1 - R - T by definition."""

    frequency: np.ndarray
    R: np.ndarray
    T: np.ndarray

    @property
    def wavelength_nm(self) -> np.ndarray:
        """Vacuum wavelength, nm, (n,), descending."""
        return 1e3 / self.frequency

    @property
    def A(self) -> np.ndarray:
        """Absorptance, 1 - R - T; not an independent check of energy."""
        return 1 - self.R - self.T


@dataclass(frozen=True)
class _Setup:
    cell: Any
    geometry: list[Any]
    source: float
    reflection: float
    transmission: float


def planewave_rt(
    run: Any,
    layers: Sequence[tuple[Any, float]],
    incident: Any = 1.0,
    substrate: Any = None,
    band_um: tuple[float, float] = (0.4, 0.8),
    nfreq: int = 101,
    resolution: float = 100,
    by: float = 1e-9,
    courant: float = 0.5,
    whole: bool = False,
    label: str = "plane stack",
    polarisation: str = "x",
) -> PlaneWaveResult:
    """R, T, A of layers [(name | index | mp.Medium, thickness_um), ...] listed from the incidence side.

    incident: lossless medium without poles. substrate: None = same as incident. An absorbing substrate with poles is
    drawn opaque (field below 1e-5 at its back) and ends before the PML, so that T = 0 there. Every interface is exact
    at any thickness (mean material on its node), so the error is O(pixel^2); whole=True refuses thicknesses that are not
    whole pixels and names the resolutions that fit. by: decay of |E|^2 that ends a run. Reference run in the incident
    medium, reflected flux by subtracted fields. polarisation: the axis ("x", "y") of anisotropic media along which E is;
    light goes along z. Raises GeometryError, MaterialError, FieldGrowth.
    """
    low, high = sorted(float(b) for b in band_um)
    if not 0 < low < high or nfreq < 2:
        raise GeometryError(
            f"band_um must be two different positive wavelengths and nfreq >= 2; found {band_um}, {nfreq}."
        )
    centre, width = (1 / low + 1 / high) / 2, 1 / low - 1 / high
    frequencies = np.linspace(1 / high, 1 / low, nfreq)
    films = [(_seen(run, m, polarisation), float(t)) for m, t in layers]
    front = _seen(run, incident, polarisation)
    back = front if substrate is None else _seen(run, substrate, polarisation)
    if is_dispersive(front):
        raise GeometryError("incident must be a lossless medium without poles (a number is an index).")
    for medium in [*(m for m, _ in films), back]:
        check_stable(medium, resolution, courant, 1)
    for _, thickness in films:
        if thickness <= 0:
            raise GeometryError(f"layer thickness {thickness:g} um; it must be positive.")
        if whole:
            whole_pixels(thickness, resolution)
    opaque = _opaque_thickness(back, frequencies)
    setup = _arrange(films, front, back, opaque, high, resolution)
    pulse = mp.GaussianSource(centre, fwidth=max(width, 0.05 * centre))
    common = {
        "cell_size": setup.cell,
        "boundary_layers": [mp.PML(high)],
        "dimensions": 1,
        "resolution": resolution,
        "Courant": courant,
        "eps_averaging": False,
        "sources": [mp.Source(pulse, component=mp.Ex, center=mp.Vector3(z=setup.source))],
    }
    # decimation_factor=1 below: the automatic choice leaves 3e-4 in T whatever the resolution.
    planes = [mp.FluxRegion(center=mp.Vector3(z=z)) for z in (setup.reflection, setup.transmission)]

    run.label(f"{label}: reference")
    empty = mp.Simulation(default_material=front, **common)
    monitor = empty.add_flux(centre, width, nfreq, planes[0], decimation_factor=1)
    empty.run(until_after_sources=stop_when_decayed(mp.Ex, planes[0].center, by))
    incident_flux, incident_fields = np.array(mp.get_fluxes(monitor)), empty.get_flux_data(monitor)

    run.label(label)
    full = mp.Simulation(default_material=front, geometry=setup.geometry, **common)
    reflected = full.add_flux(centre, width, nfreq, planes[0], decimation_factor=1)
    transmitted = full.add_flux(centre, width, nfreq, planes[1], decimation_factor=1)
    full.load_minus_flux_data(reflected, incident_fields)
    picture_of(full, run, f"{label}: epsilon, source and monitors")
    full.run(until_after_sources=stop_when_decayed(mp.Ex, [p.center for p in planes], by))
    result = PlaneWaveResult(
        np.array(mp.get_flux_freqs(reflected)),
        -np.array(mp.get_fluxes(reflected)) / incident_flux,
        np.array(mp.get_fluxes(transmitted)) / incident_flux,
    )
    run.check(
        f"max R+T, {label}", float((result.R + result.T).max()), "1", "above 1 + 1e-3: not converged or wrong"
    )
    return result


def _seen(run: Any, given: Any, polarisation: str) -> Any:
    """The medium as the field along `polarisation` sees it."""
    medium = as_medium(run, given)
    return along_axis(medium, polarisation) if distinct_axes(medium) != "x" or polarisation != "x" else medium


def _opaque_thickness(back: Any, frequencies: np.ndarray) -> float | None:
    """Thickness of an absorbing substrate that ends before the PML, um; None when it may run into the PML."""
    if not is_dispersive(back):
        return None
    decay = 2 * np.pi * frequencies * np.sqrt(epsilon_of(back, frequencies)).imag
    needed = -math.log(OPAQUE_AMPLITUDE) / float(decay.min()) if decay.min() > 0 else math.inf
    if needed <= THICKEST_OPAQUE_UM:
        return needed
    if (epsilon_of(back, frequencies).real < 0).any():
        raise GeometryError(
            f"a metal substrate would need {needed:.3g} um to be opaque (limit {THICKEST_OPAQUE_UM} um) and may not touch"
            " the PML. Give it as the last layer with its real thickness and a lossless substrate."
        )
    return None


def _arrange(
    films: Sequence[tuple[Any, float]],
    front: Any,
    back: Any,
    opaque: float | None,
    longest: float,
    resolution: float,
) -> _Setup:
    """Positions along z: PML, source, reflection plane, stack, transmission plane, PML; first interface on a node."""
    air = longest / 2
    total = sum(t for _, t in films)
    behind = (opaque or 0.0) + air
    cell = even_cell(2 * longest + air + total + behind, resolution)
    pixel = 1 / resolution
    first = round((-cell / 2 + longest + air) * resolution) * pixel
    thicknesses, media = [t for _, t in films], [front, *(m for m, _ in films), back]
    if opaque is not None:
        thicknesses.append(math.ceil(opaque * resolution) * pixel)
        media.append(mp.Medium())
    edges = [first + sum(thicknesses[:i]) for i in range(len(thicknesses) + 1)]
    size = mp.Vector3(z=cell)
    last = edges[-1]
    if front is back and not films:
        edges, media = [], [front]
    geometry = node_layers(size, "z", edges, media, resolution)
    after = math.ceil(last * resolution + 1) * pixel
    return _Setup(size, geometry, -cell / 2 + longest + 0.1 * air, first - air / 2, after + 2 * pixel)
