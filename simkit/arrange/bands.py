"""The frequencies a band is computed at."""

from __future__ import annotations

from simkit.describe.light import Band

NARROWEST = 0.1  # of the centre: a narrower pulse only costs time


def frequencies(band: Band, samples: int) -> tuple[float, ...]:
    """Equally spaced frequencies of a resolved band, c/length, ascending; one for a single line."""
    low, high = band.frequencies()
    if high <= low * (1 + 1e-12) or samples < 2:
        return ((low + high) / 2,)
    return tuple(low + (high - low) * i / (samples - 1) for i in range(samples))


def pulse(band: Band) -> tuple[float, float]:
    """Centre and width of a pulse that lights the whole band, c/length.

    A wide band gets a pulse no wider than itself: what it holds near zero frequency leaves through no absorber and keeps
    a run from ending (measured: 50 times the steps).
    """
    low, high = band.frequencies()
    centre, width = (low + high) / 2, high - low
    return centre, max(1.2 * width if 1.2 * width < 0.9 * centre else width, NARROWEST * centre)
