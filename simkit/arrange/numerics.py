"""The harness's choices, and what an arrangement of runs is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simkit.runs import AnyRun

ABSORBING_PX, LEAST = {"2D": 12, "3D": 8}, {"2D": 0.3, "3D": 0.15}


@dataclass(frozen=True)
class Numerics:
    """Numbers that change the error of a result and nothing else; the harness varies them one by one.

    resolution: pixels per unit length. absorber, padding, run_time: factors on the arrangement's own thickness of PML or
    absorber, free distances, and time bound. decay: to which the fields or DFTs must have settled. samples: of a band.
    """

    resolution: float
    absorber: float = 1.0
    padding: float = 1.0
    run_time: float = 1.0
    decay: float = 1e-9
    samples: int = 101


@dataclass(frozen=True)
class Needs:
    """What a scene asks of the grid, before any run.

    whole: lengths that must be whole pixels at every rung where that can be had (periods, thicknesses, edges). periods: those of
    them that come first where not all can be had.
    resolution: the coarsest reasonable one, pixels per unit length. order: of the grid's error, at most. alone: whether the error
    follows from the pixels of a wavelength and a layer alone, so that points of a sweep may have grids of their own; where edges
    cut pixels these would make its curve rough, and share no references. smoothed: Meep takes means of the permittivity where edges
    cut pixels, so that whole ones are worth little: a grating's dip lay within 0.05 % of a smooth ladder on grids that fit nothing.
    """

    resolution: float
    whole: tuple[float, ...] = ()
    order: float = 2.0
    alone: bool = False
    periods: tuple[float, ...] = ()
    smoothed: bool = False


@dataclass(frozen=True)
class Arrangement:
    """Runs by name, those that others subtract first; `facts`: plain numbers that the reducers need."""

    runs: Mapping[str, AnyRun]
    facts: Mapping[str, Any] = field(default_factory=dict)


def absorbing(longest: float, coarsest: float, most: float, dimensions: str = "2D") -> float:
    """Thickness of PML around light that leaves in all directions: ABSORBING_PX pixels of the coarsest grid, and no less than
    LEAST longest wavelengths, no more than `most` of them.

    What comes back falls with both (measured on wires of index 3.4, E along and across: 0.6 wavelengths 2e-7 of the largest cross
    section, 0.2 of them, 23 pixels, 5e-6), and in two dimensions half of a cell was absorber. In three it costs more and less
    is known of a value: half of it and half of the free space moved a sphere of index 3.45 by 3e-4 of its peak, for 0.4 of the
    CPU time.
    """
    pixels, least = ABSORBING_PX[dimensions], LEAST[dimensions]
    return longest * min(most, max(least, pixels / (coarsest * longest)))
