"""Data and figures of the bundled paper on a binary phase grating: scalar theory, and rigorous coupled waves beside it.

Scalar theory: D. C. O'Shea, T. J. Suleski, A. D. Kathman and D. W. Prather, Diffractive Optics: Design, Fabrication, and Test
(SPIE Press 2004), chapter 2. Rigorous theory for E along the grooves: M. G. Moharam, E. B. Grann, D. A. Pommet and T. K.
Gaylord, J. Opt. Soc. Am. A 12, 1068 (1995). Lengths in um.
Run from the project's root: .venv/bin/python papers/binary-grating/make_data.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
from numpy.typing import NDArray

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402  (the backend must be chosen first)

FOLDER = Path(__file__).resolve().parent
PERIOD, DEPTH, DUTY, INDEX, DESIGN = 10.0, 0.5, 0.5, 1.5, 0.5
ORDERS = (0, 1, 2, 3, 4, 5, 6, 7)
FRESNEL = 1 - ((INDEX - 1) / (INDEX + 1)) ** 2  # transmittance of the bare surface
COLOURS = ("#1f3b73", "#b5471b")


def rigorous(wavelength: float, highest: int = 60) -> tuple[NDArray[np.float64], float]:
    """(transmitted efficiencies of the orders -highest to highest, total reflectance), light from the glass, E along y."""
    m = np.arange(-highest, highest + 1)
    apart = m[:, None] - m[None, :]
    permittivity = 1.0 * (apart == 0) + (INDEX**2 - 1) * DUTY * np.sinc(apart * DUTY)
    kx = m * wavelength / PERIOD
    glass, air = (np.sqrt(n**2 - kx.astype(complex) ** 2) for n in (INDEX, 1.0))
    squares, modes = np.linalg.eigh(np.diag(kx**2) - permittivity)
    q = np.sqrt(squares.astype(complex))
    q = np.where(q.imag > 0, -q, q)  # exp(-q k0 z) decays or travels towards the air
    slopes, below = modes * q, np.diag(-1j * air)
    turn = np.exp(-q * 2 * np.pi * DEPTH / wavelength)
    back = np.linalg.solve(slopes + below @ modes, slopes - below @ modes)
    inside = np.linalg.inv(modes @ (np.eye(len(m)) + turn[:, None] * back * turn[None, :]))
    surface = slopes @ (np.eye(len(m)) - turn[:, None] * back * turn[None, :]) @ inside
    incident = (m == 0).astype(complex)
    entering = np.diag(-1j * glass)
    r = np.linalg.solve(entering + surface, (entering - surface) @ incident)
    t = modes @ ((np.eye(len(m)) + back) @ (turn * (inside @ (incident + r))))
    return np.abs(t) ** 2 * air.real / INDEX, float(np.sum(np.abs(r) ** 2 * glass.real) / INDEX)


def scalar(order: int, wavelength: float = DESIGN) -> float:
    """Part of the transmitted light in one order of a binary grating of equal widths, thin and wide."""
    phase = 2 * np.pi * (INDEX - 1) * DEPTH / wavelength
    if order == 0:
        return float(np.cos(phase / 2) ** 2)
    return float((2 / (np.pi * order)) ** 2 * np.sin(phase / 2) ** 2) if order % 2 else 0.0


def draw_orders(exact: NDArray[np.float64]) -> None:
    """Figure 1: efficiencies at the design wavelength."""
    figure, axes = plt.subplots(figsize=(5.0, 3.5), dpi=130)
    odd = [m for m in ORDERS if m % 2]
    axes.bar([m - 0.2 for m in odd], [FRESNEL * scalar(m) for m in odd], width=0.4, color=COLOURS[1], label="scalar x 0.96")
    axes.bar([m + 0.2 for m in odd], [exact[m] for m in odd], width=0.4, color=COLOURS[0], label="rigorous")
    axes.set(xlabel="diffraction order", ylabel="efficiency", yscale="log", ylim=(3e-3, 1), xticks=odd)
    axes.legend(frameon=False, fontsize=8)
    figure.tight_layout()
    figure.savefig(FOLDER / "figures" / "fig1.png")
    plt.close(figure)


def draw_spectrum(wavelength: NDArray[np.float64], found: NDArray[np.float64]) -> None:
    """Figure 2: orders 1 and 0 against wavelength, rigorous and scalar."""
    figure, axes = plt.subplots(figsize=(5.0, 3.5), dpi=130)
    for column, (order, colour) in enumerate(zip((1, 0), COLOURS, strict=True)):
        axes.plot(wavelength, found[:, column], color=colour, lw=1.5, label=f"order {order}")
        axes.plot(wavelength, [FRESNEL * scalar(order, float(w)) for w in wavelength], color=colour, lw=0.8, ls="--")
    axes.set(xlabel="wavelength (µm)", ylabel="efficiency", xlim=(wavelength[0], wavelength[-1]), ylim=(0, 0.42))
    axes.tick_params(direction="in", top=True, right=True)
    axes.legend(frameon=False, fontsize=8, loc="center right")
    figure.tight_layout()
    figure.savefig(FOLDER / "figures" / "fig2.png")
    plt.close(figure)


def main() -> None:
    """Write data/*.csv and figures/*.png, and print the numbers of the text."""
    for folder in ("data", "figures"):
        (FOLDER / folder).mkdir(exist_ok=True)
    values, reflected = rigorous(DESIGN)
    exact = values[len(values) // 2:][: len(ORDERS)]
    print(f"R {reflected:.5f}, T {values.sum():.5f}, sum {reflected + values.sum():.8f}")
    for m in ORDERS:
        print(f"order {m}: scalar {scalar(m):.5f}, x {FRESNEL:.2f} {FRESNEL * scalar(m):.5f}, rigorous {exact[m]:.5f}, "
              f"with 161 orders {rigorous(DESIGN, 80)[0][80 + m]:.5f}")
    np.savetxt(FOLDER / "data" / "fig1.csv", np.column_stack([ORDERS, exact]), fmt=("%d", "%.6f"), delimiter=",", comments="",
               header="order,efficiency")
    wavelength = np.round(np.linspace(0.42, 0.58, 81), 9)
    found = np.array([rigorous(float(w))[0][[61, 60]] for w in wavelength])
    best = int(found[:, 0].argmax())
    print(f"order 1 largest {found[best, 0]:.5f} at {wavelength[best]} um; ends {found[0]}, {found[-1]}")
    np.savetxt(FOLDER / "data" / "fig2.csv", np.column_stack([wavelength, found]), fmt="%.6f", delimiter=",", comments="",
               header="wavelength_um,efficiency_order1,efficiency_order0")
    draw_orders(exact)
    draw_spectrum(wavelength, found)


if __name__ == "__main__":
    main()
