"""Corrections for several tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

Method = Literal["holm", "bonferroni", "bh", "none"]
NAMES = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg", "none": "none"}


def adjusted(values: Sequence[float], method: Method = "holm") -> list[float]:
    """Adjusted p-values in the order given. Holm: family-wise error; bh: false discovery rate. Raises ValueError."""
    p = np.asarray(values, float)
    if p.size and not ((p >= 0) & (p <= 1)).all():
        raise ValueError(f"p-values lie between 0 and 1, found {p.tolist()}")
    m = len(p)
    if method == "none" or m == 0:
        return [float(each) for each in p]
    if method == "bonferroni":
        return [float(each) for each in np.minimum(p * m, 1)]
    order = np.argsort(p, kind="stable")
    if method == "holm":
        stepped = np.maximum.accumulate((m - np.arange(m)) * p[order])
    elif method == "bh":
        stepped = np.minimum.accumulate((m / np.arange(1, m + 1) * p[order])[::-1])[::-1]
    else:
        raise ValueError(f"no correction is called {method}; there are {', '.join(NAMES)}")
    found = np.empty(m)
    found[order] = np.minimum(stepped, 1)
    return found.tolist()
