"""Resonances that probes saw, confirmed by one another, and the one that is meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

LEAST_Q = 5.0
LEAST_AMPLITUDE = 1e-4  # of the strongest
SAME = 1e-3  # relative frequency within which two probes see one mode
NEAR = 0.01  # relative shift of a mode from one grid to another
DEGENERATE, ALIKE = 5e-4, 0.3  # relative difference of frequency and Q of modes that the grid split


class NoMode(ValueError):
    """No mode, or not one alone."""


@dataclass(frozen=True)
class Mode:
    """frequency, c/length; Q of either sign; amplitude and error of the harmonic inversion; change: relative, of frequency
    and Q against the first half of the record (inf: not seen there); seen: by how many probes."""

    frequency: float
    q: float
    amplitude: float
    error: float
    change: tuple[float, float]
    seen: int


class KnownMode(NamedTuple):
    """A mode that another run showed. half: of a band that holds it alone, c/length; reach: how far it may have moved since,
    relative."""

    mode: Mode
    half: float
    reach: float = NEAR


def modes(raw: Mapping[str, Any], probes: Sequence[str], largest_error: float) -> list[Mode]:
    """Modes that at least two probes saw, by ascending frequency; raw: arrays of one run."""
    seen = [sighting for probe in probes for sighting in _of_probe(raw, probe, largest_error)]
    found: list[tuple[Mode, set[str]]] = []
    for probe, mode in sorted(seen, key=lambda sighting: sighting[1].error):  # the most certain first
        near = next(
            (entry for entry in found if abs(entry[0].frequency - mode.frequency) <= _reach(entry[0])), None
        )
        if near is None:
            found.append((mode, {probe}))
        else:
            near[1].add(probe)
    confirmed = [
        Mode(m.frequency, m.q, m.amplitude, m.error, m.change, len(by)) for m, by in found if len(by) > 1
    ]
    strongest = max((mode.amplitude for mode in confirmed), default=0.0)
    return sorted(
        (m for m in confirmed if m.amplitude >= LEAST_AMPLITUDE * strongest), key=lambda m: m.frequency
    )


def chosen(found: Sequence[Mode], choose: str, low: float, high: float) -> Mode:
    """The mode of the band that is meant. Raises NoMode with what there is."""
    inside = [mode for mode in found if low <= mode.frequency <= high]
    if not inside:
        others = ", ".join(f"{mode.frequency:.6g}" for mode in found) or "none"
        raise NoMode(f"no mode between {low:.6g} and {high:.6g} that two probes see; others: {others}")
    if choose == "strongest":
        return max(inside, key=lambda mode: mode.amplitude)
    if choose == "nearest":
        return min(inside, key=lambda mode: abs(mode.frequency - (low + high) / 2))
    if choose == "highest_q":
        return max(inside, key=lambda mode: abs(mode.q))
    first = max(inside, key=lambda mode: mode.amplitude)
    others = [
        mode
        for mode in inside
        if abs(mode.frequency / first.frequency - 1) > DEGENERATE or abs(mode.q / first.q - 1) > ALIKE
    ]
    if others:
        listed = "; ".join(f"{mode.frequency:.6g} (Q {mode.q:.4g})" for mode in inside)
        raise NoMode(
            f"several modes between {low:.6g} and {high:.6g}: {listed}; narrow the band, give a parity, or choose"
        )
    return first


def room(found: Sequence[Mode], mode: Mode, low: float, high: float) -> float:
    """Half width of a band around a mode without its neighbours: at most a fifth of its frequency, at least 1.5 %."""
    distances = [
        abs(other.frequency - mode.frequency)
        for other in found
        if abs(other.frequency / mode.frequency - 1) > DEGENERATE
    ]
    return max(
        min([0.2 * mode.frequency, high - low, *(distance / 2 for distance in distances)]),
        0.015 * mode.frequency,
    )


def _of_probe(raw: Mapping[str, Any], probe: str, largest_error: float) -> list[tuple[str, Mode]]:
    columns = [raw[f"{probe}/{key}"] for key in ("frequency", "Q", "amplitude", "error")]
    halves = list(
        zip(raw.get(f"{probe}/first_half_frequency", ()), raw.get(f"{probe}/first_half_Q", ()), strict=True)
    )
    out = []
    for frequency, q, amplitude, error in zip(*columns, strict=True):
        if abs(q) < LEAST_Q or float(error) > largest_error:
            continue
        half = min(halves, key=lambda pair: abs(pair[0] - frequency), default=None)
        change = (
            (float("inf"),) * 2
            if half is None
            else (abs(float(half[0] / frequency) - 1), abs(float(half[1] / q) - 1))
        )
        out.append((probe, Mode(float(frequency), float(q), float(abs(amplitude)), float(error), change, 1)))  # type: ignore[arg-type]
    return out


def _reach(mode: Mode) -> float:
    return max(SAME * mode.frequency, min(0.1 / abs(mode.q), 0.01) * mode.frequency)
