"""The form from which the deployment is started: its fields, their titles and words, and the settings that it means."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from flows.commands.scope import parse_scope
from schemas.run_form import RunForm
from schemas.settings import RunSettings
from tasks.papers import bundled_ids

Paper = Annotated[str, WithJsonSchema({"anyOf": [{"title": "A bundled paper", "type": "string", "enum": list(bundled_ids())},
                                                 {"title": "Another one", "type": "string"}]})]


def field(title: str, value: Any, **shown: Any) -> Any:
    """A field of the form. value: of who leaves it out; shown: what the form shows otherwise (`default`)."""
    return Field(value, json_schema_extra={"title": title, **shown})


def settings_of_form(form: RunForm, kept: RunSettings | None = None) -> RunSettings:
    """The settings that a form means; kept: those of the run that it continues."""
    return form.onto(kept, parse_scope(list(form.only)).model_dump() if form.only else {})
