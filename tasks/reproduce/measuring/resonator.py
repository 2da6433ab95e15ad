"""Frequency, Q, profile, volume, ring-down of a resonance, confirmed by a second probe and the first half of its record."""

from __future__ import annotations

import math

import numpy as np

from simkit.arrange import Arrangement
from simkit.arrange.mode_fields import OF_FIELDS
from simkit.arrange.modes import NEAR, KnownMode, Mode, NoMode, chosen, modes
from simkit.arrange.resonator import SURVEY_ERROR, alone, band
from simkit.describe.resonator import (
    DecayTime,
    LineWidth,
    ModePattern,
    ModeProfile,
    ModeVolume,
    QualityFactor,
    Resonator,
    RingDown,
)
from simkit.describe.scene import Quantity
from tasks.reproduce.measuring import mode_fields, ringing
from tasks.reproduce.measuring.values import Curve, NotMeasured, Raw, Scalar

MOVED, MOVED_Q = 1e-3, 0.1  # relative change from the first half of the record to the whole
BESIDE = 0.25  # line widths that recorded fields may lie beside the mode's frequency on this grid
TELLS = 10.0  # Q over periods recorded: beyond it a ring-down shows no loss


def measure(scene: Resonator, quantity: Quantity, arrangement: Arrangement, raw: Raw) -> Scalar | Curve:
    """The frequency (c/length), Q, line width, profile, volume, trace or decay time.

    Raises NotMeasured: no mode, several, not confirmed, no loss.
    """
    probes, low_high = arrangement.facts["probes"], band(scene, quantity)
    name = arrangement.facts["final"].get(quantity.id)
    survey = arrangement.facts["survey"][quantity.id]
    entry = arrangement.facts.get("known", {}).get(quantity.id)
    known = None if entry is None else KnownMode(*entry)
    try:
        mode = (
            known.mode
            if known
            else chosen(
                modes(raw[survey], probes, SURVEY_ERROR),
                quantity.choose,  # type: ignore[attr-defined]
                *low_high,
            )
        )
        expected = mode.frequency
        if name is not None:
            mode = alone(raw[name], probes, mode, known.reach if known else NEAR)
    except NoMode as error:
        raise NotMeasured(f"{quantity.id}: {error}") from error
    if name is None:
        raise NotMeasured(
            f"{quantity.id}: the mode near {mode.frequency:.6g} was only surveyed, not measured alone"
        )
    if mode.change[0] > MOVED:
        raise NotMeasured(
            f"{quantity.id}: the mode near {mode.frequency:.6g} is not steady",
            found=f"its frequency changes by {mode.change[0]:.1e} from half the record to the whole",
            fix="a narrower band, a parity, a longer run",
        )
    if (
        known
        and isinstance(quantity, OF_FIELDS)
        and abs(mode.frequency - expected) > BESIDE * expected / abs(mode.q)
    ):
        raise NotMeasured(
            f"{quantity.id}: the mode lies at {mode.frequency:.6g}, its fields were recorded at {expected:.6g}"
        )
    if isinstance(quantity, ModeProfile):
        return mode_fields.profile(quantity, arrangement, raw[name])
    if isinstance(quantity, ModePattern):
        return mode_fields.pattern(quantity, raw[name])
    if isinstance(quantity, ModeVolume):
        return mode_fields.volume(scene, quantity, mode, raw[name])
    if not isinstance(quantity, (QualityFactor, LineWidth, RingDown, DecayTime)):
        return Scalar(mode.frequency, power=-1)
    quality = _quality(quantity, mode, arrangement, _periods(raw[name], probes, mode))
    if isinstance(quantity, RingDown):
        return ringing.ring_down(quantity, mode, arrangement, name, raw[name], probes)
    if isinstance(quantity, DecayTime):
        return ringing.decay_time(quantity, mode, arrangement, name, raw[name], probes)
    if isinstance(quantity, LineWidth):
        return Scalar(quantity.of(mode.frequency, quality), power=quantity.power)
    return Scalar(quality)


def _quality(quantity: Quantity, mode: Mode, arrangement: Arrangement, periods: float) -> float:
    if arrangement.facts["lossless"]:
        raise NotMeasured(
            f"{quantity.id}: the mode at {mode.frequency:.6g} is lossless and has no Q",
            found="periodic on all sides, no absorbing medium",
        )
    if abs(mode.q) > TELLS * periods * math.pi:
        raise NotMeasured(
            f"{quantity.id}: no loss is seen at {mode.frequency:.6g} within {periods:.0f} periods",
            found=f"|Q| = {abs(mode.q):.3g}",
            fix="a bound mode has no Q; a very high one needs a longer run",
        )
    if mode.q < 0:
        raise NotMeasured(
            f"{quantity.id}: the field at {mode.frequency:.6g} grows", found=f"Q = {mode.q:.4g}"
        )
    if mode.change[1] > MOVED_Q:
        raise NotMeasured(
            f"{quantity.id}: Q at {mode.frequency:.6g} is not steady",
            found=f"it changes by {mode.change[1]:.0%} from half the record to the whole",
            fix="a neighbouring mode: give a parity or a narrower band",
        )
    return mode.q


def _periods(raw: dict[str, np.ndarray], probes: list[str], mode: Mode) -> float:
    return float(np.max([raw[f"{probe}/duration"] for probe in probes])) * mode.frequency
