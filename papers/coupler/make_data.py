"""Data and figures of the bundled paper on a directional coupler, from the dispersion relation of layered waveguides.

Theory: guided waves of plane layers by characteristic matrices, electric field along the layers and across the direction of
travel (K. Okamoto, Fundamentals of Optical Waveguides, 2nd ed., Academic Press 2006, chapters 2 and 4; P. Yeh, Optical Waves in
Layered Media, Wiley 1988, chapter 11). Lengths in um.
Run from the project's root: .venv/bin/python papers/coupler/make_data.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402  (the backend must be chosen first)

FOLDER = Path(__file__).resolve().parent
WAVELENGTH, CORE, CLADDING, WIDTH, GAP = 1.55, 2.0, 1.444, 0.40, 0.30
COLOURS = ("#1f3b73", "#b5471b")


def mismatch(index: float, wavelength: float, layers: tuple[tuple[float, float], ...]) -> float:
    """Zero for the effective index of a guided wave of `layers` (refractive index, thickness) in the cladding."""
    k0 = 2 * np.pi / wavelength
    outside = k0 * np.sqrt(index**2 - CLADDING**2)
    field, slope = 1.0 + 0j, outside + 0j
    for n, thickness in layers:
        q = k0 * np.sqrt(complex(index**2 - n**2))
        c, s = np.cosh(q * thickness), np.sinh(q * thickness)
        field, slope = c * field + s / q * slope, q * s * field + c * slope
    return float((slope + outside * field).real)


def effective_indices(layers: tuple[tuple[float, float], ...], wavelength: float = WAVELENGTH) -> list[float]:
    """Effective indices of all guided waves, the highest first."""
    grid = np.linspace(CLADDING + 1e-9, CORE - 1e-9, 3001)
    values = [mismatch(float(n), wavelength, layers) for n in grid]
    found = [brentq(mismatch, grid[i], grid[i + 1], args=(wavelength, layers), xtol=1e-14)
             for i in range(len(grid) - 1) if values[i] * values[i + 1] < 0]
    return [float(n) for n in sorted(found, reverse=True)]


def supermodes(gap: float, wavelength: float = WAVELENGTH, width: float = WIDTH) -> tuple[float, float, float]:
    """(effective index of the even, of the odd supermode, coupling length in um)."""
    even, odd = effective_indices(((CORE, width), (CLADDING, gap), (CORE, width)), wavelength)[:2]
    return even, odd, wavelength / (2 * (even - odd))


def draw_indices(gap: NDArray[np.float64], table: NDArray[np.float64], single: float) -> None:
    """Figure 1: effective indices of the two supermodes against the gap."""
    figure, axes = plt.subplots(figsize=(5.0, 3.6), dpi=130)
    axes.plot(gap, table[:, 0], color=COLOURS[0], lw=1.5, label="even")
    axes.plot(gap, table[:, 1], color=COLOURS[1], lw=1.5, ls="--", label="odd")
    axes.axhline(single, color="0.6", lw=0.8)
    axes.set(xlabel="gap between the cores (µm)", ylabel="effective index", xlim=(gap[0], gap[-1]))
    axes.tick_params(direction="in", top=True, right=True)
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(FOLDER / "figures" / "fig1.png")
    plt.close(figure)


def draw_lengths(gap: NDArray[np.float64], length: NDArray[np.float64]) -> None:
    """Figure 2: coupling length against the gap, on a logarithmic scale."""
    figure, axes = plt.subplots(figsize=(5.0, 3.6), dpi=130)
    axes.semilogy(gap, length, color=COLOURS[0], lw=1.5)
    axes.plot(GAP, supermodes(GAP)[2], "o", color=COLOURS[1], ms=5)
    axes.set(xlabel="gap between the cores (µm)", ylabel="coupling length (µm)", xlim=(gap[0], gap[-1]), ylim=(2, 60))
    axes.tick_params(direction="in", top=True, right=True, which="both")
    axes.grid(which="both", color="0.9")
    figure.tight_layout()
    figure.savefig(FOLDER / "figures" / "fig2.png")
    plt.close(figure)


def main() -> None:
    """Write data/*.csv and figures/*.png, and print the numbers of the text."""
    for folder in ("data", "figures"):
        (FOLDER / folder).mkdir(exist_ok=True)
    alone = effective_indices(((CORE, WIDTH),))
    print("one core alone", alone, "supermodes of the pair", supermodes(GAP))
    gap = np.round(np.linspace(0.1, 0.6, 51), 12)
    table = np.array([supermodes(float(g)) for g in gap])
    for name, header, columns in (("fig1.csv", "gap_um,n_eff_even,n_eff_odd", table[:, :2]),
                                  ("fig2.csv", "gap_um,coupling_length_um", table[:, 2])):
        np.savetxt(FOLDER / "data" / name, np.column_stack([gap, columns]), fmt="%.7g", delimiter=",", comments="",
                   header=header)
    for g in (0.1, 0.2, 0.4, 0.6):
        print(f"gap {g}: length {supermodes(g)[2]:.4f} um")
    print("1.50 um:", supermodes(GAP, 1.50), "1.60 um:", supermodes(GAP, 1.60))
    decay = np.log(table[-1, 2] / table[30, 2]) / (gap[-1] - gap[30])
    print(f"length grows by e over {1 / decay:.4f} um")
    draw_indices(gap, table, alone[0])
    draw_lengths(gap, table[:, 2])


if __name__ == "__main__":
    main()
