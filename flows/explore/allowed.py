"""What an exploration may be told that was started through Prefect's API (flows/run/allowed.py)."""

from __future__ import annotations

from flows.run.allowed import below, check_settings, folders
from flows.serving.runtime import from_outside
from schemas.explore.settings import ExploreSettings
from tasks.explore.bundled_goals import bundled_goals

GOALS, WORKFLOWS = "REPROLAB_ALLOW_GOALS", "REPROLAB_ALLOW_WORKFLOWS"


def check_run(goal: str, settings: ExploreSettings, outputs: str, run_id: str) -> None:
    """Raises InputError for a parameter of `explore` that this worker does not allow. Nothing is opened.

    A workflow.yaml names servers that are started, so its folder must be allowed by the worker's keeper.
    """
    if not from_outside():
        return
    if not run_id and goal not in bundled_goals():
        below("goal", goal, folders(GOALS), f"a bundled goal ({', '.join(bundled_goals())})", GOALS)
    if settings.workflow:
        below(
            "settings.workflow", settings.workflow, folders(WORKFLOWS), "empty for ReproLab's own", WORKFLOWS
        )
    if settings.retrieval.corpus:
        below(
            "settings.retrieval.corpus",
            settings.retrieval.corpus,
            folders(GOALS),
            "empty for the goal's own",
            GOALS,
        )
    check_settings(settings, outputs, GOALS)
