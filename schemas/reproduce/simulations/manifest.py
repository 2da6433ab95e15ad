"""results.json and progress.jsonl as a simulation leaves them: closed, every number finite and bounded, every text short.

Generated code wrote them. An entry that does not fit is a rejected output with its reason, never an error of ours.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, ValidationError, field_validator

from schemas.base import Model
from schemas.text.visible import visible

MOST_ENTRIES = 1000
Finite = Annotated[float, Field(allow_inf_nan=False, ge=-1e300, le=1e300)]
Count = Annotated[int, Field(ge=0, le=2**53)]
Short = Annotated[str, Field(max_length=200)]
Line = Annotated[str, Field(max_length=1000)]
Words = Annotated[str, Field(max_length=20_000)]


class ManifestColumn(Model):
    name: Short
    quantity: Short = ""
    unit: Short = "1"


class ManifestTarget(Model):
    target: Short
    column: Short


class ManifestDataset(Model):
    """A data file that the simulation declares."""

    id: Short
    kind: Literal["spectrum", "scalar", "bands", "field", "image"]
    file: Short
    columns: tuple[ManifestColumn, ...] = Field((), max_length=256)
    targets: tuple[ManifestTarget, ...] = Field((), max_length=256)
    description: Words = ""

    @field_validator("description")
    @classmethod
    def _shown(cls, text: str) -> str:
        return visible(text)


class ManifestStop(Model):
    criterion: Line = ""
    reached: Finite | None = None
    met: bool = True


class ManifestRun(Model):
    """One Meep run."""

    label: Line = ""
    dimensions: Annotated[int, Field(ge=0, le=3)] = 0
    cell: tuple[Finite, ...] = Field((), max_length=3)
    resolution: Finite = 0
    courant: Finite = 0
    pixels: Count = 0
    time_steps: Count = 0
    meep_time: Finite = 0
    wall_s: Finite = 0
    stop: ManifestStop = ManifestStop()
    max_field: Finite | None = None


class ManifestCheck(Model):
    name: Line
    value: Finite = 0
    unit: Short = "1"
    detail: Words = ""


class ManifestPicture(Model):
    file: Short
    caption: Words = ""


class Manifest(Model):
    """What could be used of a results.json."""

    complete: bool = False
    datasets: tuple[ManifestDataset, ...] = ()
    simulations: tuple[ManifestRun, ...] = ()
    checks: tuple[ManifestCheck, ...] = ()
    pictures: tuple[ManifestPicture, ...] = ()


class ProgressLine(Model):
    """The last line of progress.jsonl."""

    fraction: Finite
    remaining_s: Finite | None = None
    elapsed_s: Finite | None = None
    message: Words = ""


_SECTIONS: dict[str, type[Model]] = {
    "datasets": ManifestDataset,
    "simulations": ManifestRun,
    "checks": ManifestCheck,
    "pictures": ManifestPicture,
}
_OTHER = ("simkit", "meep", "complete", "parameters", "cells")
Entry = TypeVar("Entry", bound=Model)


def manifest_of(content: Any) -> tuple[Manifest, tuple[str, ...]]:
    """The manifest in a parsed results.json, and what was rejected of it with reasons. Raises ValueError if it is none."""
    if not isinstance(content, dict) or content.get("simkit") != 1:
        raise ValueError('it is no manifest of this version: an object with "simkit": 1')
    rejected = [
        f"results.json: no field {visible(str(name), 80)!r} is known"
        for name in content
        if name not in (*_SECTIONS, *_OTHER)
    ][:10]
    if not isinstance(content.get("complete", False), bool):
        rejected.append("results.json: `complete` is neither true nor false")
    found: dict[str, tuple[Model, ...]] = {}
    for section, kind in _SECTIONS.items():
        entries = content.get(section, [])
        if not isinstance(entries, list):
            raise ValueError(f"{section} is no list")
        if len(entries) > MOST_ENTRIES:
            rejected.append(
                f"results.json: {section} has {len(entries)} entries; the first {MOST_ENTRIES} are read"
            )
        fitting = []
        for number, entry in enumerate(entries[:MOST_ENTRIES]):
            try:
                fitting.append(kind.model_validate_json(json.dumps(entry), strict=True))
            except ValidationError as error:
                rejected.append(f"results.json: {section}[{number}]: {_reasons(error)}")
        found[section] = tuple(fitting)
    manifest = Manifest.model_validate({**found, "complete": content.get("complete") is True})
    return manifest, tuple(rejected[:100])


def _reasons(error: ValidationError) -> str:
    parts = [
        f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors(include_input=False)[:5]
    ]
    return visible("; ".join(parts), 400)
