"""A solved quantity in words: its unit and its value with its uncertainty, alike in a terminal and in Python."""

from __future__ import annotations

import csv
from pathlib import Path

from schemas.base import FileRef, file_sha256
from schemas.errors import InputError
from schemas.reproduce.simulations.execution import StageOutputs
from schemas.reproduce.simulations.numerics import QuantityResult
from tasks.reproduce.describing.in_sandbox import Description
from tasks.reproduce.describing.lengths import Lengths
from tasks.reproduce.measuring import Scalar
from tasks.reproduce.solving.columns import columns_of, unit_of

MOST_BYTES = 200_000_000  # of a curve


def unit_described(made: Description, found: QuantityResult) -> str:
    """The base unit of a quantity of a description: '1', 'um', 'c/um', 'um/c', 'rad', 'dB/um'; with the free length a for um."""
    scale = made.parameters.scale
    column = columns_of(made, found.id, Scalar(1.0, found.power), Lengths(scale))[-1][0]
    return _base(column.unit, found.power, scale)


def unit_kept(outputs: StageOutputs, found: QuantityResult, scale: str) -> str:
    """The same of a quantity whose values were kept as data files. scale: the length of the description's numbers."""
    told = next(
        (d.columns[-1].unit for e in outputs.executions for d in e.datasets if d.dataset_id == found.id), "1"
    )
    return _base(told, found.power, scale)


def curve_rows(folder: Path, curve: FileRef) -> list[list[float]]:
    """The rows of a kept curve below the header: abscissae, value, uncertainty (nan where unknown).

    Raises InputError where the file is gone, not as it was written, or no table of numbers.
    """
    path = folder / curve.path
    if (
        not path.resolve().is_relative_to(folder.resolve())
        or not path.is_file()
        or path.stat().st_size != curve.bytes
        or curve.bytes > MOST_BYTES
        or file_sha256(path) != curve.sha256
    ):
        raise InputError(
            "a curve's file is not as it was written",
            found=str(path),
            allowed=f"the file with sha256 {curve.sha256[:12]}...",
            fix="solve it again: runs that are kept cost nothing",
        )
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            head, *rows = [row for row in csv.reader(stream) if row]
        found = [[float(cell or "nan") for cell in row] for row in rows]
        if not found or len(head) < 3 or any(len(row) != len(head) for row in found):
            raise ValueError(f"{len(found)} rows of {len(head)} columns")
        return found
    except (ValueError, csv.Error) as error:
        raise InputError(
            "a curve's file is no table of numbers",
            found=f"{path}: {str(error)[:200]}",
            allowed="abscissae, value and uncertainty in each row",
            fix="solve it again: runs that are kept cost nothing",
        ) from error


def with_its_number(found: QuantityResult, folder: Path) -> QuantityResult:
    """The same; where its curve has one point only, as at a single wavelength, with that as its value."""
    if found.curve is None or found.value is not None or len(rows := curve_rows(folder, found.curve)) != 1:
        return found
    return found.model_copy(update={"value": rows[0][-2], "curve": None, "axis": ""})


def value_words(found: QuantityResult, unit: str) -> str:
    """'0.1479 +- 0.0003 um'; '' where there is no number."""
    if found.value is None:
        return ""
    doubt = "" if found.uncertainty is None else f" +- {found.uncertainty:.2g}"
    return f"{found.value:.8g}{doubt} {unit}".removesuffix(" 1")


def _base(told: str, power: int, scale: str) -> str:
    if told == "rad":
        return told
    if told.startswith("dB/"):
        return f"dB/{scale}"
    return f"{scale}/c" if told in ("fs", f"{scale}/c") else unit_of(power, scale)
