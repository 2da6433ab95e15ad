"""A replay that goes on by rule where the recording holds no answer: what a regression asks.

Rules never judge. Who judges beside the evidence can only make it stricter, so an earlier opinion of the same agent about the
same stage, or none, may stand in. Who creates has no stand-in: then the stage ends, and its numbers are missing.
"""

from __future__ import annotations

from typing import Any

from agents.models.errors import InvalidAnswer, NotRecorded
from agents.models.replay import ReplayModel
from agents.models.validation import validate_answer
from schemas.base import Model
from schemas.errors import PrerequisiteError
from schemas.talking.interaction import AGENT_QUESTIONS, Question, UserAnswer
from schemas.talking.transcript import AgentReply, AgentRequest, Position

BY_RULE = "by rule: "
_CREATORS = ("prompt_adaptor", "planner", "simulation_designer", "code_generator")
# What an agent that judges says where it never said anything about the stage: nothing that could overrule the evidence.
_NEUTRAL: dict[str, dict[str, Any]] = {
    "ReviewAnswer": {"verdict": "approve", "issues": [], "checklist": [], "feedback": ""},
    "ComparisonAnswer": {"verdict": "approve", "issues": [], "feedback": ""},
    "AnalysisAnswer": {
        "reports": [],
        "discrepancies": [],
        "summary": "No analysis was recorded at this place.",
    },
}
# In this order, what is chosen for a person who was not asked when the run was recorded.
_CHOICES = (
    "approve_failed",
    "approve_again",
    "skip_stage",
    "continue",
    "run_anyway",
    "give_up_stages",
    "stop",
)


class RuledReplay(ReplayModel):
    """A replay for a regression; where it leaves the recording, the reply's notes and the answer's origin say so."""

    def answer(self, request: AgentRequest, answer_type: type[Model]) -> AgentReply:
        """The recorded answer, or one by rule. Raises NotRecorded where no rule can decide."""
        label = request.position.label()
        if label in self.recording.calls:
            try:
                return super().answer(request, answer_type)
            except InvalidAnswer as error:
                raise NotRecorded(
                    f"the recorded answer for {label} does not fit any more", found=error.found
                ) from None
        if request.position.agent in _CREATORS:
            raise NotRecorded(f"the recording has no answer for {label}")
        earlier = self._earlier(request.position)
        tried = (
            [
                (
                    f"the recorded answer for {earlier.label()} stands in for {label}",
                    self.recording.calls[earlier.label()].entry.answer,
                )
            ]
            if earlier
            else []
        )
        if request.answer_type in _NEUTRAL:
            tried.append(
                (f"nothing is recorded for {label}; evidence judges alone", _NEUTRAL[request.answer_type])
            )
        for note, given in tried:
            try:
                found = validate_answer(given, answer_type)
            except InvalidAnswer:
                continue
            return AgentReply(answer=found.model_dump(mode="json"), tries=1, notes=(BY_RULE + note,))
        raise NotRecorded(f"the recording has no answer for {label}")

    def reply_to(self, question: Question) -> UserAnswer:
        """The recorded answer where it is still one of the choices, else one by rule. Raises NotRecorded."""
        recorded = self.question(question.question_id)
        names = [choice.name for choice in question.choices]
        if recorded is not None and recorded.choice in names:
            return recorded
        if question.kind == "infrastructure":
            raise PrerequisiteError(question.title, fix="mend it, then continue the regression")
        chosen = next((name for name in _CHOICES if name in names), None)
        if chosen is None or question.kind in AGENT_QUESTIONS:
            raise NotRecorded(f"the recording has no answer to {question.question_id}")
        return UserAnswer(choice=chosen, answered_by="by rule")

    def _earlier(self, position: Position) -> Position | None:
        """The nearest earlier position of the same agent about the same stage."""
        place = (position.attempt, position.round, position.step)
        found = [entry.entry.position for entry in self.recording.calls.values()]
        before = [
            p
            for p in found
            if (p.agent, p.stage_id) == (position.agent, position.stage_id)
            and (p.attempt, p.round, p.step) < place
        ]
        return max(before, key=lambda p: (p.attempt, p.round, p.step), default=None)
