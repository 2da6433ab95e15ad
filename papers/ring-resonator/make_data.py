"""Data and figures of the bundled ring-resonator paper, from exact matching of Bessel and Hankel functions.

A ring of index n between radii a and b in vacuum, Ez = u(r) exp(i m phi - 2 pi i f t), is solved by
    u = J_m(k r) for r < a,  A J_m(n k r) + B Y_m(n k r) in the ring,  C H1_m(k r) for r > b,  k = 2 pi f / c,
with u and du/dr continuous (J. A. Stratton, Electromagnetic Theory, 1941, chapter 6: cylindrical waves).
A resonance is a complex f that satisfies all four conditions; Q = Re f / (-2 Im f).
Run from the project's root: .venv/bin/python papers/ring-resonator/make_data.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import newton
from scipy.special import h1vp, hankel1, jv, jvp, yv, yvp

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402  (the backend must be chosen first)

FOLDER = Path(__file__).resolve().parent
INDEX, INNER, OUTER = 3.4, 1.0, 2.0  # radii in units of a = 1 um
BAND = (0.05, 0.25)  # c/a, searched for the first radial order
ORDERS = (2, 3, 4, 5, 6)
PROFILES = (3, 4)
COLOURS = {3: "#1f3b73", 4: "#b5471b"}


def ring_coefficients(m: int, f: complex) -> tuple[complex, complex]:
    """A and B inside the ring for u = J_m(k r) in the hole, from u and du/dr at the inner wall."""
    k = 2 * np.pi * f
    inside, x = INDEX * k, INDEX * k * INNER
    u, slope = jv(m, k * INNER), k * jvp(m, k * INNER)
    wronskian = inside * (jv(m, x) * yvp(m, x) - jvp(m, x) * yv(m, x))
    a = (u * inside * yvp(m, x) - slope * yv(m, x)) / wronskian
    b = (slope * jv(m, x) - u * inside * jvp(m, x)) / wronskian
    return complex(a), complex(b)


def mismatch(f: complex, m: int) -> complex:
    """Zero where the ring's field continues into a purely outgoing wave at the outer wall."""
    k = 2 * np.pi * f
    x, a, b = INDEX * k * OUTER, *ring_coefficients(m, f)
    u = a * jv(m, x) + b * yv(m, x)
    slope = INDEX * (a * jvp(m, x) + b * yvp(m, x))
    return complex(slope / u - h1vp(m, k * OUTER) / hankel1(m, k * OUTER))


def resonance(m: int) -> complex:
    """Complex frequency (c/a) of the resonance of lowest frequency with azimuthal number m in BAND."""
    found: list[complex] = []
    for start in np.linspace(*BAND, 81):
        with np.errstate(all="ignore"):  # iterations that run away overflow and are not kept
            root, result = newton(mismatch, start - 1e-3j, args=(m,), tol=1e-14, full_output=True, disp=False)
        if result.converged and BAND[0] < root.real < BAND[1] and -0.02 < root.imag < 0:
            found.append(complex(root))
    return min(found, key=lambda f: f.real)


def profile(m: int, f: complex, r: NDArray[np.float64]) -> NDArray[np.float64]:
    """|Ez| of the resonance against radius r (n,) in units of a, divided by its maximum over r."""
    k, (a, b) = 2 * np.pi * f, ring_coefficients(m, f)
    ring = a * jv(m, INDEX * k * r) + b * yv(m, INDEX * k * r)
    wall = a * jv(m, INDEX * k * OUTER) + b * yv(m, INDEX * k * OUTER)
    outside = wall / hankel1(m, k * OUTER) * hankel1(m, k * np.maximum(r, OUTER))
    u = np.abs(np.where(r < INNER, jv(m, k * r), np.where(r < OUTER, ring, outside)))
    return np.asarray(u / u.max())


def save(name: str, header: str, columns: list[NDArray[np.float64]]) -> None:
    """Write one data file with a header row."""
    rows = np.column_stack(columns)
    np.savetxt(FOLDER / "data" / name, rows, fmt="%.8g", delimiter=",", header=header, comments="")


def draw_resonances(m: NDArray[np.float64], f: NDArray[np.float64], q: NDArray[np.float64]) -> None:
    """Figure 1: frequency and quality factor against azimuthal number."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(6.2, 3.0), dpi=130)
    left.plot(m, f, "o-", color="#1f3b73", ms=4, lw=1)
    left.set(xlabel="azimuthal number $m$", ylabel="frequency ($c/a$)")
    right.semilogy(m, q, "s-", color="#b5471b", ms=4, lw=1)
    right.set(xlabel="azimuthal number $m$", ylabel="quality factor $Q$")
    for axes, text in ((left, "(a)"), (right, "(b)")):
        axes.set_xticks(m)
        axes.tick_params(direction="in", top=True, right=True, which="both")
        axes.text(0.06, 0.9, text, transform=axes.transAxes)
    figure.tight_layout()
    figure.savefig(FOLDER / "figures" / "fig1.png")
    plt.close(figure)


def draw_profiles(r: NDArray[np.float64], profiles: dict[int, NDArray[np.float64]]) -> None:
    """Figure 2: field against radius, the ring shaded."""
    figure, axes = plt.subplots(figsize=(5.0, 3.4), dpi=130)
    axes.axvspan(INNER, OUTER, color="0.88", lw=0)
    for m, values in profiles.items():
        axes.plot(r, values, color=COLOURS[m], lw=1.4, ls="-" if m == 3 else "--", label=f"$m = {m}$")
    axes.set(xlabel="radius $r/a$", ylabel="$|E_z|$ / maximum", xlim=(0, r[-1]), ylim=(0, 1.05))
    axes.tick_params(direction="in", top=True, right=True)
    axes.legend(frameon=False, fontsize=8)
    figure.tight_layout()
    figure.savefig(FOLDER / "figures" / "fig2.png")
    plt.close(figure)


def main() -> None:
    """Write data/*.csv and figures/*.png, and print the resonances."""
    for folder in ("data", "figures"):
        (FOLDER / folder).mkdir(exist_ok=True)
    found = {m: resonance(m) for m in ORDERS}
    m = np.array(ORDERS, dtype=float)
    f = np.array([found[order].real for order in ORDERS])
    q = np.array([found[order].real / (-2 * found[order].imag) for order in ORDERS])
    for order, frequency, quality in zip(ORDERS, f, q, strict=True):
        print(f"m = {order}: f = {frequency:.7f} c/a, Q = {quality:.3f}")
    save("fig1.csv", "m,frequency,quality_factor", [m, f, q])
    r = np.round(np.linspace(0.05, 4.0, 159), 12)
    profiles = {order: profile(order, found[order], r) for order in PROFILES}
    save("fig2.csv", "r_um," + ",".join(f"abs_Ez_m{order}" for order in PROFILES), [r, *profiles.values()])
    draw_resonances(m, f, q)
    draw_profiles(r, profiles)


if __name__ == "__main__":
    main()
