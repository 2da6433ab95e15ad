"""The paper's side of a target: a quoted number, a table of its folder, a feature of that, or Fresnel."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from schemas.errors import ReproLabError
from schemas.materials import MaterialRecord
from schemas.plan import Reference, Target
from tasks.curves.curve import Curve
from tasks.evidence.errors import EvidenceError
from tasks.evidence.features import curve_feature
from tasks.evidence.units import convert, unit_of_name
from tasks.materials.database import load_page
from tasks.papers import inside, own_form
from tasks.tables import read_table

_MAX_DATA_BYTES = 20_000_000
_FRESNEL_POINTS = 801


@dataclass(frozen=True)
class ReferenceValue:
    """What the simulation is compared with, in the target's units; error_percent is its own uncertainty."""

    value: float | Curve
    source: str
    error_percent: float = 0.0


def resolve(
    target: Target,
    paper_dir: Path,
    materials: Mapping[str, MaterialRecord],
    wavelength_um: float | None = None,
) -> ReferenceValue:
    """The reference of a target.

    Args:
        wavelength_um: the vacuum wavelength of a scalar Fresnel target.

    Raises:
        EvidenceError: it cannot be had; the message says why.
    """
    reference = target.reference
    if reference.kind == "quotation":
        if target.kind == "curve" or reference.value is None or not np.isfinite(reference.value):
            raise EvidenceError(
                "a quoted number is no reference for this target",
                found=f"a {target.kind}, value {reference.value}",
                allowed="a scalar, a finite value",
            )
        place = f" ({reference.place})" if reference.place else ""
        return ReferenceValue(float(reference.value), f'the paper{place}: "{reference.quotation}"')
    if reference.kind == "fresnel":
        return _fresnel(target, reference, materials, wavelength_um)
    curve, error = _columns(target, reference, paper_dir)
    source = f"{reference.file}, column {reference.y_column} against {reference.x_column}"
    if reference.kind == "data":
        if target.kind == "scalar":
            raise EvidenceError(
                "a table is no reference for a scalar",
                found="kind 'data'",
                allowed="kind 'feature' or 'quotation'",
            )
        return ReferenceValue(curve, source, error)
    if target.kind == "curve" or reference.feature is None:
        raise EvidenceError(
            "a feature is no reference for a curve", found="kind 'feature'", allowed="kind 'data'"
        )
    return ReferenceValue(curve_feature(curve, reference.feature), f"{reference.feature} of {source}", error)


def fresnel_reflectance(index: NDArray[np.complex128]) -> NDArray[np.float64]:
    """R = |(n - 1)/(n + 1)|^2 of a bare surface at normal incidence (Born and Wolf, section 1.5)."""
    n = np.asarray(index, dtype=complex)
    return np.asarray(np.abs((n - 1) / (n + 1)) ** 2, dtype=float)


def _fresnel(
    target: Target,
    reference: Reference,
    materials: Mapping[str, MaterialRecord],
    wavelength_um: float | None,
) -> ReferenceValue:
    record = materials.get(reference.material or "")
    if record is None:
        raise EvidenceError(
            f"material {reference.material!r} was not prepared",
            allowed=", ".join(sorted(materials)),
            fix="name a material of the plan",
        )
    if target.kind == "scalar":
        if wavelength_um is None:
            raise EvidenceError(
                "the wavelength of the reflectance is unknown",
                found="no wavelength column beside it",
                fix="save the wavelength as another column of the same dataset",
            )
        wavelengths = np.array([wavelength_um])
    else:
        band = convert(target.x_range, target.x_unit, "um") if target.x_range else record.band_um
        wavelengths = np.linspace(min(band), max(band), _FRESNEL_POINTS)
    if record.index is not None:
        index, source = np.full(wavelengths.size, complex(record.index)), f"index {record.index:g}"
    else:
        try:
            index, source = load_page(record.page or "").at(wavelengths), f"table {record.page}"
        except ReproLabError as error:
            raise EvidenceError(
                f"no optical constants of {record.name!r} for the range compared",
                found=" ".join(str(error).split()),
                fix="compare inside the table's range",
            ) from error
    reflectance = convert(fresnel_reflectance(index), "1", target.unit)
    text = f"Fresnel, normal incidence on {record.name} ({source})"
    if target.kind == "scalar":
        return ReferenceValue(float(reflectance[0]), text)
    return ReferenceValue(Curve.of(convert(wavelengths, "um", target.x_unit), reflectance), text)


def _columns(target: Target, reference: Reference, paper_dir: Path) -> tuple[Curve, float]:
    name = reference.file or ""
    path = inside(paper_dir, name)
    if path is None or Path(name).is_absolute():
        raise EvidenceError(
            "a reference file lies outside the paper's folder",
            found=name,
            allowed=f"a path inside {paper_dir.name}/",
            fix="name a data file of the paper",
        )
    if not path.is_file() or path.stat().st_size > _MAX_DATA_BYTES:
        raise EvidenceError(
            "a reference file cannot be read",
            found=f"{name}: no file, or too large",
            allowed=f"a CSV of at most {_MAX_DATA_BYTES} bytes",
        )
    try:
        columns = read_table(path)
        asked = reference.x_column or "", reference.y_column or ""
        absent = [column for column in asked if column not in columns]
        if absent:
            raise ValueError(f"it has no column {', '.join(absent)}; its columns are {', '.join(columns)}")
        x, y = columns[asked[0]].to_numpy(), columns[asked[1]].to_numpy()
        position = reference.kind == "feature" and str(reference.feature).endswith("position")
        x_wanted = target.unit if position else target.x_unit
        x_known = unit_of_name(reference.x_column or "")
        if x_known and x_wanted:
            x = convert(x, x_known, x_wanted)
        y_known = unit_of_name(reference.y_column or "")
        if y_known and not position:
            y = convert(y, y_known, target.unit)
        curve = Curve.of(x, y)
        if reference.kind == "feature" and target.x_range is not None:
            low, high = target.x_range
            if position and target.x_unit:
                low, high = sorted(convert(target.x_range, target.x_unit, target.unit))
            part = curve.within(float(low), float(high))
            if part is None:
                raise ValueError(
                    f"no data between {low:g} and {high:g}; it covers {curve.x[0]:g} to {curve.x[-1]:g}"
                )
            curve = part
    except ValueError as error:
        raise EvidenceError(
            f"the reference {name!r} cannot be used", found=str(error), fix="name existing columns of numbers"
        ) from error
    return curve, data_error_percent(paper_dir, name)


def data_error_percent(paper_dir: Path, file: str) -> float:
    """relative_error_percent that the paper's JSON file (paper.json, or the one file it is) states for a data file.

    0 where none is stated; the largest where several files of the folder name the data.
    """
    largest = 0.0
    for path in sorted(paper_dir.glob("*.json"))[:100]:
        try:
            figures = own_form(json.loads(path.read_text(encoding="utf-8"))).fields.get("figures", [])
            entries = [data for figure in figures for data in figure.get("data", []) if data.get("file") == file]
            error = max((float(entry.get("relative_error_percent", 0.0)) for entry in entries), default=0.0)
        except (OSError, ValueError, TypeError, AttributeError, RecursionError):
            continue
        if np.isfinite(error):
            largest = max(largest, error)
    return largest
