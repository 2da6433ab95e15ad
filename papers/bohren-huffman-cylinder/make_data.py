"""Data and figures of the bundled cylinder paper, from the exact partial-wave series.

Series: C. F. Bohren and D. R. Huffman, Absorption and Scattering of Light by Small Particles (Wiley 1983),
section 8.4: infinite circular cylinder in vacuum, plane wave at normal incidence, fields exp(-i omega t).
Run from the project's root: .venv/bin/python papers/bohren-huffman-cylinder/make_data.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
from numpy.typing import NDArray
from scipy.special import h1vp, hankel1, jv, jvp

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402  (the backend must be chosen first)

FOLDER = Path(__file__).resolve().parent
RADIUS_UM, INDEX, LASER_UM = 0.525, 1.55, 0.6328
PARALLEL, PERPENDICULAR = "E along the axis", "E across the axis"
COLOURS = {PARALLEL: "#1f3b73", PERPENDICULAR: "#b5471b"}


def scattering_efficiency(index: float, x: float) -> tuple[float, float]:
    """Q_sca of a cylinder of real `index` in vacuum at size parameter x = 2 pi a / lambda.

    Returns (E along the axis, E across the axis): cross-section per length over the diameter.
    """
    order = np.arange(int(x + 4 * x ** (1 / 3) + 12))
    y = index * x
    inside, slope_inside = jv(order, y), jvp(order, y)
    incident, slope_incident = jv(order, x), jvp(order, x)
    outgoing, slope_outgoing = hankel1(order, x), h1vp(order, x)
    along = (inside * slope_incident - index * slope_inside * incident) / (
        inside * slope_outgoing - index * slope_inside * outgoing
    )
    across = (index * inside * slope_incident - slope_inside * incident) / (
        index * inside * slope_outgoing - slope_inside * outgoing
    )
    weight = np.where(order == 0, 1.0, 2.0)
    return tuple(float(2 / x * np.sum(weight * np.abs(c) ** 2)) for c in (along, across))  # type: ignore[return-value]


def table(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Q_sca at size parameters x (n,): shape (n, 2)."""
    return np.array([scattering_efficiency(INDEX, float(value)) for value in x])


def save(name: str, header: str, x: NDArray[np.float64], q: NDArray[np.float64]) -> None:
    """Write one data file: abscissa and the two efficiencies."""
    rows = np.column_stack([x, q])
    np.savetxt(FOLDER / "data" / name, rows, fmt="%.8g", delimiter=",", header=header, comments="")


def draw(name: str, x: NDArray[np.float64], q: NDArray[np.float64], label: str, laser: bool) -> None:
    """Draw one figure; `laser` marks the two values of the sample calculation."""
    figure, axes = plt.subplots(figsize=(5.0, 3.6), dpi=130)
    for column, (text, colour) in enumerate(COLOURS.items()):
        axes.plot(x, q[:, column], color=colour, lw=1.4, ls="-" if column == 0 else "--", label=text)
        if laser:
            value = scattering_efficiency(INDEX, 2 * np.pi * RADIUS_UM / LASER_UM)[column]
            axes.plot(1000 * LASER_UM, value, "o", color=colour, ms=4)
    axes.set(xlabel=label, ylabel="scattering efficiency $Q_\\mathrm{sca}$", xlim=(x[0], x[-1]))
    axes.set_ylim(bottom=0 if not laser else None)
    axes.tick_params(direction="in", top=True, right=True)
    axes.legend(frameon=False, fontsize=8)
    figure.tight_layout()
    figure.savefig(FOLDER / "figures" / name)
    plt.close(figure)


def main() -> None:
    """Write data/*.csv and figures/*.png."""
    for folder in ("data", "figures"):
        (FOLDER / folder).mkdir(exist_ok=True)
    wavelength_nm = np.linspace(570, 710, 281)
    efficiency = table(2 * np.pi * RADIUS_UM * 1000 / wavelength_nm)
    save("fig1.csv", "wavelength_nm,Q_sca_E_along,Q_sca_E_across", wavelength_nm, efficiency)
    draw("fig1.png", wavelength_nm, efficiency, "wavelength (nm)", laser=True)
    size = np.linspace(0.1, 20, 996)
    efficiency = table(size)
    save("fig2.csv", "size_parameter,Q_sca_E_along,Q_sca_E_across", size, efficiency)
    draw("fig2.png", size, efficiency, "size parameter $2\\pi a/\\lambda$", laser=False)


if __name__ == "__main__":
    main()
