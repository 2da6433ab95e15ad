"""What code finds wrong with a plan's materials: pages, tables, models and bands, each with its fix."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from schemas.errors import InputError
from schemas.reproduce.materials.prepared_material import MaterialChoice
from schemas.talking.review import Issue
from tasks.reproduce.materials.errors import FitFailed
from tasks.reproduce.materials.sources import constants_of, fit_choice


def material_findings(materials: Sequence[MaterialChoice], folders: Sequence[Path]) -> tuple[Issue, ...]:
    """Materials that cannot be had as chosen, or not for their band; all blocking. Nothing is extrapolated.

    folders: where tables handed in are looked for.
    """
    names = {choice.name for choice in materials}
    along = {choice.name for choice in materials if choice.axes}
    found = []
    for choice in materials:
        problem = ""
        if unknown := sorted(set(choice.axes) - names):
            problem = f"axes name {', '.join(unknown)}, which the plan does not define; defined: {', '.join(sorted(names))}"
        elif nested := sorted(set(choice.axes) & along):
            problem = f"axes name {', '.join(nested)}, which is anisotropic itself"
        elif not choice.axes:
            try:
                check_choice(choice, folders)
            except InputError as error:
                problem = error.text()
        if problem:
            found.append(
                Issue(
                    severity="blocking",
                    where=f"materials.{choice.name}",
                    description=problem,
                    fix="choose data that exist and cover the band, or narrow the band",
                )
            )
    return tuple(found)


def check_choice(choice: MaterialChoice, folders: Sequence[Path]) -> None:
    """Raise InputError if a material (not one along axes) cannot be had over its band."""
    constants = constants_of(choice, folders)
    if not constants.covers(choice.band_um):
        low, high = constants.valid_um
        if choice.linear:
            fit_choice(choice, constants)  # says why, in the words of the model
        raise FitFailed(
            f"{choice.words()} does not cover the band of {choice.name}",
            found=f"{choice.band_um[0]:g} to {choice.band_um[1]:g} um",
            allowed=f"{low:g} to {high:g} um",
            fix="narrow the band or choose another page or table; need_help lists those of the database",
        )
