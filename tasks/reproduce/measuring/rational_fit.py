"""An analytic function from values at some points: the AAA algorithm.

Source: Y. Nakatsukasa, O. Sete, L. N. Trefethen, SIAM J. Sci. Comput. 40, A1494 (2018).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Complex = NDArray[np.complex128]


def continued(points: Complex, values: Complex, at: Complex, good: float) -> Complex:
    """Values (m,) at points `at` of the rational function that misses values (n,) at `points` by less than `good` of their largest."""
    left = np.ones(points.size, bool)
    chosen: list[int] = []
    weights = np.ones(1, complex)
    miss = np.asarray(np.abs(values - values.mean()), float)
    for _ in range(max(1, points.size // 2)):
        chosen.append(int(np.argmax(np.where(left, miss, -1))))
        left[chosen[-1]] = False
        if not left.any():
            break
        cauchy = 1 / (points[left, None] - points[chosen][None])
        loewner = values[left, None] * cauchy - cauchy * values[chosen][None]
        weights = np.asarray(np.linalg.svd(loewner)[2][-1].conj(), complex)
        miss = np.zeros(points.size, float)
        miss[left] = np.abs(cauchy @ (weights * values[chosen]) / (cauchy @ weights) - values[left])
        if miss.max() <= good * np.abs(values).max():
            break
    gap = at[:, None] - points[chosen][None]
    hit = gap == 0
    near = 1 / np.where(hit, 1, gap)
    found = near @ (weights * values[chosen]) / (near @ weights)
    return np.asarray(np.where(hit.any(axis=1), values[chosen][np.argmax(hit, axis=1)], found))
