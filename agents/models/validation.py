"""From a model's text to a validated answer, or to a list of what does not fit."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from agents.models.errors import InvalidAnswer
from agents.models.strict_json import find_object
from schemas.base import Model
from schemas.reading.answer_size import size_faults
from schemas.reading.strict_json import parse_json

Answer = TypeVar("Answer", bound=Model)
MAX_PROBLEMS = 20
_SHOWN = 120


def validate_answer(raw: str | dict[str, Any], answer_type: type[Answer]) -> Answer:
    """The validated answer in `raw`: a text that holds exactly one JSON object (bare, fenced, or within prose), or
    an object already parsed.

    Raises InvalidAnswer with one line a problem: the field, what was found, what is allowed. Numbers given as text,
    NaN, duplicate keys and unknown fields are refused, never mended.
    """
    if isinstance(raw, str):
        text = raw
    elif isinstance(raw, dict):
        text = _dump(raw, answer_type)
    else:
        raise _invalid(
            answer_type,
            repr(raw)[:_SHOWN],
            (f"answer: found {type(raw).__name__}; allowed: one JSON object as text",),
        )
    try:
        found, _ = find_object(text)
    except (ValueError, RecursionError, MemoryError) as error:
        raise _invalid(answer_type, text, (f"answer: {error}",)) from None
    if faults := size_faults(found):
        raise _invalid(answer_type, text, faults)
    try:
        return answer_type.model_validate_json(json.dumps(found, allow_nan=False), strict=True)
    except ValidationError as error:
        schema = answer_type.model_json_schema()
        problems = [_problem(item, schema) for item in error.errors(include_url=False)]
        if len(problems) > MAX_PROBLEMS:
            problems = [*problems[:MAX_PROBLEMS], f"and {len(problems) - MAX_PROBLEMS} more"]
        raise _invalid(answer_type, text, tuple(problems)) from None
    except Exception as error:  # lone surrogates, and whatever a validator did not foresee
        why = f"answer: code cannot read it: {type(error).__name__}: {str(error)[:300]}"
        raise _invalid(answer_type, text, (why,)) from None


def needed_repair(raw: str) -> bool:
    """Whether the object had to be dug out of a fence or of prose."""
    try:
        return find_object(raw)[1]
    except ValueError:
        return True


def _dump(raw: dict[str, Any], answer_type: type[Answer]) -> str:
    try:
        text = json.dumps(raw, allow_nan=False)
        parse_json(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise _invalid(answer_type, repr(raw)[:_SHOWN], (f"answer: not plain JSON: {error}",)) from None
    return text


def _invalid(answer_type: type[Model], raw: str, problems: tuple[str, ...]) -> InvalidAnswer:
    return InvalidAnswer(
        f"The answer does not fit {answer_type.__name__}.",
        found="\n           ".join(problems),
        fix="answer with one JSON object that fits the schema of the request",
        raw=raw,
        problems=problems,
    )


def _problem(error: ErrorDetails, schema: dict[str, Any]) -> str:
    place = _place(error["loc"])
    if error["type"] == "missing":
        return f"{place}: missing; allowed: a value, this field is required"
    if error["type"] == "extra_forbidden":
        fields = _fields_at(schema, error["loc"][:-1])
        return (
            f"{place}: no such field; allowed: {', '.join(fields) if fields else 'the fields of the schema'}"
        )
    message = error["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
    return f"{place}: found {_short(error['input'])}; allowed: {message}"


def _place(location: tuple[int | str, ...]) -> str:
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text or "answer"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + " ..."


def _fields_at(schema: dict[str, Any], location: tuple[int | str, ...]) -> list[str]:
    """Names of the properties the schema knows at `location`; empty if it cannot be followed there."""
    here = _resolve(schema, schema)
    for part in location:
        if isinstance(part, int):
            prefixed = here.get("prefixItems")
            step = prefixed[part] if prefixed and part < len(prefixed) else here.get("items")
        else:
            step = here.get("properties", {}).get(part)
        if not isinstance(step, dict):
            return []
        here = _resolve(step, schema)
    return list(here.get("properties", {}))


def _resolve(step: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    """Follow $ref, and of a nullable field the variant that is not null."""
    while True:
        if "$ref" in step:
            step = root["$defs"][step["$ref"].rsplit("/", 1)[1]]
            continue
        variants = [v for v in step.get("anyOf", ()) if v.get("type") != "null"]
        if len(variants) != 1:
            return step
        step = variants[0]
