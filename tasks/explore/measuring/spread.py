"""From the spread of repeated values to the standard error of their median.

timed: other work on the machine only ever adds, in bursts, so one interrupted run must not decide. Of ten values or more: the
scaled median absolute deviation, which half of them can leave unmoved. Of five to nine that deviation is too uncertain itself
(with Student's t it would call 13 % of equal fives different): the range without the value farthest from the median. Of
fewer: the range. random: each seed is a fair draw, so the standard deviation uses all of them. deterministic: nothing varies.
Source: sqrt(pi/2), efficiency of the median of a normal distribution; 1.4826: P. J. Rousseeuw and C. Croux, J. Am. Stat. Assoc.
88, 1273 (1993); range/d2: W. A. Shewhart; the trimmed range's divisors: its mean over 60 000 normal samples (our simulation).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median, stdev

from schemas.explore.evaluation import Spread
from schemas.explore.goal import MetricKind

_MAD, _MEDIAN = 1.4826, math.sqrt(math.pi / 2)
_RANGE = {2: 1.128, 3: 1.693, 4: 2.059}
_TRIMMED = {5: 1.421, 6: 1.679, 7: 1.915, 8: 2.083, 9: 2.232}


def standard_error(values: Sequence[float], kind: MetricKind) -> tuple[float, Spread]:
    """Standard error of the median of `values`, in their unit, and what it was estimated from. One value has none (0)."""
    n = len(values)
    if n < 2 or kind == "deterministic":
        return 0.0, "none"
    if kind == "random":
        return _MEDIAN * stdev(values) / math.sqrt(n), "standard_deviation"
    if n in _RANGE:
        return _MEDIAN * (max(values) - min(values)) / _RANGE[n] / math.sqrt(n), "range"
    middle = median(values)
    if n in _TRIMMED:
        rest = sorted(values, key=lambda value: abs(value - middle))[:-1]
        return _MEDIAN * (max(rest) - min(rest)) / _TRIMMED[n] / math.sqrt(n), "trimmed_range"
    return _MEDIAN * _MAD * median(abs(value - middle) for value in values) / math.sqrt(n), "scaled_mad"
