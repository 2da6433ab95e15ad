"""A solved quantity in words: its unit and its value with its uncertainty, alike in a terminal and in Python."""

from __future__ import annotations

from schemas.reproduce.simulations.execution import StageOutputs
from schemas.reproduce.simulations.numerics import QuantityResult
from tasks.reproduce.describing.in_sandbox import Description
from tasks.reproduce.describing.lengths import Lengths
from tasks.reproduce.measuring import Scalar
from tasks.reproduce.solving.columns import columns_of, unit_of


def unit_described(made: Description, found: QuantityResult) -> str:
    """The base unit of a quantity of a description: '1', 'um', 'c/um', 'um/c', 'rad'; with the free length a for um."""
    scale = made.parameters.scale
    column = columns_of(made, found.id, Scalar(1.0, found.power), Lengths(scale))[-1][0]
    return _base(column.unit, found.power, scale)


def unit_kept(outputs: StageOutputs, found: QuantityResult, scale: str) -> str:
    """The same of a quantity whose values were kept as data files. scale: the length of the description's numbers."""
    told = next(
        (d.columns[-1].unit for e in outputs.executions for d in e.datasets if d.dataset_id == found.id), "1"
    )
    return _base(told, found.power, scale)


def value_words(found: QuantityResult, unit: str) -> str:
    """'0.1479 +- 0.0003 um'; '' where there is no number."""
    if found.value is None:
        return ""
    doubt = "" if found.uncertainty is None else f" +- {found.uncertainty:.2g}"
    return f"{found.value:.8g}{doubt} {unit}".removesuffix(" 1")


def _base(told: str, power: int, scale: str) -> str:
    if told == "rad":
        return told
    return f"{scale}/c" if told in ("fs", f"{scale}/c") else unit_of(power, scale)
