"""The form from which the deployment `reproduce` is started: its papers, and the settings that it means."""

from __future__ import annotations

from typing import Annotated

from pydantic import WithJsonSchema

from flows.commands.scope import parse_scope
from flows.pages.form import chosen_or_typed
from schemas.reproduce.run_form import RunForm
from schemas.reproduce.settings import RunSettings
from tasks.reproduce.papers import bundled_ids

Paper = Annotated[str, WithJsonSchema(chosen_or_typed("A bundled paper", tuple(bundled_ids())))]


def settings_of_form(form: RunForm, kept: RunSettings | None = None) -> RunSettings:
    """The settings that a form means; kept: those of the run that it continues."""
    return form.meant(kept, parse_scope(list(form.only)).model_dump() if form.only else {})
