"""The optical constants behind a material of the plan, whatever its form, and those that a prepared one was fitted to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from schemas.base import FileRef, file_sha256
from schemas.reproduce.materials.prepared_material import MaterialChoice, MaterialRecord
from tasks.files.tables import read_table, write_table
from tasks.reproduce.materials.constants import OpticalConstants
from tasks.reproduce.materials.database import load_page
from tasks.reproduce.materials.drude_lorentz import MaterialFit
from tasks.reproduce.materials.errors import MaterialDataError, MaterialError
from tasks.reproduce.materials.fitting import fit_material
from tasks.reproduce.materials.handed_tables import read_nk_table
from tasks.reproduce.materials.stated import out_of_range, stated_constants, stated_fit


def constants_of(choice: MaterialChoice, folders: Sequence[Path]) -> OpticalConstants:
    """n and k of a database page, of a table handed in, or of the numbers stated.

    folders: where tables are looked for; one that would leave its folder is not found.
    Raises MaterialError: unknown page, unusable table or formula, a material along axes (it has no one index).
    """
    if choice.page is not None:
        return load_page(choice.page)
    if choice.table:
        return read_nk_table(table_path(choice.table, folders), f"table {choice.table}")
    if choice.index is not None:
        return OpticalConstants(
            page=choice.words(),
            wavelength_um=np.array(choice.band_um),
            n=np.full(2, choice.index),
            k=np.zeros(2),
            kind="constant index",
        )
    if choice.axes:
        raise MaterialDataError(
            f"{choice.name} is anisotropic and has no one index",
            found=choice.words(),
            allowed="a material along one axis",
            fix=f"name the one the field is along: {', '.join(choice.axes)}",
        )
    return stated_constants(choice)


def table_path(name: str, folders: Sequence[Path]) -> Path:
    """The file of a table, in the first of the folders that holds it. Raises MaterialDataError."""
    for folder in folders:
        try:
            path = (folder / name).resolve()
            if path.is_relative_to(folder.resolve()) and path.is_file():
                return path
        except (OSError, ValueError, RuntimeError):  # a name that no file can have
            break
    raise MaterialDataError(
        "no such table of optical constants",
        found=name[:200],
        allowed="a file that paper.json lists under `materials`, or one handed in at the checkpoint",
        fix="give its path inside the paper's folder",
    )


def held(name: str, folders: Sequence[Path]) -> bool:
    """Whether one of the folders holds that table."""
    try:
        return bool(table_path(name, folders))
    except MaterialDataError:
        return False


def fit_choice(choice: MaterialChoice, constants: OpticalConstants) -> tuple[MaterialFit, tuple[str, ...]]:
    """The passive model of a material over its band, and remarks. Raises MaterialError: band not covered, no model."""
    if choice.linear:
        return stated_fit(choice, constants)
    if not constants.covers(choice.band_um):
        raise out_of_range(choice, constants)
    return fit_material(constants, choice.band_um), ()


def save_constants(constants: OpticalConstants, path: Path) -> Path:
    """Write wavelength_um, n, k as a CSV that `recorded_constants` reads back without loss."""
    import pandas as pd

    return write_table(
        path, pd.DataFrame({"wavelength_um": constants.wavelength_um, "n": constants.n, "k": constants.k})
    )


def recorded_constants(record: MaterialRecord, root: Path) -> OpticalConstants:
    """The constants a prepared material was fitted to: its page, or the file that was written when it was prepared.

    root: the run's directory. The file must be what was written (sha256). Raises MaterialError.
    """
    if record.page is not None:
        return load_page(record.page)
    if record.constants is None:
        raise MaterialDataError(
            f"{record.name} has no optical constants of its own",
            found=record.words(),
            allowed="a page, a table, a stated model or an index",
            fix="name the material of one axis",
        )
    path = root / record.constants.path
    if not path.is_file() or file_sha256(path) != record.constants.sha256:
        raise MaterialError(
            f"the optical constants of {record.name} are not what was prepared",
            found=record.constants.path,
            allowed="the file as it was written",
            fix="run the material stage again",
        )
    table = read_table(path)
    return OpticalConstants(
        page=record.description,
        wavelength_um=table["wavelength_um"].to_numpy(),
        n=table["n"].to_numpy(),
        k=table["k"].to_numpy(),
        kind=record.description,
    )


def constants_ref(folder: Path) -> FileRef:
    """Reference to the saved constants of a material's folder."""
    return FileRef.of(folder / "constants.csv", folder)
