"""What code found in a participant's answers."""

from __future__ import annotations

from typing import Literal

from schemas.base import Model
from schemas.study.persona import PersonaId

Problem = Literal[
    "missing",
    "unknown item",
    "unknown condition",
    "twice",
    "wrong type",
    "out of range",
    "no such option",
    "too long",
]
Suspicion = Literal["attention check failed", "straight-lining", "same as another"]


class ResponseProblem(Model):
    """An answer that does not fit the questionnaire."""

    problem: Problem
    item: str
    condition: str = ""
    found: str = ""
    allowed: str = ""


class ResponseSuspicion(Model):
    """Answers that fit but are doubtful; whether such participants are left out is the protocol's rule."""

    suspicion: Suspicion
    detail: str


class ResponseReport(Model):
    """The check of one participant's answers. valid: no problem; suspicions do not make it invalid."""

    persona_id: PersonaId
    problems: tuple[ResponseProblem, ...] = ()
    suspicions: tuple[ResponseSuspicion, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether the answers may become data."""
        return not self.problems
