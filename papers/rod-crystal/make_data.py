"""Data and figures of the bundled paper on a crystal of dielectric rods, by expansion in plane waves.

For E along the rods the product of permittivity and field is expanded directly: |k + G|^2 E = (omega/c)^2 eps E with the exact
Fourier coefficients of a circle (J. D. Joannopoulos, S. G. Johnson, J. N. Winn and R. D. Meade, Photonic Crystals: Molding the
Flow of Light, 2nd ed., Princeton 2008, chapter 2 and appendix D; K. M. Ho, C. T. Chan and C. M. Soukoulis, Phys. Rev. Lett. 65,
3152 (1990)). Lengths in units of the lattice constant a, frequencies in c/a, wave vectors in 2 pi/a.
Run from the project's root: .venv/bin/python papers/rod-crystal/make_data.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.special import j1

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402  (the backend must be chosen first)

FOLDER = Path(__file__).resolve().parent
EPSILON, RADIUS = 8.9, 0.2
CORNERS = ((0.0, 0.0), (0.5, 0.0), (0.5, 0.5), (0.0, 0.0))  # Gamma, X, M, Gamma
BANDS = 4


def bands(k: tuple[float, float], radius: float, highest: int = 12) -> NDArray[np.float64]:
    """Lowest TM frequencies (BANDS,) at one wave vector, with (2 highest + 1)^2 plane waves."""
    n = np.arange(-highest, highest + 1)
    gx, gy = (grid.ravel() for grid in np.meshgrid(n, n, indexing="ij"))
    across = 2 * np.pi * radius * np.hypot(gx[:, None] - gx, gy[:, None] - gy)
    filling = np.pi * radius**2
    circle = np.where(across == 0, filling, 2 * filling * j1(across) / np.where(across == 0, 1.0, across))
    permittivity = (across == 0) + (EPSILON - 1) * circle
    kinetic = np.diag((k[0] + gx) ** 2 + (k[1] + gy) ** 2)
    squares = eigh(kinetic, permittivity, eigvals_only=True, subset_by_index=[0, BANDS - 1])
    return np.sqrt(np.maximum(squares, 0.0))


def path(points: tuple[int, ...]) -> list[tuple[float, float]]:
    """Wave vectors from corner to corner, `points` steps on each side."""
    found = [CORNERS[0]]
    for start, end, count in zip(CORNERS[:-1], CORNERS[1:], points, strict=True):
        steps = np.arange(1, count + 1) / count
        found += [(start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1])) for t in steps]
    return found


def gap(radius: float, highest: int = 12) -> tuple[float, float, float]:
    """(lower edge, upper edge, width over middle in %): band 1 is highest at M, band 2 lowest at X, as figure 1 shows."""
    low, high = bands((0.5, 0.5), radius, highest)[0], bands((0.5, 0.0), radius, highest)[1]
    return float(low), float(high), float(200 * (high - low) / (high + low))


def draw_bands(way: NDArray[np.float64], found: NDArray[np.float64]) -> None:
    """Figure 1: bands along the path, the gap shaded."""
    figure, axes = plt.subplots(figsize=(5.0, 3.8), dpi=130)
    axes.axhspan(found[:, 0].max(), found[:, 1].min(), color="#f2d9a6", lw=0)
    axes.plot(way, found, color="#1f3b73", lw=1.4)
    corners = np.array([0, 0.5, 1.0, 1.0 + np.sqrt(0.5)])
    axes.set_xticks(corners, ["Γ", "X", "M", "Γ"])
    axes.grid(axis="x", color="0.8")
    axes.set(ylabel="frequency $\\omega a/2\\pi c$", xlim=(0, corners[-1]), ylim=(0, 0.8))
    axes.tick_params(direction="in", right=True)
    figure.tight_layout()
    figure.savefig(FOLDER / "figures" / "fig1.png")
    plt.close(figure)


def draw_gap(radius: NDArray[np.float64], ratio: NDArray[np.float64]) -> None:
    """Figure 2: relative size of the gap against the rods' radius."""
    figure, axes = plt.subplots(figsize=(5.0, 3.4), dpi=130)
    axes.plot(radius, ratio, color="#b5471b", lw=1.5)
    axes.set(xlabel="radius of the rods $r/a$", ylabel="gap-midgap ratio (%)", xlim=(radius[0], radius[-1]), ylim=(0, 36))
    axes.tick_params(direction="in", top=True, right=True)
    figure.tight_layout()
    figure.savefig(FOLDER / "figures" / "fig2.png")
    plt.close(figure)


def main() -> None:
    """Write data/*.csv and figures/*.png, and print the numbers of the text."""
    for folder in ("data", "figures"):
        (FOLDER / folder).mkdir(exist_ok=True)
    vectors = np.array(path((16, 16, 23)))
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(vectors, axis=0).T))])
    found = np.array([bands((float(x), float(y)), RADIUS) for x, y in vectors])
    np.savetxt(FOLDER / "data" / "fig1.csv", np.column_stack([way, found]), fmt="%.6f", delimiter=",", comments="",
               header="k_along_path," + ",".join(f"band{n}" for n in range(1, BANDS + 1)))
    assert found[:, 0].argmax() == 32 and found[:, 1].argmin() == 16, "the edges are not where gap() takes them"
    print("edges {:.5f}, {:.5f}, ratio {:.3f} %".format(*gap(RADIUS, 16)))
    radius = np.round(np.linspace(0.1, 0.3, 41), 12)
    ratio = np.array([gap(float(r))[2] for r in radius])
    print(f"ratio: largest {ratio.max():.3f} % at r = {radius[ratio.argmax()]:.3f} a; ends {ratio[0]:.3f}, {ratio[-1]:.3f}")
    np.savetxt(FOLDER / "data" / "fig2.csv", np.column_stack([radius, ratio]), fmt="%.5f", delimiter=",", comments="",
               header="radius,gap_midgap_ratio_percent")
    draw_bands(way, found)
    draw_gap(radius, ratio)


if __name__ == "__main__":
    main()
