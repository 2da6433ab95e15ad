"""The form in which a person answers a question on Prefect's page, and answers that reached an earlier process's form."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any, Literal, cast
from uuid import UUID

from httpx import HTTPStatusError
from prefect.client.orchestration import get_client
from prefect.input import RunInput
from prefect.input.run_input import keyset_from_base_key
from pydantic import ConfigDict, Field, create_model

from flows.serving.people import PERSON, name_of
from schemas.base import Model, digest
from schemas.talking.interaction import Question
from tasks.files.store import atomic_write

_FILE = "forms.json"
_MOST = 50  # forms of one run that are remembered


class Form(Model):
    """Where an answer would be: the flow run that waited, and its pause's key."""

    question: str
    flow_run_id: str
    base_key: str


class _Answer(RunInput):
    """What a form sends: its fields, and who sent it, which the server adds."""

    model_config = ConfigDict(extra="allow")


def question_mark(question: Question) -> str:
    """A question's name in its form; another one when the question has changed since."""
    return f"{question.question_id} {digest(question.model_dump(mode='json'), 6)}"


def form_of(question: Question) -> type[RunInput]:
    """Answer, words, and the question's name, so that a page that was left open cannot answer a later question."""
    names = tuple(choice.name for choice in question.choices)
    needing = [choice.name for choice in question.choices if choice.needs_words]
    mark = question_mark(question)
    # No default for the choice: an empty form must not approve anything.
    choice = Field(title="Your answer", description="Required; each answer is explained above.")
    text = Field(
        "",
        title="In your words",
        description=f"Needed with {' and '.join(needing)}, as explained above; else guidance, or nothing."
        if needing
        else "Guidance, or nothing.",
    )
    asked = Field(
        mark,
        title="Question",
        description="Leave as it is. Refused here: the question has changed since this "
        "page was opened; load it again.",
    )
    return create_model(
        "Answer",
        __base__=_Answer,
        choice=(cast(Any, Literal[names]), choice),
        text=(str, text),
        question=(cast(Any, Literal[mark]), asked),
    )


def pause_key(question: Question) -> str:
    """A key that no pause of this flow run has had: Prefect refuses one that comes again when a run is retried."""
    return f"{re.sub(r'[^a-z0-9-]+', '-', question.question_id.lower())}-{os.urandom(4).hex()}"


def remember_form(
    run_dir: Path, question: Question, flow_run_id: str, kind: Literal["paused", "suspended"], key: str
) -> None:
    """Note where the answer will be, before the form is shown."""
    form = Form(question=question_mark(question), flow_run_id=flow_run_id, base_key=f"{kind}-{key}")
    with suppress(OSError):
        atomic_write(
            run_dir / _FILE, json.dumps([entry.model_dump() for entry in (*_forms(run_dir), form)[-_MOST:]])
        )


def given_meanwhile(run_dir: Path, question: Question) -> dict[str, str] | None:
    """The newest answer that reached a form of this very question while nobody was there to take it; None without one."""
    forms = [form for form in _forms(run_dir) if form.question == question_mark(question)]
    if not forms:
        return None
    with get_client(sync_client=True) as client:
        for form in reversed(forms):
            try:
                raw = client.read_flow_run_input(
                    UUID(form.flow_run_id), keyset_from_base_key(form.base_key)["response"]
                )
            except HTTPStatusError as error:
                if error.response.status_code != HTTPStatus.NOT_FOUND:
                    raise
                continue  # nothing was given, or another server was asked then
            found = json.loads(raw)
            if isinstance(found, dict) and isinstance(found.get("choice"), str):
                return {
                    "choice": found["choice"],
                    "text": str(found.get("text") or ""),
                    PERSON: name_of(found.get(PERSON)),
                }
    return None


def clear_pages(run_dir: Path, question: Question) -> None:
    """Take the answered question's page, with its pictures, out of Prefect's database; its artifact and the answer stay."""
    with (
        suppress(Exception),
        get_client(sync_client=True) as client,
    ):  # whoever is slow here does not hold the run up
        for form in _forms(run_dir):
            if form.question == question_mark(question):
                with suppress(HTTPStatusError):
                    client.delete_flow_run_input(
                        UUID(form.flow_run_id), keyset_from_base_key(form.base_key)["description"]
                    )


def _forms(run_dir: Path) -> tuple[Form, ...]:
    try:
        return tuple(
            Form.model_validate(entry) for entry in json.loads((run_dir / _FILE).read_text(encoding="utf-8"))
        )
    except (OSError, ValueError):
        return ()
