"""The form from which the deployment `study` is started: its inputs, and the settings that it means."""

from __future__ import annotations

from typing import Annotated

from pydantic import WithJsonSchema

from flows.pages.form import chosen_or_typed
from schemas.study.run_form import RunForm
from schemas.study.settings import StudySettings
from tasks.study.bundled_studies import bundled_ids, settings_of_study

Given = Annotated[str, WithJsonSchema(chosen_or_typed("A bundled study", bundled_ids()))]


def settings_of_form(form: RunForm, kept: StudySettings | None = None) -> StudySettings:
    """The settings that a form means; kept: those of the run that it continues."""
    return form.meant(kept or (StudySettings() if form.run_id else settings_of_study(form.study_input)))
