"""The one JSON object of a model's answer, however it is wrapped."""

from __future__ import annotations

import re
from typing import Any

from schemas.reading.strict_json import parse_json

_FENCE = re.compile(r"[ \t]*```[a-zA-Z]*[ \t]*\r?")
_MOST_FENCES = 200


def find_object(text: str) -> tuple[dict[str, Any], bool]:
    """The one JSON object in `text`, and whether it had to be dug out of a fence or of prose.

    Raises ValueError when there is none, more than one, or it is malformed.
    """
    bare = text.lstrip("\ufeff").strip()
    if not bare:
        raise ValueError("the answer is empty")
    if bare.startswith("{") and bare.endswith("}"):
        return _object(parse_json(bare)), False
    fenced = [block for block in _fenced(bare) if block.startswith("{")]
    if len(fenced) > 1:
        raise ValueError(f"{len(fenced)} fenced JSON objects found where exactly one is allowed")
    if fenced:
        return _object(parse_json(fenced[0])), True
    first, last = bare.find("{"), bare.rfind("}")
    if first >= 0 > last:
        raise ValueError("malformed JSON: the object is never closed; was the answer cut off?")
    if first < 0 or last < first:
        if bare.startswith("["):
            raise ValueError("a JSON list was found where one JSON object {...} is allowed")
        raise ValueError("no JSON object was found in the answer")
    # Everything from the first to the last brace must be one object, else a fragment could pass for the answer.
    return _object(parse_json(bare[first : last + 1])), True


def _fenced(text: str) -> list[str]:
    """What stands in fences: from a line of three backticks to the next one that is nothing else. One pass over the lines."""
    found: list[str] = []
    begun: list[str] | None = None
    for line in text.split("\n"):
        mark = _FENCE.fullmatch(line) if "```" in line else None
        if begun is None:
            begun = [] if mark else None
        elif mark and line.strip() == "```":
            found.append("\n".join(begun).strip())
            begun = None
        else:
            begun.append(line)
    if len(found) > _MOST_FENCES:
        raise ValueError(f"{len(found)} fences found; where exactly one JSON object is allowed")
    return found


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(  # noqa: TRY004 - callers treat every unfit text alike
            f"a JSON {type(value).__name__} was found where one JSON object {{...}} is allowed"
        )
    return value
