"""A filled-in minimal example of an answer, built from its JSON schema, for people who fill in by hand."""

from __future__ import annotations

from typing import Any

_MAX_DEPTH = 16
# Optional objects that an ordinary answer leaves empty: copied from an example they would do harm.
_LEFT_EMPTY = ("experiment", "edits", "backtrack_suggestion", "backtrack")


def minimal_example(schema: dict[str, Any]) -> dict[str, Any]:
    """An object with every field of `schema`, placeholders in <...> where a text belongs.

    Optional objects are shown filled in, since they are usually the point of the answer (a design, a plan); it shows
    the shape and is not itself a sensible answer.
    """
    value = _value(schema, schema, 0)
    return value if isinstance(value, dict) else {}


def _value(step: dict[str, Any], root: dict[str, Any], depth: int) -> Any:
    if depth > _MAX_DEPTH:
        return None
    if "$ref" in step:
        target = root.get("$defs", {}).get(step["$ref"].rsplit("/", 1)[-1], {})
        return _value(target, root, depth + 1)
    if "const" in step:
        return step["const"]
    if step.get("examples"):
        return step["examples"][0]
    if "enum" in step:
        return step.get("default", step["enum"][0])
    for choice in ("anyOf", "oneOf", "allOf"):
        if step.get(choice):
            return _variant(step, [v for v in step[choice] if v.get("type") != "null"], root, depth)
    return _plain(step, root, depth)


def _variant(step: dict[str, Any], variants: list[dict[str, Any]], root: dict[str, Any], depth: int) -> Any:
    """The first variant if it is an object; a nullable plain value stays null, as its default says."""
    if not variants:
        return None
    if "$ref" not in variants[0] and "default" in step:
        return step["default"]
    return _value(variants[0], root, depth + 1)


def _plain(step: dict[str, Any], root: dict[str, Any], depth: int) -> Any:
    kind = step.get("type")
    if kind == "object":
        return {
            name: None
            if name in _LEFT_EMPTY and "default" in field
            else _value({"title": name.replace("_", " "), **field}, root, depth + 1)
            for name, field in step.get("properties", {}).items()
        }
    if kind == "array":
        if "prefixItems" in step:
            return [_value(item, root, depth + 1) for item in step["prefixItems"]]
        if step.get("default"):
            return step["default"]
        count = max(1, step.get("minItems", 1))
        return [_value(step.get("items", {}), root, depth + 1) for _ in range(count)]
    if kind in ("integer", "number"):
        if isinstance(step.get("default"), (int, float)):
            return step["default"]
        return step.get("minimum", step.get("exclusiveMinimum", 0) + 1)
    if kind == "boolean":
        return step.get("default", False)
    if kind == "string":
        if "pattern" in step:
            return "some_name"
        return step.get("default") or f"<{step.get('description') or step.get('title', 'text').lower()}>"
    return None
