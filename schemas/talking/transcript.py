"""Requests to models, their answers, and the transcript line that keeps both."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import Field

from schemas.base import Model, digest
from schemas.talking.pictures import RequestImage as RequestImage
from schemas.talking.tools import ToolSpec
from schemas.talking.turns import PastTurn

MAX_TRANSCRIPT_BYTES = 200_000_000
AgentName = Annotated[
    str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$", description="the agent's name in its workflow's roster")
]


class Position(Model):
    """Where in the run a request stands; unique, and stable across resumption and replay."""

    agent: AgentName
    stage_id: str = "-"
    attempt: int = Field(1, description="which attempt at the stage, or which plan")
    round: int = Field(1, description="which round of the review loop")
    step: int = Field(0, description="how many experiments came before")
    turn: int = Field(0, ge=0, description="how many turns of a conversation with tools came before")

    def conversation(self) -> str:
        """agent.stage.attempt.round.step, the same for all turns of a conversation."""
        return f"{self.agent}.{self.stage_id}.{self.attempt}.{self.round}.{self.step}"

    def label(self) -> str:
        """agent.stage.attempt.round.step, from the second turn of a conversation on with .tNN; usable as a file name."""
        return self.conversation() + (f".t{self.turn:02d}" if self.turn else "")


def placed(label: str) -> tuple[str, str]:
    """The agent and the stage that a position's label names; a stage's name may hold dots."""
    agent, _, rest = label.partition(".")
    return agent, re.sub(r"\.t\d+\Z", "", rest).rsplit(".", 3)[0]


class Section(Model):
    """A part of the request. Stable parts come first so that a prompt cache can hold them."""

    title: str
    text: str
    stable: bool = False
    keyed_as: str | None = Field(
        None,
        description="what stands for the text in the request's digest, where the text tells "
        "limits that a person may raise while the run goes on; None: the text itself",
    )


class AgentRequest(Model):
    """All an agent is told: rules, its prompt, its context, the shape of the answer.

    A turn of a conversation has tools, and in `turns` what was said and given before.
    """

    position: Position
    prompt_id: str
    prompt_digest: str
    system: tuple[Section, ...]
    context: tuple[Section, ...]
    images: tuple[RequestImage, ...] = ()
    answer_type: str = Field(description="name of the answer's model")
    answer_schema: dict[str, Any]
    model_kind: str
    model_name: str
    max_tokens: int = 16000
    temperature: float | None = None
    fresh: str = ""
    tools: tuple[ToolSpec, ...] = ()
    turns: tuple[PastTurn, ...] = ()
    must_call: bool = Field(False, description="whether words without the call of a tool will not do")
    last: bool = Field(False, description="whether only `finish` may be called, as no turn is left")

    def digest(self) -> str:
        """What was asked, independent of where files lie and of limits that a person may raise while the run goes on.

        Otherwise a run that is resumed with a higher cap would buy again what it has.
        """
        # The sections say what the prompt is; what a request without tools lacks leaves its digest as it always was.
        body = self.model_dump(mode="json", exclude={"max_tokens", "prompt_digest", "turns", "last"})
        for name in [name for name in ("tools", "must_call") if not body[name]]:
            body.pop(name)
        if self.temperature is None:
            body.pop("temperature")
        if not body["position"]["turn"]:
            body["position"].pop("turn")
        if self.turns:
            body["turns"] = [turn.digest() for turn in self.turns]
        for image in body["images"]:
            image.pop("path")
        for section in (*body["system"], *body["context"]):
            keyed_as = section.pop("keyed_as")
            section["text"] = section["text"] if keyed_as is None else keyed_as
        return digest(body)


class Usage(Model):
    """Tokens of one call. None where the server does not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None


class AgentReply(Model):
    """A validated answer with what it cost."""

    answer: dict[str, Any]
    usage: Usage = Field(default_factory=Usage)
    price_usd: float | Literal["unknown"] | None = Field(None, description="None where nothing was bought")
    duration_s: float = 0
    model: str = ""
    tries: int = 1
    notes: tuple[str, ...] = ()
    raw: str = Field("", description="the raw text, kept when it needed repair")


class TranscriptEntry(Model):
    """One line of transcript.jsonl."""

    kind: Literal["call", "experiment", "question"] = "call"
    position: Position
    prompt_id: str = ""
    prompt_digest: str = ""
    request_digest: str = ""
    request: dict[str, Any] | None = None
    model_kind: str = ""
    model: str = ""
    answer: dict[str, Any]
    usage: Usage = Field(default_factory=Usage)
    price_usd: float | Literal["unknown"] | None = None
    duration_s: float = 0
    tries: int = 1
    notes: tuple[str, ...] = ()
