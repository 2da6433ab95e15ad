"""A mode's ring-down in time: its trace, and its decay time from it, beside what the harmonic inversion says.

The field at a probe is turned back at the mode's frequency and averaged over whole periods (Hann window): what is left is its
envelope, without the field's own oscillation, whatever else decays with it. Two probes must see the same decay.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from simkit.arrange import Arrangement
from simkit.arrange.mode_fields import SINCE
from simkit.arrange.modes import Mode
from simkit.arrange.ringing import FROM, PERIODS
from simkit.describe.resonator import DecayTime, RingDown
from simkit.runs import Run
from tasks.reproduce.measuring.splines import cubic
from tasks.reproduce.measuring.values import Curve, NotMeasured, Scalar

Arrays = dict[str, NDArray[np.generic]]
FITTED = 5.0  # decay times over which the line is fitted at most
APART = 0.03  # relative difference of decay times; of a trace, of its first value


def ring_down(
    quantity: RingDown, mode: Mode, arrangement: Arrangement, run: str, raw: Arrays, probes: Sequence[str]
) -> Curve:
    """The trace over time, (n,). Raises NotMeasured: it is not the decay of this mode alone."""
    x = np.linspace(0.0, float(quantity.duration), max(int(arrangement.facts["samples"]), 2))
    first, second = (
        _envelope(raw, probe, mode, _start(arrangement, run, raw), x)
        for probe in _strongest(raw, probes, mode)
    )
    energy = np.abs(first) ** 2
    expected = np.exp(-x / _lifetime(mode))
    for other, whose in ((np.abs(second) ** 2, "at another place"), (expected, f"of its Q = {mode.q:.4g}")):
        if float(np.max(np.abs(energy - other))) > APART:
            raise NotMeasured(
                f"{quantity.id}: the ring-down at {mode.frequency:.6g} is not the decay of one mode",
                found=f"it differs by {np.max(np.abs(energy - other)):.2g} from that {whose}",
                fix="a narrower band or a parity",
            )
    if quantity.what == "field":
        return Curve(x, np.real(first * np.exp(-2j * np.pi * mode.frequency * x)), axis="time")
    return Curve(x, energy if quantity.what == "energy" else np.abs(first), axis="time")


def decay_time(
    quantity: DecayTime, mode: Mode, arrangement: Arrangement, run: str, raw: Arrays, probes: Sequence[str]
) -> Scalar:
    """Of the energy, length/c, by a line through its logarithm. Raises NotMeasured: not that of Q, or of a second probe."""
    start = _start(arrangement, run, raw)
    lasts = min(
        FITTED * _lifetime(mode),
        float(np.real(raw[f"{FROM}{probes[0]}/time"][-1])) - start - PERIODS / mode.frequency,
    )
    x = np.linspace(0.0, lasts, 200)
    found = [
        -1 / float(np.polyfit(x, 2 * np.log(np.abs(_envelope(raw, probe, mode, start, x))), 1)[0])
        for probe in _strongest(raw, probes, mode)
    ]
    for other, whose in ((found[1], "a second probe's"), (_lifetime(mode), f"that of Q = {mode.q:.4g}")):
        if not abs(found[0] / other - 1) <= APART:
            raise NotMeasured(
                f"{quantity.id}: the decay at {mode.frequency:.6g} is not that of one mode",
                found=f"its decay time {found[0]:.4g}, {whose} {other:.4g}",
                fix="a narrower band or a parity",
            )
    return Scalar(found[0], power=1)


def _lifetime(mode: Mode) -> float:
    return mode.q / (2 * np.pi * mode.frequency)


def _start(arrangement: Arrangement, name: str, raw: Arrays) -> float:
    run = arrangement.runs[name]
    assert isinstance(run, Run)
    return float(np.real(raw["stats/sources_end"])) + SINCE * run.stop.max_time


def _strongest(raw: Arrays, probes: Sequence[str], mode: Mode) -> list[str]:
    """The two probes that saw the mode best."""
    seen = {}
    for probe in probes:
        near = np.abs(np.asarray(raw[f"{probe}/frequency"], float) / mode.frequency - 1) < 1e-2
        seen[probe] = float(np.max(np.abs(raw[f"{probe}/amplitude"])[near], initial=0.0))
    return sorted(probes, key=lambda probe: -seen[probe])[:2]


def _envelope(
    raw: Arrays, probe: str, mode: Mode, start: float, x: NDArray[np.float64]
) -> NDArray[np.complex128]:
    """The field's complex amplitude at start + x, (n,), over that at start."""
    time = np.asarray(raw[f"{FROM}{probe}/time"], float)
    turned = np.asarray(raw[f"{FROM}{probe}/value"], complex) * np.exp(2j * np.pi * mode.frequency * time)
    step = float(time[1] - time[0])
    count = max(3, round(PERIODS / (mode.frequency * step)))
    window = np.hanning(count + 2)[1:-1]
    middle = time[: time.size - count + 1] + (count - 1) * step / 2
    if middle[0] > start or middle[-1] < start + x[-1] * (1 - 1e-9) - step:
        raise NotMeasured(
            f"the record of {probe} does not hold the whole trace",
            found=f"from {middle[0] - start:.4g} to {middle[-1] - start:.4g}",
            fix="a shorter duration",
        )
    inside = (middle > start - 8 * step) & (middle < start + x[-1] + 8 * step)
    smooth = cubic(middle[inside], np.convolve(turned, window, "valid")[inside])
    return np.asarray(smooth(start + x) / smooth(start))
