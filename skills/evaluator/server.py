"""evaluator: make_metric_spec writes evaluation_criteria.json and measure.py, once for a run."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import anyio

from schemas.errors import ReproLabError
from schemas.explore.asked_by_skills import MetricSpecAnswer
from schemas.explore.goal import Goal
from schemas.explore.settings import ExploreSettings
from skills import kit
from tasks.explore.goals import FILE_NAME, load_goal, read_goal_file
from tasks.explore.measuring.freezing import CRITERIA, freeze, frozen
from tasks.explore.measuring.trial import cannot_fail
from tasks.explore.review.venues import settings_of

server = kit.skill("evaluator", "How success of this run is measured.")
_BEGINNING, _SHOWN_BYTES = 2000, 20_000


@server.tool()
async def make_metric_spec(ctx: kit.Call) -> str:
    """Settle the run's primary metric (name, unit, direction) and the program that measures it; later calls only read it."""
    where = kit.context(ctx)
    if not where.run_dir:
        raise kit.ToolError("a metric is settled for a run only")
    run_dir = Path(where.run_dir)
    try:
        if (run_dir / CRITERIA).is_file():
            return kit.answer(frozen(run_dir).model_dump(mode="json"))
        goal = _goal(run_dir)
        given = settings_of(run_dir).measure
        hint = goal.metric
        if goal.measure and hint.name and hint.direction:
            spec = freeze(goal, run_dir, settings=given)
        else:
            found = await _specified(ctx, goal, settings_of(run_dir))
            spec = freeze(
                goal,
                run_dir,
                settings=given,
                program=found.program,
                name=found.name,
                unit=found.unit,
                direction=found.direction,
                kind=found.kind,
                criteria=found.criteria,
            )
    except ReproLabError as error:
        raise kit.ToolError(error.text()) from None
    return kit.answer(spec.model_dump(mode="json"))


async def _specified(ctx: kit.Call, goal: Goal, settings: ExploreSettings) -> MetricSpecAnswer:
    """The metric, and a program that was tried. Raises ToolError for one that cannot fail, twice."""
    told, fault = _told(goal), ""
    for _ in range(2):
        found = MetricSpecAnswer.model_validate(await kit.ask(ctx, agent="metric_specifier", context=told))
        if goal.measure or not found.program:
            return found
        libraries = {name: Path(folder) for name, folder in kit.context(ctx).libraries.items()}
        trial = partial(
            cannot_fail, goal, found, settings.measure, libraries, settings.allow_degraded_sandbox
        )
        fault = await anyio.to_thread.run_sync(trial)
        if not fault:
            return found
        told = {**_told(goal), "faults": [fault]}
    raise kit.ToolError(
        f"the metric does not hold: {fault}. Name a program of your own in goal.md (## Measure)"
    )


def _goal(run_dir: Path) -> Goal:
    """The goal of a run, with its files: from the folder `goal` of the run, or beside goal.md of the run itself."""
    folder = run_dir / "goal"
    return load_goal(folder if (folder / FILE_NAME).is_file() else run_dir)


def _told(goal: Goal) -> dict[str, object]:
    files = {}
    for file in goal.provided:
        text = read_goal_file(goal, file)
        files[file.path] = (
            f"{file.bytes} bytes" if b"\0" in text[:4096] else text[:_BEGINNING].decode("utf-8", "replace")
        )
    program = (
        read_goal_file(goal, goal.measure)[:_SHOWN_BYTES].decode("utf-8", "replace") if goal.measure else ""
    )
    return {"goal": goal.text, "provided_files": files, "measure_program": program}


if __name__ == "__main__":
    server.main()
