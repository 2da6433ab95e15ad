"""Where a tool may write: paths in a call's arguments that leave the work directory, known before the call is made."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from schemas.reading.beneath import Unopened, parts_of
from schemas.talking.tools import PATH, WORDS

_NAMES = re.compile(r"(^|_)(paths?|files?|filenames?|folders?|dir|directory|directories|script)$")
_LOOKS = re.compile(r"^\s*(/|~|[A-Za-z]:\\|file:)|(^|/)\.\.(/|$)")
_DEPTH = 12


def outside(arguments: Any, schema: dict[str, Any], work_dir: str) -> str:
    """Which argument names a path that is not below `work_dir`, in words; empty where none does.

    An argument is a path if its schema's format or its name says so, and also if all of its text reads as an absolute path or
    leads upwards; one whose format is free text (code, a command) is none. A path through a link is outside.
    """
    properties = schema.get("properties", {})
    if not isinstance(arguments, dict) or not isinstance(properties, dict):
        return ""
    for name, value in arguments.items():
        own = properties.get(name, {})
        kind = own.get("format") if isinstance(own, dict) else None
        if kind == WORDS:
            continue
        for text in _texts(value, 0):
            if fault := _fault(text, kind == PATH or bool(_NAMES.search(str(name).lower())), work_dir):
                return f"{name}: {text[:200]!r} {fault}"
    return ""


def _texts(value: Any, depth: int) -> list[str]:
    if isinstance(value, str):
        return [value]
    if depth > _DEPTH:
        return ["../"]  # nobody nests arguments so deeply for a good reason
    inner = (
        list(value.values()) + list(value)
        if isinstance(value, dict)
        else value
        if isinstance(value, list)
        else []
    )
    return [text for item in inner for text in _texts(item, depth + 1)]


def _fault(text: str, is_path: bool, work_dir: str) -> str:
    if "\n" not in text and _LOOKS.search(text):
        return "is outside the work directory"
    if not is_path or text in ("", "."):
        return ""
    try:
        parts = parts_of(text)
    except Unopened as error:
        return str(error)
    place = Path(work_dir)
    for part in parts if work_dir else ():
        place /= part
        if os.path.islink(place):
            return "is a link, or leads through one"
    return ""
