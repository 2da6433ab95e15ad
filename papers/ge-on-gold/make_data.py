"""Data and figure of the bundled paper on germanium-coated gold, from the exact theory of layered media.

Theory: characteristic matrix of one absorbing film on an absorbing half-space at normal incidence (M. Born and E. Wolf,
Principles of Optics, section 13.4), fields exp(-i omega t), with the tabulated n and k of main/Ge/Aspnes and
main/Au/Johnson, linearly interpolated.
Run from the project's root: .venv/bin/python papers/ge-on-gold/make_data.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib
import numpy as np
from numpy.typing import NDArray

matplotlib.use("Agg")
FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1]))

from matplotlib import pyplot as plt  # noqa: E402  (the backend must be chosen first)

from tasks.reproduce.materials import load_page  # noqa: E402  (needs the project's root on the path)

THICKNESS_NM = (10, 15, 20)
COLOURS = ("#c0392b", "#7d3c98", "#1f618d")


def reflectance(thickness_um: float, wavelength_um: NDArray[np.float64]) -> NDArray[np.float64]:
    """R of a germanium film on a gold half-space in air at normal incidence, shape of `wavelength_um`."""
    film, metal = load_page("main/Ge/Aspnes").at(wavelength_um), load_page("main/Au/Johnson").at(wavelength_um)
    r1, r2 = (1 - film) / (1 + film), (film - metal) / (film + metal)
    turn = np.exp(4j * np.pi * film * thickness_um / wavelength_um)
    return np.abs((r1 + r2 * turn) / (1 + r1 * r2 * turn)) ** 2


def main() -> None:
    """Write data/fig1.csv and figures/fig1.png."""
    for folder in ("data", "figures"):
        (FOLDER / folder).mkdir(exist_ok=True)
    wavelength_nm = np.linspace(450, 810, 361)
    columns = [reflectance(t / 1000, wavelength_nm / 1000) for t in THICKNESS_NM]
    np.savetxt(FOLDER / "data" / "fig1.csv", np.column_stack([wavelength_nm, *columns]), fmt="%.6f", delimiter=",",
               header="wavelength_nm," + ",".join(f"R_{t}nm" for t in THICKNESS_NM), comments="")
    figure, axes = plt.subplots(figsize=(5.0, 3.6), dpi=130)
    for thickness, column, colour in zip(THICKNESS_NM, columns, COLOURS, strict=True):
        axes.plot(wavelength_nm, column, color=colour, lw=1.5, label=f"{thickness} nm Ge")
        lowest = int(np.argmin(column))
        print(f"{thickness} nm: minimum {column[lowest]:.4f} at {wavelength_nm[lowest]:.0f} nm")
    axes.set(xlabel="wavelength (nm)", ylabel="reflectance", xlim=(450, 810), ylim=(0, 0.8))
    axes.tick_params(direction="in", top=True, right=True)
    axes.legend(frameon=False, fontsize=9)
    figure.tight_layout()
    figure.savefig(FOLDER / "figures" / "fig1.png")


if __name__ == "__main__":
    main()
