"""Turn context values into text a model reads well: strings as they are, everything else as indented JSON."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from schemas.errors import StateError

LINE = 100
DIGITS = 9  # of a float: a text need not carry the noise of a computation; as many as the speed of light has
_EMPTY: tuple[Any, ...] = (None, "", [], {})


def plain(value: Any) -> Any:
    """`value` as JSON types, without None, empty texts and empty collections in its objects.

    Takes pydantic models, dataclasses, mappings, sequences, texts, numbers. Raises StateError for anything
    else, because its text could change from run to run.
    """
    if isinstance(value, BaseModel):
        value = {name: getattr(value, name) for name in type(value).model_fields}
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        items = {str(key): plain(item) for key, item in value.items()}
        return {key: item for key, item in items.items() if not is_empty(item)}
    if isinstance(value, (set, frozenset)):
        return sorted(plain(item) for item in value)
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise StateError(
        "a context value cannot be shown to an agent",
        found=type(value).__name__,
        allowed="texts, numbers, models, dataclasses, mappings and sequences of them",
        fix="convert it where the context is built",
    )


def is_empty(value: Any) -> bool:
    """Whether a plain value says nothing. Zero and False do say something."""
    return any(value == empty and type(value) is type(empty) for empty in _EMPTY)


def show(value: Any) -> str:
    """The text of a context value; empty if it says nothing."""
    if isinstance(value, str):
        return value.strip("\n")
    simple = _rounded(plain(value))
    return "" if is_empty(simple) else _json(simple, "")


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return [_rounded(item) for item in value] if isinstance(value, list) else value


def _json(value: Any, indent: str) -> str:
    """Indented JSON with what is short on one line, as people write it."""
    line = json.dumps(value, ensure_ascii=False)
    if not value or len(indent) + len(line) <= LINE or not isinstance(value, (dict, list)):
        return line
    deeper = indent + " "
    if isinstance(value, list):
        items = [_json(item, deeper) for item in value]
        opening, closing = "[", "]"
    else:
        items = [
            f"{json.dumps(key, ensure_ascii=False)}: {_json(item, deeper)}" for key, item in value.items()
        ]
        opening, closing = "{", "}"
    return f"{opening}\n{deeper}" + f",\n{deeper}".join(items) + f"\n{indent}{closing}"
