"""Answers from a recorded transcript, by position. Nothing is bought, nothing is asked."""

from __future__ import annotations

import difflib
import threading
from pathlib import Path
from typing import Any, TypeVar

from agents.models.errors import InvalidAnswer
from agents.models.recording import Recorded, read_recording
from agents.models.validation import validate_answer
from schemas.base import Model
from schemas.errors import ReplayError
from schemas.talking.interaction import Question, UserAnswer
from schemas.talking.transcript import AgentReply, AgentRequest, Position, TranscriptEntry

Kind = TypeVar("Kind", bound=Model)


class ReplayModel:
    """A transcript that answers as the model did when it was recorded.

    strict: refuse an answer whose prompt has changed since; otherwise the reply carries a note.
    """

    kind = "replay"

    def __init__(self, transcript: Path, *, strict: bool = False):
        self.strict = strict
        self.recording = read_recording(transcript)
        self._used: set[str] = set()
        self._lock = threading.Lock()

    @property
    def header(self) -> dict[str, Any]:
        """The transcript's header."""
        return self.recording.header

    def answer(self, request: AgentRequest, answer_type: type[Model]) -> AgentReply:
        """The recorded answer at the request's position, validated like any other."""
        label = request.position.label()
        recorded = self.recording.calls.get(label)
        if recorded is None:
            raise self._missing(request.position)
        entry = recorded.entry
        notes = [
            f"replayed from {self.recording.path.name}, line {recorded.line}",
            *self._changed(request, entry),
        ]
        try:
            answer = validate_answer(entry.answer, answer_type)
        except InvalidAnswer as error:
            raise InvalidAnswer(
                f"The recorded answer for {label} does not fit {answer_type.__name__} "
                f"({self.recording.path}, line {recorded.line}).",
                found=error.found,
                fix="record the run again: the answer's schema changed since",
                raw=error.raw,
                problems=error.problems,
            ) from None
        self._mark(f"call {label}")
        if f"call {label}" in self.recording.repeated:
            notes.append("recorded more than once; the last recording counts")
        return AgentReply(
            answer=answer.model_dump(mode="json"), model=entry.model, tries=1, notes=tuple(notes)
        )

    def experiment(self, position: Position, kind: type[Kind]) -> Kind | None:
        """What the experiment asked for at `position` showed when recorded; None if none was recorded there."""
        return self._other(self.recording.experiments, "experiment", position.label(), kind)

    def question(self, question_id: str, *, as_given: bool = False) -> UserAnswer | None:
        """What a person answered when recorded (answered_by becomes "recorded" unless `as_given`); None if not asked."""
        answer = self._other(self.recording.questions, "question", question_id, UserAnswer)
        return answer if answer is None or as_given else answer.model_copy(update={"answered_by": "recorded"})

    def reply_to(self, question: Question) -> UserAnswer | None:
        """What answers a question instead of a person: what one said when it was recorded; None if a person has to."""
        return self.question(question.question_id)

    def mark_used(self, label: str, kind: str = "call") -> None:
        """Count a recorded call or question as used that the run answered by itself: persisted, judged or given."""
        self._mark(f"{kind} {label}")

    def unused(self) -> list[str]:
        """What was recorded and never asked for, in recorded order: "call planner.-.1.1.0", "question ..."."""
        recording = self.recording
        names = [
            (recorded.line, f"{kind} {key}")
            for kind, kept in (
                ("call", recording.calls),
                ("experiment", recording.experiments),
                ("question", recording.questions),
            )
            for key, recorded in kept.items()
        ]
        return [name for _, name in sorted(names) if name not in self._used]

    def _mark(self, name: str) -> None:
        with self._lock:
            self._used.add(name)

    def _changed(self, request: AgentRequest, entry: TranscriptEntry) -> list[str]:
        if not entry.prompt_digest or entry.prompt_digest == request.prompt_digest:
            return []
        if self.strict:
            raise ReplayError(
                f"The prompt of {request.position.label()} changed since it was recorded, and replay is strict.",
                found=f"prompt {request.prompt_id} with digest {request.prompt_digest[:12]}",
                allowed=f"digest {entry.prompt_digest[:12]}",
                fix="restore the prompt, record the run again, or turn strict_replay off",
            )
        digests = f"{entry.prompt_digest[:12]} -> {request.prompt_digest[:12]}"
        return [f"prompt {request.prompt_id} changed since recording ({digests})"]

    def _missing(self, position: Position) -> ReplayError:
        same = [label for label in self.recording.calls if label.startswith(f"{position.agent}.")]
        near = difflib.get_close_matches(
            position.label(), same or list(self.recording.calls), n=3, cutoff=0.0
        )
        return ReplayError(
            f"The transcript {self.recording.path} holds no answer of {position.agent} for stage "
            f"{position.stage_id}, attempt {position.attempt}, round {position.round}, step {position.step}"
            + (f", turn {position.turn}." if position.turn else "."),
            found=f"nearest recorded: {', '.join(near)}" if near else "no recorded calls at all",
            allowed="a position that was recorded",
            fix="a judgement now differs from the recording (see the stage's evidence), or the transcript belongs to "
            "another run; record it again with model.kind manual or anthropic",
        )

    def _other(self, kept: dict[str, Recorded], kind: str, key: str, model: type[Kind]) -> Kind | None:
        recorded = kept.get(key)
        if recorded is None:
            return None
        answer = {
            name: value
            for name, value in recorded.entry.answer.items()
            if name != "question_id" or "question_id" in model.model_fields
        }
        try:
            found = validate_answer(answer, model)
        except InvalidAnswer as error:
            raise ReplayError(
                f"{self.recording.path}, line {recorded.line}: the recorded {kind} {key} does not fit.",
                found=error.found,
                fix="record the run again",
            ) from None
        self._mark(f"{kind} {key}")
        return found
