"""What a run does where a regression's recording ends (agents/reproduce/ruled.py)."""

from __future__ import annotations

from agents.models.errors import NotRecorded
from agents.reproduce.ruled import BY_RULE, RuledReplay
from flows.calls.replaying import left_unused
from flows.reproduce.context import Run
from flows.run.endings import RunStopped, StageAbandoned
from schemas.talking.transcript import Position

_ENDED = (
    "given up: the recording has no answer",
    "given up: the recorded answer",
)  # others were given up when it was recorded


def ended_by_rule(run: Run, stage_id: str, error: NotRecorded) -> Exception:
    """What is raised: the stage is given up; where there is none, the run is over."""
    if stage_id != "-":
        return StageAbandoned(error.what)
    run.update("ask_user", stop_reason=error.what)
    return RunStopped(error.what)


def may_plan_again(run: Run) -> bool:
    """Whether a new plan can be asked for: not where a regression's recording holds none. Then other stages go on."""
    if not isinstance(run.model, RuledReplay):
        return True
    return Position(agent="planner", round=run.state.plan_round + 1).label() in run.model.recording.calls


def course(run: Run) -> tuple[str, ...]:
    """Where a regression left the recorded course: rules that stood in, stages given up, recordings nobody asked for."""
    state = run.state
    notes = [
        note.removeprefix(BY_RULE)
        for metric in state.metrics
        for note in metric.notes
        if note.startswith(BY_RULE)
    ]
    asked = [
        f"a question that was not recorded ({entry.reason}) was answered {entry.user_response}"
        for entry in state.user_interactions
        if entry.answered_by == "by rule"
    ]
    ended = [
        f"{entry.stage_id}: {issue}"
        for entry in state.progress
        for issue in entry.issues
        if issue.startswith(_ENDED)
    ]
    unused = [f"not used: {name}" for name in left_unused(run.model, run.transcript)]
    by_a_person = any(
        entry.answered_by == "recorded" and entry.user_response.startswith("stop")
        for entry in state.user_interactions
    )
    stopped = (f"the run stopped: {state.stop_reason}",) if state.stop_reason and not by_a_person else ()
    return tuple(dict.fromkeys((*stopped, *notes, *asked, *ended, *unused)))
