"""How far guided modes reach beside their guide: of plane films without loss, by their own decay."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.linalg import eigh_tridiagonal

from simkit.arrange.damped_cell import rounded
from simkit.arrange.extent import extent, finite
from simkit.arrange.permittivity import permittivity
from simkit.describe.media import PerfectConductor

FARTHEST = 20.0  # wavelengths beside the films that are looked at
PER_FILM, PER_WAVELENGTH = (
    8,
    24,
)  # steps of a film, and in the densest medium: what a tail is known to does for a cell
MOST = 200_000


def tail_decay(
    bodies: Sequence[Any],
    background: Any,
    along: str,
    polarization: str,
    modes: Sequence[int],
    f: float,
    materials: Mapping[str, Any],
) -> float | None:
    """Decay per length of the modes of these numbers in the films that `bodies` make in two dimensions, beside them where they reach
    farthest; None of modes that are not guided, and where there are no plane films.

    bodies: those that leave along `along`, as they are drawn. f: where the modes reach farthest, the lowest of the band.
    """
    if any(body.type != "block" for body in bodies):
        return None
    axis = 1 - "xyz".index(along)
    spans = [(extent([body])[axis], body.medium) for body in bodies]
    faces = sorted({round(v, 9) for span, _ in spans for v in span if finite(v)})
    if not faces:
        return None
    inner = [(low + high) / 2 for low, high in zip(faces, faces[1:], strict=False)]
    media = []
    for y in (faces[0] - 1.0, *inner, faces[-1] + 1.0):
        drawn = [medium for (low, high), medium in spans if low < y < high]
        media.append(drawn[-1] if drawn else background)
    if any(isinstance(medium, PerfectConductor) for medium in media):
        return None
    eps = tuple(permittivity(medium, f, materials).real for medium in media)
    found = _decays(f, polarization, eps, tuple(faces))
    decays = [found[mode - 1] for mode in modes if mode <= len(found)]
    return rounded(min(decays), 3) if decays else None


@lru_cache(maxsize=4096)
def _decays(
    f: float, polarization: str, eps: tuple[float, ...], faces: tuple[float, ...]
) -> tuple[float, ...]:
    """Of each guided mode the smaller decay per length on its two sides, the highest index first, by finite differences; of films too
    thick to be looked at none: whatever is guided there ends close beside it."""
    k0, clad = 2 * math.pi * f, max(eps[0], eps[-1])
    if min(eps) <= 0 or max(eps) <= clad:
        return ()
    thin = min((high - low for low, high in zip(faces, faces[1:], strict=False)), default=1 / f)
    step = min(thin / PER_FILM, 1 / (f * math.sqrt(max(eps)) * PER_WAVELENGTH))
    reach = FARTHEST / (f * math.sqrt(clad))
    count = math.ceil((faces[-1] - faces[0] + 2 * reach) / step)
    if count > MOST:
        return ()
    edges = faces[0] - reach + step * np.arange(count + 1)
    ends = np.array([edges[0], *faces, max(edges[-1], faces[-1] + step)])

    def mean(values: Sequence[float], at: np.ndarray) -> np.ndarray:
        """Over the steps that begin at these places."""
        whole = np.concatenate([[0.0], np.cumsum(np.asarray(values) * np.diff(ends))])
        return np.asarray(np.interp(at + step, ends, whole) - np.interp(at, ends, whole)) / step

    if polarization == "Ez":
        diagonal, beside = k0**2 * mean(eps, edges[:-1]) - 2 / step**2, np.full(count - 1, step**-2)
    else:  # tangential E sees the mean of the permittivity, normal E that of its inverse
        across = 1 / mean([1 / e for e in eps], edges[:-1])
        tangential = 1 / np.clip(mean(eps, edges - step / 2), min(eps), None)
        diagonal = across * (k0**2 - (tangential[:-1] + tangential[1:]) / step**2)
        beside = np.sqrt(across[:-1] * across[1:]) * tangential[1:-1] / step**2
    guided = (k0**2 * clad, k0**2 * max(eps))
    squares = eigh_tridiagonal(diagonal, beside, eigvals_only=True, select="v", select_range=guided)
    return tuple(float(np.sqrt(square - k0**2 * clad)) for square in sorted(squares, reverse=True))
