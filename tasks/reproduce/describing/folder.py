"""A description as a person gives it: describe.py, parameters.json beside it, and materials.json where confirmed fits are used;
or, in Python, text and plain dictionaries in their place."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemas.base import digest
from schemas.errors import InputError
from schemas.reading.handed import kept_model
from schemas.reproduce.simulations.asked import FILE as ASKED
from schemas.reproduce.simulations.asked import Asked
from tasks.reproduce.collect import UnsafeOutput, read_json

CODE, PARAMETERS, MATERIALS = "describe.py", "parameters.json", "materials.json"
_MOST_CODE = 200_000
_EXAMPLE = '[{"id": "t", "value": 15, "unit": "nm", "origin": "paper", "quotation": "a film of 15 nm"}, ...]'

_MEDIA = (
    'fits by name, as in params.json: {"gold": {"eps_inf": 1, "poles": [{"kind": "drude", "f0": 1, "gamma": 0.05, "sigma": 40}]}, '
    '"glass": {"index": 1.5}}'
)

Entries = Path | Sequence[Mapping[str, Any]]
Media = Path | Mapping[str, Any]


@dataclass(frozen=True)
class Given:
    """What was given: code, parameters as plain dictionaries, materials by name as in params.json.

    folder: where describe.py stands; None for a text. asked: of a description of a run's package what was asked of its values.
    """

    code: str
    parameters: list[dict[str, Any]]
    materials: Mapping[str, Any]
    name: str
    folder: Path | None = None
    asked: Asked | None = None


def read_given(
    source: Path | str, parameters: Entries | None = None, materials: Media | None = None
) -> Given:
    """The description of a folder, of a describe.py with its files beside it, or of a text. Raises InputError with the fix.

    source: a path; a str is the description's text. parameters, materials: a file, or what it would hold; of a path those that
    stand beside it are taken where none are given.
    """
    beside = None if isinstance(source, str) else (source / CODE if source.is_dir() else source)
    text = _bounded(source) if isinstance(source, str) else _read(beside or source)
    if parameters is None and beside is None:
        raise InputError(
            "a description that is given as text has no file of parameters beside it",
            allowed=_EXAMPLE,
            fix="give its parameters as well; a description without any takes an empty list",
        )
    entries = _entries(parameters if parameters is not None or beside is None else beside.parent / PARAMETERS)
    fits = beside.parent / MATERIALS if beside is not None else None
    media = _media(
        materials if materials is not None else fits if fits is not None and fits.is_file() else {}
    )
    if beside is None:
        name = f"text-{digest([text, entries], 8)}"
    else:
        name = beside.parent.resolve().name if beside.name == CODE else beside.stem
    folder = beside.parent if beside is not None and beside.name == CODE else None
    return Given(text, entries, media, name, folder, _asked(folder))


def _asked(folder: Path | None) -> Asked | None:
    if folder is None or not (folder / ASKED).is_file():
        return None
    return kept_model(
        folder / ASKED,
        Asked,
        "what was asked of the description",
        max_bytes=4 << 20,
        fix=f"take {ASKED} as the package has it, or remove it to solve to --wanted",
    )


def _read(code: Path) -> str:
    if not code.is_file():
        raise InputError(
            "there is no description",
            found=str(code),
            allowed=f"a Python file, or a folder with {CODE}",
            fix="write `from simkit.describe import *` and `def describe(p): ... return Problem(...)`",
        )
    try:
        with code.open(encoding="utf-8") as stream:
            return _bounded(stream.read(_MOST_CODE + 1), f"{code}: ")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            "the description cannot be read", found=f"{code}: {error}", allowed="a text file in UTF-8"
        ) from error


def _bounded(text: str, where: str = "") -> str:
    if len(text) > _MOST_CODE:
        raise InputError(
            "the description is too long",
            found=f"{where}more than {_MOST_CODE} characters",
            allowed=f"{_MOST_CODE} characters",
        )
    return text


def _entries(given: Entries | None) -> list[dict[str, Any]]:
    entries: Any = _json(given, _EXAMPLE) if isinstance(given, Path) else given
    if isinstance(entries, Mapping):
        entries = entries.get("parameters", entries)
    if not isinstance(entries, (list, tuple)) or not all(isinstance(entry, Mapping) for entry in entries):
        raise InputError(
            "the parameters are not a list of objects", found=type(entries).__name__, allowed=_EXAMPLE
        )
    return [dict(entry) for entry in entries]


def _media(given: Media) -> Mapping[str, Any]:
    media: Any = _json(given, _MEDIA) if isinstance(given, Path) else given
    if isinstance(media, Mapping) and isinstance(media.get("materials"), Mapping):
        media = media["materials"]
    if not isinstance(media, Mapping) or not all(isinstance(entry, Mapping) for entry in media.values()):
        raise InputError(
            "the materials are not an object of fits by name", found=type(media).__name__, allowed=_MEDIA
        )
    return {str(name): _fit(str(name), entry) for name, entry in media.items()}


def _fit(name: str, entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """A fit, or what a run keeps of one (materials/NAME/*.json), which leaves out nothing."""
    found = {
        key: value for key, value in entry.items() if value is not None and not (key == "axes" and not value)
    }
    if not isinstance(found.get("axes", {}), Mapping) or not {"index", "eps_inf", "axes"} & set(found):
        raise InputError(
            f"material {name[:60]!r} is no fit",
            found=", ".join(map(str, entry))[:300] or "nothing",
            allowed=_MEDIA,
        )
    return found


def _json(path: Path, allowed: str) -> Any:
    try:
        return read_json(path, 4 << 20)
    except (UnsafeOutput, OSError, json.JSONDecodeError) as error:
        raise InputError(
            f"{path} cannot be read", found=" ".join(str(error).split())[:300], allowed=allowed
        ) from error
