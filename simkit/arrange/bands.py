"""The frequencies a band is computed at."""

from __future__ import annotations

from simkit.describe.light import Band

# Of the centre, the narrowest pulse of a band and of a line: a narrower one only costs time, a wider one lights a band's neighbours.
NARROWEST, OF_A_LINE = 0.1, 0.2


def frequencies(band: Band, samples: int) -> tuple[float, ...]:
    """Equally spaced frequencies of a resolved band, c/length, ascending; one for a single line."""
    low, high = band.frequencies()
    if high <= low * (1 + 1e-12) or samples < 2:
        return ((low + high) / 2,)
    return tuple(low + (high - low) * i / (samples - 1) for i in range(samples))


def pulse(band: Band, periodic: bool = False) -> tuple[float, float]:
    """Centre and width of a pulse that lights the whole band, c/length. periodic: what it falls on has diffraction orders, whose
    onsets a wider pulse would light.

    A wide band gets a pulse no wider than itself: what it holds near zero frequency leaves through no absorber and keeps
    a run from ending (measured: 50 times the steps).
    """
    low, high = band.frequencies()
    narrowest = NARROWEST if periodic or high > low * (1 + 1e-12) else OF_A_LINE
    centre, width = (low + high) / 2, high - low
    return centre, max(1.2 * width if 1.2 * width < 0.9 * centre else width, narrowest * centre)
