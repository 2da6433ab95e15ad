"""Fields that had not settled: how far they came, where most is still to come, and what usually is behind it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from simkit.arrange import Arrangement
from simkit.describe.scene import Scene
from simkit.runs import Run
from tasks.reproduce.measuring.values import NotMeasured, Raw

USABLE = 1e-4  # square of the share of the fields that is still to come: of a hundredth the value is told, with that doubt
NEARLY = 1e-3  # share of the fields that may still be to come when runs have lasted very long: far below any threshold
NEAR = 0.03  # of the wavelength: so far from an order's onset light along the surface still lasts


def unsettled(raw: Raw) -> list[str]:
    """The runs that ended before their fields had settled."""
    return [
        name for name, data in raw.items() if "stats/stop_met" in data and not bool(data["stats/stop_met"])
    ]


def still_to_come(arrangement: Arrangement, raw: Raw) -> float:
    """Share of the fields that was still to come where most was, or still in the cell; 0 where all settled, inf where
    nobody knows: what a field in time leaves of a DFT depends on how slowly it falls."""
    squares = [_number(raw[name], "settled_to", math.inf) for name in unsettled(raw)]
    kinds = {arrangement.runs[name].stop.kind for name in unsettled(raw)}
    return math.sqrt(max(squares, default=0.0)) if kinds <= {"settled"} else math.inf


def refuse_unsettled(scene: Scene, arrangement: Arrangement, raw: Raw) -> None:
    """Raises NotMeasured where more is still to come than a value can be told with."""
    if still_to_come(arrangement, raw) > math.sqrt(USABLE):
        raise NotMeasured(unsettled_words(scene, arrangement, raw))


def unsettled_words(scene: Scene, arrangement: Arrangement, raw: Raw) -> str:
    """What did not settle, how far it came, and the likely physics."""
    names = unsettled(raw)
    worst = max(names, key=lambda name: _number(raw[name], "settled_to", math.inf))
    run, data = arrangement.runs[worst], raw[worst]
    assert isinstance(run, Run)
    reached = _number(data, "stop_reached", math.inf)
    energy = _number(data, "settled_to", math.inf)
    left = (
        f"{100 * math.sqrt(reached):.2g} % of the fields still to come"
        if run.stop.by < reached < 1
        else f"{100 * energy:.2g} % of the energy still in the cell"
        if reached < 1 and energy < 1
        else "nothing had settled"
    )
    bound = (
        "its share of the CPU time was used up"
        if _number(data, "cut", 0.0)
        else "the bound on run time was reached"
    )
    place = _number(data, "slowest", 0.0)
    where = f", most at a wavelength of {1 / place:.5g} {run.unit}" if place > 0 else ""
    return (
        f"the fields had not settled when {', '.join(names)} of {scene.id} ended at {run.resolution:g} pixels per "
        f"{run.unit}: {bound}, {left}{where}; {likely(scene, place)}"
    )


def likely(scene: Any, place: float) -> str:
    """What keeps light in such a scene, and what to do. place: the frequency at which most is still to come; 0: unknown."""
    band = getattr(scene, "band", None)
    low, high = band.frequencies() if band is not None else (0.0, 0.0)
    begins = [onset for onset in onsets(scene) if low * (1 - NEAR) <= 1 / onset <= high * (1 + NEAR)]
    near = [onset for onset in begins if not place or abs(onset * place - 1) <= NEAR]
    if near:
        return (
            f"likely light along the surface where a diffraction order begins ({', '.join(f'{o:.5g}' for o in near[:3])}): "
            "move the band's edge away from there, or part the band in two scenes beside it"
        )
    return (
        "likely a narrow resonance or slow light: a band that leaves it out, or the mode itself as a Resonator"
        if low < high
        else "likely a narrow resonance or slow light there"
    )


def onsets(scene: Any) -> list[float]:
    """Vacuum wavelengths at which a diffraction order of a unit cell begins or ends, the longest first."""
    periods = [float(period) for period in getattr(scene, "period", ())]
    sides = [_index(getattr(scene, side, None)) for side in ("below", "above")] if periods else []
    incident = _index(getattr(scene, str(getattr(scene, "light_from", "")), None))
    along = math.sin(float(getattr(scene, "angle", 0.0))) * (incident or 0.0)
    found = [
        period * (side + sign * part) / order
        for number, period in enumerate(periods)
        for side in sides
        if side
        for part in ([along] if number == 0 else [0.0])
        for order in range(1, 9)
        for sign in (1, -1)
    ]
    return sorted({round(value, 9) for value in found if value > 0}, reverse=True)


def _index(medium: Any) -> float | None:
    """Of a medium without poles or table; None of any other."""
    index, epsilon = getattr(medium, "index", None), getattr(medium, "epsilon", None)
    if index is not None:
        return float(index)
    plain = isinstance(epsilon, (int, float)) and not getattr(medium, "poles", ())
    return math.sqrt(epsilon) if plain and epsilon > 0 else None  # type: ignore[operator, arg-type]


def _number(data: Any, name: str, otherwise: float) -> float:
    value: Sequence[Any] | Any = data.get(f"stats/{name}", otherwise)
    return float(np.real(value))
