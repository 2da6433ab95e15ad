"""One protocol for whatever answers: a request in, a validated answer with its cost out."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from agents.models.access import Access
from agents.models.errors import FatalModelError, InvalidAnswer, TransientModelError
from agents.models.validation import validate_answer
from schemas.base import Model
from schemas.errors import AwaitingAnswer, InputError
from schemas.run.settings import CoreSettings
from schemas.talking.transcript import AgentReply, AgentRequest

__all__ = [
    "AwaitingAnswer",
    "FatalModelError",
    "InvalidAnswer",
    "ModelClient",
    "TransientModelError",
    "open_model",
    "validate_answer",
]


class ModelClient(Protocol):
    """What stands behind the agents. Safe to use from several threads.

    answer raises TransientModelError (retry later), FatalModelError (never retry), InvalidAnswer (answers did not
    fit, tries used up), AwaitingAnswer (a person must answer and the run may stop), ReplayError (not recorded).
    """

    @property
    def kind(self) -> str:
        """replay, manual or anthropic."""
        ...

    def answer(self, request: AgentRequest, answer_type: type[Model]) -> AgentReply:
        """The validated answer to one request, with what it cost."""
        ...


def open_model(
    settings: CoreSettings,
    *,
    transcript: Path | None,
    requests_dir: Path,
    interactive: bool,
    access: Access | None = None,
) -> ModelClient:
    """The model the settings ask for.

    transcript: the recording to replay (settings.model.transcript wins over it). requests_dir: where manual requests
    and answers lie. interactive: whether a manual request may wait for its answer. access: where a Messages API
    is asked and with which key; by default settings.model.base_url and this process's own.
    Raises InputError, ReplayError or FatalModelError at once rather than at the first request.
    """
    model = settings.model
    if model.kind == "replay":
        from agents.models.replay import ReplayModel

        chosen = Path(model.transcript).expanduser().resolve() if model.transcript else transcript
        if chosen is None:
            raise InputError(
                "There is no transcript to replay.",
                found="no model.transcript, and none with the paper",
                allowed="a transcript.jsonl of an earlier run",
                fix="give model.transcript, or choose model.kind manual or anthropic",
            )
        return ReplayModel(chosen, strict=model.strict_replay)
    if model.kind == "manual":
        from agents.models.manual.by_hand import ManualModel

        return ManualModel(requests_dir, interactive=interactive, timeout_s=settings.limits.user_timeout_s)
    from agents.models.messages.messages_api import MessagesModel

    return MessagesModel(model, max_tries=settings.limits.max_invalid_answers, access=access)
