"""Main effects, interaction and simple effects of two crossed factors as contrasts of the means of their cells.

Cells are in the order of the first factor, then the second. A hypothesis is C mu = 0 with independent rows of C over the
unweighted means of the cells: what Type III sums of squares test (Speed, Hocking and Hackney, 1978, JASA 73, 105).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def helmert(k: int) -> np.ndarray:
    """k-1 orthonormal contrasts of k levels, (k-1, k)."""
    rows = []
    for place in range(1, k):
        row = np.zeros(k)
        row[:place], row[place] = 1.0, -place
        rows.append(row / np.sqrt(place * (place + 1)))
    return np.asarray(rows)


def crossed(a: int, b: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Contrasts of the first factor's main effect, the second's, and the interaction, over a x b cells."""
    first, second = np.full((1, a), 1 / a), np.full((1, b), 1 / b)
    return np.kron(helmert(a), second), np.kron(first, helmert(b)), np.kron(helmert(a), helmert(b))


def simple(a: int, b: int) -> list[tuple[int, int, np.ndarray]]:
    """Simple effects: (factor, level of the other factor, contrast)."""
    return [
        *((0, level, np.kron(helmert(a), np.eye(b)[level : level + 1])) for level in range(b)),
        *((1, level, np.kron(np.eye(a)[level : level + 1], helmert(b))) for level in range(a)),
    ]


def quadratic(contrast: np.ndarray, means: np.ndarray, covariance: np.ndarray) -> float:
    """(C m)' (C S C')^-1 (C m). Raises LinAlgError where C S C' has no inverse."""
    at = contrast @ means
    return float(at @ np.linalg.solve(contrast @ covariance @ contrast.T, at))


def invertible(contrast: np.ndarray, covariance: np.ndarray) -> bool:
    """Whether C S C' has an inverse."""
    return int(np.linalg.matrix_rank(contrast @ covariance @ contrast.T)) == len(contrast)


def welch_james(
    contrast: np.ndarray,
    means: Sequence[np.ndarray],
    covariances: Sequence[np.ndarray],
    counts: Sequence[int],
) -> tuple[float, float, float]:
    """F and its degrees of freedom where groups have variances (and covariances) of their own.

    means: of each group, (p,); covariances: of each group's values, (p, p); contrast: over all of them in a row, (r, groups p).
    Source: Johansen (1980), Biometrika 67, 85; for repeated measures Keselman, Carriere and Lix (1993), Journal of Educational
    Statistics 18, 305. Of one factor it is Welch's analysis of variance.
    """
    p, r = len(means[0]), len(contrast)
    sigma = np.zeros((p * len(means), p * len(means)))
    for place, (found, n) in enumerate(zip(covariances, counts, strict=True)):
        sigma[place * p : (place + 1) * p, place * p : (place + 1) * p] = found / n
    middle = sigma @ contrast.T @ np.linalg.solve(contrast @ sigma @ contrast.T, contrast)
    spread = 0.0
    for place, n in enumerate(counts):
        part = np.zeros_like(middle)
        part[:, place * p : (place + 1) * p] = middle[:, place * p : (place + 1) * p]
        spread += (float(np.trace(part @ part)) + float(np.trace(part)) ** 2) / (n - 1)
    a = spread / 2
    t = quadratic(contrast, np.concatenate(means), sigma)
    return t / (r + 2 * a - 6 * a / (r + 2)), float(r), r * (r + 2) / (3 * a)
