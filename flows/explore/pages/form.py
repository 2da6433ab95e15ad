"""The form from which the deployment `explore` is started: its goals, and the settings that it means."""

from __future__ import annotations

from typing import Annotated

from pydantic import WithJsonSchema

from flows.pages.form import chosen_or_typed
from schemas.explore.run_form import RunForm
from schemas.explore.settings import ExploreSettings
from tasks.explore.bundled_goals import bundled_goals, settings_of_goal

Goal = Annotated[str, WithJsonSchema(chosen_or_typed("A bundled goal", bundled_goals()))]


def settings_of_form(form: RunForm, kept: ExploreSettings | None = None) -> ExploreSettings:
    """The settings that a form means; kept: those of the run that it continues."""
    return form.meant(kept or (ExploreSettings() if form.run_id else settings_of_goal(form.goal)))
