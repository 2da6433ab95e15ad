"""Whether a class of the vocabulary, or a feature of a curve, already gives what a Measured quantity computes.

Found by trying, before any run: the function is called with made-up curves, and what it answers is compared with what
trusted code makes of the same curves. However it is written, a maximum's place is a maximum's place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from schemas.core.errors import ReproLabError
from schemas.reproduce.features import CurveFeature
from simkit.describe.measured import Measured as Free
from simkit.describe.problem import Problem
from simkit.describe.scene import Quantity
from tasks.reproduce.curves.curve import Curve as Plain
from tasks.reproduce.curves.measure import NoFeature
from tasks.reproduce.curves.measure import measure as feature_value
from tasks.reproduce.measuring import Curve, Measured, Scalar
from tasks.reproduce.solving.free import answered, arguments, parted

SAME = 5e-3  # of a number: a nearest sample is as good as a vertex
_SETS, _SAMPLES = 3, 201
_FEATURES = tuple({"kind": kind, "extremum": extremum} for extremum in ("maximum", "minimum") for kind in (
    "position", "value", "prominence", "width", "quality_factor")) + ({"kind": "integral"}, {"kind": "slope"})
# Classes that are arithmetic on others: class -> (what it is made of, arithmetic of these).
_CLASSES: Mapping[str, tuple[tuple[str, ...], Callable[..., float]]] = {
    "Absorptance": (("reflectance", "transmittance"), lambda r, t: 1 - r - t),
    "DecayTime": (("quality_factor", "resonance_frequency"), lambda q, f: q / (2 * np.pi * f)),
    "Gap(what='width')": (("band_edge", "band_edge"), lambda a, b: a - b),
    "Gap(what='middle')": (("band_edge", "band_edge"), lambda a, b: (a + b) / 2),
    "Gap(what='ratio')": (("band_edge", "band_edge"), lambda a, b: 2 * (a - b) / (a + b)),
}


class AlreadyMeasured(ReproLabError):
    """A class or a feature gives it; the text names it."""


def refuse_known(resolved: Problem, allow_degraded: bool) -> None:
    """Raises AlreadyMeasured for a Measured quantity of a resolved problem that trusted code can measure."""
    for quantity in parted(resolved.quantities)[1]:
        by = recognised(quantity, resolved, allow_degraded)
        if by:
            raise AlreadyMeasured(f"quantity {quantity.id} needs no function of its own", found=f"{by} gives the same",
                                  fix=f"describe {by}; a Measured quantity is for what neither a class nor a feature gives")


def recognised(quantity: Free, problem: Problem, allow_degraded: bool) -> str:
    """What gives the same as the function, in words; '' if nothing known does."""
    own = [next(q for q in problem.quantities if q.id == name) for name in quantity.of]
    sets = [[_made_up(q, np.random.default_rng([number, place])) for place, q in enumerate(own)] for number in range(_SETS)]
    calls = [arguments(quantity, dict(zip(quantity.of, values, strict=True))) for values in sets]
    answers = answered([(quantity, call) for call in calls if not isinstance(call, str)], allow_degraded)
    if any(isinstance(answer, str) for answer in answers):
        return ""  # it does not like curves that are made up: its witnesses will tell
    known = [_known(own, values) for values in sets]
    for name in known[0]:
        if all(name in found and _same(answer, found[name]) for answer, found in zip(answers, known, strict=True)):
            return name
    return ""


def _made_up(quantity: Quantity, random: np.random.Generator) -> Measured:
    """A smooth curve between 0 and 1 with a maximum and a minimum of its own, or a number."""
    if not quantity.curve:
        return Scalar(float(random.uniform(0.5, 2)))
    x = np.linspace(1.0, 2.0, _SAMPLES)
    high, low = random.uniform(1.2, 1.45), random.uniform(1.55, 1.8)
    peak, dip = (np.exp(-(((x - at) / random.uniform(0.05, 0.1)) ** 2)) for at in (high, low))
    return Curve(x, 0.4 + 0.3 * (peak - dip) + random.uniform(0.02, 0.05) * (x - 1.5))


def _known(own: Sequence[Quantity], values: Sequence[Measured]) -> dict[str, Measured]:
    """What trusted code makes of the values, by its name in words."""
    out: dict[str, Measured] = {}
    single: dict[str, float] = {}
    for quantity, value in zip(own, values, strict=True):
        out[f"{type(quantity).__name__} ({quantity.id})"] = value
        if isinstance(value, Curve):
            plain = Plain.of(value.x, value.y)
            for entry in _FEATURES:
                try:
                    found = feature_value(CurveFeature.model_validate(entry), [plain])
                except (NoFeature, ValueError):
                    continue
                single[f"the {' '.join(entry.get(word, '') for word in ('extremum', 'kind')).strip()} of {quantity.id}"] = found
    for name, found in single.items():
        out[f"the target's feature {name}"] = Scalar(found)
        if "position" in name and found:
            out[f"the target's feature {name}, as a wavelength"] = Scalar(1 / found)
    for (one, a), (other, b) in permutations(single.items(), 2):
        out[f"the target's feature, the difference of {one} and {other},"] = Scalar(a - b)
        if b:
            out[f"the target's feature, the ratio of {one} and {other},"] = Scalar(a / b)
    return out | _of_classes(own, values)


def _of_classes(own: Sequence[Quantity], values: Sequence[Measured]) -> dict[str, Measured]:
    out: dict[str, Measured] = {}
    for name, (kinds, arithmetic) in _CLASSES.items():
        for order in permutations(range(len(own)), len(kinds)):
            if [own[i].type for i in order] == list(kinds):  # type: ignore[attr-defined]
                parts = [v.y if isinstance(v, Curve) else v.value for v in (values[i] for i in order)]
                found, first = arithmetic(*parts), values[order[0]]
                out[name] = replace(first, y=found) if isinstance(first, Curve) else Scalar(float(found))
    ports = [v for q, v in zip(own, values, strict=True) if q.type in ("port_transmittance", "port_reflectance")]  # type: ignore[attr-defined]
    if len(ports) > 1 and all(isinstance(v, Curve) for v in ports):
        first = ports[0]
        assert isinstance(first, Curve)
        out["Loss"] = replace(first, y=1 - sum(v.y for v in ports if isinstance(v, Curve)))
    return out


def _same(answer: Measured | str, known: Measured) -> bool:
    if isinstance(answer, Scalar) and isinstance(known, Scalar):
        return abs(answer.value - known.value) <= SAME * abs(known.value)
    if isinstance(answer, Curve) and isinstance(known, Curve):
        return bool(np.max(np.abs(answer.y - known.y)) <= 1e-9 * np.max(np.abs(known.y)))
    return False
