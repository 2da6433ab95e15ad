"""Results in the paper's own lengths: a lattice constant with a metric value takes um to the free length a and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.units import dimension
from simkit.describe.parameters import LATTICE, Parameters
from simkit.describe.units import UNITS, canonical

_SCALES = {
    "normalised": "a",
    "wave vector": "a",
    **dict.fromkeys(("length", "frequency", "angular wavenumber", "attenuation"), "um"),
}


def scale_of(unit: str) -> str:
    """The length a unit is measured in: 'a', 'um' (any metric or spectral unit), or '' for none."""
    return _SCALES.get(dimension(unit), "")


def lattice_um(parameters: Parameters, inputs: Iterable[ExtractedParameter]) -> float | None:
    """What a is in um: the one declared length called a or lattice constant, else the plan's input of that name."""
    values = parameters.values()
    found = {
        values[name]
        for name, item in parameters.items().items()
        if LATTICE.fullmatch(name) and _metric(item.unit)
    }
    if not found:
        for item in inputs:
            unit = canonical(item.unit)
            if (
                item.role == "input"
                and LATTICE.fullmatch(item.name)
                and _metric(unit)
                and _number(item.value)
            ):
                found.add(_number(item.value) * UNITS[unit].factor)
    return found.pop() if len(found) == 1 else None


@dataclass(frozen=True)
class Lengths:
    """own: the length that a description is in, 'um' or 'a'. wanted: target -> lengths of its value and abscissa, '' where
    its units have none. lattice: a in um, if it is known. levels: targets in dB per length."""

    own: str = "um"
    wanted: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    lattice: float | None = None
    levels: frozenset[str] = frozenset()

    def of(self, answers: Sequence[str], axis: bool) -> tuple[str, float]:
        """The length that a value (or abscissa) that answers these targets is told in, and its size in the own one."""
        asked = next(
            (self.wanted[name][axis] for name in answers if name in self.wanted and self.wanted[name][axis]),
            self.own,
        )
        if asked == self.own or self.lattice is None:
            return self.own, 1.0
        return asked, self.lattice if asked == "a" else 1 / self.lattice

    def missing(self, target: str) -> bool:
        """Whether a target is in the other length and nothing says how long a is."""
        return self.lattice is None and any(
            scale not in ("", self.own) for scale in self.wanted.get(target, ())
        )


def lengths_of(
    parameters: Parameters, inputs: Iterable[ExtractedParameter], targets: Iterable[Target]
) -> Lengths:
    """The lengths of a description and of the targets that it answers."""
    targets = tuple(targets)
    return Lengths(
        parameters.scale,
        {target.target_id: (scale_of(target.unit), scale_of(target.x_unit)) for target in targets},
        lattice_um(parameters, inputs),
        frozenset(target.target_id for target in targets if dimension(target.unit) == "attenuation"),
    )


def _metric(unit: str) -> bool:
    return unit in UNITS and UNITS[unit].power == 1 and UNITS[unit].scale == "um"


def _number(text: str) -> float:
    try:
        return max(float(text), 0.0)
    except ValueError:
        return 0.0
