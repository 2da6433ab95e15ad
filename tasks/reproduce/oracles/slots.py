"""A layer of ideal metal with slots, between expansions in orders: fields of each slot by its own modes, exactly.

Tangential E is matched over the whole period, where it vanishes on the metal, tangential H in the slots alone.
Source: J. A. Porto, F. J. Garcia-Vidal, J. B. Pendry, Phys. Rev. Lett. 83, 2845 (1999), with all modes of a slot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Complex = NDArray[np.inexact[Any]]
Scattering = tuple[Complex, Complex, Complex, Complex]


def slots_of(slices: Sequence[tuple[float, complex | None]]) -> list[tuple[float, float, complex]] | None:
    """(start, width, permittivity) of each slot from -period/2 on, the one across the period's end in one piece.

    None where two media meet in a slot, or where there is no metal.
    """
    period, pieces, at = sum(width for width, _ in slices), [], 0.0
    for width, epsilon in slices:
        pieces.append((at - period / 2, width, epsilon))
        at += width
    first = next((i for i, (_, _, epsilon) in enumerate(pieces) if epsilon is None), None)
    if first is None:
        return None
    found: list[tuple[float, float, complex]] = []
    open_ = False
    for start, width, epsilon in [*pieces[first:], *((s + period, w, e) for s, w, e in pieces[:first])]:
        if epsilon is None:
            open_ = False
            continue
        if open_ and found[-1][2] != epsilon:
            return None
        found[-1:] = (
            [(found[-1][0], found[-1][1] + width, epsilon)]
            if open_
            else [*found[-1:], (start, width, epsilon)]
        )
        open_ = True
    return found


def through_slots(
    k: NDArray[np.float64],
    plain: tuple[Complex, Complex],
    slots: Sequence[tuple[float, float, complex]],
    period: float,
    thickness: float,
    frequency: float,
    across: bool,
    forward: Callable[[Complex], Complex],
) -> Scattering:
    """(reflection, transmission to the front, to the back, reflection from the back) of the layer, the orders on both sides
    being waves of one medium, whose fields and admittances are `plain`."""
    overlap, norm, q, epsilon = _modes(k * frequency, slots, period, frequency, across, forward)
    unit, mine = np.eye(k.size), np.eye(q.size)
    there: Complex
    both: Complex
    passed: Complex
    inside: Complex
    mirrored: Complex
    out: Complex
    if across:  # H is the expansion: E = admittance times (forward - backward)
        there = period * overlap.conj().T / norm[:, None]
        again = overlap * (q / epsilon)[None, :] / plain[1][:, None]
        both = np.linalg.inv(mine + there @ again)
        passed, inside = 2 * both @ there, both @ (there @ again - mine)
        mirrored, out = unit - again @ passed, again @ (mine - inside)
    else:
        there = period * overlap.conj().T * plain[1][None, :] / (norm * q)[:, None]
        both = np.linalg.inv(mine + there @ overlap)
        passed, inside = 2 * both @ there, both @ (mine - there @ overlap)
        mirrored, out = overlap @ passed - unit, overlap @ (mine + inside)
    phase = np.exp(2j * np.pi * frequency * thickness * q)
    turned = np.linalg.inv(
        mine - (phase[:, None] * inside * phase[None, :]) @ inside
    )  # there and back within the slots
    over = out @ turned * phase[None, :] @ passed
    back = mirrored + out @ turned @ (phase[:, None] * inside * phase[None, :]) @ passed
    return back, over, over, back


def _modes(
    lateral: NDArray[np.float64],
    slots: Sequence[tuple[float, float, complex]],
    period: float,
    frequency: float,
    across: bool,
    forward: Callable[[Complex], Complex],
) -> tuple[Complex, NDArray[np.float64], Complex, Complex]:
    """(overlap with the orders (orders, modes), norms, indices along z, permittivities) of all slots' modes."""
    columns, norm, q, media = [], [], [], []
    for start, width, epsilon in slots:
        for m in range(0 if across else 1, max(2, round(lateral.size * width / period))):
            own, turn = m / (2 * width), np.exp(-2j * np.pi * lateral * start)
            parts = [
                width
                * np.exp(1j * np.pi * (sign * own - lateral) * width)
                * np.sinc((sign * own - lateral) * width)
                for sign in (1, -1)
            ]  # integrals of exp(2 pi i (+-own - lateral) x) over the slot
            columns.append(
                turn * (parts[0] + parts[1] if across else (parts[0] - parts[1]) / 1j) / (2 * period)
            )
            norm.append(width if m == 0 else width / 2)
            q.append(epsilon - (own / frequency) ** 2)
            media.append(epsilon)
    table = np.array(columns, complex).reshape(len(columns), lateral.size).T
    return table, np.array(norm), forward(np.array(q, complex)), np.array(media, complex)
