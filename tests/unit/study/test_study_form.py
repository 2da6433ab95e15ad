"""The form of the deployment `study`: the usual fields first, none twice, and what it means."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from prefect.utilities.callables import parameter_schema

from flows.study.flow import study
from flows.study.pages.form import settings_of_form
from schemas.run.settings import CoreLimits, ModelSettings
from schemas.study.pipeline import PipelineMode
from schemas.study.run_form import RunForm
from schemas.study.settings import StudySettings
from tasks.study.bundled_studies import bundled_ids, settings_of_study

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return json.loads(parameter_schema(study).model_dump_json())


def test_the_usual_fields_come_first_and_no_field_twice(schema: dict[str, Any]) -> None:
    shown = sorted(schema["properties"].values(), key=lambda part: part["position"])
    assert [part["title"] for part in shown] == [
        "Input",
        "Who answers for the agents",
        "Model server",
        "Participants are",
        "At most, simulated participants",
        "At most, US dollars",
        "At most, hours",
        "Answers given beforehand",
        "Folder for results",
        "Continue a run",
        "Data of real participants",
        "Everything else",
    ]
    assert all(part["description"] for part in shown) and "$ref" not in json.dumps(schema)
    assert shown[0]["anyOf"][0]["enum"] == list(bundled_ids())
    group = shown[-1]["anyOf"][1]["properties"]
    assert [part["position"] for part in group.values()] == list(range(len(group)))
    assert not {"mode", "participants", "answers"} & set(group) and {
        "paradigm",
        "framework",
        "checkpoints",
    } <= set(group)


@pytest.mark.parametrize(
    "sent, fits",
    [
        ({"settings": {"retrieval": {"backends": ["corpus", "openalex"], "corpus": "/data/works"}}}, True),
        ({"settings": {"retrieval": {"backends": ["the web"]}}}, False),
        ({"settings": {"paradigm": "mixed", "checkpoints": ["after_design"]}}, True),
        ({"who": "real"}, True),
        ({"answers": [{"question": "after_design", "answer": "revise: shorter"}]}, True),
        ({"study_input": "/data/mine.txt"}, True),
        ({"who": "invented"}, False),
        ({"settings": {"paradigm": "none"}}, False),
        ({"participants": -1}, False),
        ({"settings": {"model": {"base_url": "https://me:secret@models.lab.example"}}}, False),
    ],
)
def test_what_the_server_takes_and_refuses(schema: dict[str, Any], sent: dict[str, Any], fits: bool) -> None:
    try:
        jsonschema.validate(sent, schema)
    except jsonschema.ValidationError:
        assert not fits
    else:
        assert fits


def test_what_a_form_means() -> None:
    for name in bundled_ids():
        assert settings_of_form(RunForm(study_input=name)) == settings_of_study(name)
    form = RunForm.model_validate(
        {
            "study_input": " question.txt ",
            "model": "anthropic",
            "who": "real",
            "participants": 12,
            "max_cost_usd": 3,
            "answers": [{"question": "after_scope", "answer": "approve"}],
            "settings": {"paradigm": "qualitative"},
        }
    )
    found = settings_of_form(form)
    assert (form.study_input, found.mode, found.participants, found.paradigm) == (
        "question.txt",
        PipelineMode.REAL_DATA,
        12,
        "qualitative",
    )
    assert found.limits.max_cost_usd == 3 and found.answers == (("after_scope", "approve"),)


def test_a_run_that_is_continued_keeps_its_settings_and_is_given_its_data() -> None:
    kept = StudySettings(
        model=ModelSettings(kind="anthropic", name="x"), mode=PipelineMode.REAL_DATA, participants=8
    )
    form = RunForm.model_validate(
        {"study_input": "voice-or-touch", "run_id": "r", "max_cost_usd": 5, "data": " /data/a.csv "}
    )
    found = settings_of_form(form, kept)
    assert (found.model, found.mode, found.participants) == (kept.model, kept.mode, 8)
    assert found.limits == CoreLimits(max_cost_usd=5) and found.answers == (
        ("provide_data", "provide: /data/a.csv"),
    )
