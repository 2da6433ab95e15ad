"""Guided modes of a straight guide on the time-domain grid itself: its permittivity, its differences in space and time.

A mode of the continuous guide, or of a permittivity read between grid points (Meep's own mode source), is no mode of the grid: with it a
source lights the guide's other modes too, and an overlap counts some of what is radiated. Transverse fields E (u, v) and H (u, v) of waves
exp(i beta w - i omega t) fulfil B E = P H and B H = Q E with B = 2 sin(beta d/2) / d, d the pixel (as in Rumpf, PIERS B 36, 221 (2012));
fields are zero at the window's rim. w, u, v: axes in cyclic order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import meep as mp
import numpy as np
from scipy import sparse
from scipy.sparse.linalg import eigs

from simkit.runs import Axis, Run, Vector

AXES = "xyz"
MORE = 4  # modes beside those that are asked for
TWINS = 0.02  # of how far a mode is from not being guided: less apart, two are one that the grid split


@dataclass(frozen=True)
class Window:
    """A window across a guide: nodes (first, last) of axes u and v in pixels from the cell's middle, equal where there is no extent."""

    run: Run
    axis: Axis
    center: Vector
    nodes: tuple[tuple[int, int], tuple[int, int]]

    @property
    def across(self) -> tuple[str, str]:
        """Axes u and v."""
        w = AXES.index(self.axis)
        return AXES[(w + 1) % 3], AXES[(w + 2) % 3]

    def places(self, axis: str, half: bool) -> np.ndarray:
        """Coordinates of nodes, or of the points half way between them."""
        first, last = self.nodes[self.across.index(axis)]
        if first == last:
            return np.array([float(self.center[AXES.index(axis)])])
        points = np.arange(first, last) + 0.5 if half else np.arange(first, last + 1)
        return np.asarray(points / self.run.resolution)

    def grid(self, component: str) -> list[np.ndarray]:
        """Coordinates along u and v of the grid points of a transverse field: E lies half way along its own axis, H along the other."""
        return [
            self.places(axis, half=(axis == component[1]) == (component[0] == "E")) for axis in self.across
        ]

    def shape(self, component: str) -> tuple[int, int]:
        """Number of those points along u and v."""
        along, beside = self.grid(component)
        return len(along), len(beside)

    def plane(self) -> tuple[Vector, Vector]:
        """Centre and size, between its outermost nodes."""
        center, size = list(self.center), [0.0] * 3
        for axis, (first, last) in zip(self.across, self.nodes, strict=True):
            if first != last:
                center[AXES.index(axis)] = (first + last) / 2 / self.run.resolution
                size[AXES.index(axis)] = (last - first) / self.run.resolution
        return (center[0], center[1], center[2]), (size[0], size[1], size[2])


@dataclass(frozen=True)
class GuidedMode:
    """beta: radians per length. fields: name of a transverse component -> values (u, v) at its grid points; real, of unit power."""

    window: Window
    beta: float
    fields: dict[str, np.ndarray]

    @property
    def carried(self) -> float:
        """Power across a plane of the grid, where H lies half a pixel beside E, over the power without this distance."""
        return math.cos(self.beta / self.window.run.resolution / 2)

    def amplitude(self, component: str, sign: int) -> Callable[[Any], complex]:
        """Currents that light the mode towards `sign`, of one component, as a function of the place relative to the window's centre."""
        u, v = self.window.across
        factor = {f"E{u}": -sign, f"E{v}": sign, f"H{u}": 1, f"H{v}": -1}[component]
        values = factor * self.fields[self.driven_by(component)]
        along, beside = self.window.grid(component)
        first = [float(points[0]) for points in (along, beside)]
        middle = [self.window.center[AXES.index(axis)] for axis in (u, v)]
        resolution = self.window.run.resolution

        def at(place: Any) -> complex:
            i, j = (
                round((getattr(place, axis) + middle[n] - first[n]) * resolution)
                if values.shape[n] > 1
                else 0
                for n, axis in enumerate((u, v))
            )
            inside = 0 <= i < values.shape[0] and 0 <= j < values.shape[1]
            return complex(values[i, j]) if inside else 0j

        return at

    def driven_by(self, component: str) -> str:
        """The field whose jump across the plane is a current of this component."""
        u, v = self.window.across
        return {"E": "H", "H": "E"}[component[0]] + {u: v, v: u}[component[1]]

    def slope(self, low: GuidedMode, high: GuidedMode, step: float) -> GuidedMode:
        """Its fields' derivative by frequency, from the mode at two frequencies `step` apart."""
        ends = []
        for end in (low, high):
            same = sum(float(np.sum(end.fields[name] * self.fields[name])) for name in self.fields)
            ends.append(math.copysign(1.0, same))
        fields = {
            name: (ends[1] * high.fields[name] - ends[0] * low.fields[name]) / step for name in self.fields
        }
        return GuidedMode(self.window, self.beta, fields)

    def share(self, fields: dict[str, np.ndarray]) -> complex:
        """Amplitude of the mode in transverse E fields (u, v) at its grid points; its square is power."""
        u, v = self.window.across
        parts = ((f"E{u}", f"H{v}", 1), (f"E{v}", f"H{u}", -1))
        total = sum(
            sign * np.sum(fields[e] * self.fields[h])
            for e, h, sign in parts
            if e in fields and h in self.fields
        )
        return complex(total * _area(self.window))


def window(run: Run, axis: Axis, center: Vector, size: Vector) -> Window:
    """The grid's nodes nearest to the ends of a plane."""
    w = AXES.index(axis)
    nodes = []
    for i in ((w + 1) % 3, (w + 2) % 3):
        low, high = (round((center[i] + s * size[i] / 2) * run.resolution) for s in (-1, 1))
        nodes.append((low, high) if size[i] > 0 else (0, 0))
    return Window(run, axis, center, (nodes[0], nodes[1]))


def guided_modes(
    sim: Any, where: Window, frequency: float, parity: str = "", count: int = 1
) -> list[GuidedMode]:
    """The `count` modes of largest beta at a frequency (c/length), largest first, of a parity in Meep's words ('ODD_Z+EVEN_Y'); fewer
    where fewer travel."""
    u, v = where.across
    names = (f"E{u}", f"E{v}")
    p, q = _operators(sim, where, frequency)
    basis = _of_parity(where, names, parity)
    matrix = (basis.T @ p @ q @ basis).tocsc()
    step = where.run.courant / where.run.resolution
    omega = 2 * math.sin(math.pi * frequency * step) / step
    highest = omega**2 * max(float(np.max(_permittivity(sim, where, name, frequency))) for name in names)
    wanted = count + MORE
    if matrix.shape[0] <= 3 * wanted + 2:
        values, vectors = np.linalg.eig(matrix.toarray())
    else:
        values, vectors = eigs(
            matrix, k=wanted, sigma=1.0001 * highest, v0=np.ones(matrix.shape[0]), maxiter=5000
        )
    order = [k for k in np.argsort(-values.real) if values[k].real > 0]
    return [_mode(where, names, float(values[k].real), basis @ vectors[:, k], q) for k in order[:count]]


def grouped(modes: Sequence[GuidedMode], rim: float) -> list[list[GuidedMode]]:
    """Modes that are one but for the grid, together: both polarizations of a round or square guide. rim: beta at the window's rim."""
    out: list[list[GuidedMode]] = []
    for mode in modes:
        if out and out[-1][0].beta - mode.beta < TWINS * max(out[-1][0].beta - rim, 0.0):
            out[-1].append(mode)
        else:
            out.append([mode])
    return out


def rim_index(sim: Any, where: Window, frequency: float) -> float:
    """The highest index at the window's rim: a mode of a lower one is not guided in it."""
    found = 0.0
    for name in (f"E{axis}" for axis in where.across):
        eps = _permittivity(sim, where, name, frequency)
        for side, (first, last) in enumerate(where.nodes):
            if first != last:
                found = max(found, float(np.max(np.take(eps, (0, -1), axis=side))))
    return math.sqrt(found)


def _mode(
    where: Window, names: Sequence[str], squared: float, vector: np.ndarray, q: sparse.spmatrix
) -> GuidedMode:
    u, v = where.across
    largest = vector[int(np.argmax(np.abs(vector)))]
    electric = np.real(vector * (abs(largest) / largest))
    wave = math.sqrt(squared)
    magnetic = q @ electric / wave
    fields: dict[str, np.ndarray] = {}
    for parts, of in (((f"E{u}", f"E{v}"), electric), ((f"H{u}", f"H{v}"), magnetic)):
        shapes = [where.shape(name) for name in parts]
        split = shapes[0][0] * shapes[0][1]
        fields |= {
            name: values.reshape(shape)
            for name, values, shape in zip(parts, (of[:split], of[split:]), shapes, strict=True)
        }
    power = np.sum(fields[f"E{u}"] * fields[f"H{v}"]) - np.sum(fields[f"E{v}"] * fields[f"H{u}"])
    scale = 1 / math.sqrt(abs(float(power)) * _area(where))
    beta = 2 * where.run.resolution * math.asin(min(1.0, wave / (2 * where.run.resolution)))
    return GuidedMode(where, beta, {name: values * scale for name, values in fields.items()})


def _area(where: Window) -> float:
    sides = [1 / where.run.resolution if first != last else 1.0 for first, last in where.nodes]
    return sides[0] * sides[1]


def _operators(sim: Any, where: Window, frequency: float) -> tuple[Any, Any]:
    """P (E from H) and Q (H from E), on vectors (u, v) of transverse components."""
    u, v = where.across
    step = where.run.courant / where.run.resolution
    omega = 2 * math.sin(math.pi * frequency * step) / step
    sizes = [(len(where.places(axis, False)), len(where.places(axis, True))) for axis in (u, v)]
    ahead = [_difference(nodes, halves) * where.run.resolution for nodes, halves in sizes]
    one = [[sparse.identity(number) for number in pair] for pair in sizes]
    eps = {
        name: sparse.diags(_permittivity(sim, where, name, frequency).ravel())
        for name in (f"E{u}", f"E{v}", f"E{where.axis}")
    }
    # Along u and v: from nodes to the points between them, and back.
    u_node, u_half = sparse.kron(ahead[0], one[1][0]), sparse.kron(ahead[0], one[1][1])
    v_node, v_half = sparse.kron(one[0][0], ahead[1]), sparse.kron(one[0][1], ahead[1])
    inverse = sparse.diags(1 / eps[f"E{where.axis}"].diagonal())
    curl = sparse.hstack([v_node.T, -u_node.T])  # of (H_u, H_v), at nodes: -d_v H_u + d_u H_v
    p = sparse.vstack([u_node @ inverse @ curl, v_node @ inverse @ curl]) / omega
    across = sparse.bmat(
        [[None, sparse.identity(u_node.shape[0])], [-sparse.identity(v_node.shape[0]), None]]
    )
    p = p + omega * across
    turn = sparse.hstack([-v_half, u_half])  # of (E_u, E_v): d_u E_v - d_v E_u
    q = sparse.vstack([u_half.T @ turn, v_half.T @ turn]) / omega
    return p, q + omega * sparse.bmat([[None, -eps[f"E{v}"]], [eps[f"E{u}"], None]])


def _difference(nodes: int, halves: int) -> Any:
    if nodes == 1:
        return sparse.csr_matrix((1, 1))
    return sparse.diags([-np.ones(halves), np.ones(halves)], [0, 1], shape=(halves, nodes), format="csr")


def _permittivity(sim: Any, where: Window, component: str, frequency: float) -> np.ndarray:
    """At the grid points (u, v) of a field E: of the medium as the time-domain run has it there, means at faces included."""
    if component[1] == where.axis:
        along = [where.places(axis, False) for axis in where.across]
    else:
        along = where.grid(component)
    w, (i, j) = AXES.index(where.axis), (AXES.index(axis) for axis in where.across)
    found = np.empty((len(along[0]), len(along[1])))
    place = list(where.center)
    place[w] += 0.5 / where.run.resolution if component[1] == where.axis else 0.0
    names = {name: getattr(mp, name) for name in ("X", "Y", "Z")}
    of, direction = getattr(mp, component), names[component[1].upper()]
    for a, first in enumerate(along[0]):
        for b, second in enumerate(along[1]):
            place[i], place[j] = first, second
            vec = mp.py_v3_to_vec(sim.dimensions, mp.Vector3(*place), sim.is_cylindrical)
            found[a, b] = 1 / sim.fields.get_chi1inv(of, direction, vec, frequency).real
    return found


def _of_parity(where: Window, names: Sequence[str], parity: str) -> Any:
    """Columns that span the fields (E_u, E_v) of a parity about the window's middle."""
    words = [word.split("_") for word in parity.split("+") if word]
    flat = {
        axis.upper() for axis, (first, last) in zip(where.across, where.nodes, strict=True) if first == last
    }
    grids = [where.grid(name) for name in names]
    counts = [len(a) * len(b) for a, b in grids]
    offsets = (0, counts[0])
    total = sum(counts)
    basis = sparse.identity(total, format="csr")
    for word, axis in words:
        rows, columns, values = [], [], []
        for number, (name, grid) in enumerate(zip(names, grids, strict=True)):
            even = (word == "EVEN") == (name[1].upper() != axis)
            index = np.arange(counts[number]).reshape(len(grid[0]), len(grid[1]))
            side = where.across.index(axis.lower())
            mirrored = index if axis in flat else np.flip(index, side)
            rows.append(offsets[number] + mirrored.ravel())
            columns.append(offsets[number] + index.ravel())
            values.append(np.full(counts[number], 1.0 if even else -1.0))
        turned = sparse.csr_matrix(
            (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), (total, total)
        )
        halves = (sparse.identity(total, format="csr") + turned) / 2
        basis = _independent(halves @ basis)
    return basis


def _independent(columns: Any) -> Any:
    """Orthonormal columns of the same span, where every two columns are parallel or orthogonal."""
    found = columns.tocsc()
    first: dict[tuple[int, ...], int] = {}
    for number in range(found.shape[1]):
        part = found[:, number]
        part.eliminate_zeros()
        if part.nnz:
            first.setdefault(tuple(sorted(part.indices)), number)
    kept = found[:, sorted(first.values())]
    norms = np.sqrt(np.asarray(kept.multiply(kept).sum(axis=0)).ravel())
    return (kept @ sparse.diags(1 / norms)).tocsr()
