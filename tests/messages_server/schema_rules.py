"""Which JSON schemas structured output and strict tools take."""

from __future__ import annotations

from typing import Any

_KEYWORDS = {
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "const",
    "anyOf",
    "allOf",
    "$ref",
    "$defs",
    "description",
    "title",
    "default",
    "format",
    "minItems",
    "pattern",
}


def schema_fault(step: dict[str, Any], counts: dict[str, int], place: str = "$") -> str | None:
    """What structured output does not take in a schema; counts optional fields and unions on the way."""
    unknown = sorted(set(step) - _KEYWORDS)
    if unknown:
        return f"{place}: unsupported keyword {', '.join(unknown)}"
    if step.get("minItems", 0) not in (0, 1):
        return f"{place}: minItems other than 0 or 1"
    if step.get("type") == "object":
        if step.get("additionalProperties") is not False:
            return f"{place}: additionalProperties must be false"
        counts["optional"] += len(set(step.get("properties", {})) - set(step.get("required", ())))
    if step.get("type") == "array" and "items" not in step:
        return f"{place}: array without items"
    counts["unions"] += "anyOf" in step
    inner = {**step.get("properties", {}), **step.get("$defs", {})}
    inner |= {f"anyOf[{n}]": variant for n, variant in enumerate(step.get("anyOf", ()))}
    if "items" in step:
        inner["items"] = step["items"]
    return next(
        (fault for name, value in inner.items() if (fault := schema_fault(value, counts, f"{place}.{name}"))),
        None,
    )
