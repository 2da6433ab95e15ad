"""Datasets on disk: CSV with a header row, NPZ without pickles. Checked before they count."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simkit.errors import DatasetError
from simkit.manifest import safe_name, write_atomically

Targets = Mapping[str, str | Sequence[str]]


@dataclass(frozen=True)
class Column:
    """One column: name (CSV header), quantity ("wavelength", "reflectance", ...), unit ("nm", "1", ...), values (n,)."""

    name: str
    quantity: str
    unit: str
    values: np.ndarray

    def entry(self) -> dict[str, str]:
        """The manifest's description of the column."""
        return {"name": self.name, "quantity": self.quantity, "unit": self.unit}


def column(given: Any, dataset: str) -> Column:
    """(name, quantity, unit, values) -> Column with real float values; raises DatasetError."""
    try:
        name, quantity, unit, values = given
    except (TypeError, ValueError):
        raise DatasetError(
            f"{dataset}: a column must be (name, quantity, unit, values), found {given!r:.120}."
        ) from None
    array = np.atleast_1d(np.asarray(values))
    if np.iscomplexobj(array):
        raise DatasetError(f"{dataset}.{name}: complex values; save real and imaginary parts as two columns.")
    try:
        array = array.astype(float)
    except (TypeError, ValueError):
        raise DatasetError(f"{dataset}.{name}: values are not numbers ({array.dtype}).") from None
    if array.ndim != 1:
        raise DatasetError(f"{dataset}.{name}: shape {array.shape}; a column is one-dimensional.")
    for label, text in (("quantity", quantity), ("unit", unit)):
        if not isinstance(text, str) or not text or len(text) > 60:
            raise DatasetError(
                f"{dataset}.{name}: {label} is {text!r}; a short string is needed ('1' = no unit)."
            )
    return Column(safe_name(name, f"{dataset}: column"), quantity, unit, array)


def check_columns(dataset: str, columns: Sequence[Column]) -> None:
    """Equal lengths, distinct names, finite numbers."""
    names = [c.name for c in columns]
    if len(set(names)) != len(names):
        raise DatasetError(f"{dataset}: repeated column names {names}.")
    lengths = {c.name: len(c.values) for c in columns}
    if len(set(lengths.values())) != 1 or not next(iter(lengths.values())):
        raise DatasetError(f"{dataset}: columns must have one equal, non-zero length, found {lengths}.")
    for c in columns:
        bad = np.flatnonzero(~np.isfinite(c.values))
        if bad.size:
            raise DatasetError(
                f"{dataset}.{c.name}: {bad.size} of {len(c.values)} values are NaN or Inf, the first at row {bad[0]}."
                " A NaN is a failed simulation (growth, division by a zero reference): find its cause, do not replace it."
            )


def target_entries(dataset: str, names: Iterable[str], targets: Targets | None) -> list[dict[str, str]]:
    """{column: target id or ids} -> manifest entries; every column must exist."""
    known, entries = list(names), []
    for name, wanted in (targets or {}).items():
        if name not in known:
            raise DatasetError(f"{dataset}: targets names column {name!r}; the columns are {known}.")
        for target in [wanted] if isinstance(wanted, str) else wanted:
            entries.append({"target": safe_name(target, "target id"), "column": name})
    return entries


def write_csv(path: Path, columns: Sequence[Column]) -> None:
    """Header row = column names; full double precision."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([c.name for c in columns])
    writer.writerows([repr(float(v)) for v in row] for row in zip(*(c.values for c in columns), strict=False))
    write_atomically(path, text.getvalue())


def read_csv(path: Path) -> dict[str, np.ndarray]:
    """A CSV written by an earlier stage as {column: values (n,)}."""
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    if len(rows) < 2:
        raise DatasetError(f"{path} holds no data rows.")
    table = np.array([[float(v) for v in row] for row in rows[1:]])
    return {name: table[:, i] for i, name in enumerate(rows[0])}
