"""The stages after the search, from workflow.yaml: each one tool, kept, in the order of their dependencies."""

from __future__ import annotations

import json
from typing import Any

from flows.calls.conversation import use_tool
from flows.explore.context import Run
from flows.questions.asking import ask
from flows.run.costs import check_caps
from flows.run.endings import RunStopped
from schemas.base import digest
from schemas.errors import InputError
from schemas.explore.state import StageEnd
from schemas.explore.workflow import Stage
from schemas.talking.interaction import Choice, Question
from schemas.talking.tools import PIPELINE, ToolResult

_BEFORE_PAPER, _PUBLISH = "write_paper", "ear_publish"


def run_stages(run: Run) -> None:
    """Every enabled stage after those it depends on; what a failed one leaves undone is left out, nothing else."""
    order = run.workflow.ordered()
    again: dict[str, int] = {}
    feedback: dict[str, str] = {}
    position = 0
    while position < len(order):
        stage = order[position]
        check_caps(run)
        broken = [name for name in stage.after if _status(run, name) in ("failed", "left_out")]
        if broken:
            _end(
                run,
                StageEnd(stage=stage.stage, status="left_out", words=f"{', '.join(broken)} did not end well"),
            )
            position += 1
            continue
        _ask_before(run, stage)
        result = _done(run, stage, again.get(stage.stage, 0), feedback.get(stage.stage, ""))
        if result.is_error:
            _end(
                run,
                StageEnd(
                    stage=stage.stage,
                    status="failed",
                    words=result.text[:2000],
                    again=again.get(stage.stage, 0),
                ),
            )
            if stage.required:
                run.update("account", stop_reason=f"stage {stage.stage} failed: {result.text[:300]}")
                raise RunStopped(run.state.stop_reason)
            position += 1
            continue
        _end(
            run,
            StageEnd(stage=stage.stage, status="done", words=_words(result), again=again.get(stage.stage, 0)),
        )
        back = _sent_back(stage, result)
        if back and stage.back_to and again.get(stage.back_to, 0) < stage.at_most:
            target = next(number for number, other in enumerate(order) if other.stage == stage.back_to)
            for other in order[target : position + 1]:
                again[other.stage] = again.get(other.stage, 0) + 1
            feedback[stage.back_to] = back
            run.console.say(f"{stage.stage} sends back to {stage.back_to}: {back[:200]}", stage=stage.stage)
            position = target
            continue
        position += 1


def _done(run: Run, stage: Stage, again: int, feedback: str) -> ToolResult:
    """The stage's tool; tried again, as often as the stage says, where it failed."""
    run.update("begin", current=stage.stage)
    run.show()
    variables = {
        "run_dir": str(run.run_dir),
        "run_id": run.run_id,
        "goal_id": run.goal.goal_id,
        "outputs": str(run.store.outputs),
        "feedback": feedback,
    }
    try:
        arguments = stage.arguments(variables)
    except InputError as error:
        return ToolResult.error(error.text())
    result = ToolResult.error("it was not tried")
    for number in range(stage.retries + 1):
        key = f"stage-{run.line}-{stage.stage}.again{again}-{digest([arguments, number], 16)}"
        with run.tools():
            result = use_tool(
                key=key,
                label=f"{stage.stage} ({stage.skill}.{stage.tool})",
                run_id=run.handle,
                name=stage.tool,
                arguments=arguments,
                skill=stage.skill,
                place=run.place(PIPELINE, stage=stage.stage).model_copy(update={"call_id": key}),
            )
        if not result.is_error:
            break
        run.console.say(f"{stage.stage}: {result.text[:300]}", stage=stage.stage)
    return result


def _words(result: ToolResult) -> str:
    """What a stage says of itself in a line."""
    found = _value(result)
    if isinstance(found, dict):
        told = (
            found.get("headline")
            or found.get("note")
            or (f"score {found['score']}" if "score" in found else "")
        )
        return str(told or "done")[:300]
    return next((line for line in result.text.splitlines() if line.strip()), "done")[:300]


def _value(result: ToolResult) -> Any:
    try:
        return json.loads(result.text)
    except ValueError:
        return None


def _sent_back(stage: Stage, result: ToolResult) -> str:
    """The feedback with which a stage sends back; '' where it does not."""
    found = _value(result)
    if (
        stage.back_to is None
        or not isinstance(found, dict)
        or not isinstance(found.get("score"), int | float)
    ):
        return ""
    return str(found.get("feedback") or "score too low") if found["score"] < stage.below else ""


def _status(run: Run, name: str) -> str:
    return next((end.status for end in run.state.stages if end.stage == name), "")


def _end(run: Run, end: StageEnd) -> None:
    run.update("stage", stages=(*(each for each in run.state.stages if each.stage != end.stage), end))
    run.console.say(f"{end.status.replace('_', ' ')}: {end.words}"[:300], stage=end.stage)
    run.checkpoint(f"stage_{end.stage}")
    run.show()


def _ask_before(run: Run, stage: Stage) -> None:
    """The checkpoints of a person: before the paper and before publishing, which asks always unless it stays here."""
    checkpoints = run.settings.checkpoints
    elsewhere = (
        stage.stage == _PUBLISH and str(stage.inputs.get("backend", "local-tarball")) != "local-tarball"
    )
    if stage.stage == _BEFORE_PAPER and checkpoints.before_paper:
        _confirmed(
            run, "before_paper", "Write the paper?", "The search is over; the paper is written from its data."
        )
    if stage.stage == _PUBLISH and (checkpoints.before_publishing or elsewhere):
        _confirmed(
            run,
            "before_publishing",
            "Publish the bundle?",
            f"To: {stage.inputs.get('backend', 'local-tarball')}; it is staged first.",
        )


def _confirmed(run: Run, kind: str, title: str, body: str) -> None:
    answer = ask(
        run,
        Question(
            question_id=kind.replace("_", "-"),
            kind=kind,
            title=title,
            body=body,
            asked_by="ReproLab",
            reason="a checkpoint",
            choices=(
                Choice(name="approve", effect="go on"),
                Choice(name="stop", effect="stop the run here; all is kept"),
            ),
        ),
    )
    if answer.choice == "stop":
        run.update("ask_user", stop_reason=f"stopped by the user: {title}")
        raise RunStopped(title)
