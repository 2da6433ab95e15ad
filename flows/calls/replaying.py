"""What a replay left over: recorded answers nobody asked for mean that the run took another course."""

from __future__ import annotations

from agents.models.base import ModelClient
from agents.models.replay import ReplayModel
from schemas.talking.interaction import MACHINERY
from tasks.files.transcript import Transcript

# Asked because a live model failed, was too small or too dear; a replay has no such model.
_OF_THE_MODEL: frozenset[str] = frozenset(MACHINERY)
_CONDENSER = "feedback_summary"


def left_unused(model: ModelClient, transcript: Transcript) -> tuple[str, ...]:
    """Recordings that belong to the course of a run and were not used, in recorded order, each named for people.

    transcript: the run's own. What it has was used by an earlier process of the run, perhaps within a tool's finished work,
    which is not done again.
    """
    if not isinstance(model, ReplayModel):
        return ()
    recording, found = model.recording, []
    for name in model.unused():
        if name in transcript.asked:
            continue
        kind, _, key = name.partition(" ")
        kept = {
            "call": recording.calls,
            "experiment": recording.experiments,
            "question": recording.questions,
        }[kind]
        entry, line = kept[key].entry, kept[key].line
        place = entry.position
        where = f"stage {place.stage_id}, attempt {place.attempt}, round {place.round}, step {place.step}; line {line}"
        if kind == "question":
            if (entry.request or {}).get("kind") not in _OF_THE_MODEL:
                found.append(f"a person's answer to {key} (stage {place.stage_id}; line {line})")
        elif entry.prompt_id != _CONDENSER:
            found.append(
                f"{'an experiment' if kind == 'experiment' else 'the answer'} of {place.agent} ({where})"
            )
    return tuple(found)
