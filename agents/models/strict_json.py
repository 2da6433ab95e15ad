"""JSON as strictly as hostile input deserves: one object, no NaN, no duplicate key, bounded size."""

from __future__ import annotations

import json
import math
import re
from typing import Any

MAX_CHARACTERS = 8_000_000
_FENCE = re.compile(r"^[ \t]*```[a-zA-Z]*[ \t]*\r?\n(.*?)^[ \t]*```[ \t]*$", re.MULTILINE | re.DOTALL)


def parse_json(text: str) -> Any:
    """Parse one JSON text. Raises ValueError with place and reason; refuses NaN, Infinity and duplicate keys."""
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"{len(text)} characters are too many; at most {MAX_CHARACTERS} are read")
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_constant, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise ValueError(f"malformed JSON at line {error.lineno}, column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise ValueError("the JSON is nested too deeply") from error


def find_object(text: str) -> tuple[dict[str, Any], bool]:
    """The one JSON object in `text`, and whether it had to be dug out of a fence or of prose.

    Raises ValueError when there is none, more than one, or it is malformed.
    """
    bare = text.lstrip("\ufeff").strip()
    if not bare:
        raise ValueError("the answer is empty")
    if bare.startswith("{") and bare.endswith("}"):
        return _object(parse_json(bare)), False
    fenced = [block.strip() for block in _FENCE.findall(bare) if block.lstrip().startswith("{")]
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
    return _object(parse_json(bare[first:last + 1])), True


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(  # noqa: TRY004 - callers treat every unfit text alike
            f"a JSON {type(value).__name__} was found where one JSON object {{...}} is allowed")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} appears twice in one object")
        found[key] = value
    return found


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number; give a finite number or null")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text} is too large for a float")
    return value
