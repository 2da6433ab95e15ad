"""A measured value as columns of numbers with units, in the lengths that its targets are told in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schemas.reproduce.simulations.axes import Axis
from schemas.reproduce.simulations.execution import Column
from simkit.describe.feature import Feature
from simkit.describe.measured import Measured as Free
from simkit.describe.units import UNITS
from simkit.describe.waveguide import Attenuation
from tasks.reproduce.describing.answering import process_measured
from tasks.reproduce.describing.in_sandbox import Description
from tasks.reproduce.describing.lengths import Lengths
from tasks.reproduce.describing.vocabulary import swept
from tasks.reproduce.measuring import COUNT, Map, Measured, Scalar

Array = NDArray[np.float64]
_WORDS = {
    "order_efficiency": "efficiency",
    "near_field": "field_enhancement",
    "point_field": "field_enhancement",
    "cell_field": "field_enhancement",
    "device_field": "field_enhancement",
    "quality_factor": "quality_factor",
}
_TIMES, _PHASES = ("group_delay", "port_delay", "decay_time"), ("phase", "port_phase", "kerr_phase")
_OF_TIME = ("fs", "ps", "a/c")
C = 0.299792458  # um/fs
_AXES: Mapping[str, Axis] = {
    "frequency": "spectral",
    "wavenumber": "wave vector",
    "position": "length",
    "time": "time",
    "angle": "angle",
    COUNT: "parameter",
}
_POWERS = {"frequency": -1, "wavenumber": -1, "position": 1, "time": 1}


def place_in(found: Description, name: str) -> int:
    """The place of a quantity or sweep among all of the description, in the order of its author."""
    return [item.id for item in (*found.problem.quantities, *found.problem.sweeps)].index(name)


def described_as(found: Description, name: str) -> Any:
    """The quantity or sweep of that id."""
    return next(item for item in (*found.problem.quantities, *found.problem.sweeps) if item.id == name)


def columns_of(
    found: Description, name: str, value: Measured, lengths: Lengths
) -> tuple[tuple[Column, Array], ...]:
    """Abscissae, if it has any, then the value: each column with its numbers, all of one length.

    One column of one row: a number. Two: a curve. Three: a map in long form.
    """
    problem, described = found.problem, described_as(found, name)
    sweep = next((item for item in problem.sweeps if item.id == name), None)
    of: Any = described if sweep is None else described_as(found, sweep.of)
    quantity = _WORDS.get(of.type, of.type)
    length, size = lengths.of(described.answers, axis=False)
    behind = described_as(found, of.of) if isinstance(of, Feature) else of
    own = Column(
        name=name,
        quantity=quantity,
        process=process_measured(behind),
        unit=f"dB/{length}"
        if _in_levels(of, value.power, lengths, _answered_together(found, described.answers))
        else _unit(quantity, value.power, length),
    )
    if own.unit == "fs":
        size = size * C
    numbers = np.atleast_1d(value.value if isinstance(value, Scalar) else value.y) / size**value.power
    if isinstance(value, Scalar) or len(value.x) == 1:
        return ((own, numbers),)
    if isinstance(value, Map):
        axes = [
            _axis(found, described, lengths, label, word, grid)
            for label, word, grid in zip(value.labels, value.words, value.grid, strict=True)
        ]
        places = [part.reshape(-1) for part in np.meshgrid(axes[0][1], axes[1][1], indexing="ij")]
        return (
            *((_apart(column, name), part) for (column, _), part in zip(axes, places, strict=True)),
            (own, numbers),
        )
    column, x = _axis(found, described, lengths, "", value.axis, value.x)
    return (_apart(column, name), x), (own, numbers)


def _answered_together(found: Description, answers: Sequence[str]) -> tuple[str, ...]:
    """What is answered by all that answers one of these: of two numbers whose ratio is asked for one may answer on its own, too."""
    items = (*found.problem.quantities, *found.problem.sweeps)
    return tuple(name for item in items if set(item.answers) & set(answers) for name in item.answers)


def unit_of(power: int, length: str) -> str:
    """The unit of a value of that power of length: '1', 'um', 'c/um', 'um^2', or with the free length a."""
    return {0: "1", 1: length, -1: f"c/{length}"}.get(power, f"{length}^{power}")


def axis_unit(found: Description, described: Any, lengths: Lengths) -> str:
    """The unit of the abscissa of a sweep, or of bands; '' of others, which are told in their target's."""
    length = lengths.of(described.answers, axis=True)[0]
    if described.type == "bands":
        return unit_of(_POWERS["wavenumber"], length)
    if described.type != "sweep":
        return ""
    declared = found.parameters.items()[described.parameter].unit
    power = UNITS[declared].power
    return unit_of(power, length) if power and declared not in _OF_TIME else declared


def _axis(
    found: Description, described: Any, lengths: Lengths, label: str, word: str, x: Array
) -> tuple[Column, Array]:
    """Name, unit and values of an abscissa, in the length that its target is told in; label: another name than the word."""
    power, kind = _POWERS.get(word, 0), _AXES.get(word, "parameter")
    if described.type == "sweep" and word in ("parameter", COUNT):
        word, kind = described.parameter, swept(found, described.parameter)
        declared = found.parameters.items()[word].unit
        power = UNITS[declared].power
        if not power or declared in _OF_TIME:  # no length: in the unit it was declared in
            return Column(name=word, quantity=word, unit=declared, axis=kind), x / UNITS[declared].factor
    length, size = lengths.of(described.answers, axis=True)
    unit = "rad" if word == "angle" else _time(length) if word == "time" else unit_of(power, length)
    size = size * C if unit == "fs" else size
    return Column(name=label or word, quantity=word, unit=unit, axis=kind), x / size**power


def _apart(column: Column, name: str) -> Column:
    return column.model_copy(update={"name": f"{name}_axis"}) if column.name == name else column


def _in_levels(of: Any, power: int, lengths: Lengths, answers: Sequence[str]) -> bool:
    """Whether a value is so many dB per length: an attenuation, or a writer's own number where its target is in them."""
    own = power == -1 and isinstance(of, Free) and not lengths.levels.isdisjoint(answers)
    return isinstance(of, Attenuation) or own


def _unit(quantity: str, power: int, length: str) -> str:
    if quantity in _TIMES:
        return _time(length)
    return "rad" if quantity in _PHASES else unit_of(power, length)


def _time(length: str) -> str:
    return "fs" if length == "um" else f"{length}/c"
