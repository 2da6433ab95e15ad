"""Data and figures of the bundled paper on a guided-mode resonance filter, by rigorous coupled waves.

Theory for E along the lines: M. G. Moharam, E. B. Grann, D. A. Pommet and T. K. Gaylord, J. Opt. Soc. Am. A 12, 1068 (1995);
carried from the substrate to the cover as an admittance, which stays finite at any thickness. Lengths in nm.
Run from the project's root: .venv/bin/python papers/guided-resonance/make_data.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize_scalar

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402  (the backend must be chosen first)

FOLDER = Path(__file__).resolve().parent
PERIOD, THICKNESS, FILL = 300.0, 150.0, 0.5
HIGH, LOW, SUBSTRATE = 2.0, 1.6, 1.52
OTHERS = (125.0, 175.0)  # thicknesses of figure 2
COLOURS = ("#1f3b73", "#b5471b")


def reflectance(wavelength: float, thickness: float = THICKNESS, highest: int = 10) -> float:
    """Reflected over incident power in air at normal incidence, all orders, with 2 highest + 1 of them kept."""
    m = np.arange(-highest, highest + 1)
    apart = m[:, None] - m[None, :]
    bars = FILL * np.sinc(apart * FILL)
    permittivity = LOW**2 * (apart == 0) + (HIGH**2 - LOW**2) * bars
    kx = m * wavelength / PERIOD

    def admittance(index: float) -> NDArray[np.complex128]:
        return -1j * np.sqrt(index**2 - kx.astype(complex) ** 2)

    squares, modes = np.linalg.eigh(np.diag(kx**2) - permittivity)
    q = np.sqrt(squares.astype(complex))
    q = np.where(q.imag > 0, -q, q)
    below = np.diag(admittance(SUBSTRATE))
    slopes = modes * q
    turn = np.exp(-q * 2 * np.pi * thickness / wavelength)
    back = np.linalg.solve(slopes + below @ modes, slopes - below @ modes)
    echo = turn[:, None] * back * turn[None, :]
    one = np.eye(len(m))
    surface = slopes @ (one - echo) @ np.linalg.inv(one + echo) @ np.linalg.inv(modes)
    cover = np.diag(admittance(1.0))
    incident = (m == 0).astype(complex)
    r = np.linalg.solve(cover + surface, (cover - surface) @ incident)
    power = np.sqrt(np.maximum(1.0 - kx**2, 0.0))
    return float(np.sum(np.abs(r) ** 2 * power))


def resonance(thickness: float = THICKNESS, guess: float = 480.0) -> tuple[float, float, float]:
    """(wavelength of the peak, its reflectance, full width at half of it), in nm."""
    grid = np.linspace(guess - 20, guess + 20, 401)
    best = grid[int(np.argmax([reflectance(float(w), thickness) for w in grid]))]
    found = minimize_scalar(lambda w: -reflectance(w, thickness), bounds=(best - 0.3, best + 0.3), method="bounded",
                            options={"xatol": 1e-7})
    peak, height = float(found.x), -float(found.fun)
    low, high = (brentq(lambda w: reflectance(w, thickness) - height / 2, peak, peak + side, xtol=1e-7) for side in (-15, 15))
    return peak, height, float(high - low)


def background(wavelength: float) -> float:
    """Reflectance of a plain film of the layer's mean permittivity in the place of the grating."""
    n = np.sqrt(FILL * HIGH**2 + (1 - FILL) * LOW**2)
    r1, r2 = (1 - n) / (1 + n), (n - SUBSTRATE) / (n + SUBSTRATE)
    turn = np.exp(4j * np.pi * n * THICKNESS / wavelength)
    return float(abs((r1 + r2 * turn) / (1 + r1 * r2 * turn)) ** 2)


def draw(name: str, curves: dict[str, tuple[str, NDArray[np.float64]]], x: NDArray[np.float64]) -> None:
    """One figure; curves: label -> (line style, values)."""
    figure, axes = plt.subplots(figsize=(5.0, 3.6), dpi=130)
    for (label, (style, values)), colour in zip(curves.items(), COLOURS, strict=False):
        axes.plot(x, values, color=colour, lw=1.4 if style != "--" else 1.0, ls=style, label=label)
    axes.set(xlabel="wavelength (nm)", ylabel="reflectance", xlim=(x[0], x[-1]), ylim=(0, 1.05))
    axes.tick_params(direction="in", top=True, right=True)
    axes.legend(frameon=False, fontsize=8)
    figure.tight_layout()
    figure.savefig(FOLDER / "figures" / name)
    plt.close(figure)


def save(name: str, header: str, *columns: NDArray[np.float64]) -> None:
    """Write one data file."""
    np.savetxt(FOLDER / "data" / name, np.column_stack(columns), fmt="%.7g", delimiter=",", comments="", header=header)


def main() -> None:
    """Write data/*.csv and figures/*.png, and print the numbers of the text."""
    for folder in ("data", "figures"):
        (FOLDER / folder).mkdir(exist_ok=True)
    for thickness, guess in ((THICKNESS, 480.0), *zip(OTHERS, (468.0, 486.0), strict=True)):
        peak, height, width = resonance(thickness, guess)
        print(f"{thickness:.0f} nm: peak {peak:.4f} nm, R {height:.6f}, width {width:.4f} nm, Q {peak / width:.2f}")
    peak = resonance()[0]
    wavelength = np.round(np.linspace(462, 500, 381), 9)
    found = np.array([reflectance(float(w)) for w in wavelength])
    film = np.array([background(float(w)) for w in wavelength])
    above = wavelength > peak
    lowest = found[above].argmin()
    print(f"minimum {found[above][lowest]:.5f} at {wavelength[above][lowest]} nm; ends {found[0]:.4f}, {found[-1]:.4f}; film "
          f"{film[0]:.4f} to {film[-1]:.4f}")
    print(f"R at 475 nm with 21 and 31 orders: {reflectance(475.0):.6f}, {reflectance(475.0, highest=15):.6f}")
    save("fig1.csv", "wavelength_nm,reflectance", wavelength, found)
    draw("fig1.png", {"grating": ("-", found), "plain film": ("--", film)}, wavelength)
    thin, thick = (np.array([reflectance(float(w), t) for w in wavelength]) for t in OTHERS)
    save("fig2.csv", "wavelength_nm," + ",".join(f"R_{t:.0f}nm" for t in OTHERS), wavelength, thin, thick)
    draw("fig2.png", {f"{OTHERS[0]:.0f} nm": ("-", thin), f"{OTHERS[1]:.0f} nm": ("-", thick)}, wavelength)


if __name__ == "__main__":
    main()
