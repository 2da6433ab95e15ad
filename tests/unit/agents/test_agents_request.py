"""Requests: allowed context only, stable parts first, the same text for the same input."""

from __future__ import annotations

import json

import pytest

from agents.reproduce import physics_sanity, plan_reviewer, planner
from agents.reproduce.registry import AGENTS, CONCLUSIONS
from agents.talking.agent import build_request
from prompts.loader import load_prompt
from schemas.errors import StateError
from schemas.reproduce.settings import RunSettings
from schemas.run.settings import ModelSettings
from schemas.talking.adaptation import AdaptationRecord, PromptAdaptation
from schemas.talking.transcript import Position, RequestImage
from tests.unit.agents.agents_fixture import PAPER, run_state

pytestmark = pytest.mark.unit

SETTINGS = RunSettings(model=ModelSettings(kind="manual", name="any", per_agent=(("PlannerAgent", "big"),)))
PICTURE = RequestImage(
    path="/somewhere/fig1.png", sha256="0" * 64, media_type="image/png", caption="figure 1"
)


def request(agent, context, **more):
    arguments = {"position": Position(agent=agent.name), "adaptations": (), "settings": SETTINGS} | more
    return build_request(agent, context, **arguments)


@pytest.mark.parametrize("agent", [*AGENTS.values(), CONCLUSIONS], ids=lambda agent: agent.prompt)
def test_every_agent_has_a_prompt_without_open_placeholders_and_an_answer_schema(agent):
    asked = request(agent, {})
    assert [section.stable for section in asked.system] == [True, True]
    for section in asked.system:
        assert len(section.text) > 500
        assert not [
            word
            for word in ("{MAX_", "{SIMKIT_", "{THRESHOLDS_", "{AGENT_", "{EXPERIMENT_")
            if word in section.text
        ]
    assert asked.answer_schema["title"] == asked.answer_type == agent.answer.__name__
    json.dumps(asked.answer_schema)


def test_the_paper_comes_first_and_is_stable():
    asked = request(plan_reviewer.AGENT, plan_reviewer.context(run_state(), PAPER))
    assert (asked.context[0].title, asked.context[0].stable) == ("paper_text", True)
    assert asked.context[0].text.startswith("# Thin gold films")
    assert not any(section.stable for section in asked.context[1:])
    assert [section.title for section in asked.context[1:]] == ["plan", "extracted_parameters", "assumptions"]


def test_the_same_question_has_the_same_digest_wherever_pictures_lie():
    context = planner.context(run_state(), PAPER)
    first = request(planner.AGENT, context, images=(PICTURE,))
    moved = request(
        planner.AGENT,
        dict(reversed(context.items())),
        images=(PICTURE.model_copy(update={"path": "/elsewhere/fig1.png"}),),
    )
    assert first.digest() == moved.digest()
    assert first.model_name == "big"
    warm = SETTINGS.model_copy(
        update={
            "model": ModelSettings(
                kind="manual",
                name="any",
                per_agent=(("planner", "big"),),
                temperature=0.2,
                temperature_per_agent=(("PlannerAgent", 0.7),),
            )
        }
    )
    warmer = request(planner.AGENT, context, images=(PICTURE,), settings=warm)
    assert (first.temperature, warmer.temperature, warm.model.temperature_for("supervisor")) == (
        None,
        0.7,
        0.2,
    )
    assert warmer.digest() != first.digest(), "another answer is asked for"
    assert (
        first.digest()
        != request(planner.AGENT, context | {"replan_reason": "other"}, images=(PICTURE,)).digest()
    )


def test_foreign_context_positions_and_pictures_are_refused():
    with pytest.raises(StateError, match="may not be given paper_text"):
        request(AGENTS["code_generator"], {"paper_text": "secret"})
    with pytest.raises(StateError, match="another agent"):
        request(planner.AGENT, {}, position=Position(agent="supervisor"))
    with pytest.raises(StateError, match="sees no pictures"):
        request(plan_reviewer.AGENT, {}, images=(PICTURE,))


def test_adaptations_change_only_their_agent_s_prompt():
    section = load_prompt("physics_sanity").sections[0]
    record = AdaptationRecord(
        applied=True,
        adaptation=PromptAdaptation(
            adaptation_id="a1",
            target_agent="physics_sanity",
            modification_type="append",
            section=section,
            content="Silver tarnishes.",
            confidence=0.9,
            reason="silver",
        ),
    )
    changed = request(physics_sanity.AGENT, {}, adaptations=(record,))
    same = request(planner.AGENT, {}, adaptations=(record,))
    assert "Silver tarnishes." in changed.system[1].text and "Silver" not in changed.system[0].text
    assert same == request(planner.AGENT, {})
    assert changed.prompt_digest != request(physics_sanity.AGENT, {}).prompt_digest
