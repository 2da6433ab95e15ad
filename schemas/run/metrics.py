"""What each call of an agent took and cost."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Model


class AgentCallMetric(Model):
    """One line of metrics per agent call."""

    agent: str
    stage_id: str
    model: str
    duration_s: float
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    price_usd: float | Literal["unknown"] | None = None
    reused: bool = False
    label: str = Field("", description="position of the call")
    tries: int = Field(1, description="answers it took, those that did not fit included")
    notes: tuple[str, ...] = Field(
        (), description="repairs, retries, the schema in the prompt, changed prompts"
    )
    failure: str = Field("", description="why a call that was paid for gave no usable answer")
