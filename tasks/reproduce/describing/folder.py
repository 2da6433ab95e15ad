"""A description on disk: describe.py, parameters.json beside it, and materials.json where confirmed fits are used."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemas.errors import InputError
from tasks.reproduce.collect import UnsafeOutput, read_json

CODE, PARAMETERS, MATERIALS = "describe.py", "parameters.json", "materials.json"
_MOST_CODE = 200_000
_EXAMPLE = '[{"id": "t", "value": 15, "unit": "nm", "origin": "paper", "quotation": "a film of 15 nm"}, ...]'


@dataclass(frozen=True)
class OnDisk:
    """What a folder holds: code, parameters as plain dictionaries, materials by name as in params.json."""

    code: str
    parameters: list[dict[str, Any]]
    materials: Mapping[str, Any]
    name: str


def read_folder(path: Path, parameters: Path | None = None, materials: Path | None = None) -> OnDisk:
    """The description of a folder, or of a describe.py with its files beside it. Raises InputError with the fix."""
    code = path / CODE if path.is_dir() else path
    if not code.is_file():
        raise InputError(
            "there is no description",
            found=str(code),
            allowed=f"a Python file, or a folder with {CODE}",
            fix="write `from simkit.describe import *` and `def describe(p): ... return Problem(...)`",
        )
    try:
        with code.open(encoding="utf-8") as stream:
            text = stream.read(_MOST_CODE + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            "the description cannot be read", found=f"{code}: {error}", allowed="a text file in UTF-8"
        ) from error
    if len(text) > _MOST_CODE:
        raise InputError("the description is too long", found=f"{code}: more than {_MOST_CODE} characters")
    entries = _json(parameters or code.parent / PARAMETERS, _EXAMPLE)
    if isinstance(entries, dict):
        entries = entries.get("parameters", entries)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise InputError(
            "the parameters are not a list of objects", found=type(entries).__name__, allowed=_EXAMPLE
        )
    beside = materials or code.parent / MATERIALS
    media = _json(beside, "materials by name, as in params.json") if materials or beside.is_file() else {}
    if isinstance(media, dict) and isinstance(media.get("materials"), dict):
        media = media["materials"]
    if not isinstance(media, dict) or not all(isinstance(entry, dict) for entry in media.values()):
        raise InputError("the materials are not an object of fits by name", found=type(media).__name__)
    return OnDisk(text, entries, media, code.parent.resolve().name if code.name == CODE else code.stem)


def _json(path: Path, allowed: str) -> Any:
    try:
        return read_json(path, 4 << 20)
    except (UnsafeOutput, OSError, json.JSONDecodeError) as error:
        raise InputError(
            f"{path} cannot be read", found=" ".join(str(error).split())[:300], allowed=allowed
        ) from error
