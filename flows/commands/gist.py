"""Answers and texts in a few lines for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from schemas.text.visible import visible

WIDTH = 150
_NAMES = (
    "target_id",
    "stage_id",
    "adaptation_id",
    "assumption_id",
    "dataset_id",
    "name",
    "where",
    "title",
    "question",
)
_WORDS = ("classification", "status", "summary", "description", "explanation", "value", "content", "reason")
_LIST_SHOWN = 3


def printable(text: str) -> str:
    """`text` with what is hidden in it made visible: what a model or a file wrote must not steer the terminal."""
    return visible(text)


def short(text: object, width: int = WIDTH) -> str:
    """One printable line of at most `width` characters."""
    line = " ".join(printable(str(text)).split())
    return line if len(line) <= width else line[: width - 3].rstrip() + "..."


def gist(answer: Mapping[str, Any]) -> list[str]:
    """One line for each field of an answer that says something."""
    return [
        f"{key}: {_value(key, value)}" for key, value in answer.items() if value not in (None, "", [], {}, ())
    ]


def _value(key: str, value: Any) -> str:
    if isinstance(value, str):
        lines = len(value.splitlines())
        return f"{lines} lines" if key == "code" else short(value)
    if isinstance(value, Mapping):
        return _object(value) or ", ".join(map(str, value))
    if isinstance(value, Sequence):
        shown = "; ".join(_item(item) for item in value[:_LIST_SHOWN])
        return f"{len(value)}: {shown}" + ("; ..." if len(value) > _LIST_SHOWN else "")
    return short(value)


def _object(value: Mapping[str, Any]) -> str:
    """A nested answer (plan, design, experiment): its name, its summary, and how many of each list it holds."""
    said = [
        short(value[key], 90) for key in (*_NAMES, *_WORDS) if isinstance(value.get(key), str) and value[key]
    ]
    counts = [f"{len(item)} {key}" for key, item in value.items() if isinstance(item, list) and item]
    return " | ".join([*dict.fromkeys(said[:3]), *([", ".join(counts)] if counts else [])])


def _item(value: Any) -> str:
    if not isinstance(value, Mapping):
        return short(value, 90)
    name = next((str(value[key]) for key in _NAMES if value.get(key)), "")
    words = next((str(value[key]) for key in _WORDS if value.get(key)), "")
    level = value.get("severity") or ""
    return short(
        " ".join(part for part in (str(level), name + (":" if name and words else ""), words) if part), 90
    )
