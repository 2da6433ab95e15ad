"""A table of n and k that came with the paper or from a person: a CSV file, hostile until checked."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from schemas.errors import InputError
from schemas.reproduce.simulations.spectral import spectral_unit, to_wavelength_um
from tasks.files.tables import TableLimits, read_table
from tasks.reproduce.materials.constants import OpticalConstants
from tasks.reproduce.materials.errors import MaterialDataError

LIMITS = TableLimits(bytes=2_000_000, rows=20_000, columns=20)
MAX_INDEX = 100.0
_HEADER = re.compile(
    r"(?P<quantity>wavelength|lambda|wl|energy|photon_energy|frequency|wavenumber|omega)"
    r"[\s_]*[\[(]?(?P<unit>[^\])]*)[\])]?",
    re.IGNORECASE,
)
_ALLOWED = (
    "CSV: a header line (wavelength_nm, n, k), then numbers; wavelength with its unit (wavelength_um, "
    "energy_eV, frequency_THz, ...), k >= 0 is loss and may be left out for a lossless material"
)


def read_nk_table(source: Path | bytes, name: str = "") -> OpticalConstants:
    """Optical constants of a CSV file with columns wavelength (unit in its name), n and optionally k.

    Rows are put in ascending wavelength. The table holds between its first and last wavelength and nowhere else.
    source: a file, or its bytes. name: how the table is called in messages and records.
    Raises MaterialDataError naming the row: no CSV of finite numbers, too large, columns missing, n not positive,
    k negative (gain), a wavelength twice.
    """
    label = name or (source.name if isinstance(source, Path) else "table")
    try:
        table = read_table(source, limits=LIMITS)
    except (ValueError, OSError) as error:
        raise _bad(label, str(error)) from error
    axis, unit, n_name, k_name = _columns(label, list(table.columns))
    n = table[n_name].to_numpy()
    k = table[k_name].to_numpy() if k_name else np.zeros_like(n)
    for row in np.flatnonzero((n <= 0) | (n > MAX_INDEX) | (k < 0) | (k > MAX_INDEX)):
        raise _bad(
            label,
            f"row {row + 2}: n = {n[row]:g}, k = {k[row]:g}",
            f"0 < n <= {MAX_INDEX:g}, 0 <= k <= {MAX_INDEX:g}",
            "k is positive for loss, whatever the paper's sign; a medium with gain is not supported",
        )
    try:
        wavelength_um = np.array([to_wavelength_um(value, unit) for value in table[axis]])
    except InputError as error:
        raise _bad(label, f"{error.what} ({error.found})") from error
    order = np.argsort(wavelength_um)
    wavelength_um = wavelength_um[order]
    if (double := np.flatnonzero(np.diff(wavelength_um) <= 1e-12 * wavelength_um[1:])).size:
        raise _bad(label, f"{wavelength_um[double[0]]:g} um a second time", "each wavelength once")
    return OpticalConstants(
        page=label,
        wavelength_um=wavelength_um,
        n=n[order],
        k=k[order],
        has_k=bool(k_name),
        kind="table handed in",
    )


def _columns(label: str, header: list[str]) -> tuple[str, str, str, str]:
    """Names of the spectral column, its unit, and of n and k ("" without k)."""
    names = {cell.lower(): cell for cell in header}
    for cell in header:
        if match := _HEADER.fullmatch(cell):
            try:
                unit = spectral_unit(match["unit"])
            except InputError as error:
                raise _bad(
                    label, f"column {cell[:60]!r}: {error.what}", fix="name it wavelength_nm"
                ) from error
            if "n" in names and len(names) == len(header):
                return cell, unit, names["n"], names.get("k", "")
    raise _bad(label, f"columns {', '.join(header)[:200]}")


def _bad(label: str, found: str, allowed: str = _ALLOWED, fix: str = "correct the file") -> MaterialDataError:
    return MaterialDataError(
        f"the table of optical constants {label[:120]!r} cannot be used",
        found=found[:400],
        allowed=allowed,
        fix=fix,
    )
