"""From agents' answers to a protocol: sizes are computed, contradictions named; who is asked sees only what it may."""

from __future__ import annotations

import pytest

from agents.models.api_schema import MAX_UNIONS, api_schema, union_count
from agents.study.registry import AGENTS
from agents.study.roster import ROSTER
from agents.talking.agent import build_request, untitled
from prompts.loader import load_prompt
from schemas.errors import InputError, StateError
from schemas.study.answers import DesignAnswer
from schemas.study.design import PlannedEffect, Variable
from schemas.study.settings import StudySettings
from schemas.talking.transcript import Position
from tasks.study.designing import design_faults, protocol_of
from tasks.study.scoping import ungiven
from tests.unit.study.study_fixture import ETHICS, plan, protocol, questionnaire

pytestmark = pytest.mark.unit


def answer(**changed: object) -> DesignAnswer:
    base = protocol()
    fields: dict[str, object] = {
        "title": "Voice or touch",
        "assignment": "within",
        "conditions": base.conditions,
        "procedure": ("Use it", "Answer"),
        "quotas": base.participants.quotas,
        "ethics": ETHICS,
        "questionnaire": questionnaire(),
        "effect": PlannedEffect(measure="dz", size=0.5, because="half a standard deviation matters"),
        "variables": (
            Variable(
                name="condition",
                role="independent",
                kind="nominal",
                definition="c",
                levels=("voice", "touch"),
                within=True,
            ),
            Variable(name="ease", role="dependent", kind="interval", definition="scale"),
        ),
    }
    return DesignAnswer.model_validate({**fields, **changed})


def test_code_computes_the_sample_size_and_says_what_fewer_can_show() -> None:
    full, _, _ = protocol_of(answer(), plan(), most=None)
    assert full.participants.sample_size == 34 and full.sample_size is not None and full.sample_size.enough
    few, _, variables = protocol_of(answer(), plan(), most=9)
    assert few.participants.sample_size == 8 and few.sample_size is not None, "whole balanced orders"
    assert (
        not few.sample_size.enough
        and few.sample_size.needed == 34
        and 0.2 < few.sample_size.power_with_taken < 0.3
    )
    assert variables.named("condition").levels == ("voice", "touch")


def test_a_plan_names_no_reference_that_nobody_gave_and_no_result() -> None:
    told = "Is voice easier? Read: Smith, J. (2019). Timers."
    assert ungiven(plan(), told, results_known=True) == []
    given = plan().model_copy(
        update={"related": ("Smith, J. (2019). Timers.",), "background": "Smith (2019) asked cooks."}
    )
    assert ungiven(given, told, results_known=False) == []
    for change, words in (
        ({"related": ("Miller 2020",)}, "related: Miller 2020 was not given"),
        ({"related": (" ",)}, "rel"),
        ({"background": "Voice is faster (Miller, 2020)."}, "a reference that was not given: Miller, 2020"),
        ({"title": "Voice is easier, p = .03"}, "typed: .03"),
    ):
        assert any(
            words in said for said in ungiven(plan().model_copy(update=change), told, results_known=False)
        ), change
    first = plan().hypotheses[0].model_copy(update={"statement": "Voice is 0.4 points easier."})
    told_later = plan().model_copy(update={"hypotheses": (first,)})
    assert ungiven(told_later, told, results_known=False) == []
    assert "0.4" in ungiven(told_later, told, results_known=True)[0]


CHANGES: dict[str, tuple[dict[str, object], str]] = {
    "a variable without column": (
        {
            "variables": (
                *answer().variables,
                Variable(name="speed", role="dependent", kind="ratio", definition="s"),
            )
        },
        "speed is no column",
    ),
    "a rating as ratio": (
        {
            "variables": (
                *answer().variables,
                Variable(name="trust", role="dependent", kind="ratio", definition="t"),
            )
        },
        "trust is ratio; its column allows ordinal or",
    ),
    "a hypothesis without variable": ({"variables": answer().variables[:1]}, "h1 needs the variable ease"),
    "other levels": (
        {
            "variables": (
                answer().variables[0].model_copy(update={"levels": ("a", "b")}),
                answer().variables[1],
            )
        },
        "levels of condition are a, b",
    ),
    "within and between": (
        {"variables": (answer().variables[0].model_copy(update={"within": False}), answer().variables[1])},
        "varies within participants: False",
    ),
    "no effect": ({"effect": None}, "smallest effect of interest is missing"),
    "an effect that does not fit": (
        {"effect": PlannedEffect(measure="d", size=0.5, because="x")},
        "d does not fit 2",
    ),
    "an attribute like an item": (
        {
            "quotas": tuple(
                item.model_copy(update={"attribute": "place"}) for item in protocol().participants.quotas[:1]
            )
        },
        "place has the name",
    ),
}


@pytest.mark.parametrize("case", CHANGES)
def test_a_design_that_contradicts_itself_is_not_carried_out(case: str) -> None:
    changed, said = CHANGES[case]
    assert any(said in fault for fault in design_faults(answer(**changed), plan())), design_faults(
        answer(**changed), plan()
    )
    with pytest.raises(InputError, match="does not fit together"):
        protocol_of(answer(**changed), plan(), most=None)
    assert design_faults(answer(), plan()) == []


@pytest.mark.parametrize("name", ROSTER)
def test_every_agent_has_a_prompt_and_an_answer_that_the_api_accepts(name: str) -> None:
    agent = AGENTS[name]
    asked = build_request(agent, {}, position=Position(agent=name), adaptations=(), settings=StudySettings())
    assert [section.stable for section in asked.system] == [True, True] and load_prompt(name).agent == name
    assert all(f"`{key}`" in load_prompt(name).text for key in agent.context), (
        "context the prompt never names"
    )
    assert (
        union_count(api_schema({"title": name, **untitled(agent.answer.model_json_schema())})) <= MAX_UNIONS
    )


def test_who_plays_a_participant_never_sees_the_hypotheses_or_another_participant() -> None:
    for name in ("persona_writer", "persona_context", "persona_experience", "persona_responder"):
        assert not {"plan", "design", "results", "paper", "question", "variables", "texts"} & set(
            AGENTS[name].context
        )
        with pytest.raises(StateError, match="may not be given plan"):
            build_request(
                AGENTS[name],
                {"plan": "x"},
                position=Position(agent=name),
                adaptations=(),
                settings=StudySettings(),
            )
    assert (
        "questionnaire" not in AGENTS["persona_experience"].context
        and "conditions" not in AGENTS["persona_context"].context
    )
    assert "results" not in AGENTS["coder_qualitative"].context
