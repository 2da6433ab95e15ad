"""Requests, answers and transcripts that tests of models share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from schemas.base import Model
from schemas.talking.review import ReviewAnswer
from schemas.talking.transcript import AgentRequest, Position, RequestImage, Section, TranscriptEntry

REVIEW: dict[str, Any] = {
    "verdict": "approve",
    "issues": [],
    "checklist": ["PML: 1 um thick, enough"],
    "feedback": "",
    "backtrack_suggestion": None,
}
PAPER = "The film reflects 4.2 %. " * 200


def a_request(
    answer_type: type[Model] = ReviewAnswer,
    *,
    images: tuple[RequestImage, ...] = (),
    changing: str = "draft",
    model_name: str = "claude-opus-5-5",
    prompt_digest: str = "d1",
    **position: Any,
) -> AgentRequest:
    """A request of the design reviewer for stage `film`, or of another position."""
    return AgentRequest(
        position=Position(**{"agent": "design_reviewer", "stage_id": "film", **position}),
        prompt_id="design_reviewer",
        prompt_digest=prompt_digest,
        system=(
            Section(title="Rules", text="Judge by evidence.", stable=True),
            Section(title="Prompt", text="Review the design.", stable=True),
        ),
        context=(Section(title="Design", text=changing), Section(title="Paper", text=PAPER, stable=True)),
        images=images,
        answer_type=answer_type.__name__,
        answer_schema=answer_type.model_json_schema(),
        model_kind="anthropic",
        model_name=model_name,
        max_tokens=2000,
    )


def write_transcript(path: Path, *entries: TranscriptEntry | str) -> Path:
    """A transcript.jsonl with a header; a text is written as a line as it is."""
    lines = [json.dumps({"header": {"paper_id": "film", "reprolab": "0.1.0"}})]
    lines += [e if isinstance(e, str) else e.model_dump_json() for e in entries]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def a_call(
    answer: dict[str, Any] | None = None, *, prompt_digest: str = "d1", **position: Any
) -> TranscriptEntry:
    """A recorded call of the design reviewer for stage `film`."""
    return TranscriptEntry(
        position=Position(**{"agent": "design_reviewer", "stage_id": "film", **position}),
        prompt_id="design_reviewer",
        prompt_digest=prompt_digest,
        model="claude-opus-5-5",
        answer=REVIEW if answer is None else answer,
    )
