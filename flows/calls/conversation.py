"""A conversation of an agent with tools: each turn and each call of a tool is kept under a stable key.

A process that is killed in the fifteenth turn goes on in the fifteenth turn: earlier turns and tools' answers come from what is
kept, and nothing is bought or done twice.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from agents.models.base import FatalModelError, InvalidAnswer, TransientModelError
from agents.models.errors import NotRecorded
from agents.talking.agent import Agent
from agents.talking.conversing import (
    build_turn,
    countdown,
    finished,
    invalid_finishes,
    past_turn,
    read_turn,
    silent_turns,
    unfit,
)
from flows.calls.calling import ask_about_failure, call
from flows.calls.infrastructure import check_folder
from flows.calls.steps import keyed_task
from flows.run.context import Run, active
from flows.run.costs import check_caps
from schemas.base import Model, digest, file_sha256
from schemas.talking.tools import ToolCall, ToolContext, ToolResult, ToolSpec
from schemas.talking.transcript import AgentRequest, Position, RequestImage
from schemas.talking.turns import PastResult, PastTurn, TurnAnswer
from tasks.files.store import atomic_write

Answer = TypeVar("Answer", bound=Model)


@dataclass(frozen=True)
class TurnLimits:
    """How long a conversation may be: turns, tokens of models in it, tries at a `finish` that fits, tokens of the window."""

    turns: int = 30
    tokens: int = 300_000
    invalid: int = 3
    window_tokens: int = 120_000


@dataclass(frozen=True)
class Conversation(Generic[Answer]):
    """How it ended. answer: None when a limit ended it; then `ended` says which."""

    answer: Answer | None
    turns: tuple[PastTurn, ...]
    ended: str = ""


def converse(
    run: Run,
    agent: Agent,
    context: Mapping[str, object],
    answer: type[Answer],
    *,
    position: Position,
    tools: tuple[ToolSpec, ...],
    place: ToolContext,
    limits: TurnLimits,
    pinned: Collection[str] = (),
    closed: Callable[[], Mapping[str, str]] | None = None,
    stop: Callable[[], str] | None = None,
) -> Conversation[Answer]:
    """Turns until the agent calls `finish` with an answer that fits, or a limit is reached.

    place: where the calls belong. pinned: tools whose results stay in the window. closed: tools that may not be called now,
    with the reason. stop: why it has to end now, in words; '' to go on.
    Raises RunStopped when a person ends the run, LimitExceeded at a cap.
    """
    past: tuple[PastTurn, ...] = ()
    spent = 0
    while True:
        check_caps(run)
        check_folder(run)
        why = (_stopped(run, position, len(past), stop) if stop and past else "") or _over(
            past, spent, limits
        )
        if why:
            return Conversation(None, past, why)
        request = build_turn(
            agent,
            context,
            tools=tools,
            turns=past,
            position=position,
            settings=run.settings,
            adaptations=run.adaptations(),
            must_call=not past or bool(silent_turns(past)),
            last=len(past) + 1 == limits.turns,
            limit_tokens=limits.window_tokens,
            pinned_tools=pinned,
        )
        said, tokens = _turn(run, request)
        spent += tokens
        reading = read_turn(said, tools, closed() if closed else None)
        results = dict(reading.refused)
        if reading.finish is not None:
            try:
                return Conversation(finished(reading.finish, answer), past)
            except InvalidAnswer as error:
                results[reading.finish.id] = unfit(reading.finish, error)
        for number, wanted in enumerate(reading.runs):
            results[wanted.id] = _used(run, wanted, position, len(past), number, place)
        past = (*past, past_turn(said, results, countdown(limits.turns - len(past) - 1)))


def _stopped(run: Run, position: Position, turn: int, stop: Callable[[], str]) -> str:
    """Why the conversation ends before this turn, as it was when the turn came: a resumed process decides as the one before."""
    label = f"{position.conversation()}.t{turn:02d}"
    why: str = stop_reason(key=f"stop-{run.line}-{label}", label=label, stop=stop)
    return why


def _over(past: tuple[PastTurn, ...], spent: int, limits: TurnLimits) -> str:
    if len(past) >= limits.turns:
        return f"it took all of its {limits.turns} turns"
    if spent >= limits.tokens:
        return f"it used {spent} tokens of {limits.tokens}"
    if invalid_finishes(past) >= limits.invalid:
        return f"{limits.invalid} of its answers did not fit"
    return "it called no tool, twice" if silent_turns(past) > 1 else ""


def _turn(run: Run, request: AgentRequest) -> tuple[TurnAnswer, int]:
    tries = 0
    while True:
        try:
            reply = call(run, request)
            break
        except (TransientModelError, FatalModelError, InvalidAnswer) as error:
            tries += 1
            ask_about_failure(run, request, error, tries)
        except NotRecorded as error:
            raise run.not_recorded(request.position.stage_id, error) from error
    usage = reply.usage
    return TurnAnswer.model_validate(reply.answer), (usage.input_tokens or 0) + (usage.output_tokens or 0)


def _used(
    run: Run, wanted: ToolCall, position: Position, turn: int, number: int, place: ToolContext
) -> PastResult:
    label = f"{position.conversation()}.t{turn:02d}.{number}"
    key = f"tool-{run.line}-{label}-{digest([wanted.name, wanted.arguments], 16)}"
    result: ToolResult = use_tool(
        key=key,
        label=f"{wanted.name} {label}",
        run_id=run.handle,
        name=wanted.name,
        arguments=wanted.arguments,
        place=place.model_copy(update={"call_id": key}),
    )
    run.tally.tools += 1
    return PastResult(
        call_id=wanted.id,
        text=result.text,
        is_error=result.is_error,
        images=_kept(run.run_dir / "pictures", result, f"{wanted.name}, turn {turn + 1}"),
    )


def _kept(folder: Path, result: ToolResult, caption: str) -> tuple[RequestImage, ...]:
    """A tool's pictures as files of the run, named by their digest."""
    found = []
    for picture in result.pictures:
        raw = base64.b64decode(picture.data)
        name = hashlib.sha256(raw).hexdigest()
        path = folder / f"{name}.{'png' if picture.media_type == 'image/png' else 'jpg'}"
        if not path.exists():
            atomic_write(path, raw)
        found.append(
            RequestImage(path=str(path), sha256=name, media_type=picture.media_type, caption=caption)
        )
    return tuple(found)


@keyed_task("limit")
def stop_reason(key: str, label: str, stop: Callable[[], str]) -> str:
    """What `stop` says."""
    return stop()


@keyed_task("tool")
def use_tool(
    key: str,
    label: str,
    run_id: str,
    name: str,
    arguments: dict[str, Any],
    place: ToolContext,
    skill: str = "",
) -> ToolResult:
    """One call of a tool. What goes wrong with it is an answer that the agent can act on.

    Raises OSError where the run's folder can take nothing more: that is no agent's affair, and no answer is kept.
    """
    run = active(run_id)
    if run.toolbox is None:
        raise RuntimeError(f"no toolbox is open for {run_id}")
    asked: dict[str, int] = {}

    def ask(agent: str, told: dict[str, object], images: list[Path]) -> dict[str, object]:
        asked[agent] = asked.get(agent, 0) + 1
        return run.asked_by_tool(agent, told, images, place, asked[agent])

    result = run.toolbox.call(name, arguments, place, ask, skill=skill)
    if result.is_error:
        check_folder(run)
    run.executed.add(key)
    return result


def pictures_of(paths: list[Path]) -> tuple[RequestImage, ...]:
    """Pictures that a tool wants an agent to see."""
    kinds = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}
    return tuple(
        RequestImage(
            path=str(path),
            sha256=file_sha256(path),
            caption=path.name,
            media_type=kinds.get(path.suffix.lower(), "image/png"),
        )
        for path in paths
    )
