"""Data and figures of the bundled paper on a line of dipoles before a mirror, from the method of images.

Power of a source over its power alone, with x = 2 k h: dipoles along their line 1 - J0(x); across the line and along the mirror
1 - J0(x) + J2(x); perpendicular to the mirror 1 + J0(x) + J2(x) = 1 + 2 J1(x)/x. They follow from the angular
pattern of source and image (K. H. Drexhage, J. Lumin. 1-2, 693 (1970), in two dimensions). In three dimensions, for
comparison: R. R. Chance, A. Prock and R. Silbey, Adv. Chem. Phys. 37, 1 (1978). Lengths in nm.
Run from the project's root: .venv/bin/python papers/dipole-mirror/make_data.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.special import j0, jn_zeros, jv

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402  (the backend must be chosen first)

FOLDER = Path(__file__).resolve().parent
WAVELENGTH = 600.0
COLOURS = ("#1f3b73", "#b5471b", "#3a7d44")


def rates(distance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Relative emission rates at distances (n,): columns along the line, along the mirror, perpendicular to it; (n, 3)."""
    x = 4 * np.pi * np.asarray(distance, float) / WAVELENGTH
    return np.column_stack([1 - j0(x), 1 - j0(x) + jv(2, x), 1 + j0(x) + jv(2, x)])


def by_integration(distance: float) -> NDArray[np.float64]:
    """The same at one distance from the interference of source and image in every direction; (3,)."""
    kh = 2 * np.pi * distance / WAVELENGTH
    patterns = ((lambda t: 1.0, -1), (lambda t: np.cos(t) ** 2, -1), (lambda t: np.sin(t) ** 2, 1))  # t from the normal
    found = []
    for pattern, sign in patterns:
        alone = quad(pattern, -np.pi, np.pi)[0]
        def interfering(t: float, pattern=pattern, sign=sign) -> float:  # type: ignore[no-untyped-def]
            return float(pattern(t) * abs(1 + sign * np.exp(2j * kh * np.cos(t))) ** 2)
        found.append(quad(interfering, -np.pi / 2, np.pi / 2)[0] / alone)
    return np.array(found)


def point_dipole(distance: float) -> tuple[float, float]:
    """In three dimensions: (perpendicular, along the mirror)."""
    x = 4 * np.pi * distance / WAVELENGTH
    return (float(1 - 3 * (np.cos(x) / x**2 - np.sin(x) / x**3)),
            float(1 - 1.5 * (np.sin(x) / x + np.cos(x) / x**2 - np.sin(x) / x**3)))


def draw(name: str, distance: NDArray[np.float64], curves: list[tuple[str, str, NDArray[np.float64]]]) -> None:
    """One figure of relative rates against distance; curves: (label, line style, values)."""
    figure, axes = plt.subplots(figsize=(5.0, 3.5), dpi=130)
    axes.axhline(1, color="0.7", lw=0.8)
    for (label, style, values), colour in zip(curves, COLOURS, strict=False):
        axes.plot(distance, values, color=colour, lw=1.5, ls=style, label=label)
    axes.set(xlabel="distance from the mirror (nm)", ylabel="relative emission rate", xlim=(distance[0], distance[-1]),
             ylim=(0, 2.1))
    axes.tick_params(direction="in", top=True, right=True)
    axes.legend(frameon=False, fontsize=8)
    figure.tight_layout()
    figure.savefig(FOLDER / "figures" / name)
    plt.close(figure)


def main() -> None:
    """Write data/*.csv and figures/*.png, and print the numbers of the text."""
    for folder in ("data", "figures"):
        (FOLDER / folder).mkdir(exist_ok=True)
    for h in (60.0, 120.0, 360.0):
        print(f"{h:.0f} nm: rates {np.round(rates(np.array([h]))[0], 5)}, by integration {np.round(by_integration(h), 5)}; "
              f"three dimensions {np.round(point_dipole(h), 5)}")
    to_nm = WAVELENGTH / (4 * np.pi)
    highest, lowest = jn_zeros(1, 1)[0] * to_nm, jn_zeros(2, 1)[0] * to_nm
    print(f"along the line: maximum {rates(np.array([highest]))[0, 0]:.5f} at {highest:.3f} nm; perpendicular: minimum "
          f"{rates(np.array([lowest]))[0, 2]:.5f} at {lowest:.3f} nm")
    distance = np.linspace(60.0, 360.0, 101)
    found = rates(distance)
    np.savetxt(FOLDER / "data" / "fig1.csv", np.column_stack([distance, found[:, 0]]), fmt="%.7g", delimiter=",",
               comments="", header="distance_nm,rate_along_line")
    np.savetxt(FOLDER / "data" / "fig2.csv", np.column_stack([distance, found[:, 1:]]), fmt="%.7g", delimiter=",",
               comments="", header="distance_nm,rate_along_mirror,rate_perpendicular")
    draw("fig1.png", distance, [("along the line", "-", found[:, 0])])
    draw("fig2.png", distance, [("along the mirror", "-", found[:, 1]), ("perpendicular", "--", found[:, 2])])


if __name__ == "__main__":
    main()
