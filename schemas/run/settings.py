"""Settings that every workflow has: which model answers, and how much a run may take."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from schemas.base import Model


class CoreLimits(Model):
    """How often, how long and how much, whatever the workflow."""

    max_invalid_answers: int = Field(
        3, ge=1, description="tries at an answer that fits its schema; then a person is asked"
    )
    model_retries: int = Field(5, ge=0, description="retries of a failing model call (1, 2, 4, 8, 16 s)")
    retry_base_s: float = Field(
        1.0, ge=0, description="first wait before a retry of a model call; doubled each time"
    )
    max_total_runtime_hours: float = Field(
        8,
        gt=0,
        description="wall time of a run without the waiting for people; what "
        "runs is stopped then, and a partial report written",
    )
    user_timeout_s: float = Field(86400, gt=0, description="how long a question waits in a terminal's run")
    hold_worker_minutes: float = Field(
        5,
        gt=0,
        description="how long a question keeps its worker's place; then the run is "
        "suspended, and goes on in a new process when it is answered, however late",
    )
    max_memory_gb: float = Field(8, gt=0, description="memory of one simulation's process tree")
    max_cpu_cores: int = Field(
        4, ge=1, description="processor cores that all local simulations of the run use together"
    )
    max_questions: int = Field(
        3, ge=0, description="questions of one agent to a person, per round; then it decides by itself"
    )
    max_cost_usd: float | None = Field(None, gt=0, description="hard cap on money; none by default")
    max_tokens: int | None = Field(None, gt=0, description="hard cap on model tokens; none by default")
    safe_paper_tokens: int = Field(140_000, gt=0, description="context size above which recovery starts")


def agent_name(name: str) -> str:
    """The short name of an agent, also where it is given as the specification writes it: SimulationDesignerAgent."""
    return (
        re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.removesuffix("Agent")).lower()
        if name[:1].isupper()
        else name
    )


class ModelSettings(Model):
    """Which model answers."""

    kind: Literal["replay", "manual", "anthropic"] = Field(
        "replay", description="replay a transcript, ask a person with any chat window, or call a Messages API"
    )
    name: str = Field("claude-fable-5-2", description="model name sent to the API; free text")
    per_agent: tuple[tuple[str, str], ...] = Field(
        (),
        description="(agent, model name) pairs that differ; an agent as "
        "simulation_designer or SimulationDesignerAgent",
    )
    temperature: float | None = Field(
        None,
        ge=0,
        le=1,
        description="of every request; by default none is sent, and none to a model that refuses it",
    )
    temperature_per_agent: tuple[tuple[str, float], ...] = Field(
        (), description="(agent, temperature) pairs that differ"
    )
    base_url: str | None = Field(None, description="another server that speaks the Messages API")
    block: str | None = Field(
        None,
        description="Prefect block (ReproLab model endpoint): address, model name, name "
        "of the key's variable",
    )
    max_tokens: int = Field(32000, gt=0, description="longest answer, in tokens")
    timeout_s: float = Field(600, gt=0, description="time-out of one request")
    transcript: str | None = Field(
        None, description="recorded transcript to replay; the paper's own by default"
    )
    strict_replay: bool = Field(False, description="refuse a transcript recorded with other prompts")

    @field_validator("per_agent", "temperature_per_agent")
    @classmethod
    def _short_names(cls, pairs: tuple[tuple[str, Any], ...]) -> tuple[tuple[str, Any], ...]:
        return tuple((agent_name(agent), value) for agent, value in pairs)

    @model_validator(mode="after")
    def _temperatures(self) -> ModelSettings:
        if wrong := [
            f"{agent} {value:g}" for agent, value in self.temperature_per_agent if not 0 <= value <= 1
        ]:
            raise ValueError(f"a temperature lies between 0 and 1; found {', '.join(wrong)}")
        return self

    def model_for(self, agent: str) -> str:
        """The model name for one agent."""
        return dict(self.per_agent).get(agent, self.name)

    def temperature_for(self, agent: str) -> float | None:
        """The temperature for one agent; None: none is sent."""
        return dict(self.temperature_per_agent).get(agent, self.temperature)


Asked = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,199}$")]


class CoreSettings(Model):
    """What every run is parametrised by besides its subject. A workflow narrows `limits` to its own."""

    model: ModelSettings = Field(default_factory=ModelSettings)
    limits: CoreLimits = Field(default_factory=CoreLimits)
    non_interactive: bool = Field(False, description="save and exit instead of asking")
    answers: tuple[tuple[str, str], ...] = Field((), description="(question kind, answer) given beforehand")
    ask_again: tuple[Asked, ...] = Field(
        (),
        description="kinds or names of questions that a replay asks a person again, in place of the recorded answer",
    )
    allow_degraded_sandbox: bool = Field(
        False, description="run generated code without bubblewrap, resource limits only"
    )
    fresh: str = Field(
        "", description="any text; part of every request's key: another text asks the model anew"
    )
