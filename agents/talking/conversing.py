"""An agent that uses tools: the request of its next turn, and what its reply asks for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from agents.models.errors import InvalidAnswer
from agents.models.size import estimate_tokens
from agents.models.validation import validate_answer
from agents.talking.agent import Agent, build_request, untitled
from agents.talking.turns import trimmed
from schemas.base import Model
from schemas.errors import StateError
from schemas.run.settings import CoreSettings
from schemas.talking.adaptation import AdaptationRecord
from schemas.talking.tools import ToolCall, ToolSpec
from schemas.talking.transcript import AgentRequest, Position, RequestImage
from schemas.talking.turns import FINISH, PastResult, PastTurn, Spoken, TurnAnswer

Answer = TypeVar("Answer", bound=Model)
_SHOWN = 40


@dataclass(frozen=True)
class TurnReading:
    """What a turn asks for.

    runs: calls to carry out, in their order; they do not depend on each other. refused: results that code gives at once,
    by id of the call, for calls that cannot be carried out. finish: the call that ends the conversation, if its answer
    fits; it stands alone. silent: no call at all; the next request reminds the model of its tools.
    """

    runs: tuple[ToolCall, ...] = ()
    refused: Mapping[str, PastResult] = field(default_factory=dict)
    finish: ToolCall | None = None
    silent: bool = False


def build_turn(
    agent: Agent,
    context: Mapping[str, object],
    *,
    tools: tuple[ToolSpec, ...],
    turns: tuple[PastTurn, ...],
    position: Position,
    adaptations: tuple[AdaptationRecord, ...],
    settings: CoreSettings,
    images: tuple[RequestImage, ...] = (),
    must_call: bool = False,
    last: bool = False,
    limit_tokens: int | None = None,
    pinned_tools: Collection[str] = (),
) -> AgentRequest:
    """The request of turn `len(turns)` of a conversation at `position`, whose own turn is passed over.

    context, tools: the same in every turn, else caches and the model's own thinking are lost; refuse a call with words
    instead of taking its tool away. must_call: whether words alone will not do. last: whether no turn is
    left, so that only `finish` may be called. limit_tokens: what the whole request may take;
    old results are shortened to it (`agents.talking.turns.trimmed`), those of `pinned_tools` never. Raises StateError for
    tools that share a name or take the reserved one, and as `build_request` does.
    """
    names = [tool.name for tool in tools]
    wrong = sorted({name for name in names if names.count(name) > 1 or name == FINISH})
    if wrong:
        raise StateError(
            "names of tools must be unique, and `finish` is reserved",
            found=", ".join(wrong),
            allowed="each name once",
            fix="leave out one of the skills that offer it (workflow.yaml)",
        )
    base = build_request(
        agent,
        context,
        position=position.model_copy(update={"turn": len(turns)}),
        settings=settings,
        adaptations=adaptations,
        images=images,
    )
    finish = ToolSpec(
        name=FINISH,
        description=f"Ends the work with your answer ({agent.answer.__name__}). Call it alone, "
        "once, when all that you were asked for is done.",
        input_schema=base.answer_schema,
        skill="",
    )
    request = base.model_copy(
        update={
            "answer_type": TurnAnswer.__name__,
            "answer_schema": untitled(Spoken.model_json_schema()),
            "tools": (*tools, finish),
            "must_call": must_call,
            "last": last,
        }
    )
    if limit_tokens is not None:
        turns = trimmed(turns, max(0, limit_tokens - estimate_tokens(request)), pinned_tools)
    return request.model_copy(update={"turns": turns})


def read_turn(
    said: TurnAnswer, tools: Collection[ToolSpec], closed: Mapping[str, str] | None = None
) -> TurnReading:
    """What a turn asks for. closed: tools that may no longer be called, by name, with the reason the model is told."""
    known, problems = {tool.name for tool in tools}, {u.call_id: u.problem for u in said.unreadable}
    finishes = [call for call in said.calls if call.name == FINISH]
    refused: dict[str, PastResult] = {}
    for call in said.calls:
        if call.id in problems:
            reason = f"The arguments of {call.name} cannot be read: {problems[call.id]}. Call it again with one JSON object."
        elif call.name == FINISH and len(said.calls) > 1:
            reason = "`finish` ends the work and must be called alone: look at the other results first, then call it again."
        elif call.name == FINISH:
            continue
        elif closed and call.name in closed:
            reason = closed[call.name]
        elif call.name not in known:
            reason = (
                f"There is no tool {call.name}. There are: {', '.join(sorted([*known, FINISH])[:_SHOWN])}."
            )
        else:
            continue
        refused[call.id] = PastResult(call_id=call.id, text=reason, is_error=True)
    runs = tuple(call for call in said.calls if call.name != FINISH and call.id not in refused)
    finish = finishes[0] if len(said.calls) == 1 and finishes and not refused else None
    return TurnReading(runs, refused, finish, silent=not said.calls)


def finished(call: ToolCall, answer: type[Answer]) -> Answer:
    """The answer in a call of `finish`. Raises InvalidAnswer with what does not fit."""
    return validate_answer(dict(call.arguments), answer)


def unfit(call: ToolCall, error: InvalidAnswer) -> PastResult:
    """What the model is told when the arguments of its `finish` do not fit."""
    lines = "\n".join(f"- {problem}" for problem in error.problems)
    return PastResult(
        call_id=call.id,
        is_error=True,
        text=f"This answer cannot be used:\n{lines}\n\nCall `finish` again with the whole answer, corrected.",
    )


def past_turn(said: TurnAnswer, results: Mapping[str, PastResult], note: str = "") -> PastTurn:
    """The turn with the result of each of its calls, and a note of ours. Raises StateError where a result is missing."""
    missing = [f"{call.name} ({call.id})" for call in said.calls if call.id not in results]
    if missing:
        raise StateError(
            "a call has no result",
            found=", ".join(missing),
            allowed="one result for each call",
            fix="answer a call that was not carried out with an error in words",
        )
    return PastTurn(said=said, results=tuple(results[call.id] for call in said.calls), note=note)


def countdown(left: int) -> str:
    """What the model is told when few turns are left; '' otherwise. Said seldom, as each note stays in the window."""
    return f"{left} turns are left, the next one included; `finish` takes one." if left in (10, 5, 2) else ""


def invalid_finishes(turns: tuple[PastTurn, ...]) -> int:
    """How many answers were sent back because they did not fit: bounded by limits.max_invalid_answers."""
    return sum(
        call.name == FINISH and len(turn.said.calls) == 1 for turn in turns for call in turn.said.calls
    )


def silent_turns(turns: tuple[PastTurn, ...]) -> int:
    """How many turns in a row, up to the last, called nothing: one is reminded, a second ends the conversation."""
    count = 0
    for turn in reversed(turns):
        if turn.said.calls:
            break
        count += 1
    return count
