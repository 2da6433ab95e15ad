"""The model behind the agents: replay of a transcript, a person with any chat window, or a Messages API."""

from agents.models.base import (
    AwaitingAnswer,
    FatalModelError,
    InvalidAnswer,
    ModelClient,
    TransientModelError,
    open_model,
    validate_answer,
)

__all__ = [
    "AwaitingAnswer",
    "FatalModelError",
    "InvalidAnswer",
    "ModelClient",
    "TransientModelError",
    "open_model",
    "validate_answer",
]
