"""Waves in a plane by bilinear finite elements on a square grid, at one frequency: the field u along z, E or H.

div(a grad u) + k^2 b u = 0, with a = 1 and b = eps for E, a = 1/eps and b = 1 for H; fields go as exp(-i omega t). Products in an element
are integrated so that the phase error in a homogeneous medium is of fourth order. A cell that a face cuts has the mean permittivity, for H
the tensor of means along and across the face. Around all lie stretched coordinates that absorb. What comes in, a guided mode or a plane
wave, solves the same discrete equations exactly and is taken off outside a region; power is a sum over the matrix's entries between two
sets of nodes, which the discrete equations keep exactly. So nothing is left open but the grid and the absorber.

Sources: M. N. Guddati, B. Yue, Comput. Methods Appl. Mech. Eng. 193, 275 (2004) (integration); A. Farjadpour et al., Opt. Lett. 31, 2972
(2006) (means); A. Taflove, S. C. Hagness, "Computational Electrodynamics" (2005), chapter 5 (total and scattered fields). Plain numbers,
numpy and SciPy only: this runs alone in the sandbox.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.linalg import LinearOperator, eigs, splu

Complex = NDArray[np.inexact[Any]]
Array = NDArray[np.float64]
Nodes = NDArray[np.int64]
ATTENUATED = 11.0  # nepers of amplitude, through the absorber and back, of a wave that meets it upright
WRONG = 1e-8  # residual over what drives the field, at most
LOST = 1e-2  # of a guided mode's amplitude over a radian of its way, at most
BESIDES = 4  # modes that are computed beyond those that may be guided

_STIFF = np.array([[1.0, -1.0], [-1.0, 1.0]])
_MASS = np.array([[5.0, 1.0], [1.0, 5.0]]) / 12
_SLOPE = np.array([[-0.5, -0.5], [0.5, 0.5]])
_XX, _YY, _BOTH = np.kron(_STIFF, _MASS), np.kron(_MASS, _STIFF), np.kron(_MASS, _MASS)
_XY = np.kron(_SLOPE, _SLOPE.T) + np.kron(_SLOPE.T, _SLOPE)


class NoField(ArithmeticError):
    """The equations were not solved well enough."""


@dataclass(frozen=True)
class Cells:
    """Of each cell (nx, ny): a along x, along y, and mixed; b. side: k times a cell's side."""

    xx: Complex
    yy: Complex
    xy: Complex
    b: Complex
    side: float


@dataclass(frozen=True)
class Mode:
    """u (n,) across a guide, its power 1; turn: its factor from node to node along its way."""

    u: Complex
    turn: complex


def cells(share: Array, epsilon: Complex, polarization: str, side: float) -> Cells:
    """share (media, nx, ny): of each cell's area what is of each medium."""
    mean, inverse = np.tensordot(epsilon, share, 1), np.tensordot(1 / epsilon, share, 1)
    one, none = np.ones_like(mean), np.zeros_like(mean)
    if polarization == "Ez":
        return Cells(one, one, none, mean, side)
    x, y = _across(mean.real)
    step = 1 / mean - inverse  # across a face, less along it
    return Cells(inverse + step * x * x, inverse + step * y * y, step * x * y, one, side)


def _across(values: Array) -> tuple[Array, Array]:
    """The direction of a cell-wise function's gradient (nx, ny); none where there is no gradient."""
    rough = np.pad(values, 1, mode="edge")
    smooth = rough[:, :-2] + 2 * rough[:, 1:-1] + rough[:, 2:]
    x = smooth[2:] - smooth[:-2]
    smooth = rough[:-2] + 2 * rough[1:-1] + rough[2:]
    y = smooth[:, 2:] - smooth[:, :-2]
    size = np.hypot(x, y)
    size = np.where(size > 0, size, 1)
    return x / size, y / size


def stretched(count: int, absorbing: tuple[int, int], side: float, index: float) -> Complex:
    """How much longer each cell along an axis is, (count,); absorbing: cells at its two ends; index: of the waves there."""
    loss = np.zeros(count)
    for n, ends in zip(absorbing, (loss[::-1], loss), strict=True):
        if n:
            depth = (np.arange(n) + 0.5) / n
            ends[count - n :] = 3 * depth**2 * ATTENUATED / (2 * index * side * n)
    return 1 + 1j * loss


def matrix(of: Cells, sx: Complex, sy: Complex) -> csr_array:
    """The symmetric matrix over the nodes (nx + 1, ny + 1) of cells stretched by sx (nx,) and sy (ny,)."""
    nx, ny = of.b.shape
    ratio = sy[None, :] / sx[:, None]
    mass = of.side**2 * of.b * sx[:, None] * sy[None, :]
    parts = ((of.xx * ratio, _XX), (of.yy / ratio, _YY), (of.xy, _XY), (-mass, _BOTH))
    local = np.zeros((nx, ny, 4, 4), complex)
    for values, own in parts:
        local += values[:, :, None, None] * own
    node = np.arange((nx + 1) * (ny + 1)).reshape(nx + 1, ny + 1)
    corners = np.stack([node[:-1, :-1], node[:-1, 1:], node[1:, :-1], node[1:, 1:]], axis=-1)
    row, column = np.broadcast_arrays(corners[:, :, :, None], corners[:, :, None, :])
    return csr_array(coo_array((local.ravel(), (row.ravel(), column.ravel())), shape=(node.size,) * 2))


def lit(a: csr_array, u: Complex, inside: Array) -> Complex:
    """The field (n,) with a wave u coming in that is part of it in the nodes `inside` (0 or 1) alone. Raises NoField."""
    drive = a @ (inside * u) - inside * (a @ u)
    factors = splu(
        a.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
    )
    out = np.zeros(drive.size, complex)
    for _ in range(2):
        out += factors.solve(drive - a @ out)
    if not np.linalg.norm(drive - a @ out) <= WRONG * np.linalg.norm(drive):
        raise NoField("the elimination lost the solution")
    return out


def passed(a: csr_array, u: Complex, here: Nodes, there: Nodes) -> float:
    """Power that goes from some nodes over to others, in the unit of modes and plane waves."""
    return -float(np.vdot(u[here], a[here][:, there] @ u[there]).imag)


def modes(d: csr_array, c: csr_array, densest: float, around: float, count: int) -> list[Mode]:
    """Modes of a guide whose nodes across satisfy d u + c (u before + u behind) = 0, that of the highest index first.

    densest: k times a cell's side and the highest index; around: phase from node to node of light in the medium at the ends, which is
    slower in a guided mode; count: of modes, at most. A tail in the absorber is the tail behind it, at complex places.
    """
    start = 2 * np.cos(densest)
    factors = splu((d + start * c).tocsc())
    operator = LinearOperator(d.shape, matvec=lambda v: factors.solve(c @ v), dtype=complex)
    first = np.random.default_rng(0).standard_normal(d.shape[0]).astype(complex)
    found, vectors = eigs(operator, k=min(count + BESIDES, d.shape[0] - 2), v0=first)
    out = []
    for value, u in zip(found, vectors.T, strict=True):
        phase = complex(np.arccos((start - 1 / value) / 2 + 0j))
        if phase.real > around and abs(phase.imag) <= LOST * phase.real:
            power = -(u @ (c @ u)) * np.sin(phase.real)
            out.append(Mode(u / np.sqrt(power), complex(np.exp(1j * phase))))
    return sorted(out, key=lambda mode: -float(np.angle(mode.turn)))


def amplitude(c: csr_array, mode: Mode, u: Complex, beyond: Complex) -> complex:
    """Of a mode that goes on, at a line across its guide, without what comes back; u (n,) there and at the next one."""
    here, there = (complex(mode.u @ (c @ one) / (mode.u @ (c @ mode.u))) for one in (u, beyond))
    return (there - here / mode.turn) / (mode.turn - 1 / mode.turn)


def plane_wave(side: float, epsilon: complex, polarization: str) -> tuple[complex, float]:
    """(factor from node to node, power through the line of one node) of a wave of amplitude 1 along an axis of the grid."""
    q = side**2 * epsilon
    turn = np.exp(1j * np.arccos((1 - 5 * q / 12) / (1 + q / 12) + 0j))
    a, b = (1.0, epsilon) if polarization == "Ez" else (1 / epsilon, 1.0)
    return complex(turn), float(((a + side**2 * b / 12) * turn).imag)


def line(node: Nodes, axis: int, at: int) -> Any:
    """The nodes of a grid (nx + 1, ny + 1) across an axis."""
    return node[at] if axis == 0 else node[:, at]
