"""Whether a class of the vocabulary, or a feature of a curve, already gives what a Measured quantity computes.

Found by trying: the function is called with several sets of curves, and what it answers is compared with what trusted code
makes of the same curves. However it is written, a maximum's place is a maximum's place, and so is a maximum's place times 1.17.
Before any run the sets are made up; afterwards they are the measured curves, distorted, which a function cannot tell from them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product
from typing import Literal

import numpy as np

from schemas.errors import ReproLabError
from schemas.reproduce.simulations.features import CurveFeature
from simkit.describe.device import PortTransmittance
from simkit.describe.measured import Measured as Free
from simkit.describe.problem import Problem
from simkit.describe.scene import Quantity
from tasks.reproduce.curves.curve import Curve as Plain
from tasks.reproduce.curves.measure import NoFeature
from tasks.reproduce.curves.measure import measure as feature_value
from tasks.reproduce.measuring import Curve, Measured, Scalar
from tasks.reproduce.uncertainty.error_parts import difference, scale_of
from tasks.reproduce.uncertainty.free import answered, arguments, parted

_A_FEATURE = "the target's feature"
SAME = 5e-3  # of a number: a nearest sample is as good as a vertex
SETS, _SAMPLES = 6, 201
_SPREAD = 0.02  # relative: a feature that varies less over the sets shows nothing
_FITTED = 0.01  # of the answers' spread: what a straight line through a feature may leave
_MOST_PORTS = 6  # whose sums are tried
_EXACT = 1e-9  # of curves: the same samples on both sides
_NEUTRAL = tuple(
    sign * value
    for value in (1, 2, 0.5, math.pi, 2 * math.pi, 1 / math.pi, 0.5 / math.pi)
    for sign in (1, -1)
)
Kind = Literal["", "same", "factor", "parameters", "unknown"]
_FEATURES = tuple(
    {"kind": kind, "extremum": extremum}
    for extremum in ("maximum", "minimum")
    for kind in ("position", "value", "prominence", "width", "quality_factor")
) + ({"kind": "integral"}, {"kind": "slope"})
# Classes that are arithmetic on others: class -> (what it is made of, arithmetic of these).
_CLASSES: Mapping[str, tuple[tuple[str, ...], Callable[..., float]]] = {
    "Absorptance": (("reflectance", "transmittance"), lambda r, t: 1 - r - t),
    "DecayTime": (("quality_factor", "resonance_frequency"), lambda q, f: q / (2 * np.pi * f)),
    "LineWidth": (("resonance_frequency", "quality_factor"), lambda f, q: 1 / (f * q)),
    "LineWidth(over='frequency')": (("resonance_frequency", "quality_factor"), lambda f, q: f / q),
    "Gap(what='width')": (("band_edge", "band_edge"), lambda a, b: a - b),
    "Gap(what='middle')": (("band_edge", "band_edge"), lambda a, b: (a + b) / 2),
    "Gap(what='ratio')": (("band_edge", "band_edge"), lambda a, b: 2 * (a - b) / (a + b)),
}


class AlreadyMeasured(ReproLabError):
    """A class or a feature gives it; the text names it."""


@dataclass(frozen=True)
class Likeness:
    """What a function is like. same: a known quantity; factor: one, but for typed arithmetic; parameters: one, but for a factor
    made of parameters, or a neutral one; unknown: it could not be called; '': nothing known. words: which. off: of the same, by what
    share of it at most.
    """

    kind: Kind = ""
    words: str = ""
    off: float = 0.0


def refuse_known(resolved: Problem, allow_degraded: bool) -> None:
    """Raises AlreadyMeasured for a Measured quantity of a resolved problem that trusted code can measure."""
    swept = {sweep.of for sweep in resolved.sweeps}
    for quantity in parted(resolved.quantities)[1]:
        by = recognised(quantity, resolved, allow_degraded)
        described = by
        if quantity.id in swept and by.startswith(_A_FEATURE):
            described = _swept(quantity).get(by, "")
        if described:
            raise AlreadyMeasured(
                f"quantity {quantity.id} needs no function of its own",
                found=f"{by} gives the same",
                fix=f"describe {described}; a Measured quantity is for what neither a class nor a feature gives. A target whose "
                "feature is missing goes to unanswerable, with that reason",
            )


def _swept(quantity: Free) -> dict[str, str]:
    """Features that a class gives for a sweep, by their names in words; a sweep's curve has no other feature of each spectrum."""
    out: dict[str, str] = {}
    for name, entry in product(quantity.of, _FEATURES):
        if "extremum" in entry:
            call = f"Feature(of={name!r}, gives={entry['kind']!r}, extremum={entry['extremum']!r}"
            said = f"{_A_FEATURE} the {entry['extremum']} {entry['kind']} of {name}"
            ends = (", over='frequency')", ")") if entry["kind"] in ("position", "width") else (")", ")")
            out |= {
                said: f"{call}{ends[0]} and sweep it",
                f"{said}, as a wavelength": f"{call}{ends[1]} and sweep it",
            }
    return out


def recognised(quantity: Free, problem: Problem, allow_degraded: bool) -> str:
    """What gives the same as the function, but for typed arithmetic, in words; '' if nothing known does."""
    own = [next(q for q in problem.quantities if q.id == name) for name in quantity.of]
    sets = [
        [_made_up(q, np.random.default_rng([number, place])) for place, q in enumerate(own)]
        for number in range(SETS)
    ]
    found = likeness(quantity, own, sets, allow_degraded)
    return found.words if found.kind in ("same", "factor") else ""


def likeness(
    quantity: Free, own: Sequence[Quantity], sets: Sequence[Sequence[Measured]], allow_degraded: bool
) -> Likeness:
    """What the function is like over the sets of values of the quantities it is made of, and with its parameters moved."""
    calls = [arguments(quantity, dict(zip(quantity.of, values, strict=True))) for values in sets]
    plain = [call for call in calls if not isinstance(call, str)]
    moved = (
        [
            [
                *call[: len(own)],
                *(
                    float(value) * factor
                    for value, factor in zip(
                        quantity.given,
                        np.random.default_rng(number).uniform(0.8, 1.25, len(quantity.given)),
                        strict=True,
                    )
                ),
            ]
            for number, call in enumerate(plain)
        ]
        if quantity.given
        else []
    )
    answers = answered([(quantity, call) for call in (*plain, *moved)], allow_degraded)
    if len(plain) < len(sets) or any(isinstance(answer, str) for answer in answers):
        why = next((answer for answer in answers if isinstance(answer, str)), "it has no values")
        return Likeness("unknown", f"it could not be tried on other curves: {why}"[:160])
    known = [_known(own, values) for values in sets]
    names = [name for name in known[0] if all(name in found for found in known)]
    first, second = [a for a in answers if not isinstance(a, str)][: len(plain)], answers[len(plain) :]
    for name in names:
        if all(_same(answer, found[name]) for answer, found in zip(first, known, strict=True)):
            off = max(_off(answer, found[name]) for answer, found in zip(first, known, strict=True))
            return Likeness("same", name, off)
    for name in names:
        values = [found[name] for found in known]
        line = _line(first, values, alone=" and " not in name)
        if line is None:
            continue
        words = f"{_line_words(line)}{name}"
        if (
            second
            and _line([a for a in second if not isinstance(a, str)], values, alone=" and " not in name)
            != line
        ):
            return Likeness("parameters", f"a factor of parameters on {name}")
        neutral = any(math.isclose(line[0], value, rel_tol=SAME) for value in _NEUTRAL) and line[1] in (
            0.0,
            1.0,
            -1.0,
        )
        return Likeness("parameters" if neutral else "factor", words)
    return Likeness()


def distorted(values: Sequence[Measured], number: int) -> list[Measured]:
    """Measured values, distorted smoothly: ordinates by up to a fifth, the abscissa stretched by up to a tenth."""
    random = np.random.default_rng(number)
    stretch = random.uniform(0.9, 1.1)
    out: list[Measured] = []
    for value in values:
        if isinstance(value, Curve) and len(value.x) > 1:
            along = (value.x - value.x[0]) / (value.x[-1] - value.x[0])
            waves = sum(
                random.uniform(-1, 1) * np.sin(np.pi * n * along + random.uniform(0, 2 * np.pi))
                for n in (1, 2, 3)
            )
            out.append(
                replace(value, x=value.x * stretch, y=value.y * random.uniform(0.8, 1.2) * (1 + 0.07 * waves))
            )
        elif isinstance(value, Curve):
            out.append(replace(value, y=value.y * random.uniform(0.7, 1.3)))
        elif isinstance(value, Scalar):
            out.append(replace(value, value=value.value * random.uniform(0.7, 1.3)))
    return out


def _line(answers: Sequence[Measured], known: Sequence[Measured], alone: bool) -> tuple[float, float] | None:
    """(a, b) where the answers are a * known + b over all sets, rounded; b only of a feature that stands alone. None if not."""
    if all(isinstance(one, Curve) for one in (*answers, *known)):
        x, y = (
            np.concatenate([one.y for one in side if isinstance(one, Curve)]) for side in (known, answers)
        )
        if x.shape != y.shape:
            return None
        tolerance, alike = _EXACT, _EXACT
    elif all(isinstance(one, Scalar) for one in (*answers, *known)):
        x, y = (np.array([one.value for one in side if isinstance(one, Scalar)]) for side in (known, answers))
        tolerance, alike = _FITTED, SAME
    else:
        return None
    scale = float(np.max(np.abs(x)))
    if not scale or float(np.ptp(x)) < _SPREAD * scale or not float(np.ptp(y)):
        return None
    if np.all(x != 0) and np.all(y != 0):
        ratio = y / x
        if float(np.max(np.abs(ratio / np.median(ratio) - 1))) <= alike:
            return _rounded(float(np.median(ratio))), 0.0
    if not alone:
        return None
    slope, offset = np.polyfit(x, y, 1)
    if float(np.max(np.abs(slope * x + offset - y))) <= tolerance * float(np.ptp(y)):
        return _rounded(float(slope)), _rounded(float(offset))
    return None


def _rounded(value: float) -> float:
    return float(f"{value:.2g}") if abs(value) > _EXACT else 0.0


def _line_words(line: tuple[float, float]) -> str:
    return f"a factor of {line[0]:g} " + (f"and {line[1]:+g} " if line[1] else "") + "on "


def _made_up(quantity: Quantity, random: np.random.Generator) -> Measured:
    """A smooth curve between 0 and 1 with a maximum and a minimum of its own, or a number."""
    if not quantity.curve:
        return Scalar(float(random.uniform(0.5, 2)))
    x = np.linspace(1.0, 2.0, _SAMPLES)
    high, low = random.uniform(1.2, 1.45), random.uniform(1.55, 1.8)
    peak, dip = (np.exp(-(((x - at) / random.uniform(0.05, 0.1)) ** 2)) for at in (high, low))
    up, down = random.uniform(0.2, 0.35), random.uniform(0.1, 0.2)
    return Curve(
        x, random.uniform(0.3, 0.5) + up * peak - down * dip + random.uniform(0.02, 0.05) * (x - 1.5)
    )


def _known(own: Sequence[Quantity], values: Sequence[Measured]) -> dict[str, Measured]:
    """What trusted code makes of the values, by its name in words."""
    out: dict[str, Measured] = {}
    single: dict[str, float] = {}
    for quantity, value in zip(own, values, strict=True):
        out[f"{type(quantity).__name__} ({quantity.id})"] = value
        if isinstance(value, Curve) and len(value.x) < 2:  # at one wavelength its value is all there is of it
            single[f"the value of {quantity.id}"] = float(value.y[0])
        elif isinstance(value, Curve):
            plain = Plain.of(value.x, value.y)
            for entry in _FEATURES:
                try:
                    found = feature_value(CurveFeature.model_validate(entry), [plain])
                except (NoFeature, ValueError):
                    continue
                single[
                    f"the {' '.join(entry.get(word, '') for word in ('extremum', 'kind')).strip()} of {quantity.id}"
                ] = found
    for name, found in single.items():
        out[f"{_A_FEATURE} {name}"] = Scalar(found)
        if "position" in name and found:
            out[f"{_A_FEATURE} {name}, as a wavelength"] = Scalar(1 / found)
    for (one, a), (other, b) in permutations(single.items(), 2):
        out[f"{_A_FEATURE}, the difference of {one} and {other},"] = Scalar(a - b)
        if b:
            out[f"{_A_FEATURE}, the ratio of {one} and {other},"] = Scalar(a / b)
    return out | _of_classes(own, values)


def _of_classes(own: Sequence[Quantity], values: Sequence[Measured]) -> dict[str, Measured]:
    out: dict[str, Measured] = {}
    for name, (kinds, arithmetic) in _CLASSES.items():
        for order in permutations(range(len(own)), len(kinds)):
            if [own[i].type for i in order] == list(kinds):  # type: ignore[attr-defined]
                parts = [v.y if isinstance(v, Curve) else v.value for v in (values[i] for i in order)]
                found, first = arithmetic(*parts), values[order[0]]
                out[name] = (
                    replace(first, y=np.asarray(found)) if isinstance(first, Curve) else Scalar(float(found))
                )
    ports = [
        v
        for q, v in zip(own, values, strict=True)
        if getattr(q, "type", "") in ("port_transmittance", "port_reflectance") and q.mode is None  # type: ignore[attr-defined]
    ]  # a mode's share is not all that crosses a port's plane
    if len(ports) > 1 and all(isinstance(v, Curve) for v in ports):
        first = ports[0]
        assert isinstance(first, Curve)
        out["Loss"] = replace(first, y=1 - _sum(v.y for v in ports if isinstance(v, Curve)))
    return out | _together(own, values)


def _sum(parts: Iterable[np.ndarray]) -> np.ndarray:
    """Of curves on one abscissa, one after the other."""
    return np.asarray(sum(parts))


def _together(own: Sequence[Quantity], values: Sequence[Measured]) -> dict[str, Measured]:
    """The sums of what leaves through two ports or more in one mode."""
    leaving = [(q, v) for q, v in zip(own, values, strict=True) if isinstance(q, PortTransmittance)]
    out: dict[str, Measured] = {}
    for count in range(2, min(len(leaving), _MOST_PORTS) + 1):
        for group in combinations(leaving, count):
            ports = tuple(port for q, _ in group for port in q.ports)
            if len({q.mode for q, _ in group}) > 1 or len(set(ports)) < len(ports):
                continue
            first, mode = group[0][1], f", mode={group[0][0].mode}" if group[0][0].mode else ""
            name = f"PortTransmittance(port={ports}{mode})"
            if all(isinstance(v, Curve) for _, v in group):
                assert isinstance(first, Curve)
                out[name] = replace(first, y=_sum(v.y for _, v in group if isinstance(v, Curve)))
            elif all(isinstance(v, Scalar) for _, v in group):
                out[name] = Scalar(sum(v.value for _, v in group if isinstance(v, Scalar)))
    return out


def _off(answer: Measured | str, known: Measured) -> float:
    """By what share of a known value, or of a curve's largest, an answer misses it."""
    if isinstance(answer, str):
        return math.inf
    return difference(answer, known) / (scale_of(known) or math.inf)


def _same(answer: Measured | str, known: Measured) -> bool:
    if isinstance(answer, Scalar) and isinstance(known, Scalar):
        return abs(answer.value - known.value) <= SAME * abs(known.value)
    if isinstance(answer, Curve) and isinstance(known, Curve):
        return bool(np.max(np.abs(answer.y - known.y)) <= 1e-9 * np.max(np.abs(known.y)))
    return False
