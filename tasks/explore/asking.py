"""How a stage asks an agent: whoever runs it (a skill, a test) hands in the way; only the flow has models."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from schemas.base import Model
from schemas.errors import AnswerError

Ask = Callable[[str, dict[str, Any], Sequence[Path]], Awaitable[dict[str, Any]]]
"""agent, context, pictures -> its answer as JSON."""
Answer = TypeVar("Answer", bound=Model)


async def asked(
    ask: Ask, agent: str, kind: type[Answer], context: dict[str, Any], images: Sequence[Path] = ()
) -> Answer:
    """The checked answer. Raises AnswerError for one that does not fit its schema."""
    found = await ask(agent, context, images)
    try:
        return kind.model_validate(found)
    except ValidationError as error:
        raise AnswerError(f"the answer of {agent} does not fit", found=str(error)[:600]) from None
