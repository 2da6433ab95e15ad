"""The page of a question's form: what is asked and the answers first, the facts in short, the rest behind a link."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from flows.questions.forms import form_of
from flows.questions.pausing import DETAILS, question_page
from schemas.base import FileRef
from schemas.talking.interaction import Choice, Question

pytestmark = pytest.mark.unit


def _question(body: str, pictures: tuple[FileRef, ...] = ()) -> Question:
    choices = (Choice(name="approve", effect="go on"), Choice(name="stop", effect="stop here"))
    return Question(
        question_id="q1", kind="material_checkpoint", title="Are they right?", body=body, choices=choices, pictures=pictures
    )  # fmt: skip


def test_answers_stand_first_and_details_and_plots_behind_a_link() -> None:
    table = "| material | data |\n|---|---|\n| gold | Johnson |"
    plot = FileRef(path="materials/gold.png", sha256="0" * 64, bytes=1)
    run: Any = SimpleNamespace(run_dir=Path("/out/run"), artifacts={"question-q1": "an-id"})
    page = question_page(
        run, _question(f"Check.\n\n{table}\n\n{DETAILS}\n\n- gold: {'long ' * 900}", (plot,)), ""
    )
    places = [
        page.index(words)
        for words in ("Are they right?", "**approve**", "**stop**", "| gold |", "/artifacts/artifact/an-id")
    ]
    assert places == sorted(places) and "long" not in page and "data:image" not in page and len(page) < 600


def test_a_long_text_is_cut_at_a_paragraph_and_fences_are_closed() -> None:
    run: Any = SimpleNamespace(run_dir=Path("/out/run"), artifacts={})
    page = question_page(
        run, _question("One.\n\n```text\na\n\n" + "b " * 2000 + "\n\nc\n```"), "it did not fit"
    )
    assert (
        len(page) < 1000
        and page.count("```") % 2 == 0
        and "tab Artifacts" in page
        and "it did not fit" in page
    )
    short = question_page(run, _question("One."), "")
    assert "Artifacts" not in short


def test_a_form_keeps_who_sent_it_and_shows_no_field_for_it() -> None:
    form = form_of(_question("One."))
    schema = form.model_json_schema()
    assert (
        set(schema["properties"]) == {"choice", "text", "question"} and schema["additionalProperties"] is True
    )
    assert (form(choice="stop", person="anna").model_extra or {})["person"] == "anna"
