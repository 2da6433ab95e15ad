"""Reading collected data files again, after checking that they are still the files that were hashed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from schemas.base import FileRef, file_sha256
from schemas.errors import ReproLabError
from schemas.reproduce.simulations.execution import Dataset
from tasks.reproduce.collect import read_csv, read_npz
from tasks.reproduce.evidence.not_computed import EvidenceError, FileChanged


@dataclass(frozen=True)
class Table:
    """The numbers of one dataset: arrays by column name, and how many values are NaN or infinite."""

    columns: Mapping[str, NDArray[np.float64]]
    non_finite: int

    @property
    def rows(self) -> int:
        """Length of the longest column; 0 for an empty file."""
        return max((array.size for array in self.columns.values()), default=0)


def verified_path(file: FileRef, root: Path) -> Path:
    """The file's absolute path, after comparing its bytes with its hash.

    Raises:
        FileChanged: it is missing, lies outside `root`, or its sha256 differs.
    """
    path = (root / file.path).resolve()
    if not path.is_relative_to(root.resolve()):
        raise FileChanged(
            "a data file lies outside the run's directory",
            found=file.path,
            allowed=f"below {root}",
            fix="run the stage again",
        )
    if not path.is_file():
        raise FileChanged("a data file is missing", found=f"no file {file.path}", fix="run the stage again")
    found = file_sha256(path)
    if found != file.sha256:
        raise FileChanged(
            "file changed after the run",
            found=f"{file.path} has sha256 {found[:12]}",
            allowed=f"{file.sha256[:12]}, as hashed when it was collected",
            fix="restore the file or run the stage again; results are never edited by hand",
        )
    return path


def read_dataset(dataset: Dataset, root: Path) -> Table:
    """The numbers of a CSV or NPZ dataset; no columns for an image.

    Raises:
        FileChanged: as `verified_path`.
        EvidenceError: the file cannot be read as what it claims to be.
    """
    path = verified_path(dataset.file, root)
    suffix = path.suffix.lower()
    try:
        if suffix == ".csv":
            names = [column.name for column in dataset.columns]
            arrays = read_csv(path, names or None)
        elif suffix == ".npz":
            arrays = read_npz(path)
        else:
            return Table({}, 0)
    except (ReproLabError, OSError, ValueError) as error:
        raise EvidenceError(
            f"dataset {dataset.dataset_id!r} cannot be read",
            found=str(error).replace("\n", "; "),
            fix="save it with simkit (run.spectrum, run.scalar, run.bands, run.field)",
        ) from error
    return Table(arrays.data, sum(arrays.nonfinite.values()))


@dataclass
class Reader:
    """Reads each dataset once; later requests get the same table, or the same error."""

    root: Path
    _tables: dict[str, Table | EvidenceError] = field(default_factory=dict)

    def read(self, dataset: Dataset) -> Table:
        """As `read_dataset`, remembered by path, hash and columns."""
        key = f"{dataset.file.path}:{dataset.file.sha256}:{[column.name for column in dataset.columns]}"
        if key not in self._tables:
            try:
                self._tables[key] = read_dataset(dataset, self.root)
            except EvidenceError as error:
                self._tables[key] = error
        table = self._tables[key]
        if isinstance(table, EvidenceError):
            raise table
        return table
