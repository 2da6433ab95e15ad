"""Arithmetic of the Yee grid: whole pixels, and resolutions whose results can be extrapolated."""

from __future__ import annotations

import math
from collections.abc import Sequence

from simkit.errors import GeometryError

TOLERANCE_PX = 1e-6
ALIGNED_PX = 0.02
FARTHEST = 6  # times the resolution asked for
SMALLEST_RATIO = 1.15  # closer resolutions say nothing about convergence


def whole_pixels(length_um: float, resolution: float) -> int:
    """length x resolution as an int; GeometryError with resolutions that fit when it is not whole."""
    pixels = length_um * resolution
    if abs(pixels - round(pixels)) <= TOLERANCE_PX * max(1.0, pixels) and round(pixels) > 0:
        return round(pixels)
    fitting = [
        r for r in range(1, math.ceil(4 * resolution) + 1) if abs(length_um * r - round(length_um * r)) < 1e-6
    ]
    fitting = sorted((r for r in fitting if length_um * r > 0.5), key=lambda r: abs(r - resolution))[:4]
    raise GeometryError(
        f"{length_um:g} um is {pixels:.4f} pixels at resolution {resolution:g}; Meep would round the cell or displace the"
        f" interface. Resolutions that fit: {sorted(fitting) or 'none up to four times this one; scale the lengths'}."
    )


def even_cell(length_um: float, resolution: float) -> float:
    """The smallest cell size >= length_um that is an even number of pixels.

    Then field nodes keep their place relative to the cell centre, to the cell edge and between two runs.
    """
    return 2 * math.ceil(length_um * resolution / 2 - TOLERANCE_PX) / resolution


def aligned_resolutions(edges_um: Sequence[float], around: float, n: int = 3) -> list[int]:
    """n resolutions near `around` at which every edge has the same sub-pixel position: fit for extrapolation.

    edges_um: coordinates of the interfaces measured from a grid node (the cell centre). Whole-pixel positions are
    preferred; neighbours differ by a factor of 1.15 or more. Raises GeometryError when fewer than n exist between
    around/2 and 6 x around.
    """
    candidates = range(max(1, math.floor(around / 2)), math.ceil(FARTHEST * around) + 1)
    best: tuple[tuple[int, float], list[int]] | None = None
    for anchor in range(max(1, math.floor(0.8 * around)), math.ceil(1.25 * around) + 1):
        matching = [
            r for r in candidates if all(_distance(e * r, e * anchor) <= ALIGNED_PX for e in edges_um)
        ]
        whole = all(_distance(e * anchor, 0.0) <= ALIGNED_PX for e in edges_um)
        chosen = _spread(matching, anchor, n)
        score = (len(chosen) + n * whole * (len(chosen) == n), -abs(anchor - around))
        if best is None or score > best[0]:
            best = (score, chosen)
    if best is None or len(best[1]) < n:
        raise GeometryError(
            f"no {n} resolutions between {around / 2:g} and {FARTHEST * around:g} keep the edges {list(edges_um)} um on one"
            " sub-pixel position. Use fewer edges, other n, or state the spread of several resolutions as the error."
        )
    return best[1]


def _distance(a: float, b: float) -> float:
    return abs((a - b + 0.5) % 1.0 - 0.5)


def _spread(matching: list[int], anchor: int, n: int) -> list[int]:
    # Geometric steps up from the anchor: ratios near sqrt(2) make the order of convergence visible.
    chosen = [anchor]
    for step in range(1, n):
        rest = [r for r in matching if all(max(r, c) >= SMALLEST_RATIO * min(r, c) for c in chosen)]
        if not rest:
            break
        ideal = math.log(anchor * 2 ** (step / 2))
        distances = {abs(math.log(r) - ideal): r for r in rest}
        chosen.append(distances[min(distances)])
    return sorted(chosen)
