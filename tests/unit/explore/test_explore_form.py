"""The form of the deployment `explore`: the usual fields first, none twice, and what it means."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from prefect.utilities.callables import parameter_schema

from flows.explore.flow import explore
from flows.explore.pages.form import settings_of_form
from schemas.explore.run_form import RunForm
from schemas.explore.settings import Checkpoints, ExploreSettings, SearchSettings
from schemas.run.settings import CoreLimits, ModelSettings
from tasks.explore.bundled_goals import bundled_goals, settings_of_goal

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return json.loads(parameter_schema(explore).model_dump_json())


def test_the_usual_fields_come_first_and_no_field_twice(schema: dict[str, Any]) -> None:
    shown = sorted(schema["properties"].values(), key=lambda part: part["position"])
    assert [part["title"] for part in shown] == [
        "Research goal",
        "Who answers for the agents",
        "Model server",
        "At most, experiments",
        "At most, US dollars",
        "At most, hours",
        "Ask a person",
        "Answers given beforehand",
        "Folder for results",
        "Continue a run",
        "Everything else",
    ]
    assert all(part["description"] for part in shown) and "$ref" not in json.dumps(schema)
    assert shown[0]["anyOf"][0]["enum"] == list(bundled_goals())
    group = shown[-1]["anyOf"][1]["properties"]
    assert [part["position"] for part in group.values()] == list(
        range(len(group))
    )  # PostgreSQL forgets their order
    assert not {"checkpoints", "answers"} & set(group) and "max_nodes" not in group["search"]["properties"]
    assert (
        "kind" not in group["model"]["properties"]
        and group["node"]["properties"]["cpu_s"]["title"] == "CPU, seconds"
    )


@pytest.mark.parametrize(
    "sent, fits",
    [
        ({"settings": {"search": {"max_nodes": 3}, "checkpoints": {"after_ideas": True}}}, True),
        ({"ask": ["before the paper"]}, True),
        ({"answers": [{"question": "after_ideas", "answer": "choose: 2"}]}, True),
        ({"goal": "/data/goals/mine.md"}, True),
        ({"ask": ["always"]}, False),
        ({"settings": {"search": {"max_node": 3}}}, False),
        ({"experiments": -1}, False),
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
    assert (
        settings_of_form(RunForm(goal="heat-stencil"))
        == settings_of_goal("heat-stencil")
        != ExploreSettings()
    )
    sent = {
        "goal": " mine.md ",
        "model": "anthropic",
        "endpoint": "tiny",
        "experiments": 4,
        "max_hours": 1,
        "ask": ["after the ideas", "before publishing"],
        "answers": [{"question": "before_publishing", "answer": "approve"}],
        "settings": {"search": {"parallel": 2}},
    }
    form = RunForm.model_validate(sent)
    found = settings_of_form(form)
    assert (form.goal, found.model.kind, found.model.block, found.limits.max_total_runtime_hours) == (
        "mine.md",
        "anthropic",
        "tiny",
        1,
    )
    assert found.search == SearchSettings(max_nodes=4, parallel=2) and found.answers == (
        ("before_publishing", "approve"),
    )
    assert found.checkpoints == Checkpoints(after_ideas=True, before_publishing=True)


def test_a_run_that_is_continued_keeps_its_settings_and_its_answers_once() -> None:
    kept = ExploreSettings(
        model=ModelSettings(kind="anthropic", name="x"), answers=(("after_ideas", "approve"),)
    )
    form = RunForm.model_validate(
        {
            "goal": "heat-stencil",
            "run_id": "r",
            "max_cost_usd": 5,
            "answers": [{"question": "after_ideas", "answer": "approve"}],
        }
    )
    found = settings_of_form(form, kept)
    assert (
        found.model == kept.model
        and found.limits == CoreLimits(max_cost_usd=5)
        and found.answers == kept.answers
    )
