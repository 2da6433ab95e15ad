"""The frequencies a band is computed at."""

from __future__ import annotations

import math

from simkit.describe.light import Band

# Of the centre, the narrowest pulse of a band and of a line: a narrower one only costs time, a wider one lights a band's neighbours.
NARROWEST, OF_A_LINE = 0.1, 0.2
# Of the centre, a band over which a guided mode keeps its shape: over 0.17 a film of 185 nm (n = 2 in 1.45 at 1550 nm) lost 2.2 % of what
# is launched at the ends to radiation, over half of that 0.5 %.
OF_ONE_SHAPE = 0.1


def frequencies(band: Band, samples: int) -> tuple[float, ...]:
    """Equally spaced frequencies of a resolved band, c/length, ascending; one for a single line."""
    low, high = band.frequencies()
    if high <= low * (1 + 1e-12) or samples < 2:
        return ((low + high) / 2,)
    return tuple(low + (high - low) * i / (samples - 1) for i in range(samples))


def pulses(band: Band) -> list[tuple[float, float]]:
    """Centres and widths of pulses of a guided mode that together light the whole band, c/length: a source has the mode's shape at the
    centre of its pulse, and what is of another shape elsewhere it radiates beside the mode."""
    low, high = band.frequencies()
    count = math.ceil((high - low) / (low + high) * 2 / OF_ONE_SHAPE - 1e-9)
    if count < 2:
        return [pulse(band)]
    share = (high - low) / count
    centres = [low + (n + 0.5) * share for n in range(count)]
    return [(centre, max(1.5 * share, NARROWEST * centre)) for centre in centres]


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
