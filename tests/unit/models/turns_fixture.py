"""A small agent with tools, and its conversation with any model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from agents.models.base import ModelClient
from agents.models.errors import InvalidAnswer
from agents.models.messages.messages_api import MessagesModel
from agents.talking.agent import Agent, Crew
from agents.talking.conversing import build_turn, finished, past_turn, read_turn, unfit
from schemas.run.settings import CoreSettings, ModelSettings
from schemas.talking.review import ReviewAnswer
from schemas.talking.tools import ToolCall, ToolSpec
from schemas.talking.transcript import AgentReply, AgentRequest, Position, RequestImage
from schemas.talking.turns import PastResult, PastTurn, TurnAnswer
from tests.messages_server import Fault, MessagesServer, Turn, Use, conversations
from tests.messages_server.examples import REVIEW

AGENT = Agent(
    Crew("feedback_summary", lambda _: {}, lambda _: {}, stable=("paper",)),
    "coder",
    "CoderAgent",
    "feedback_summary",
    ReviewAnswer,
    ("paper", "task"),
    True,
    "writes code",
)
PAPER = "The kernel multiplies matrices. " * 200
CONTEXT = {"paper": PAPER, "task": "make it fast"}
PLACE = Position(agent="coder", stage_id="n003")
LABEL = "coder.n003.1.1.0"
OBJECT: dict[str, Any] = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
TOOLS = (
    ToolSpec(name="read_file", description="Reads a file.", input_schema=OBJECT, skill="coding"),
    ToolSpec(name="run_code", description="Runs code.", input_schema={"type": "object"}, skill="coding"),
)

FIRST = Turn(
    "I look at both files.",
    [Use("read_file", {"path": "a.py"}), Use("read_file", {"path": "b.py"})],
    thinking="hm",
)
SECOND = Turn("", [Use("run_code")], thinking="")
END = Turn("Done.", [Use("finish", {**REVIEW, "feedback": "fast now"})], thinking="well")


def serve(*turns: Turn, faults: Sequence[Fault | None] = (), **options: Any) -> MessagesServer:
    return MessagesServer(conversations({LABEL: turns}), faults, **options)


def client(server: MessagesServer, **more: Any) -> MessagesModel:
    return MessagesModel(settings(base_url=server.base_url, timeout_s=20).model, **more)


def settings(**model: Any) -> CoreSettings:
    return CoreSettings(
        model=ModelSettings(**{"kind": "anthropic", "name": "claude-opus-5-5", "max_tokens": 2000, **model})
    )


def turn_request(turns: tuple[PastTurn, ...] = (), **more: Any) -> AgentRequest:
    given = {"tools": TOOLS, "position": PLACE, "adaptations": (), "settings": settings(), **more}
    return build_turn(AGENT, CONTEXT, turns=turns, **given)


def past(
    *calls: tuple[str, dict[str, Any], str],
    text: str = "",
    images: tuple[RequestImage, ...] = (),
    number: int = 0,
) -> PastTurn:
    """A turn that called tools (name, arguments, result)."""
    made = tuple(
        ToolCall(id=f"c{number}_{n}", name=name, arguments=arguments)
        for n, (name, arguments, _) in enumerate(calls)
    )
    results = tuple(
        PastResult(call_id=call.id, text=given[2], images=images)
        for call, given in zip(made, calls, strict=True)
    )
    return PastTurn(said=TurnAnswer(text=text, calls=made), results=results)


def converse(
    model: ModelClient, carry_out: Callable[[ToolCall], PastResult], *, most: int = 20, **more: Any
) -> tuple[ReviewAnswer, tuple[PastTurn, ...], list[AgentReply]]:
    """What a flow does with a conversation: turn after turn until the answer fits."""
    turns: tuple[PastTurn, ...] = ()
    replies: list[AgentReply] = []
    while len(turns) < most:
        reply = model.answer(turn_request(turns, **more), TurnAnswer)
        replies.append(reply)
        said = TurnAnswer.model_validate(reply.answer)
        reading = read_turn(said, TOOLS)
        results: dict[str, PastResult] = dict(reading.refused)
        if reading.finish is not None:
            try:
                return finished(reading.finish, ReviewAnswer), turns, replies
            except InvalidAnswer as error:
                results[reading.finish.id] = unfit(reading.finish, error)
        results |= {call.id: carry_out(call) for call in reading.runs}
        turns += (past_turn(said, results),)
    raise AssertionError(f"no end after {most} turns")


def echo(call: ToolCall) -> PastResult:
    return PastResult(call_id=call.id, text=f"{call.name} says {dict(call.arguments)}")


def given(**changes: Any) -> Mapping[str, Any]:
    return {**REVIEW, **changes}


def picture(path: Path) -> RequestImage:
    from PIL import Image

    from schemas.base import file_sha256

    Image.new("RGB", (40, 30), "red").save(path)
    return RequestImage(path=str(path), sha256=file_sha256(path), media_type="image/png", caption="a plot")
