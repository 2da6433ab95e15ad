"""Guides of plane films in pieces along x, E along z: the modes of each piece, matched at the faces between them.

y is bounded by ideal mirrors far away behind stretched coordinates (a PML), where radiated light dies; fields are sums of sines.
Source: P. Bienstman, R. Baets, Opt. Quantum Electron. 33, 327 (2001).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eig, expm, sqrtm

Complex = NDArray[np.complex128]
CLEAR, ABSORBER, STRENGTH = (
    0.7,
    1.0,
    2.0,
)  # wavelengths beside the guide, wavelengths of stretched coordinates, largest slope of Im y
GUIDED = 1e-4  # imaginary part of an index


@dataclass(frozen=True)
class Section:
    """Films about y = 0: (full width, permittivity), the widest first, in a medium."""

    outside: float
    films: tuple[tuple[float, float], ...]


def through(
    f: float, sections: Sequence[Section], lengths: Sequence[float], count: int = 200
) -> tuple[float, float]:
    """(R, T) of the first guided mode of the first section, which is also the last one; lengths of the sections between.

    Waves go on as exp(i k S x) with a square root S of each section's matrix, never by its eigenvectors: stretched coordinates make
    them nearly parallel.
    """
    widest = max(width for section in sections for width, _ in section.films)
    half = widest / 2 + (CLEAR + ABSORBER) / f
    matrices = [_matrix(f, section, half, count) for section in sections]
    roots = [
        np.exp(0.25j * np.pi) * sqrtm(-1j * matrix) for matrix in matrices
    ]  # of each index the one that decays, or goes on
    unit = np.eye(len(matrices[0]), dtype=complex)
    reflected, passed = np.zeros_like(unit), unit
    for i in range(len(sections) - 2, -1, -1):
        if i + 2 < len(sections):  # through the section behind this face
            turn = expm(2j * np.pi * f * lengths[i] * roots[i + 1])
            reflected, passed = turn @ reflected @ turn, passed @ turn
        one, other = (
            unit + reflected,
            np.linalg.solve(roots[i], roots[i + 1] @ (unit - reflected)),
        )  # E, and H over S here
        to = np.linalg.inv((one + other) / 2)
        reflected, passed = (one - other) / 2 @ to, passed @ to
    squares, left, right = eig(matrices[0], left=True)
    first = int(np.argmax(np.where(np.abs(squares.imag) < GUIDED, squares.real, 0)))
    u, v = left[:, first].conj(), right[:, first]
    return tuple(float(abs(u @ matrix @ v / (u @ v)) ** 2) for matrix in (reflected, passed))  # type: ignore[return-value]


@lru_cache(maxsize=8)
def _matrix(f: float, section: Section, half: float, count: int) -> Complex:
    """Whose eigenvalues are the squares of the indices of even modes, on cosines (count / 2, count / 2)."""
    clear = half - ABSORBER / f
    edges = sorted({0.0, clear, half, *(w / 2 for w, _ in section.films)})
    nodes, weights = np.polynomial.legendre.leggauss(max(40, int(1.2 * count)))
    y = np.concatenate([(b - a) / 2 * nodes + (a + b) / 2 for a, b in zip(edges, edges[1:], strict=False)])
    w = np.concatenate([(b - a) / 2 * weights for a, b in zip(edges, edges[1:], strict=False)])
    stretch = 1 + 1j * STRENGTH * (np.maximum(y - clear, 0) / (half - clear)) ** 2
    epsilon = np.full(y.size, section.outside)
    for width, value in section.films:
        epsilon[y < width / 2] = value
    odd = (np.arange(count // 2) + 0.5) * np.pi / half  # cosines that vanish at `half`
    value, slope = np.cos(np.outer(y, odd)), -odd * np.sin(np.outer(y, odd))
    metric = value.T @ ((w * stretch)[:, None] * value)
    stiff = slope.T @ ((w / stretch)[:, None] * slope)
    mass = value.T @ ((w * stretch * epsilon)[:, None] * value)
    return np.asarray(np.linalg.solve(metric, mass - stiff / (2 * np.pi * f) ** 2))
