"""JSON of a server, hostile until checked: an object with a list of objects, whatever else is in it."""

from __future__ import annotations

from typing import Any

from schemas.reading.strict_json import parse_json

_MOST = 200


def entries(content: bytes, name: str, *, empty: str = "") -> list[dict[str, Any]]:
    """The objects of the list `name`; none where it is missing and `empty` says 0. Raises ValueError."""
    found = parse_json(content.decode())
    if not isinstance(found, dict):
        raise ValueError(f"no JSON object but a {type(found).__name__}")
    if empty and name not in found and found.get(empty) == 0:
        return []
    listed = found.get(name)
    if not isinstance(listed, list):
        said = found.get("message") or found.get("error") or list(found)
        raise ValueError(f"no list {name!r}; the server says {str(said)[:200]}")
    return [item for item in listed[:_MOST] if isinstance(item, dict)]


def part(item: dict[str, Any], name: str) -> dict[str, Any]:
    """The object of that name, empty where there is none."""
    found = item.get(name)
    return found if isinstance(found, dict) else {}


def texts(value: Any) -> list[str]:
    """The texts of a list."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
