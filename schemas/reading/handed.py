"""Files that a person names: settings, answers, a run's record. What stands in them may come from a stranger."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from schemas.errors import InputError
from schemas.reading.strict_json import parse_json
from schemas.text.visible import visible

MAX_BYTES = 4_000_000
Kind = TypeVar("Kind", bound=BaseModel)


def handed_text(path: Path, what: str, max_bytes: int = MAX_BYTES) -> str:
    """The text of a file, read no further than it may be long. Raises InputError: no file, too large, no text in UTF-8.

    what: how an error names the file ("the settings file").
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(max_bytes + 1)
        if len(raw) > max_bytes:
            raise InputError(
                f"{what} {path} is too large",
                found=f"more than {max_bytes} bytes",
                allowed=f"{max_bytes} bytes",
            )
        text = raw.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        raise InputError(
            f"{what} {path} cannot be read", found=visible(str(error), 300), allowed="a text file in UTF-8"
        ) from error
    if "\0" in text:
        raise InputError(f"{what} {path} cannot be read", found="NUL bytes", allowed="a text file in UTF-8")
    return text


def handed_json(path: Path, what: str, fix: str = "", max_bytes: int = MAX_BYTES) -> Any:
    """The JSON of a file, strictly: finite numbers, no key twice, no deep nesting. Raises InputError."""
    try:
        return parse_json(handed_text(path, what, max_bytes))
    except ValueError as error:
        raise InputError(
            f"{what} {path} is not JSON",
            found=visible(str(error), 300),
            allowed="JSON: finite numbers, each key once, few levels",
            fix=fix or "write it anew",
        ) from error


def kept_model(path: Path, kind: type[Kind], what: str, fix: str = "", max_bytes: int = MAX_BYTES) -> Kind:
    """A model that a run of ours kept, infinite numbers included. Raises InputError that names what does not fit."""
    try:
        return kind.model_validate_json(handed_text(path, what, max_bytes))
    except ValidationError as error:
        raise InputError(
            f"{what} {path} does not fit", found=misfits(error), fix=fix or "write it anew"
        ) from error


def misfits(error: ValidationError) -> str:
    """What does not fit where; the file's own words are not repeated: it may be any file."""
    found = error.errors(include_input=False, include_url=False)
    return "; ".join(
        sorted(
            {
                "a field that is not known"
                if item["type"] == "extra_forbidden"
                else f"{'.'.join(map(str, item['loc'])) or 'the file'}: {item['type']}"
                for item in found
            }
        )
    )[:500]
