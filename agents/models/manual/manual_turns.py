"""A turn of a conversation in manual mode: what the page shows of tools and past turns, and a person's answer read kindly."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agents.models.errors import InvalidAnswer
from agents.models.example import minimal_example
from agents.models.strict_json import find_object
from agents.models.validation import validate_answer
from agents.models.wire import LAST_NOTE, fenced
from agents.talking.history import turn_part
from schemas.reading.strict_json import parse_json
from schemas.talking.tools import ToolSpec
from schemas.talking.transcript import AgentRequest
from schemas.talking.turns import FINISH, TurnAnswer

NEWEST, OLDER = 20_000, 1_000  # characters shown of a result, and of the arguments of a call
_TURN, _CALL = {"text", "calls"}, {"name", "arguments"}


def tools_part(request: AgentRequest) -> str:
    """The tools with the schemas of their arguments; what a stranger's server wrote in one closes no tag."""
    lines: list[str] = []
    for tool in request.tools:
        schema = _json(tool.input_schema).replace("<", "\\u003c")
        lines += [
            f"## `{tool.name}`",
            fenced("what it is for", tool.description),
            "Arguments (JSON schema):",
            schema,
        ]
    return "\n\n".join(["# The tools", *lines])


def history_part(request: AgentRequest, directory: Path) -> str:
    """What was said and given so far: the newest turn nearly whole, older ones shortened; '' before the second turn."""
    if not request.turns:
        return ""
    shown = [
        turn_part(number, turn, directory, NEWEST if number == len(request.turns) else OLDER)
        for number, turn in enumerate(request.turns, 1)
    ]
    return "\n\n".join(["# The conversation so far", *shown])


def answer_part(request: AgentRequest) -> str:
    """How to answer a turn, with an example of each way."""
    first = next((tool for tool in request.tools if tool.name != FINISH), None)
    end = next(tool for tool in request.tools if tool.name == FINISH)
    parts = [
        f"One JSON object of type `{request.answer_type}`: what you say (`text`, may be left out) and the tools to call "
        f"now (`calls`; several where none needs another's result). `{FINISH}` ends the work and is called alone; its "
        "arguments are the answer, which may also be given by itself."
    ]
    if first is not None:
        parts += [
            "To use a tool:",
            _json({"text": "why", "calls": [{"name": first.name, "arguments": _example(first)}]}),
        ]
    parts += [
        "To end (placeholders, not a sensible answer):",
        _json({"calls": [{"name": FINISH, "arguments": _example(end)}]}),
    ]
    return "\n\n".join([*parts, *([LAST_NOTE] if request.last else [])])


def read_turn(text: str, tools: tuple[ToolSpec, ...] | None = None, turn: int = 0) -> TurnAnswer:
    """A person's turn: ids may be missing, a call or the final answer may stand alone, arguments may be JSON in a text.

    tools: what may be called; None where that is not known. Raises InvalidAnswer like `validate_answer`.
    """
    try:
        given, _ = find_object(text)
    except ValueError:
        return validate_answer(text, TurnAnswer)  # says what is wrong
    if not _TURN & set(given):
        given = {
            "calls": [
                given if _CALL <= set(given) <= {*_CALL, "id"} else {"name": FINISH, "arguments": given}
            ]
        }
    calls = given.get("calls")
    if isinstance(calls, list):
        given = {**given, "calls": [_call(call, turn, number) for number, call in enumerate(calls, 1)]}
    said = validate_answer(given, TurnAnswer)
    if tools is not None:
        _check_names(said, {tool.name: tool for tool in tools})
    return said


def _call(call: Any, turn: int, number: int) -> Any:
    if not isinstance(call, dict):
        return call
    arguments = call.get("arguments", {})
    if isinstance(arguments, str):
        try:
            arguments = parse_json(arguments)
        except ValueError:
            pass  # named below as what it is: a text
    return {"id": f"call_{turn:02d}_{number:02d}", **call, "arguments": arguments}


def _check_names(said: TurnAnswer, tools: Mapping[str, ToolSpec]) -> None:
    unknown = [
        f"calls[{number}].name: found {call.name[:80]!r}; allowed: {', '.join(tools)}"
        for number, call in enumerate(said.calls)
        if call.name not in tools
    ]
    if unknown:
        raise InvalidAnswer(
            "The answer calls tools that do not exist.",
            found="\n           ".join(unknown),
            fix="call one of the tools of the page",
            problems=tuple(unknown),
        )


def _example(tool: ToolSpec) -> dict[str, Any]:
    try:
        return minimal_example(tool.input_schema)
    except (AttributeError, TypeError, KeyError, IndexError, ValueError):  # a stranger's schema
        return {}


def _json(value: Any) -> str:
    return f"```json\n{json.dumps(value, indent=1, ensure_ascii=False)}\n```"
