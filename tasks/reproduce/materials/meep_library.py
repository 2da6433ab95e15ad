"""Meep's own material library, read with Meep's interpreter, as candidates to compare with the literature."""

from __future__ import annotations

import json
import math
import os
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tasks.reproduce.materials.constants import Band, OpticalConstants, band_wavelengths
from tasks.reproduce.materials.drude_lorentz import Pole, drude_lorentz
from tasks.reproduce.materials.errors import MeepLibraryError
from tasks.reproduce.materials.stability import pitfalls

SCRIPT = Path(__file__).with_name("meep_script.py")
TIMEOUT_S = 60.0
_MARK = "MEEP_LIBRARY "
# Entries whose name does not start with the formula of the material.
OTHER_NAMES = {
    "SiO2": ("fused_quartz",),
    "Si": ("cSi", "aSi", "aSi_H"),
    "Si3N4": ("SiN",),
}


@dataclass(frozen=True)
class LibraryMaterial:
    """An entry of meep.materials: xx component, poles in c/um; valid_um None where Meep states no range."""

    name: str
    eps_inf: float
    poles: tuple[Pole, ...]
    valid_um: Band | None
    isotropic: bool
    meep_version: str

    def constants(self, band_um: Band) -> OpticalConstants:
        """n and k of the model on 401 wavelengths over the band (um), stated range or not."""
        wavelength_um = band_wavelengths(band_um, 401)
        index = np.sqrt(drude_lorentz(1 / wavelength_um, self.eps_inf, self.poles))
        return OpticalConstants(
            page=f"meep/{self.name}",
            wavelength_um=wavelength_um,
            n=index.real,
            k=index.imag,
            kind="Drude-Lorentz model",
            reference=f"meep.materials.{self.name} of Meep {self.meep_version}",
        )

    def remarks(self, band_um: Band) -> tuple[str, ...]:
        """What to know before using it over the band: range, anisotropy, gain, stability in 3D."""
        notes = []
        if self.valid_um and not (
            self.valid_um[0] <= band_um[0] * 1.001 and band_um[1] <= self.valid_um[1] * 1.001
        ):
            notes.append(f"Meep states {self.valid_um[0]:.3g}-{self.valid_um[1]:.3g} um")
        if not self.isotropic:
            notes.append("anisotropic: xx component shown")
        return (*notes, *pitfalls(self))


@lru_cache(maxsize=4)
def meep_library(meep_python: str) -> tuple[LibraryMaterial, ...]:
    """Every entry of meep.materials, in order of name.

    Args:
        meep_python: path of an interpreter that can import Meep.

    Raises:
        MeepLibraryError: the interpreter does not start, has no Meep, or takes more than 60 s.
    """
    # No host environment: a PYTHONPATH or OMP setting of ours must not reach another interpreter.
    environment = {"PATH": os.defpath, "HOME": "/nonexistent", "OMP_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            [meep_python, "-B", str(SCRIPT)],
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            env=environment,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _failure(meep_python, str(error)) from error
    lines = [line for line in done.stdout.splitlines() if line.startswith(_MARK)]
    if done.returncode or not lines:
        raise _failure(meep_python, (done.stderr.strip() or "no output").splitlines()[-1])
    content = json.loads(lines[-1].removeprefix(_MARK))
    return tuple(
        _material(name, entry, str(content["version"]))
        for name, entry in sorted(content["materials"].items())
    )


def library_candidates(book: str, meep_python: str) -> list[LibraryMaterial]:
    """Library entries for a book of the database: "Au" gives Au, Au_JC_visible and Au_visible."""
    names = (book, *OTHER_NAMES.get(book, ()))
    return [
        material
        for material in meep_library(meep_python)
        if material.name in names or material.name.startswith(f"{book}_")
    ]


def _material(name: str, entry: dict[str, Any], version: str) -> LibraryMaterial:
    low, high = (float(value) for value in entry["valid_frequency"])
    stated = 0 < low < high and math.isfinite(high) and high < 1e6
    poles = tuple(
        Pole(pole["kind"], float(pole["f0"]), float(pole["gamma"]), float(pole["sigma"]))
        for pole in entry["poles"]
    )
    valid_um = (1 / high, 1 / low) if stated else None
    return LibraryMaterial(name, float(entry["eps_inf"]), poles, valid_um, bool(entry["isotropic"]), version)


def _failure(meep_python: str, found: str) -> MeepLibraryError:
    return MeepLibraryError(
        f"Meep's material library could not be read with {meep_python}",
        found=found,
        allowed="an interpreter in which `import meep` works",
        fix="install python3-meep (Debian, Ubuntu) or pymeep (conda-forge) and give that interpreter; "
        "the package called meep on PyPI is an unrelated program",
    )
