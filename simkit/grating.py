"""Reflectance, transmittance and diffraction efficiencies of a one-dimensional grating at normal incidence (2D)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import meep as mp
import numpy as np

from simkit.errors import GeometryError
from simkit.grid import even_cell, whole_pixels
from simkit.media import as_medium, epsilon_of
from simkit.pictures import picture_of
from simkit.shapes import stack
from simkit.stops import stop_when_dft_decayed
from simkit.walls import wall


@dataclass(frozen=True)
class Ridge:
    """A bar in a grating layer: centre and width along x in um (period centred on 0), material (name, index, medium)."""

    center_um: float
    width_um: float
    material: Any


@dataclass(frozen=True)
class GratingLayer:
    """thickness in um, the material between the ridges, and the ridges painted over it."""

    thickness_um: float
    background: Any = 1.0
    ridges: Sequence[Ridge] = ()


@dataclass(frozen=True)
class GratingResult:
    """frequency (c/um), R, T: arrays (n,), ascending; transmitted_orders: {order: efficiency (n,)}, propagating only."""

    frequency: np.ndarray
    R: np.ndarray
    T: np.ndarray
    transmitted_orders: dict[int, np.ndarray] = field(default_factory=dict)

    @property
    def wavelength_nm(self) -> np.ndarray:
        """Vacuum wavelength, nm, (n,), descending."""
        return 1e3 / self.frequency


def grating_rt(
    run: Any,
    period_um: float,
    layers: Sequence[GratingLayer],
    incident: Any = 1.0,
    substrate: Any = 1.0,
    band_um: tuple[float, float] = (0.5, 0.7),
    nfreq: int = 101,
    resolution: float = 50,
    electric_along_bars: bool = True,
    orders: int = 0,
    by: float = 1e-9,
    max_time: float | None = None,
    label: str = "grating",
) -> GratingResult:
    """R, T and transmitted orders of layers listed from the incidence side; light travels towards +y.

    electric_along_bars: True = Ez ("TE" of the grating literature), False = Hz. Layers are painted whole and ridges
    over them, so no seams; the period must be whole pixels; the first interface lies on a node. `orders` = highest
    order of transmitted efficiencies (0: none), only those propagating in the whole band are returned. Narrow resonances
    need max_time of about 10 Q/(pi f). Media with poles are not smoothed: put ridge walls and layer edges on whole pixels
    and compare resolutions. A metal substrate is refused: give it as the last layer. Raises GeometryError.
    """
    low, high = sorted(float(b) for b in band_um)
    centre, width = (1 / low + 1 / high) / 2, 1 / low - 1 / high
    if not 0 < low < high or not layers:
        raise GeometryError(
            f"band_um {band_um} must be two different positive wavelengths, with at least one layer."
        )
    whole_pixels(period_um, resolution)
    front, back = as_medium(run, incident), as_medium(run, substrate)
    band = np.linspace(1 / high, 1 / low, 21)
    for side, medium in (("incident", front), ("substrate", back)):
        if (epsilon_of(medium, band).real <= 0).any():
            raise GeometryError(
                f"{side} is a metal in the band and would touch the PML; give it as the last layer."
            )
    cell, first = _cell(period_um, layers, high, resolution)
    component = mp.Ez if electric_along_bars else mp.Hz
    edge = cell.y / 2 - high
    source = mp.Source(
        mp.GaussianSource(centre, fwidth=1.2 * max(width, 0.02 * centre)),
        component=component,
        center=mp.Vector3(y=-edge + 0.05 * high),
        size=mp.Vector3(period_um),
    )
    common = {
        "cell_size": cell,
        "resolution": resolution,
        "k_point": mp.Vector3(),
        "boundary_layers": [mp.PML(high, direction=mp.Y)],
        "sources": [source],
    }
    line = mp.Vector3(period_um)
    below = mp.FluxRegion(center=mp.Vector3(y=-edge + 0.2 * high), size=line)
    above = mp.FluxRegion(center=mp.Vector3(y=edge - 0.15 * high), size=line)

    run.label(f"{label}: reference")
    empty = mp.Simulation(default_material=front, **common)
    wall(empty, [mp.Y])
    monitor = empty.add_flux(centre, width, nfreq, below, decimation_factor=1)
    empty.run(until_after_sources=stop_when_dft_decayed(by))
    power, fields = np.array(mp.get_fluxes(monitor)), empty.get_flux_data(monitor)

    run.label(label)
    geometry = _paint(run, cell, period_um, layers, first, front, back)
    full = mp.Simulation(geometry=geometry, default_material=front, **common)
    wall(full, [mp.Y])
    reflected, transmitted = (
        full.add_flux(centre, width, nfreq, plane, decimation_factor=1) for plane in (below, above)
    )
    full.load_minus_flux_data(reflected, fields)
    picture_of(full, run, f"{label}: epsilon, source and monitors")
    full.run(until_after_sources=stop_when_dft_decayed(by, max_time))
    frequency = np.array(mp.get_flux_freqs(reflected))
    R, T = -np.array(mp.get_fluxes(reflected)) / power, np.array(mp.get_fluxes(transmitted)) / power
    run.check(
        f"max |R+T-1|, {label}",
        float(abs(R + T - 1).max()),
        "1",
        "zero for lossless media when converged in time",
    )
    index = float(np.sqrt(epsilon_of(back, band)).real.min())
    efficiencies = {}
    for m in range(-orders, orders + 1) if orders else ():
        if abs(m) / period_um < 0.999 * index * frequency.min():
            polarised = (1, 0) if electric_along_bars else (0, 1)
            wave = mp.DiffractedPlanewave((m, 0, 0), mp.Vector3(1, 0, 0), *polarised)
            alpha = full.get_eigenmode_coefficients(transmitted, wave).alpha[0, :, 0]
            efficiencies[m] = np.abs(alpha) ** 2 / power
    return GratingResult(frequency, R, T, efficiencies)


def _cell(
    period: float, layers: Sequence[GratingLayer], longest: float, resolution: float
) -> tuple[Any, float]:
    height = sum(item.thickness_um for item in layers)
    pad = 0.7 * longest
    size = even_cell(2 * longest + 2 * pad + height, resolution)
    return mp.Vector3(period, size), round((-size / 2 + longest + pad) * resolution) / resolution


def _paint(
    run: Any, cell: Any, period: float, layers: Sequence[GratingLayer], first: float, front: Any, back: Any
) -> list[Any]:
    films = [(as_medium(run, item.background), item.thickness_um) for item in layers]
    objects = stack(cell, "y", first, films, below=front, above=back)
    position = first
    for item in layers:
        for ridge in item.ridges:
            left, right = ridge.center_um - ridge.width_um / 2, ridge.center_um + ridge.width_um / 2
            if ridge.width_um <= 0 or left < -period / 2 - 1e-9 or right > period / 2 + 1e-9:
                raise GeometryError(
                    f"ridge {left:g} .. {right:g} um is not inside the period {-period / 2:g} .. {period / 2:g}; shift the"
                    " centre or split it at the period's edge."
                )
            objects.append(
                mp.Block(
                    size=mp.Vector3(ridge.width_um, item.thickness_um, mp.inf),
                    center=mp.Vector3(ridge.center_um, position + item.thickness_um / 2),
                    material=as_medium(run, ridge.material),
                )
            )
        position += item.thickness_um
    return objects
