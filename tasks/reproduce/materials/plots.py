"""Pictures of optical constants for the material checkpoint: table against fit, and tables against each other."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tasks.files.figures import save_figure
from tasks.reproduce.materials.constants import Band, OpticalConstants, band_wavelengths, checked_band
from tasks.reproduce.materials.drude_lorentz import MaterialFit
from tasks.reproduce.materials.errors import MaterialDataError

REAL, IMAGINARY = "#0b5394", "#b45f06"
MAX_CURVES = 12
_STYLES = ("-", "--", ":", "-.")


def plot_material(name: str, constants: OpticalConstants, fit: MaterialFit, path_png: Path) -> Path:
    """n, k and Re eps, Im eps over the fitted band: table (points) against fit (lines), errors below.

    Args:
        name: the material's name in the run.
        constants: the table that was fitted.
        fit: the fit; its band is plotted.
        path_png: file to write; its directory must exist.

    Returns:
        The path written.
    """
    from matplotlib.figure import Figure

    wavelength_um = band_wavelengths(fit.band_um, 400)
    epsilon_fit, epsilon_table = fit.epsilon(1 / wavelength_um), constants.epsilon(wavelength_um)
    index_fit, index_table = np.sqrt(epsilon_fit), np.sqrt(epsilon_table)
    points_um = _points(constants, fit.band_um)
    figure = Figure(figsize=(10, 6.4))
    axes = figure.subplots(2, 2, sharex=True, gridspec_kw={"height_ratios": (2.4, 1)})
    figure.subplots_adjust(left=0.095, right=0.985, bottom=0.085, top=0.89, wspace=0.22, hspace=0.07)
    columns = (
        ("refractive index", ("n", "k"), constants.at(points_um), index_fit),
        ("relative permittivity", ("Re ε", "Im ε"), constants.epsilon(points_um), epsilon_fit),
    )
    for axis, (label, names, table, model) in zip(axes[0], columns, strict=True):
        for part, color, title in ((np.real, REAL, names[0]), (np.imag, IMAGINARY, names[1])):
            axis.plot(points_um, part(table), "o", ms=4, mfc="none", color=color, label=f"{title}, table")
            axis.plot(wavelength_um, part(model), "-", lw=1.4, color=color, label=f"{title}, fit")
        axis.set_ylabel(label)
        axis.legend(fontsize=8, ncols=2)
    delta = index_fit - index_table
    axes[1, 0].plot(wavelength_um, delta.real, color=REAL, lw=1.2, label="n, fit - table")
    axes[1, 0].plot(wavelength_um, delta.imag, color=IMAGINARY, lw=1.2, label="k, fit - table")
    axes[1, 0].axhline(0, color="0.6", lw=0.8)
    axes[1, 0].set_ylabel("difference")
    size = np.abs(epsilon_table)
    axes[1, 1].plot(
        wavelength_um,
        100 * np.abs(epsilon_fit - epsilon_table) / size,
        color="0.15",
        lw=1.3,
        label="|Δε| / |ε|",
    )
    axes[1, 1].plot(
        wavelength_um,
        100 * np.abs((epsilon_fit - epsilon_table).imag) / size,
        color=IMAGINARY,
        lw=1,
        ls="--",
        label="|Δ Im ε| / |ε|",
    )
    axes[1, 1].axhline(100 * fit.rms_relative_error, color="0.5", lw=0.9, ls=":", label="rms")
    axes[1, 1].set_ylabel("error of the fit, %")
    # A floor on the scales, so that rounding of an excellent fit does not look like structure.
    largest = float(np.abs(np.concatenate([delta.real, delta.imag])).max())
    axes[1, 0].set_ylim(-1.5 * max(largest, 1e-3), 1.5 * max(largest, 1e-3))
    axes[1, 1].set_ylim(0, 130 * max(float((np.abs(epsilon_fit - epsilon_table) / size).max()), 1e-3))
    for axis in axes[1]:
        axis.set_xlabel("vacuum wavelength, µm")
        axis.locator_params(axis="x", nbins=6)
        axis.legend(fontsize=8, ncols=3)
    for axis in axes.flat:
        axis.grid(alpha=0.25, lw=0.6)
    source = constants.reference if len(constants.reference) < 130 else constants.reference[:127] + "..."
    summary = textwrap.fill(f"{name}: {fit.summary()}", 120)
    figure.suptitle(f"{summary}\n{source}", fontsize=9)
    return save_figure(figure, Path(path_png), dpi=130)


def plot_reflectance(
    name: str,
    wavelength_um: np.ndarray,
    found: np.ndarray,
    exact: np.ndarray,
    fitted: np.ndarray,
    allowed: np.ndarray,
    path_png: Path,
) -> Path:
    """Reflectance of a bare surface: FDTD (points), Fresnel from the constants with what is allowed, and from the fit.

    All arrays (n,), over vacuum wavelengths in um. Returns the path written; its directory must exist.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4))
    axis = figure.subplots()
    figure.subplots_adjust(left=0.11, right=0.98, bottom=0.13, top=0.92)
    axis.fill_between(
        wavelength_um, exact - allowed, exact + allowed, color=REAL, alpha=0.15, lw=0, label="allowed"
    )
    axis.plot(wavelength_um, exact, "-", color=REAL, lw=1.6, label="Fresnel, constants")
    axis.plot(wavelength_um, fitted, "--", color=IMAGINARY, lw=1.2, label="Fresnel, fit")
    axis.plot(
        wavelength_um[::4], found[::4], "o", ms=3.5, mfc="none", color="0.15", label="FDTD with the fit"
    )
    axis.set_xlabel("vacuum wavelength, µm")
    axis.set_ylabel("reflectance of the bare surface")
    axis.grid(alpha=0.25, lw=0.6)
    axis.legend(fontsize=8, ncols=2)
    figure.suptitle(f"{name}: bare surface in air, normal incidence", fontsize=9)
    return save_figure(figure, Path(path_png), dpi=130)


def plot_comparison(
    name: str, tables: Sequence[OpticalConstants], band_um: Sequence[float], path_png: Path
) -> Path:
    """n and k of up to 12 tables over a band; the first is the chosen one, drawn heavier.

    Args:
        name: the material's name in the run.
        tables: the chosen table first; each is drawn over the part of the band it covers.
        band_um: (low, high) vacuum wavelengths, um.
        path_png: file to write; its directory must exist.

    Raises:
        MaterialDataError: no table was given.
    """
    from matplotlib.figure import Figure

    if not tables:
        raise MaterialDataError(
            "nothing to plot",
            found="no table",
            allowed="1 to 12 tables",
            fix="pass the chosen page's constants",
        )
    band = checked_band(band_um)
    grid = band_wavelengths(band, 400)
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    axes = figure.subplots(1, 2, sharex=True)
    for i, table in enumerate(tables[:MAX_CURVES]):
        low, high = table.valid_um
        wavelength_um = grid[(grid >= low) & (grid <= high)]
        index = table.at(wavelength_um)
        line: dict[str, Any] = {"color": "black", "lw": 2.4} if i == 0 else {"color": f"C{i - 1}", "lw": 1.2}
        line["ls"] = _STYLES[i % len(_STYLES)] if i else "-"
        axes[0].plot(wavelength_um, index.real, label=table.page + (" (chosen)" if i == 0 else ""), **line)
        axes[1].plot(wavelength_um, index.imag, **line)
    for axis, label in zip(axes, ("refractive index n", "extinction coefficient k"), strict=True):
        axis.set_xlabel("vacuum wavelength, µm")
        axis.locator_params(axis="x", nbins=6)
        axis.set_ylabel(label)
        axis.grid(alpha=0.25, lw=0.6)
    figure.legend(loc="outside lower center", fontsize=8, ncols=4)
    left_out = len(tables) - MAX_CURVES
    figure.suptitle(
        f"{name}: sources over {band[0]:g}-{band[1]:g} µm"
        + (f" ({left_out} more not drawn)" if left_out > 0 else ""),
        fontsize=10,
    )
    return save_figure(figure, Path(path_png), dpi=130)


def _points(constants: OpticalConstants, band_um: Band) -> np.ndarray:
    """Table points inside the band, thinned where a formula was sampled densely."""
    low, high = band_um
    inside = constants.wavelength_um[(constants.wavelength_um >= low) & (constants.wavelength_um <= high)]
    if inside.size < 2:
        return band_wavelengths(band_um, 12)
    return inside[:: max(1, inside.size // 60)]
