"""The paper's inputs as declared parameters: what a description may use as p.name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.base import Model
from schemas.parameters import ExtractedParameter
from simkit.describe.parameters import Parameter
from simkit.describe.units import UNITS

_SPELLINGS = {"": "1", "\u00b5m": "um", "\u03bcm": "um", "micron": "um", "microns": "um", "micrometer": "um", "\u00b0": "deg",
              "degree": "deg", "degrees": "deg", "\u03a9": "ohm", "ohms": "ohm", "percent": "%", "\u00c5": "angstrom",
              "cm^-1": "1/cm", "um^-1": "1/um", "dimensionless": "1", "a.u.": "1"}
_NUMBER = re.compile(r"[-+\u2212]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


class Declared(Model):
    """The inputs that became parameters, and those that could not, each with the reason."""

    parameters: tuple[Parameter, ...] = ()
    left_out: tuple[str, ...] = ()


def parameter_name(name: str) -> str:
    """An extracted parameter's name as a word of Python: letters, digits, _."""
    word = re.sub(r"\W", "_", name)[:40]
    return word if word[:1].isalpha() else f"p_{word}"[:40]


def declared(extracted: Sequence[ExtractedParameter]) -> Declared:
    """Every input of the plan that is one number with a known unit, as a parameter of origin 'paper'."""
    found: dict[str, Parameter] = {}
    left_out = []
    for item in extracted:
        if item.role != "input":
            continue
        name, unit = parameter_name(item.name), _SPELLINGS.get(item.unit.strip(), item.unit.strip())
        text = item.value.strip().replace("\u2212", "-")
        if not _NUMBER.fullmatch(text):
            left_out.append(f"{item.name}: {item.value!r} is no single number")
        elif unit not in UNITS:
            left_out.append(f"{item.name}: unit {item.unit!r} is not known")
        elif name in found:
            left_out.append(f"{item.name}: another parameter has this name")
        else:
            found[name] = Parameter(id=name, value=float(text), unit=unit, origin="paper", meaning=item.place,
                                    quotation=item.quotation or item.place)
    return Declared(parameters=tuple(found.values()), left_out=tuple(left_out))
