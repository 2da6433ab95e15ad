"""The paper's inputs as declared parameters: what a description may use as p.name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.base import Model
from schemas.reproduce.planning.parameters import ExtractedParameter
from simkit.describe.parameters import Parameter
from simkit.describe.units import UNITS, canonical

_NUMBER = re.compile(r"[-+\u2212]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


class Declared(Model):
    """The inputs that became parameters, and those that could not, each with the reason."""

    parameters: tuple[Parameter, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def names_left_out(self) -> frozenset[str]:
        """Names of the inputs that could not be declared."""
        return frozenset(reason.partition(":")[0] for reason in self.left_out)


def parameter_name(name: str) -> str:
    """An extracted parameter's name as a word of Python: letters, digits, _."""
    word = re.sub(r"\W", "_", name)[:40]
    return word if word[:1].isalpha() else f"p_{word}"[:40]


def unknown_unit(unit: str) -> str:
    """Why a unit cannot be declared, with those that can; '' if it can."""
    return "" if canonical(unit) in UNITS else f"unit {unit!r} is not known; allowed: {', '.join(UNITS)}"


def _numbers(text: str) -> list[float]:
    """The numbers of '15', '10, 15 and 20' or '450 to 810'; empty for anything else."""
    text = text.strip().replace("\u2212", "-")
    parts = re.split(r"\s*(?:,\s*and|,|;|\band\b|\bto\b|\.\.\.|\u2013)\s*", text)
    return [float(part) for part in parts] if all(_NUMBER.fullmatch(part) for part in parts) else []


def declared(extracted: Sequence[ExtractedParameter]) -> Declared:
    """Every input of the plan that is a number with a known unit, as a parameter of origin 'paper'.

    A list or range of numbers becomes NAME_1, NAME_2, ... in the order of the paper.
    """
    found: dict[str, Parameter] = {}
    left_out = []
    for item in extracted:
        if item.role != "input":
            continue
        name, unit = parameter_name(item.name), canonical(item.unit)
        numbers = _numbers(item.value)
        if not numbers:
            left_out.append(
                f"{item.name}: {item.value!r} is neither a number, nor a list or range of numbers"
            )
            continue
        if unit not in UNITS:
            left_out.append(f"{item.name}: {unknown_unit(item.unit)}")
            continue
        for number, value in enumerate(numbers, 1):
            own = name if len(numbers) == 1 else f"{name[:37]}_{number}"
            if own in found:
                left_out.append(f"{item.name}: another parameter has this name")
                continue
            found[own] = Parameter(
                id=own,
                value=value,
                unit=unit,
                origin="paper",
                meaning=item.place,
                quotation=item.quotation or item.place,
            )
    scales = [UNITS[p.unit].scale for p in found.values() if UNITS[p.unit].scale]
    kept = max(sorted(set(scales)), key=scales.count, default="")
    if sum(parameter.is_lattice_constant for parameter in found.values()) == 1:
        return Declared(parameters=tuple(found.values()), left_out=tuple(left_out))
    for name, parameter in list(found.items()):  # without it the free length and micrometres do not mix
        if UNITS[parameter.unit].scale not in ("", kept):
            left_out.append(f"{name}: in {parameter.unit}, while most lengths are in {kept}")
            del found[name]
    return Declared(parameters=tuple(found.values()), left_out=tuple(left_out))
