"""Fields of the forms from which deployments are started."""

from __future__ import annotations

from typing import Any

from pydantic import Field


def field(title: str, value: Any, **shown: Any) -> Any:
    """A field of a form. value: of who leaves it out; shown: what the form shows otherwise (`default`)."""
    return Field(value, json_schema_extra={"title": title, **shown})


def chosen_or_typed(bundled: str, names: tuple[str, ...], other: str = "Another one") -> dict[str, Any]:
    """The schema of a field that offers what is bundled as a list, and takes any other by its path."""
    return {
        "anyOf": [
            {"title": bundled, "type": "string", "enum": list(names)},
            {"title": other, "type": "string"},
        ]
    }
