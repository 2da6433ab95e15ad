"""Requests to models, their answers, and the transcript line that keeps both."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from schemas.base import Model, digest

MAX_TRANSCRIPT_BYTES = 200_000_000
Agent = Literal[
    "prompt_adaptor", "planner", "plan_reviewer", "simulation_designer", "design_reviewer", "code_generator",
    "code_reviewer", "execution_validator", "physics_sanity", "results_analyzer", "comparison_validator", "supervisor",
]


class Position(Model):
    """Where in the run a request stands; unique, and stable across resumption and replay."""

    agent: Agent
    stage_id: str = "-"
    attempt: int = Field(1, description="which attempt at the stage, or which plan")
    round: int = Field(1, description="which round of the review loop")
    step: int = Field(0, description="how many experiments came before")

    def label(self) -> str:
        """agent.stage.attempt.round.step, usable as a file name."""
        return f"{self.agent}.{self.stage_id}.{self.attempt}.{self.round}.{self.step}"


class Section(Model):
    """A part of the request. Stable parts come first so that a prompt cache can hold them."""

    title: str
    text: str
    stable: bool = False
    keyed_as: str | None = Field(None, description="what stands for the text in the request's digest, where the text tells "
                                 "limits that a person may raise while the run goes on; None: the text itself")


class RequestImage(Model):
    """A picture shown to the agent."""

    path: str = Field(description="absolute path; not part of the digest")
    sha256: str
    media_type: str
    caption: str


class AgentRequest(Model):
    """All an agent is told: rules, its prompt, its context, the shape of the answer."""

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
    fresh: str = ""

    def digest(self) -> str:
        """What was asked, independent of where files lie and of limits that a person may raise while the run goes on.

        Otherwise a run that is resumed with a higher cap would buy again what it has.
        """
        body = self.model_dump(mode="json", exclude={"max_tokens", "prompt_digest"})  # the sections say what the prompt is
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
