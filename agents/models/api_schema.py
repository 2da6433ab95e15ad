"""An answer's JSON schema in the subset that structured output accepts.

The subset (platform.claude.com, "Structured outputs"): closed objects, no recursion, no bounds or lengths, minItems 0
or 1, at most 24 optional fields and 16 unions a request. What a grammar cannot hold stays in the descriptions, and our
own validation checks it afterwards.
"""

from __future__ import annotations

from typing import Any

from anthropic import transform_schema

from schemas.errors import StateError

MAX_UNIONS = 16


def api_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """`schema` (as pydantic writes it) for output_config.format.

    Every field becomes required, so that none counts as optional; a field with a default shows it in its description.
    Raises StateError for a recursive schema or an open object: those are mistakes of ours in schemas/.
    """
    _refuse_recursion(schema)
    return transform_schema(_prepared(schema, "answer"))


def union_count(schema: dict[str, Any]) -> int:
    """How many fields of an API schema use a union; the API allows MAX_UNIONS."""
    if isinstance(schema, dict):
        return ("anyOf" in schema) + sum(union_count(value) for value in schema.values())
    if isinstance(schema, list):
        return sum(union_count(value) for value in schema)
    return 0


def _prepared(step: dict[str, Any], place: str) -> dict[str, Any]:
    out = {key: value for key, value in step.items() if key not in ("title", "$defs")}
    if out.get("default", "absent") in (None, "", []):
        del out["default"]
    if "$defs" in step:
        out["$defs"] = {name: _prepared(value, name) for name, value in step["$defs"].items()}
    if "prefixItems" in out:
        _unroll_tuple(out)
    if isinstance(out.get("items"), dict):
        out["items"] = _prepared(out["items"], f"{place}[]")
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in out:
            out[choice] = [_prepared(variant, place) for variant in out[choice]]
    if out.get("type") == "object":
        _close_object(out, place)
    return out


def _close_object(out: dict[str, Any], place: str) -> None:
    properties = out.get("properties")
    if not properties:
        raise StateError(
            f"The answer schema has an open object at {place}.",
            found="an object without named fields",
            allowed="objects with named fields only",
            fix="replace the dict by a list of small models",
        )
    out["properties"] = {name: _prepared(value, f"{place}.{name}") for name, value in properties.items()}
    out["required"] = list(properties)
    out["additionalProperties"] = False


def _unroll_tuple(out: dict[str, Any]) -> None:
    """A fixed-length tuple becomes a list whose description gives the length."""
    items = out.pop("prefixItems")
    kinds = [item for number, item in enumerate(items) if item not in items[:number]]
    out["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    out.pop("minItems", None)
    out.pop("maxItems", None)
    out["description"] = f"{out.get('description', '')} (exactly {len(items)} items)".strip()


def _refuse_recursion(schema: dict[str, Any]) -> None:
    definitions = schema.get("$defs", {})

    def references(step: Any) -> set[str]:
        if isinstance(step, dict):
            own = {step["$ref"].rsplit("/", 1)[-1]} if isinstance(step.get("$ref"), str) else set()
            return own.union(*(references(value) for key, value in step.items() if key != "$defs"))
        if isinstance(step, list):
            return set().union(*(references(value) for value in step))
        return set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise StateError(
                "The answer schema is recursive.",
                found=" -> ".join((*path, name)),
                allowed="schemas without cycles",
                fix="refer to the inner object by its id",
            )
        for other in references(definitions.get(name, {})):
            visit(other, (*path, name))

    for name in definitions:
        visit(name, ())
