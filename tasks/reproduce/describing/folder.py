"""A description as a person gives it: describe.py, parameters.json beside it, materials.json where confirmed fits are used, and
patterns.json where files draw patterns; or, in Python, text and plain dictionaries in their place."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemas.base import digest
from schemas.errors import InputError
from schemas.reading.beneath import read_below
from schemas.reading.handed import kept_model
from schemas.reproduce.handed_pattern import MAX_BYTES, PATTERN_NAME, PatternFile
from schemas.reproduce.simulations.asked import FILE as ASKED
from schemas.reproduce.simulations.asked import Asked
from tasks.reproduce.collect import UnsafeOutput, read_json
from tasks.reproduce.patterns.pattern_files import HandedPattern, read_pattern

CODE, PARAMETERS, MATERIALS, PATTERNS = "describe.py", "parameters.json", "materials.json", "patterns.json"
_MOST_CODE = 200_000
_EXAMPLE = '[{"id": "t", "value": 15, "unit": "nm", "origin": "paper", "quotation": "a film of 15 nm"}, ...]'

_MEDIA = (
    'fits by name, as in params.json: {"gold": {"eps_inf": 1, "poles": [{"kind": "drude", "f0": 1, "gamma": 0.05, "sigma": 40}]}, '
    '"glass": {"index": 1.5}}'
)

_FILES = (
    'files by name: {"splitter": {"file": "splitter.csv"}, "chip": {"file": "chip.gds", "layer": 1, "cell": "TOP"}}; their paths are '
    "inside the folder of patterns.json"
)

Entries = Path | Sequence[Mapping[str, Any]]
Media = Path | Mapping[str, Any]


@dataclass(frozen=True)
class Given:
    """What was given: code, parameters as plain dictionaries, materials by name as in params.json, patterns as they were read.

    folder: where describe.py stands; None for a text. asked: of a description of a run's package what was asked of its values.
    """

    code: str
    parameters: list[dict[str, Any]]
    materials: Mapping[str, Any]
    name: str
    folder: Path | None = None
    asked: Asked | None = None
    patterns: tuple[HandedPattern, ...] = ()


def read_given(
    source: Path | str,
    parameters: Entries | None = None,
    materials: Media | None = None,
    patterns: Media | None = None,
) -> Given:
    """The description of a folder, of a describe.py with its files beside it, or of a text. Raises InputError with the fix.

    source: a path; a str is the description's text. parameters, materials, patterns: a file, or what it would hold; of a path those
    that stand beside it are taken where none are given.
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
    drawn = beside.parent / PATTERNS if beside is not None else None
    files = _patterns(
        patterns if patterns is not None else drawn if drawn is not None and drawn.is_file() else {},
        Path() if beside is None else beside.parent,
    )
    if beside is None:
        name = f"text-{digest([text, entries], 8)}"
    else:
        name = beside.parent.resolve().name if beside.name == CODE else beside.stem
    folder = beside.parent if beside is not None and beside.name == CODE else None
    return Given(text, entries, media, name, folder, _asked(folder), files)


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


def _patterns(given: Media, folder: Path) -> tuple[HandedPattern, ...]:
    """The patterns of files beneath the folder of patterns.json, or beneath `folder` where there is none."""
    entries: Any = given
    if isinstance(given, Path):
        folder, entries = given.parent, _json(given, _FILES)
    if not isinstance(entries, Mapping):
        raise InputError(
            "the patterns are not an object of files by name", found=type(entries).__name__, allowed=_FILES
        )
    found = []
    for name, entry in entries.items():
        try:
            if not re.fullmatch(PATTERN_NAME, str(name)):
                raise ValueError("a name is a letter, then letters, digits and _, 40 in all")
            declared = PatternFile.model_validate(entry)
            content = read_below(folder, declared.file, MAX_BYTES)
        except ValueError as error:
            raise InputError(
                f"the pattern {str(name)[:60]!r} is no file that can be read",
                found=" ".join(str(error).split())[:400],
                allowed=_FILES,
            ) from error
        found.append(read_pattern(str(name), declared, content))
    return tuple(found)


def _json(path: Path, allowed: str) -> Any:
    try:
        return read_json(path, 4 << 20)
    except (UnsafeOutput, OSError, json.JSONDecodeError) as error:
        raise InputError(
            f"{path} cannot be read", found=" ".join(str(error).split())[:300], allowed=allowed
        ) from error
