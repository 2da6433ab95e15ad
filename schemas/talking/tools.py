"""Tools that agents and stages use: what one is, a call of it, what comes back, and the servers (skills) that offer them."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from schemas.base import Identifier, Model

ToolName = Annotated[
    str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$", description="a letter, then letters, digits, _ -")
]
Phase = Literal["survey", "bfts", "paper", "pipeline", "reproduce"]
PIPELINE: Phase = "pipeline"  # a stage's own call: its skill is chosen by workflow.yaml, not by a model
Variable = Annotated[
    str, Field(pattern=r"^[A-Z][A-Z0-9_]{0,63}$", description="a variable of the environment")
]
PATH, WORDS = "path", "words"
"""Formats of a text argument in a tool's schema: a path below the work directory; free text (code, a command), never a path."""


class ToolSpec(Model):
    """A tool as a model is told of it.

    input_schema: JSON schema of its arguments. skill: the server that offers it; no part of what a model sees.
    """

    name: ToolName
    description: str = Field(max_length=4000)
    input_schema: dict[str, Any]
    skill: str


class ToolCall(Model):
    """One use of a tool. id: the model's name for it, which its result is matched by; no key."""

    id: str = Field(min_length=1, max_length=200)
    name: str = Field(min_length=1, max_length=128)
    arguments: dict[str, Any] = Field(default_factory=dict)


class ToolPicture(Model):
    """A checked picture. data: base64 of its bytes."""

    media_type: Literal["image/png", "image/jpeg"]
    data: str


class ToolResult(Model):
    """What a tool answered. is_error: the text says what went wrong, in words the caller can act on."""

    text: str = ""
    pictures: tuple[ToolPicture, ...] = ()
    is_error: bool = False

    @classmethod
    def error(cls, text: str) -> ToolResult:
        """An answer that says what went wrong."""
        return cls(text=text, is_error=True)

    def json_value(self) -> Any:
        """The text read as JSON. Raises ValueError where it is none."""
        return json.loads(self.text)


class ExecutionLimits(Model):
    """What executions for one node may take. cpu_s: of all together; memory_mb, processes, disk_mb: of each.

    output_kb: of one answer. allow_degraded: whether they may run without isolation.
    """

    cpu_s: float = Field(default=600.0, gt=0)
    memory_mb: int = Field(default=4096, ge=16)
    disk_mb: int = Field(default=512, ge=1)
    processes: int = Field(default=64, ge=1)
    output_kb: int = Field(default=32, ge=1)
    allow_degraded: bool = False


class ToolContext(Model):
    """Where a call belongs; sent beside the arguments (`_meta`), so that no model sees or sets it.

    run_dir, work_dir: absolute paths; files below them are all a tool may write. ancestor_ids: from the root to the parent.
    call_id: stable key of the call; a tool whose effect must not happen twice answers a repeated key from its record.
    limits: of what is executed. libraries: folders of packages that programs may import, by name.
    parent_memories: memory files of parent runs, and the nodes of each whose notes may be read.
    """

    run_dir: str = ""
    node_id: str = ""
    work_dir: str = ""
    ancestor_ids: tuple[str, ...] = ()
    phase: str = ""
    stage: str = ""
    call_id: str = ""
    limits: ExecutionLimits = Field(default_factory=ExecutionLimits)
    libraries: dict[str, str] = Field(default_factory=dict)
    parent_memories: dict[str, tuple[str, ...]] = Field(default_factory=dict)


class Skill(Model):
    """A server of tools (MCP): one of ours by its name, a folder with server.py, or an address (streamable HTTP).

    phase: where its tools are offered; one, several, or none (then only stages of the pipeline call it).
    network: a folder's server may use the network. once: tools that are offered no more after their first success.
    environment: names of variables it is given beside a few harmless ones (a token it needs); never a key of a model.
    token: name of the variable that holds what a server at a url wants to know (Authorization: Bearer ...).
    timeout_s: wall seconds after which a call is given up and the server ended; a backstop, agents' answers not counted.
    """

    name: Identifier
    phase: tuple[Phase, ...] = ()
    path: str = ""
    url: str = Field(
        default="", pattern=r"^(https?://[^\s@]+)?$", description="http://host/mcp, without a password"
    )
    network: bool = False
    once: tuple[ToolName, ...] = ()
    environment: tuple[Variable, ...] = ()
    token: Variable | None = None
    timeout_s: float = Field(default=3600.0, gt=0, le=7 * 86400)

    @field_validator("phase", "once", "environment", mode="before")
    @classmethod
    def _several(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value

    @model_validator(mode="after")
    def _one_way(self) -> Skill:
        if self.path and self.url:
            raise ValueError("a skill has a path (a folder with server.py) or a url, not both")
        if self.network and not self.path:
            raise ValueError("network is for a skill with a path; ours and those at a url have their own")
        if self.token and not self.url:
            raise ValueError("token is for a skill with a url; others are given variables by environment")
        if keys := [
            name
            for name in (*self.environment, self.token or "")
            if name.startswith(("ANTHROPIC_", "PREFECT_"))
        ]:
            raise ValueError(
                f"other variables than {', '.join(keys)}: only the flow asks models, and only it talks to Prefect"
            )
        return self

    @property
    def ours(self) -> bool:
        """Whether it is one of the skills that ReproLab brings."""
        return not self.path and not self.url
